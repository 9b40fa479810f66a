import dataclasses
import json
import re
import zlib
from collections import Counter

import pytest

from qoslint.finding import Finding, Location, Notice, RelatedLocation, Severity
from qoslint.report import render, sarif
from qoslint.report.fingerprint import line_hashes
from qoslint.report.sarif import MOST_RESULTS
from qoslint.schema import check
from qoslint.span import Position, Span


@pytest.fixture(scope="module")
def log(report, texts):
    return json.loads(render("sarif", report, texts))


@pytest.fixture(scope="module")
def results(log):
    return log["runs"][0]["results"]


def region(result):
    return result["locations"][0]["physicalLocation"]["region"]


def many(report, count, severity=Severity.NOTE):
    return report._replace(
        findings=tuple(
            Finding("QOS901", severity, "m", Location("a", Span(Position(n, 1), Position(n, 2))))
            for n in range(1, count + 1)
        ),
    )


def test_the_log_fits_our_profile_of_sarif(log):
    assert list(check(log, "sarif-profile")) == []


def test_no_two_results_share_rule_uri_and_region(results):
    keys = Counter(
        (result["ruleId"], json.dumps(result["locations"][0]["physicalLocation"]))
        for result in results
    )
    assert keys.most_common(1)[0][1] == 1


def test_merged_findings_keep_both_sentences_and_the_worst_level(results):
    merged = results[0]
    assert merged["level"] == "warning"
    assert merged["message"]["text"] == (
        "The pod has no limits. A second sentence about the same line. "
        "Objects: shop/Deployment/api, shop/Deployment/web."
    )


def test_a_region_ends_with_its_first_line(results):
    assert region(results[0]) == {"startLine": 8, "startColumn": 11, "endLine": 8, "endColumn": 20}


def test_a_warning_keeps_its_level_beside_a_rule_of_another(report, texts):
    rule = report.rules[0]._replace(severity=Severity.ERROR)
    changed = report._replace(rules=(rule, *report.rules[1:]))
    run = json.loads(render("sarif", changed, texts))["runs"][0]
    assert run["results"][0]["level"] == "warning"
    assert run["tool"]["driver"]["rules"][0]["defaultConfiguration"] == {"level": "error"}


def test_the_line_hash_is_that_of_the_first_line(results, texts):
    expected = line_hashes(texts("deploy/api.yaml"), {8})[8]
    assert results[0]["partialFingerprints"]["primaryLocationLineHash"] == expected


def test_a_file_without_text_has_only_our_fingerprint(results):
    [gone] = [it for it in results if "gone" in json.dumps(it["locations"])]
    assert list(gone["partialFingerprints"]) == ["qoslint/v1"]


def test_file_names_are_percent_encoded_bytes(results):
    uris = [it["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for it in results]
    assert "deploy/%E6%97%A5%E6%9C%AC%E8%AA%9E%20100%25.yaml" in uris
    assert "evil%1B%5B2J%80/%E2%80%AEgnp.yaml" in uris


def test_a_related_location_is_linked_from_the_message(results):
    [refused] = [it for it in results if it["ruleId"] == "QOS203"]
    assert refused["message"]["text"].endswith(
        r"See [LimitRange shop/defaults (limits\[0\]) allows at most 1Gi](1)."
    )
    assert [it["id"] for it in refused["relatedLocations"]] == [1]


def test_a_link_in_a_name_is_no_link(results):
    [hostile] = [it for it in results if "example.com" in it["message"]["text"]]
    assert r"\[link](https://example.com)" in hostile["message"]["text"]


_LINK_CHARACTER = r"[^\\\[\]]|\\[\\\[\]]"
_EMBEDDED_LINK = re.compile(rf"\[((?:{_LINK_CHARACTER})*)\]\(([^)]*)\)")


def links(text):
    """The targets of the links in a plain text message, by the grammar of SARIF 2.1.0, 3.11.6."""
    place, found = 0, []
    while place < len(text):
        if text[place] == "\\":
            place += 2
        elif link := _EMBEDDED_LINK.match(text, place):
            found.append(link[2])
            place = link.end()
        else:
            place += 1
    return found


@pytest.mark.parametrize(
    "hostile",
    [
        "[a](https://x)",
        "[0m [a](https://x)",
        r"\[a](https://x)",
        r"\\[a](https://x)",
        r"[a\]b](https://x)",
        r"[a\[b](https://x)",
        r"[a\\](https://x) [",
    ],
)
def test_no_text_of_a_stranger_is_a_link(report, texts, hostile):
    assert links(hostile) or links(hostile[1:]), "the case is one"
    finding = report.findings[0]
    made = dataclasses.replace(
        finding,
        message=hostile,
        objects=(hostile, "two"),
        clusters=(hostile,),
        related=(RelatedLocation(finding.location, hostile),),
    )
    noticed = Notice(hostile)
    log = json.loads(render("sarif", report._replace(findings=(made,), notices=(noticed,)), texts))
    run = log["runs"][0]
    [result] = run["results"]
    assert links(result["message"]["text"]) == ["1"]
    assert links(result["relatedLocations"][0]["message"]["text"]) == []
    for each in run["invocations"][0]["toolExecutionNotifications"]:
        assert links(each["message"]["text"]) == []


def test_a_link_that_two_messages_make_together_is_none(report, texts):
    first = dataclasses.replace(
        report.findings[0], message="[a", objects=(), related=(), clusters=()
    )
    second = dataclasses.replace(first, message="b](https://x)")
    log = json.loads(render("sarif", report._replace(findings=(first, second)), texts))
    [result] = log["runs"][0]["results"]
    assert result["message"]["text"] == r"\[a b](https://x)"


def test_precision_comes_from_confidence(log):
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["properties"]["precision"] for rule in rules] == ["high", "very-high", "medium"]


def test_a_failed_check_is_a_notification_of_a_successful_run(log):
    [invocation] = log["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is True
    assert invocation["toolExecutionNotifications"][0]["level"] == "error"


def test_a_rule_that_found_nothing_is_listed(report, texts):
    silent = report._replace(findings=())
    run = json.loads(render("sarif", silent, texts))["runs"][0]
    assert run["results"] == []
    assert len(run["tool"]["driver"]["rules"]) == 3


def test_a_long_description_is_cut_to_what_github_takes(report, texts):
    rule = report.rules[0]._replace(summary="x" * 2000)
    changed = report._replace(findings=(), rules=(rule,))
    [cut] = json.loads(render("sarif", changed, texts))["runs"][0]["tool"]["driver"]["rules"]
    assert cut["shortDescription"]["text"] == "x" * 1023 + "…"


def test_at_most_a_hundred_related_locations_are_written(report, texts):
    related = tuple(
        RelatedLocation(Location("b", Span(Position(n, 1), Position(n, 2))), f"place {n}")
        for n in range(1, 151)
    )
    finding = dataclasses.replace(report.findings[0], related=related)
    changed = report._replace(findings=(finding,))
    [result] = json.loads(render("sarif", changed, texts))["runs"][0]["results"]
    assert len(result["relatedLocations"]) == 100
    assert result["message"]["text"].endswith("[place 5](5) and 95 more.")


def test_beyond_githubs_limit_the_most_severe_results_stay(report):
    notes = many(report, MOST_RESULTS + 1)
    last = dataclasses.replace(notes.findings[-1], severity=Severity.ERROR)
    changed = notes._replace(findings=(*notes.findings[:-1], last))
    run = json.loads(render("sarif", changed, lambda file: None))["runs"][0]
    notifications = run["invocations"][0]["toolExecutionNotifications"]
    assert len(run["results"]) == MOST_RESULTS
    assert run["results"][-1]["level"] == "error"
    assert notifications[0]["message"]["text"].startswith("1 results are left out")


def test_a_log_too_large_to_be_uploaded_keeps_the_most_severe_results(report, monkeypatch):
    notes = many(report, 800)
    last = dataclasses.replace(notes.findings[-1], severity=Severity.ERROR)
    changed = notes._replace(findings=(*notes.findings[:-1], last))
    monkeypatch.setattr(sarif, "MOST_BYTES", 8_000)
    text = render("sarif", changed, lambda file: None)
    run = json.loads(text)["runs"][0]
    assert len(zlib.compress(text.encode())) <= 8_000
    assert 100 < len(run["results"]) < 800
    assert run["results"][-1]["level"] == "error"
    [told] = [
        it
        for it in run["invocations"][0]["toolExecutionNotifications"]
        if "left out" in it["message"]["text"]
    ]
    assert told["message"]["text"].startswith(f"{800 - len(run['results'])} results are left out")


def test_a_log_that_is_too_large_without_any_result_is_written_all_the_same(report, monkeypatch):
    monkeypatch.setattr(sarif, "MOST_BYTES", 10)
    assert json.loads(render("sarif", report, lambda file: None))["runs"][0]["results"] == []


def test_of_very_many_notices_the_first_are_written(report, texts):
    noisy = report._replace(notices=tuple(Notice(f"Notice {n}.") for n in range(1500)))
    log = json.loads(render("sarif", noisy, texts))
    notifications = log["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert notifications[-1]["message"]["text"] == "There are 501 more notifications."
    assert list(check(log, "sarif-profile")) == []


@pytest.mark.parametrize("given", ["prod/eu", "prod/eu/"])
def test_a_category_is_all_before_the_last_slash(report, texts, given):
    log = json.loads(render("sarif", report._replace(category=given), texts))
    assert log["runs"][0]["automationDetails"] == {"id": "prod/eu/"}
    assert list(check(log, "sarif-profile")) == []


def test_without_a_category_the_uploads_own_counts(log):
    assert "automationDetails" not in log["runs"][0]


def test_the_help_is_the_page_in_markdown(log):
    rule = log["runs"][0]["tool"]["driver"]["rules"][0]
    assert rule["help"]["text"] == "Do what best-effort asks for."
    assert rule["help"]["markdown"] == (
        "## What it finds\n\nWhat `best-effort` says\\x07.\n\n## What to do\n\nWhat it asks for."
    )
    assert rule["name"] == "BestEffort"


def test_a_page_is_cut_after_a_line(report, texts):
    rule = report.rules[0]._replace(guide="line of text\n" * 5000)
    log = json.loads(render("sarif", report._replace(rules=(rule,), findings=()), texts))
    [cut] = log["runs"][0]["tool"]["driver"]["rules"]
    assert cut["help"]["markdown"].endswith("line of text\n…")
    assert list(check(log, "sarif-profile")) == []


def test_a_large_log_is_compact(report):
    assert render("sarif", many(report, 1001), lambda file: None).count("\n") == 1


def test_a_fix_is_one_with_its_replacements(results):
    [refused] = [it for it in results if it["ruleId"] == "QOS203"]
    [fix] = refused["fixes"]
    [change] = fix["artifactChanges"]
    assert change["artifactLocation"]["uri"] == "deploy/api.yaml"
    first, second = change["replacements"]
    assert first["insertedContent"] == {"text": "1Gi"}
    assert first["deletedRegion"] == {
        "startLine": 11, "startColumn": 23, "endLine": 11, "endColumn": 26,
    }  # fmt: skip
    assert second["insertedContent"]["text"].startswith("\r\n")
    assert second["deletedRegion"]["startColumn"] == second["deletedRegion"]["endColumn"]


def test_a_removal_inserts_nothing(report, texts):
    gone = dataclasses.replace(
        report.findings[0], fixes=(report.findings[0].fixes[0]._replace(text=""),)
    )
    run = json.loads(render("sarif", report._replace(findings=(gone,)), texts))["runs"][0]
    [change] = run["results"][0]["fixes"][0]["artifactChanges"]
    assert list(change["replacements"][0]) == ["deletedRegion"]


def test_findings_that_are_merged_keep_a_fix_only_if_they_agree(report, texts):
    first = report.findings[0]
    other = dataclasses.replace(first, message="Another sentence.", fixes=())
    run = json.loads(render("sarif", report._replace(findings=(first, other)), texts))["runs"][0]
    assert "fixes" not in run["results"][0]

import re

import pytest

from qoslint.finding import Finding, Location, PodLine, Score, Severity
from qoslint.report import render
from qoslint.report.pods import MOST, pod_table
from qoslint.report.style import ANSI, PLAIN_STYLE, Style
from qoslint.span import Position, Span


def lines(report, texts, style=PLAIN_STYLE):
    return render("text", report, texts, style).splitlines()


def pod(name, **scores):
    return PodLine(
        "prod", "shop", "Deployment", name, "Burstable", priority=0,
        scores={node: tuple(Score(*score) for score in given) for node, given in scores.items()},
    )  # fmt: skip


def account(report, **changes):
    coverage = report.coverage._replace(**changes)
    return report._replace(findings=(), failed_checks=(), pods=(), coverage=coverage)


def test_colour_changes_no_other_character(report, texts):
    coloured = render("text", report, texts, Style(ANSI))
    for look in ANSI:
        coloured = coloured.replace(look, "")
    assert coloured == render("text", report, texts)


def test_a_line_of_a_crlf_file_is_shown_without_its_line_end(report, texts):
    assert "     8 |         - name: api" in lines(report, texts)


def test_a_missing_field_is_named_at_its_nearest_parent(report, texts):
    [carets] = [line for line in lines(report, texts) if line.endswith("is missing here")]
    assert "^^^^^^^^^ spec.template.spec.containers[0].resources.limits" in carets


def test_a_related_place_is_a_note_with_its_line(report, texts):
    printed = lines(report, texts)
    note = printed.index(
        "  note: ns/limits.yaml:4:13: LimitRange shop/defaults (limits[0]) allows at most 1Gi"
    )
    assert printed[note + 1] == "     4 |     - max: {memory: 1Gi}"


def test_source_lines_are_cut_to_the_width(report, texts):
    numbered = re.compile(r" +\d+ \| ")
    shown = filter(numbered.match, lines(report, texts, Style(width=50)))
    assert max(map(len, shown)) == 50


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        (
            {"not_understood": {}, "pods": {"Burstable": 3}},
            "No findings: 3 pods checked.",
        ),
        (
            {"pods": {"Burstable": 3}},
            "No findings, but not everything was checked: 2 files not understood.",
        ),
        (
            {"not_understood": {}, "pods": {"unknown": 1}},
            "No findings, but not everything was checked: 1 pod unknown.",
        ),
        (
            {"workloads": 0, "pods": {}},
            "Nothing was checked: no workload was found in 20 files, 14 of them read.",
        ),
    ],
)
def test_no_findings_never_looks_like_nothing_understood(report, texts, changes, verdict):
    assert lines(account(report, **changes), texts)[-1] == verdict


def test_the_verdict_counts_severities(report, texts):
    verdict = "6 findings: 1 error, 1 warning, 4 notes. 1 can be fixed with --fix."
    assert verdict in lines(report, texts)


def test_every_class_is_counted_even_when_it_is_none(report, texts):
    counted = "Pods              1 from 1 workload: " + (
        "0 Guaranteed, 1 Burstable, 0 BestEffort, 0 refused, 0 unknown"
    )
    assert counted in lines(account(report, workloads=1, pods={"Burstable": 1}), texts)


def test_the_highest_score_of_a_node_is_named():
    table = list(pod_table([pod("a", n1=[("x", 900), ("y", 2)]), pod("b", n1=[("x", 5)])],
        PLAIN_STYLE))  # fmt: skip
    assert table[1] == "shop/Deployment/a  Burstable  0         900 x <- highest"
    assert table[2] == "shop/Deployment/b  Burstable  0         5 x"
    assert (
        "On node n1, container x of shop/Deployment/a has the highest oom_score_adj, 900." in table
    )


def test_a_tie_for_the_highest_score_is_a_tie():
    table = list(pod_table([pod("a", n1=[("x", 9)]), pod("b", n1=[("y", 9)])], PLAIN_STYLE))
    assert table[1].endswith("9 x <- tied")
    assert table[2].endswith("9 y <- tied")
    assert table[4].startswith("On node n1, 2 containers share the highest oom_score_adj, 9: x of")


def test_a_refused_pod_has_its_reason_and_no_scores():
    refused = pod("a")._replace(became="refused", reason="ResourceQuota: too much")
    table = list(pod_table([refused, pod("b", n1=[("x", 9)])], PLAIN_STYLE))
    assert table[1] == "shop/Deployment/a  refused    0         ResourceQuota: too much"


def test_many_pods_have_no_table_but_the_highest_score_of_each_node():
    table = list(pod_table([pod(f"p{n}", n1=[("x", n)]) for n in range(MOST + 1)], PLAIN_STYLE))
    assert table[0] == "21 pods are too many for a table: `qoslint facts` prints them all."
    assert table[1].startswith("On node n1, container x of shop/Deployment/p20 has")


def test_a_node_whose_column_does_not_fit_keeps_its_sentence():
    table = list(pod_table([pod("a", n1=[("x", 9)], n2=[("x", 8)])], Style(width=70)))
    assert "n2" not in table[0]
    assert "On node n2, container x of shop/Deployment/a has the highest oom_score_adj, 8." in table


def test_pods_without_node_profiles_say_why_there_are_no_scores():
    assert list(pod_table([pod("a")], PLAIN_STYLE))[-1] == (
        "No node profile is known, so no oom_score_adj is shown: `qoslint nodes --presets` lists "
        "those that `nodes` in the settings can name."
    )


def test_the_text_of_a_file_is_asked_for_once(report):
    text = "x: y\n" * 20_000
    spans = [Span(Position(n, 1), Position(n, 2)) for n in range(1, 1001)]
    findings = tuple(
        Finding("QOS901", Severity.NOTE, "m", Location("big.yaml", span)) for span in spans
    )
    calls = []
    many = report._replace(findings=findings)
    render("text", many, lambda file: calls.append(file) or text)
    assert calls == ["big.yaml"]


@pytest.mark.parametrize("form", ["text", "sarif"])
def test_no_name_makes_a_report_long(report, texts, form):
    endless = "n" * 1_000_000
    finding = Finding(
        "QOS103",
        Severity.ERROR,
        f"About {endless}.",
        Location("deploy/api.yaml", Span(Position(3, 1), Position(3, 5)), exact=False),
        (f"shop/Pod/{endless}", f"shop/Pod/{endless}x"),
        field=endless,
    )
    report = report._replace(
        findings=(finding,),
        pods=(pod(endless, **{endless: [(endless, 3)]}),),
        notices=(report.notices[0]._replace(message=endless),),
        failed_checks=(endless,),
    )
    assert len(render(form, report, texts)) < 100_000
    assert endless in render("json", report, texts)

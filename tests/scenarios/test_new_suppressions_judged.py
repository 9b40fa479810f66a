"""The same of baselines and settings; and nothing suppresses what is told of suppressions."""

import json

import pytest

from qoslint import comparison
from qoslint.api import run_rules

from .suppressing import RULES, WEB, WITH, annotated, excepted, exception
from .two_findings import deployment, placed


def test_new_entries_of_the_baseline_are_told_at_its_first_line(history, suppressed):
    history.commit({".qoslint.yaml": RULES, "a.yaml": deployment()})
    history.run("check", "--write-baseline", "known.json")
    history.commit({})
    ((file, line, message),) = suppressed("--baseline", "known.json")
    assert (file, line) == ("known.json", 1)
    assert message == (
        f"Since HEAD~1, the baseline accepts 2 errors: {WEB}. Without that, they are told."
    )
    assert suppressed("--baseline", "known.json", since="HEAD") == []
    renamed = deployment().replace("name: web", "name: shop")
    history.commit({"b.yaml": renamed}, "a.yaml")
    history.run("check", "--write-baseline", "known.json")
    history.commit({})
    assert suppressed("--baseline", "known.json", since="HEAD~2") == []
    history.commit({"c.yaml": renamed.replace("shop", "other")})
    history.run("check", "--write-baseline", "known.json")
    history.commit({})
    ((*_, message),) = suppressed("--baseline", "known.json", since="HEAD~2")
    assert "accepts 2 errors: QOS701 on Deployment other/other" in message


def test_a_finding_that_leaves_a_comment_for_the_baseline_is_not_told(history, suppressed):
    history.commit({".qoslint.yaml": RULES, "a.yaml": placed(deployment(), {1: "behind"})})
    history.commit({"a.yaml": deployment()})
    history.run("check", "--write-baseline", "known.json")
    history.commit({})
    assert suppressed("--baseline", "known.json", since="HEAD~2") == []


@pytest.mark.parametrize(
    ("settings", "line", "said"),
    [
        (f"{WITH}  ignore:\n    - QOS903\n    - QOS70\n", 5, "ignore QOS701 and so leave out"),
        ("rules:\n  select: [QOS903]\n", 2, "no longer select QOS701 and so leave out"),
        (
            f"{WITH}  severity:\n    QOS701: note\n",
            4,
            "lower the severity of QOS701 and so tell less severely",
        ),
        (
            "rules:\n  ignore: [QOS701]\n  select: [QOS903, QOS701]\n",
            2,
            "ignore QOS701 and so leave out",
        ),
    ],
)
@pytest.mark.parametrize("judge", [(), ("--settings-from", "HEAD~1")])
def test_settings_that_leave_a_rule_out_are_told_at_their_line(
    history, suppressed, settings, line, said, judge
):
    history.commit({".qoslint.yaml": RULES, "a.yaml": deployment()})
    history.commit({".qoslint.yaml": settings})
    assert suppressed(*judge) == [
        (
            ".qoslint.yaml",
            line,
            f"Since HEAD~1, the settings {said} 2 errors: {WEB}. Without that, they are told.",
        )
    ]


@pytest.mark.parametrize(
    ("file", "before", "after", "line"),
    [
        (".qoslint.yaml", "rules: {extend: [QOS808]}\n", "# none\n", 1),
        (".qoslint.yaml", "rules: {preset: strict, extend: [QOS808]}\n", "rules: {}\n", 1),
        (
            "pyproject.toml",
            '[tool.qoslint.rules]\nextend = ["QOS808"]\n',
            '[tool.qoslint]\n\n[tool.qoslint.rules]\nextend = ["QOS808"]\nignore = ["QOS808"]\n',
            5,
        ),
    ],
)
def test_other_files_of_settings_are_told_at_the_nearest_line(
    history, suppressed, file, before, after, line
):
    history.commit({file: before, "a.yaml": deployment()})
    history.commit({file: after})
    found = [each for each in suppressed() if "QOS808" in each[2]]
    assert [each[:2] for each in found] == [(file, line)]


def test_settings_that_leave_out_nothing_are_not_told(history, suppressed):
    fine = deployment().replace(": 400", ": 400Mi")
    history.commit({".qoslint.yaml": RULES, "a.yaml": fine})
    history.commit({".qoslint.yaml": f"{WITH}  ignore: [QOS701]\n"})
    assert suppressed() == []


def test_settings_that_are_gone_are_told_where_they_are_missed(history, suppressed):
    settings = "rules: {select: [QOS007, QOS701, QOS808]}\n"
    history.commit({".qoslint.yaml": settings, "a.yaml": deployment()})
    history.commit({}, ".qoslint.yaml")
    ((file, line, message),) = suppressed()
    assert (file, line) == ("a.yaml", 15)
    assert message.startswith("Since HEAD~1, the settings no longer select QOS808 and so leave out")


def test_a_rule_that_is_no_longer_strict_is_told(history, suppressed):
    text = placed(deployment(), {1: "behind"})
    history.commit({".qoslint.yaml": f"{WITH}  strict: [QOS701]\n", "a.yaml": text})
    history.commit({".qoslint.yaml": RULES})
    ((file, line, message),) = suppressed()
    assert (file, line) == (".qoslint.yaml", 1)
    assert "no longer make strict QOS701 and so leave out 2 errors" in message


def test_options_with_which_a_rule_tells_the_same_in_other_words_are_not_told(history, suppressed):
    options = "rules: {{extend: [QOS403], options: {{QOS403: {{max-ratio: {}, priority: 0}}}}}}\n"
    limits = "400Mi\n            limits:\n              memory: 4Gi"
    text = deployment().replace(": 400", f": {limits}")
    history.commit({".qoslint.yaml": options.format(4), "a.yaml": text})
    history.commit({".qoslint.yaml": options.format(2)})
    assert suppressed() == []
    history.commit({".qoslint.yaml": options.format(20)})
    ((*_, message),) = suppressed()
    assert "other options for QOS403 and so leave out 1 warning" in message


def test_a_strict_rule_is_not_accepted_and_so_not_told(history, suppressed):
    settings = f"{WITH}  strict: [QOS701]\n"
    history.commit({".qoslint.yaml": settings, "a.yaml": deployment()})
    history.commit({"a.yaml": placed(deployment(), {17: "behind"})})
    assert suppressed() == []


WAYS_OUT = [
    {"a.yaml": placed(deployment(), {17: "behind"}).replace("[QOS701", "[QOS701, QOS007")},
    {"a.yaml": placed(deployment(), {17: "behind"}).replace("[QOS701", "[QOS0, QOS701")},
    {"a.yaml": annotated("QOS007 known", text=placed(deployment(), {17: "behind"}))},
    {
        "a.yaml": placed(deployment(), {17: "behind"}),
        ".qoslint.yaml": excepted(exception("*", rule="QOS007")),
    },
    {
        "a.yaml": placed(deployment(), {17: "behind"}),
        ".qoslint.yaml": f"{WITH}  ignore: [QOS007]\n",
    },
    {
        "a.yaml": placed(deployment(), {17: "behind"}),
        ".qoslint.yaml": "rules: {select: [QOS701, QOS903]}\n",
    },
]


@pytest.mark.parametrize("change", WAYS_OUT)
@pytest.mark.parametrize("judge", [(), ("--settings-from", "HEAD~1")])
def test_a_change_cannot_suppress_what_it_is_told_of(history, suppressed, change, judge):
    history.commit({".qoslint.yaml": RULES, "a.yaml": deployment()})
    history.commit(change)
    found = suppressed(*judge)
    assert [file for file, *_ in found] == ["a.yaml"]


def test_a_baseline_does_not_know_it(history, suppressed):
    entries = [
        {"object": thing, "rule": "QOS007", "field": ""}
        for thing in ("a.yaml", "the change", "known.json", "Deployment shop/web")
    ]
    known = json.dumps({"schemaVersion": 1, "accepted": entries})
    history.commit({".qoslint.yaml": RULES, "a.yaml": deployment(), "known.json": known})
    history.commit({"a.yaml": placed(deployment(), {17: "behind"})})
    assert len(suppressed("--baseline", "known.json")) == 1


def test_that_nothing_accepts_it_is_told_of_a_comment_that_tries(history):
    text = placed(deployment(), {17: "behind"}).replace("[QOS701", "[QOS007")
    history.commit({".qoslint.yaml": RULES, "a.yaml": text})
    report = json.loads(history.run("check", "--format", "json").stdout)
    assert "This comment accepts nothing, for no comment accepts what QOS007 finds." in {
        each["message"] for each in report["findings"]
    }


def test_settings_that_do_not_judge_the_change_are_told_for_when_it_is_merged(history, suppressed):
    history.commit({".qoslint.yaml": RULES, "a.yaml": deployment()})
    history.commit({".qoslint.yaml": excepted(exception())})
    assert [each[:2] for each in suppressed("--settings-from", "HEAD~1")] == [(".qoslint.yaml", 4)]
    history.commit({".qoslint.yaml": RULES})
    history.run("check", "--write-baseline", "known.json")
    history.commit({"a.yaml": deployment() + "# the same\n"})
    told = suppressed("--settings-from", "HEAD~1", "--baseline", "known.json")
    assert [each[:2] for each in told] == [("known.json", 1)]
    assert suppressed("--settings-from", "HEAD", "--baseline", "known.json", since="HEAD") == []


def test_broken_settings_of_a_change_suppress_nothing(history, suppressed):
    history.commit({".qoslint.yaml": RULES, "a.yaml": deployment()})
    history.commit({".qoslint.yaml": "rules: 1\n"})
    assert suppressed("--settings-from", "HEAD~1") == []


def test_settings_that_both_revisions_share_are_compared_with_their_older_text(history, suppressed):
    history.commit({"ci/settings.yaml": RULES, "a.yaml": deployment()})
    history.commit({"ci/settings.yaml": excepted(exception())})
    found = suppressed("--config", "ci/settings.yaml")
    assert [each[:2] for each in found] == [("ci/settings.yaml", 4)]


def test_staged_changes_are_told_too(history):
    history.commit({".qoslint.yaml": RULES, "a.yaml": deployment()})
    history.repository.write({"a.yaml": placed(deployment(), {17: "behind"})})
    history.git("add", "--all")
    done = history.run("check", "--staged", "--format", "json")
    assert "QOS007" in {each["rule"] for each in json.loads(done.stdout)["findings"]}


def test_it_is_a_warning_that_a_team_may_make_an_error(history):
    history.commit({".qoslint.yaml": RULES, "a.yaml": deployment()})
    history.commit({"a.yaml": placed(deployment(), {1: "behind"})})
    since = ("check", "--since", "HEAD~1")
    assert history.status(*since) == 0
    assert history.status(*since, "--fail-on", "warning") == 1
    history.commit(
        {".qoslint.yaml": f"{WITH}  severity: {{QOS007: error}}\n", "a.yaml": deployment()}
    )
    history.commit({"a.yaml": placed(deployment(), {1: "behind"})})
    assert history.status(*since) == 1


@pytest.mark.parametrize("form", ["sarif", "text", "markdown", "github"])
def test_every_format_can_tell_it(history, form):
    history.commit({".qoslint.yaml": RULES, "a.yaml": deployment()})
    history.commit({"a.yaml": placed(deployment(), {1: "behind"})})
    done = history.run("check", "--since", "HEAD~1", "--format", form)
    assert done.exit_code == 0, done.output
    assert "QOS007" in done.stdout


@pytest.mark.parametrize(("settings", "runs"), [(f"# The same.\n{RULES}", 1), ("# None.\n", 2)])
def test_rules_run_again_only_for_settings_that_choose_or_accept_otherwise(
    history, suppressed, monkeypatch, settings, runs
):
    ran = []

    def recorded(*arguments):
        ran.append(arguments)
        return run_rules(*arguments)

    fine = deployment().replace(": 400", ": 400Mi")
    history.commit({".qoslint.yaml": RULES, "a.yaml": fine})
    history.commit({".qoslint.yaml": settings})
    monkeypatch.setattr(comparison, "run_rules", recorded)
    assert suppressed("--settings-from", "HEAD~1") == []
    assert len(ran) == runs

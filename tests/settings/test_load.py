"""The rules part of settings, and what they state in vain."""

import datetime

import pytest

from qoslint.engine.selection import RuleException, Selection
from qoslint.finding import Severity


def test_without_rules_the_default_preset_runs(repository):
    assert repository.settings("kubernetes: '1.36'\n").selection == Selection()
    assert repository.settings("").selection.preset == "default"


def test_rules_are_selected_as_the_settings_say(repository):
    settings = repository.settings(
        """\
        rules:
          preset: strict
          select: [QOS1]
          extend: [QOS108]
          ignore: [QOS405]
          severity: {QOS103: error}
          options: {QOS701: {floor: 1Mi}}
          exceptions:
          - {rule: QOS103, object: a/DaemonSet/*, container: agent, reason: r, expires: 2027-06-30}
          - {rule: QOS104, object: a/Pod/b, reason: s}
        """
    )
    assert settings.selection == Selection(
        preset="strict",
        select=("QOS1",),
        extend=("QOS108",),
        ignore=("QOS405",),
        severity={"QOS103": Severity.ERROR},
        options={"QOS701": {"floor": "1Mi"}},
        exceptions=(
            RuleException("QOS103", "a/DaemonSet/*", "r", "agent", datetime.date(2027, 6, 30)),
            RuleException("QOS104", "a/Pod/b", "s"),
        ),
    )


def test_a_date_that_is_none_is_an_error(repository):
    text = """\
rules:
  exceptions:
  - rule: QOS103
    object: a/Pod/b
    reason: r
    expires: soon
"""
    assert repository.error(text) == (
        ".qoslint.yaml:6: rules.exceptions[0].expires must be a date such as 2027-06-30, not 'soon'"
    )


def test_an_exception_needs_a_reason(repository):
    text = "rules:\n  exceptions:\n  - {rule: QOS103, object: a/Pod/b}\n"
    assert repository.error(text) == (
        ".qoslint.yaml:3: missing key 'reason' in rules.exceptions[0]"
    )


def test_copies_of_other_repositories_are_relative_to_the_settings(repository):
    repository.folder("team/vendor/charts")
    repository.file(
        "team/.qoslint.yaml", "remotes: {https://github.com/acme/charts: vendor/charts}"
    )
    settings = repository.load("team")
    assert settings.rendering.remotes == {"https://github.com/acme/charts": "team/vendor/charts"}
    assert settings.notices == ()


def test_a_copy_that_is_not_there_is_an_error(repository):
    assert repository.error("remotes:\n  https://a.b/c: vendor/charts\n") == (
        ".qoslint.yaml:2: remotes[https://a.b/c] names 'vendor/charts', which does not exist"
    )


def test_the_renderer_is_what_the_settings_say(repository):
    assert repository.load().rendering.renderer == "auto"
    assert repository.settings("renderer: path").rendering.renderer == "path"
    assert repository.error("renderer: embeded") == (
        ".qoslint.yaml:1: renderer must be 'auto', 'embedded', 'path' or 'none', not 'embeded', "
        "did you mean 'embedded'?"
    )


def test_charts_are_told_the_version_of_the_cluster_of_their_file(repository):
    repository.folder("a", "b")
    kubernetes = repository.settings(
        "clusters:\n"
        "- {name: one, paths: [a], kubernetes: '1.34'}\n"
        "- {name: two, paths: [b], kubernetes: '1.35'}\n"
    ).rendering.kubernetes
    assert [kubernetes(file) for file in ("a/Chart.yaml", "b/c/Chart.yaml")] == ["1.34", "1.35"]


def test_the_line_of_anything_in_the_settings_can_be_asked(repository):
    settings = repository.settings("rules:\n  ignore:\n  - QOS999\n")
    error = settings.file.error(("rules", "ignore", 0), "there is no rule 'QOS999'")
    assert str(error) == ".qoslint.yaml:3: there is no rule 'QOS999'"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("{QOS702: {floor: 1}}", "rules.options.QOS702 has no options"),
        ("{QOS799: {floor: 1}}", "rules.options.QOS799 is no rule"),
        (
            "{QOS701: {flor: 1}}",
            "rules.options.QOS701.flor is no option of the rule, did you mean 'floor'?",
        ),
        ("{QOS701: {floor: [1]}}", "rules.options.QOS701.floor must be a quantity: "),
    ],
)
def test_an_option_that_no_rule_has_is_an_error(repository, options, message):
    error = repository.error(f"rules:\n  preset: default\n  options: {options}\n")
    assert error.startswith(f".qoslint.yaml:3: {message}")

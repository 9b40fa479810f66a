"""What the settings say of accepting: strict rules, and exceptions out of use."""

import re

import pytest

from qoslint.errors import SettingsError, UsageError

from .two_findings import OK, deployment

BASE = {"base/kustomization.yaml": "resources: [a.yaml]\n", "base/a.yaml": deployment()}


def test_nothing_accepts_what_a_strict_rule_finds(repository):
    settings = """\
        rules:
          select: [QOS701, QOS903]
          strict: [QOS701]
          exceptions: [{rule: QOS701, object: shop/Deployment/web, reason: r}]
        """
    text = deployment(container=f" {OK}", pod="\n      annotations: {qoslint.dev/ignore: QOS701 r}")
    report = repository.write({".qoslint.yaml": settings, "a.yaml": text}).check()
    rules = [(each.rule, each.location.file) for each in report.findings]
    assert rules.count(("QOS701", "a.yaml")) == 2
    said = [each.message for each in report.findings if each.rule == "QOS903"]
    assert said == [
        "This exception accepts nothing, for QOS701 is strict by the settings.",
        "This annotation accepts nothing, for QOS701 is strict by the settings.",
        "This comment accepts nothing, for QOS701 is strict by the settings.",
    ]
    assert report.suppressed == ()


def test_a_finding_on_two_objects_stays_with_the_one_that_nothing_accepts(repository):
    files = {
        **BASE,
        ".qoslint.yaml": "rules:\n  select: [QOS701]\n  exceptions:\n"
        "  - {rule: QOS701, object: prod/Deployment/web, reason: r}\n",
        "prod/kustomization.yaml": "resources: [../base]\nnamespace: prod\n",
        "stage/kustomization.yaml": "resources: [../base]\nnamespace: stage\n",
    }
    report = repository.write(files).check()
    assert {each.objects for each in report.findings} == {("Deployment stage/web",)}
    assert {each.finding.objects for each in report.suppressed} == {("Deployment prod/web",)}


@pytest.mark.parametrize("ignored", ["QOS701", "QOS7"])
def test_a_strict_rule_cannot_be_left_out(repository, ignored):
    settings = f"rules: {{strict: [QOS7], ignore: [{ignored}]}}\n"
    with pytest.raises(UsageError, match="make QOS701 strict, so that it cannot be ignored"):
        repository.write({".qoslint.yaml": settings, "a.yaml": deployment()}).check()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("exceptions: [{rule: QOS7011, object: a, reason: r}]", "did you mean 'QOS701'?"),
        ("exceptions: [{rule: QOS701, object: a, reason: ' '}]", "exceptions[0].reason"),
        ("exceptions: [{rule: QOS701, object: a}]", "reason"),
        ("strict: [QOS999]", "strict[0] names no rule"),
    ],
)
def test_settings_that_accept_without_sense_end_the_run(repository, settings, message):
    files = {".qoslint.yaml": f"rules:\n  {settings}\n", "a.yaml": deployment()}
    with pytest.raises(SettingsError, match=re.escape(message)) as error:
        repository.write(files).check()
    assert str(error.value).startswith(".qoslint.yaml:2: ")


def exception(**changes):
    fields = {"rule": "QOS701", "object": "shop/Deployment/web", "reason": "r", **changes}
    listed = ", ".join(f"{key}: {value!r}" for key, value in fields.items())
    return f"rules:\n  select: [QOS701, QOS903]\n  exceptions:\n  - {{{listed}}}\n"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, ""),
        ({"container": "app"}, ""),
        ({"container": "gone"}, "This exception accepts nothing: QOS701 finds nothing here."),
        ({"object": "shop/Deployment/gone"}, "accepts nothing: QOS701 finds nothing here."),
        ({"rule": "QOS903"}, "accepts nothing, for no exception accepts what QOS903 finds."),
        ({"expires": "2020-01-31"}, "counted until 2020-01-31: what it accepted is told again."),
        ({"expires": "9999-01-31"}, ""),
    ],
)
def test_an_exception_out_of_use_is_told_at_its_line(repository, changes, message):
    files = {".qoslint.yaml": exception(**changes), "a.yaml": deployment()}
    report = repository.write(files).check()
    told = [each for each in report.findings if each.rule == "QOS903"]
    assert [message in each.message for each in told] == [True] * bool(message)
    assert all(each.location.span.start.line == 4 for each in told)
    assert {each.location.file for each in told} <= {".qoslint.yaml"}


def test_an_exception_in_toml_is_told_at_its_line(repository):
    text = (
        '[tool.qoslint.rules]\nselect = ["QOS701", "QOS903"]\n\n'
        '[[tool.qoslint.rules.exceptions]]\nrule = "QOS701"\nobject = "a/Pod/b"\nreason = "r"\n'
    )
    report = repository.write({"pyproject.toml": text, "a.yaml": deployment()}).check()
    (told,) = [each for each in report.findings if each.rule == "QOS903"]
    assert (told.location.file, told.location.span.start.line) == ("pyproject.toml", 4)


def test_an_exception_is_called_unused_only_if_everything_was_seen(repository):
    files = {
        ".git/config": "",
        ".qoslint.yaml": exception(object="shop/Deployment/gone"),
        "x/a.yaml": deployment(),
        "y/b.yaml": "kind: Pod\nspec: [\n",
    }
    rules = [each.rule for each in repository.write(files).check().findings]
    assert "QOS903" not in rules
    rules = [each.rule for each in repository.check("x").findings]
    assert "QOS903" not in rules
    (repository.root / "y/b.yaml").unlink()
    rules = [each.rule for each in repository.check().findings]
    assert rules.count("QOS903") == 1

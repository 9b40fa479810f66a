"""The schema of the JSON report knows exactly what that prints."""

from qoslint.finding import (
    Coverage,
    Finding,
    Location,
    Notice,
    PodLine,
    RelatedLocation,
    Replacement,
    Report,
    RuleInfo,
    Score,
    Severity,
)
from qoslint.report.document import document
from qoslint.schema import check
from qoslint.span import Position, Span


def messages(report):
    return [problem.message for problem in check(report, "report")]


def full_report():
    """A report that fills every field of the document."""
    location = Location("a.yaml", Span(Position(3, 5), Position(3, 9)), exact=False)
    return Report(
        findings=(
            Finding(
                rule="QOS103",
                severity=Severity.WARNING,
                message="Deployment shop/api runs as BestEffort.",
                location=location,
                objects=("shop/Deployment/api",),
                clusters=("prod",),
                field="spec.template.spec",
                related=(RelatedLocation(location, "the LimitRange"),),
                fixes=(Replacement("a.yaml", location.span, "x:\n\ty"),),
            ),
        ),
        notices=(Notice("A chart was not rendered.", "Chart.yaml", 1), Notice("Assumed.")),
        rules=(
            RuleInfo("QOS103", "best-effort", "It is.", "Do.", Severity.WARNING, "certain", ("x",)),
        ),
        coverage=Coverage(4, 2, {"binary": 1}, {"broken": 1}, 3, 1, {"Burstable": 1}, {"Role": 2}),
        kubernetes=("1.36",),
        failed_checks=("QOS103 failed.",),
        pods=(
            PodLine(
                "prod",
                "shop",
                "Deployment",
                "api",
                "Burstable",
                "",
                (),
                0,
                {"n1": (Score("a", 985),)},
            ),
            PodLine(
                "prod",
                "shop",
                "Deployment",
                "web",
                "unknown",
                "unclear",
                ("Burstable", "BestEffort"),
            ),
        ),
    )


FREE = {"skipped", "unrendered", "notUnderstood", "otherKinds", "oomScoreAdj"}
"""Mappings of the report whose keys are names from the repository."""


def mappings(value, name=""):
    """Every mapping of the document whose keys are fixed."""
    if isinstance(value, list):
        for item in value:
            yield from mappings(item, name)
    elif isinstance(value, dict) and name not in FREE and "Burstable" not in value:
        yield value
        for key, item in value.items():
            yield from mappings(item, key)


def test_the_report_schema_takes_what_the_json_report_prints():
    assert messages(document(full_report())) == []


def test_the_report_schema_demands_every_key_that_the_json_report_prints():
    report = document(full_report())
    for mapping in mappings(report):
        for key in list(mapping):
            value = mapping.pop(key)
            assert any("missing key" in message for message in messages(report)), key
            mapping[key] = value


def test_the_report_schema_knows_no_other_keys():
    report = document(full_report())
    for mapping in mappings(report):
        mapping["extra"] = 1
        assert any(message.startswith("unknown key") for message in messages(report))
        del mapping["extra"]

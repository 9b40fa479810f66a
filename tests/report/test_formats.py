import json
import subprocess
import sys

import pytest

from qoslint.errors import UsageError
from qoslint.finding import Coverage, Report
from qoslint.report import FORMATS, render

EMPTY = Report(
    findings=(),
    notices=(),
    rules=(),
    coverage=Coverage(0, 0, {}, {}, 0, 0, {}, {}),
    kubernetes=(),
)


def test_an_unknown_format_names_the_nearest_one(report, texts):
    with pytest.raises(UsageError, match=r"'sariff', did you mean 'sarif'\?"):
        render("sariff", report, texts)


@pytest.mark.parametrize("name", FORMATS)
def test_no_format_prints_a_hidden_character(name, report, texts):
    printed = render(name, report, texts).encode("utf-8")
    hidden = set(range(0x20)) - {0x0A} | {0x7F}
    assert not hidden & set(printed)
    assert "\u202e" not in printed.decode()


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_does_not_depend_on_the_order_of_findings_and_counts(name, report, texts):
    coverage = report.coverage._replace(
        skipped=dict(reversed(report.coverage.skipped.items())),
        other_kinds=dict(reversed(report.coverage.other_kinds.items())),
    )
    shuffled = report._replace(findings=report.findings[::-1], coverage=coverage)
    assert render(name, shuffled, texts) == render(name, report, texts)


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_prints_a_report_without_any_text_of_its_files(name, report):
    assert "QOS203" in render(name, report, lambda file: None)


@pytest.mark.parametrize("name", ["json", "sarif"])
def test_a_machine_format_of_an_empty_report_is_json(name):
    assert json.loads(render(name, EMPTY, lambda file: None))


def test_sarif_om_is_imported_for_sarif_only():
    code = (
        "import sys, qoslint.report, qoslint.report.text, qoslint.report.json\n"
        "sys.exit('sarif_om' in sys.modules or 'jsonschema' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0

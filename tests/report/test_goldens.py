"""Every format against its golden file, byte for byte.

After an intended change: `QOSLINT_UPDATE_GOLDENS=1 pytest tests/report/test_goldens.py`, then
read the difference.
"""

import os
import re
from pathlib import Path

import pytest

from qoslint import __version__
from qoslint.report import FORMATS, render
from qoslint.report.style import ANSI, PLAIN_STYLE, Style

GOLDENS = Path(__file__).parent / "goldens"
CASES = {
    "report.txt": ("text", PLAIN_STYLE),
    "report-ansi-60.txt": ("text", Style(ANSI, 60)),
    "report.json": ("json", PLAIN_STYLE),
    "report.sarif": ("sarif", PLAIN_STYLE),
    "report-concise.txt": ("concise", PLAIN_STYLE),
    "report-github.txt": ("github", PLAIN_STYLE),
    "report-gitlab.json": ("gitlab", PLAIN_STYLE),
    "report.md": ("markdown", PLAIN_STYLE),
    "report-junit.xml": ("junit", PLAIN_STYLE),
    "report-rdjson.json": ("rdjson", PLAIN_STYLE),
    "report-checkstyle.xml": ("checkstyle", PLAIN_STYLE),
    "report-azure.txt": ("azure", PLAIN_STYLE),
    "report-sonar.json": ("sonar", PLAIN_STYLE),
}


@pytest.mark.parametrize("golden", CASES)
def test_a_format_prints_its_golden(golden, report, texts):
    name, style = CASES[golden]
    printed = render(name, report, texts, style)
    printed = re.sub(rf'ersion": "{re.escape(__version__)}"', 'ersion": "VERSION"', printed)
    path = GOLDENS / golden
    if os.environ.get("QOSLINT_UPDATE_GOLDENS"):
        path.write_bytes(printed.encode())
    assert printed.encode() == path.read_bytes()


def test_every_format_has_a_golden():
    assert {name for name, _ in CASES.values()} == set(FORMATS)

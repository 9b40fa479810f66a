"""The format `json`: the public document as it is."""

from __future__ import annotations

import json

from qoslint.finding import Report
from qoslint.report import Texts
from qoslint.report.document import document
from qoslint.report.style import Style


def render(report: Report, texts: Texts, style: Style) -> str:
    """The document, indented, in ASCII: no character of it can act on a terminal."""
    return json.dumps(document(report), indent=2, allow_nan=False) + "\n"

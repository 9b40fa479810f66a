"""Reports: each format is one module with one function from the records of a run to text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TypeAlias

from qoslint.errors import UsageError, nearest
from qoslint.finding import Report
from qoslint.report.style import PLAIN_STYLE, Style

Texts: TypeAlias = Callable[[str], str | None]
"""The text of a reported file, as its spans count it; None where it cannot be had any more."""

FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "text": "qoslint.report.text",
        "json": "qoslint.report.json",
        "sarif": "qoslint.report.sarif",
    }
)
"""The module of each format. It is imported when asked for: `sarif_om` alone costs 120 ms."""


def render(name: str, report: Report, texts: Texts, style: Style = PLAIN_STYLE) -> str:
    """The report in the format `name`, ending with a line end.

    The style is for people: machine formats ignore it. Raises UsageError for an unknown format.
    """
    if name not in FORMATS:
        raise UsageError(f"Unknown format {name!r}{nearest(name, FORMATS)}.")
    text: str = import_module(FORMATS[name]).render(report, texts, style)
    return text

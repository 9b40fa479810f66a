"""Reports: each format is one function from the records of a run to text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TypeAlias

from qoslint.errors import PluginError, UsageError, nearest
from qoslint.finding import Report
from qoslint.report.style import PLAIN_STYLE, Style

Texts: TypeAlias = Callable[[str], str | None]
"""The text of a reported file, as its spans count it; None where it cannot be had any more."""

Reporter: TypeAlias = Callable[[Report, Texts, Style], str]
"""The report in one format, ending with a line end. The style is for people."""

FORMATS: Mapping[str, str] = MappingProxyType(
    {
        name: f"qoslint.report.{name}.render"
        for name in (
            *("text", "concise", "json", "sarif", "github", "gitlab", "markdown"),
            *("junit", "rdjson", "checkstyle", "azure", "sonar"),
        )
    }
)
"""The dotted name of the function of each format that qoslint ships."""


def reporter(name: str, formats: Mapping[str, str]) -> Reporter:
    """The reporter of a format, imported only now: `sarif_om` alone costs 120 ms.

    Raises UsageError for an unknown format, PluginError for one whose function is not there.
    """
    if name not in formats:
        hint = nearest(name, formats) or f"; there are {', '.join(formats)}"
        raise UsageError(f"there is no format {name!r}{hint}")
    module, _, function = formats[name].rpartition(".")
    try:
        found: Reporter = getattr(import_module(module), function)
    except (Exception, SystemExit) as error:
        raise PluginError(_failure("cannot be loaded", name, formats, error)) from error
    return found


def render(
    name: str,
    report: Report,
    texts: Texts,
    style: Style = PLAIN_STYLE,
    formats: Mapping[str, str] = FORMATS,
) -> str:
    """The report in the format `name`; the style is for people, machine formats ignore it.

    Raises what `reporter` does, and PluginError for a reporter of a plugin that raises.
    """
    found = reporter(name, formats)
    if name in FORMATS:
        return found(report, texts, style)
    try:
        return str(found(report, texts, style))
    except Exception as error:
        raise PluginError(_failure("failed", name, formats, error)) from error


def _failure(what: str, name: str, formats: Mapping[str, str], error: BaseException) -> str:
    return f"the format {name!r} ({formats[name]}) {what}: {type(error).__name__}: {error}"

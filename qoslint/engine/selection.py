"""Which rules a run checks and how, as the settings and the command line say."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from qoslint.finding import Severity, Sign

if TYPE_CHECKING:
    import datetime


class RuleException(NamedTuple):
    """Findings that are known and accepted, with the reason and the last day on which they are."""

    rule: str
    object: str
    """`namespace/Kind/name`, in which `*` stands for any characters but a slash."""
    reason: str
    container: str | None = None
    expires: datetime.date | None = None


class Selection(NamedTuple):
    """A preset and what differs from it. Codes may be the start of codes: `QOS1`."""

    preset: str = "default"
    select: tuple[str, ...] = ()
    """Rules to run instead of the preset's."""
    extend: tuple[str, ...] = ()
    """Rules to run besides those, opt-in ones for example."""
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = MappingProxyType({})
    options: Mapping[str, Mapping[str, object]] = MappingProxyType({})
    exceptions: tuple[RuleException, ...] = ()
    strict: tuple[str, ...] = ()
    """Rules whose findings nothing can accept."""
    baseline: Mapping[Sign, int] | None = None
    """How many findings of each sign are accepted because they were there before."""
    baseline_file: str = ""
    """Where that is said, as people name it."""

    def choosing_as(self, other: Selection) -> Selection:
        """The selection with the rules of another one; what it accepts stays as it is."""
        return self._replace(
            preset=other.preset,
            select=other.select,
            extend=other.extend,
            ignore=other.ignore,
            severity=other.severity,
            options=other.options,
            strict=other.strict,
        )

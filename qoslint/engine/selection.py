"""Which rules a run checks and how, as the settings and the command line say."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field

from qoslint.finding import Severity


@dataclass(frozen=True, slots=True)
class RuleException:
    """Findings that are known and accepted, with the reason and the last day on which they are."""

    rule: str
    object: str
    """`namespace/Kind/name`, in which `*` stands for any characters but a slash."""
    reason: str
    container: str | None = None
    expires: datetime.date | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """A preset and what differs from it. Codes may be the start of codes: `QOS1`."""

    preset: str = "default"
    select: tuple[str, ...] = ()
    """Rules to run instead of the preset's."""
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=dict)
    options: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    exceptions: tuple[RuleException, ...] = ()

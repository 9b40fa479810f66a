"""The reports of `qoslint check`: how much of what is found, in which format, to which file."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from qoslint.errors import UsageError

if TYPE_CHECKING:
    from qoslint.finding import Report


class Part(Enum):
    """How much of what is found, by the option that asks for it."""

    ASKED = "--output"
    ALL = "--output-all"
    CHANGES = "--output-changes"


class Output(NamedTuple):
    """One report; the file `-` is the standard output."""

    part: Part
    form: str
    file: str


def outputs(part: Part, given: tuple[str, ...]) -> Iterator[Output]:
    """What values of one of the options ask for. Raises UsageError."""
    for each in given:
        name, _, file = each.partition(":")
        if not file:
            raise UsageError(f"{part.value} {each!r} is not FORMAT:FILE")
        yield Output(part, name, file)


def part_of(report: Report, standing: Report, part: Part) -> Report:
    """A part of what is asked for and of all that there is: where nothing is compared, the same."""
    match part:
        case Part.ASKED:
            return report
        case Part.ALL:
            return standing
    codes = {rule.code for rule in standing.rules}  # those that compare revisions are not there
    return report._replace(
        findings=tuple(each for each in report.findings if each.rule not in codes),
        rules=tuple(each for each in report.rules if each.code not in codes),
    )

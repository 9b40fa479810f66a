"""What the settings of one revision tell, and those of the next one do not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from qoslint.engine.registry import Rule
from qoslint.engine.selection import Selection
from qoslint.finding import Finding, Severity
from qoslint.span import Path

_LEFT_OUT = "leave out"


class Relaxed(NamedTuple):
    """A rule that tells less by the newer settings: where they say so, and what they do."""

    at: Path
    """The field of the settings; it need not be there, if something was taken out."""
    clause: str
    """What they do, to read between `the settings` and the rule."""
    effect: str
    """What that does, to read before findings."""


class Chosen(NamedTuple):
    """A selection, and the rules that it selects."""

    selection: Selection
    rules: Sequence[Rule]


def relaxed(before: Chosen, after: Chosen) -> Mapping[str, Relaxed]:
    """By code the rules that may tell less than before."""
    now = {rule.page.code: rule for rule in after.rules}
    found = (
        (rule.page.code, _difference(rule, now.get(rule.page.code), before, after))
        for rule in before.rules
    )
    return {code: each for code, each in found if each}


def _difference(rule: Rule, now: Rule | None, old: Chosen, new: Chosen) -> Relaxed | None:
    code, before, after = rule.page.code, old.selection, new.selection
    if now is None:
        for index, each in enumerate(after.ignore):
            if code.startswith(each):
                return Relaxed(("rules", "ignore", index), "ignore", _LEFT_OUT)
        chosen = "select" if after.select else "preset"
        return Relaxed(("rules", chosen), "no longer select", _LEFT_OUT)
    if now.severity < rule.severity:
        named = max((each for each in after.severity if code.startswith(each)), key=len, default="")
        field = ("rules", "severity", *([named] if named else []))
        return Relaxed(field, "lower the severity of", "tell less severely")
    if now.options != rule.options:
        return Relaxed(("rules", "options", code), "have other options for", _LEFT_OUT)
    if code.startswith(before.strict) and not code.startswith(after.strict):
        return Relaxed(("rules", "strict"), "no longer make strict", _LEFT_OUT)
    return None


def lost(
    before: Iterable[Finding], after: Iterable[Finding], codes: Container[str]
) -> Iterator[Finding]:
    """What rules of the codes told before and do not tell so severely now, the most severe first.

    A finding is known by its signs, each in its cluster: other options make other messages.
    """
    left: defaultdict[object, list[Severity]] = defaultdict(list)
    for each in sorted(after, key=_severity):
        for key in each.borne:
            left[key].append(each.severity)
    for finding in sorted(before, key=_severity, reverse=True):
        if finding.rule in codes:
            still = [_take(left[key], finding.severity) for key in finding.borne]
            if not all(still):
                yield finding


def _take(left: list[Severity], least: Severity) -> bool:
    """Whether the last is so severe, and thus another one's: it counts once."""
    is_told = bool(left) and left[-1] >= least
    if is_told:
        left.pop()
    return is_told


def _severity(finding: Finding) -> Severity:
    return finding.severity

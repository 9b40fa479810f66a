"""The baseline: findings that were there when a team began to check, and that may stay.

Each is known by its sign, never by lines or wording, and counted: a second one of the same sign is
new.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import NamedTuple

from qoslint.engine.located import Located
from qoslint.engine.settle import Groups
from qoslint.engine.sight import Sight
from qoslint.engine.sign import sign
from qoslint.finding import Finding, Notice, Sign
from qoslint.model.wording import counted as counted_phrase
from qoslint.source.places import Documents


class Compared(NamedTuple):
    """The problems of a run beside a baseline, and what of the baseline was not found."""

    new: Groups
    known: Groups
    missing: Mapping[Sign, int]


def compared(
    groups: Groups,
    baseline: Mapping[Sign, int] | None,
    strict: tuple[str, ...],
    documents: Documents,
) -> Compared:
    """The groups without what the baseline knows of them, and what it knows.

    Of a finding on several objects it may know some. Nothing accepts what a `strict` rule finds.
    """
    if not baseline:
        return Compared(groups, (), {})
    left = Counter(baseline)
    new: list[list[Located]] = []
    known: list[list[Located]] = []
    for group in groups:
        by_sign: dict[Sign, list[Located]] = {}
        for item in group:
            by_sign.setdefault(sign(item.raised, documents), []).append(item)
        parts: tuple[list[Located], list[Located]] = ([], [])
        for each, items in by_sign.items():
            is_known = left[each] > 0 and not each.rule.startswith(strict)
            left[each] -= is_known
            parts[is_known].extend(items)
        new += [parts[False]] if parts[False] else []
        known += [parts[True]] if parts[True] else []
    return Compared(new, known, +left)


def counted(findings: Iterable[Finding], strict: tuple[str, ...]) -> Mapping[Sign, int]:
    """What a baseline of the findings holds."""
    signs = (each for finding in findings for each in finding.signs)
    return Counter(each for each in signs if not each.rule.startswith(strict))


def kept(baseline: Mapping[Sign, int], gone: Mapping[Sign, int]) -> Mapping[Sign, int]:
    """The baseline without what no longer occurs."""
    return Counter(baseline) - Counter(gone)


def gone_notices(gone: Mapping[Sign, int]) -> Iterator[Notice]:
    """What to tell of findings that the baseline holds and that no longer occur."""
    total = sum(gone.values())
    if total:
        rule, thing, field = min(gone)
        verb = "occurs" if total == 1 else "occur"
        first = f"{rule} on {thing}{f' at {field}' if field else ''}"
        yield Notice(
            f"{counted_phrase(total, 'finding')} of the baseline no longer {verb}"
            f"{': ' if total == 1 else ', such as '}{first}. Give the file as --baseline and as "
            "--write-baseline to take out what is gone."
        )


def gone(missing: Mapping[Sign, int], rules: Container[str], seen: Sight) -> Mapping[Sign, int]:
    """What of the baseline surely no longer occurs, of what is missing.

    Its rule ran, and its object was seen with all that belongs to it, or all that there is.
    """
    owners = seen.owners if missing and not seen.everything else ()
    return {
        each: count
        for each, count in missing.items()
        if each.rule in rules and (seen.everything or each.object in owners)
    }

"""QOS007: the change suppresses findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from qoslint.finding import HERE, Finding, Place, Problem
from qoslint.model.suppression import NewSuppression, Suppression
from qoslint.model.wording import counted, listing, some

_LONGEST = 200


def check_new_suppression(new: NewSuppression) -> Iterator[Problem]:
    """One problem for all that is suppressed by one thing that is written."""
    findings = new.findings
    distinct = dict.fromkeys(map(_name, findings))
    names = some(distinct, len(distinct))
    if len(findings) == 1:
        names = f"{names} ({_short(findings[0].message.rstrip('.'))})"
    what = f"Since {new.base}, {new.by} {_amount(findings)}: {names}."
    said = _said(new.suppression) if new.suppression else ""
    told = "it is told" if len(findings) == 1 else "they are told"
    yield Problem(Place(HERE, ()), f"{what}{said} Without that, {told}.")


def _amount(findings: Sequence[Finding]) -> str:
    counts = Counter(each.severity for each in findings)
    return listing(counted(counts[each], str(each)) for each in sorted(counts, reverse=True))


def _name(finding: Finding) -> str:
    first, *others = finding.objects or (finding.location.file,)
    more = f" and {counted(len(others), 'other object')}" if others else ""
    return f"{finding.rule} on {first}{more}"


def _said(suppression: Suppression) -> str:
    until = f"until {suppression.until}" if suppression.until else "without an end"
    if not suppression.reason:
        return f" That holds {until}, and no reason is given."
    return f" That holds {until}, for the reason {_short(suppression.reason)!r}."


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"

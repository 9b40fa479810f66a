"""QOS903: a suppression accepts nothing, or says no reason."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, Place, Problem
from qoslint.model.suppression import Form, JudgedSuppression

_EXAMPLES = {
    Form.COMMENT: "`# qoslint: ignore[QOS103] the reason`",
    Form.ANNOTATION: "`QOS103 the reason`",
}


def check_suppression(judged: JudgedSuppression) -> Iterator[Problem]:
    """One problem at most: the worst of what is wrong with it."""
    if said := _wrong(judged):
        yield Problem(Place(HERE, ()), said)


def _wrong(judged: JudgedSuppression) -> str:
    form, (code, reason, until) = judged.form, judged.suppression
    if not code:
        return f"This {form} accepts nothing, for it names no rule: write {_EXAMPLES[form]}."
    if judged.nearest is not None:
        end = judged.nearest or "."
        return f"This {form} accepts nothing, for there is no rule {code}{end}"
    if judged.final:
        return f"This {form} accepts nothing, for no {form} accepts what {code} finds."
    if judged.strict:
        return f"This {form} accepts nothing, for {code} is strict by the settings."
    if until and judged.suppression.last_day is None:
        return f"This {form} accepts nothing, for {until!r} is no date such as 2027-06-30."
    if judged.expired:
        return f"This {form} for {code} counted until {until}: what it accepted is told again."
    if judged.used is False:
        return f"This {form} accepts nothing: {code} finds nothing here."
    if not reason:
        return f"This {form} for {code} gives no reason: nobody will know whether it still holds."
    return ""

"""What is suppressed of the problems of a run, and what is wrong with the suppressions."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from qoslint.engine.located import Located, spots
from qoslint.engine.page import Page, RulePack
from qoslint.engine.registry import Rule, check_of, pages
from qoslint.engine.run import Failure, Raised, run
from qoslint.engine.settle import Groups, grouped, settled
from qoslint.engine.sight import Sight
from qoslint.engine.subjects import Bearer, Subject
from qoslint.engine.suppressions import PlacedSuppression, split
from qoslint.errors import nearest
from qoslint.finding import Location, Place, SuppressedFinding
from qoslint.model.suppression import JudgedSuppression
from qoslint.source.places import Documents

Locate: TypeAlias = Callable[[Iterable[Place]], Mapping[Place, Location]]
_SUBJECT = "check_suppression"
_FINAL = (_SUBJECT, "check_new_suppression")
"""What is found of suppressions, nothing suppresses: each could stand for itself."""
_MOST_HINTS = 200


class Rules(NamedTuple):
    """The rules that ran, all that there are, and the codes of those that nothing overrules."""

    ran: Sequence[Rule]
    packs: Sequence[RulePack]
    strict: tuple[str, ...]


class Suppressed(NamedTuple):
    """What is left to tell, what is suppressed by which suppression, and which checks raised."""

    left: tuple[Located, ...]
    suppressed: tuple[tuple[Located, tuple[PlacedSuppression, ...]], ...] = ()
    failures: tuple[Failure, ...] = ()


def suppress(
    items: Sequence[Located],
    written: Sequence[PlacedSuppression],
    seen: Sight,
    rules: Rules,
    locate: Locate,
) -> Suppressed:
    """The problems without those that are suppressed, and with those of the suppressions."""
    if not written:
        return Suppressed(tuple(items))
    today = datetime.date.today()
    found = spots(items, seen.documents, seen.commented)
    parted = split(items, found, written, rules.strict, seen.documents, today)
    about = list(about_suppressions(rules.ran))
    results = [
        (each, item)
        for each, suppression in _judged(written, parted.used, rules, today)
        for item in run(about, {_SUBJECT: (Subject(suppression, (Bearer(each.owner, ""),)),)})
    ]
    places = [each.at for each, _ in results if isinstance(each.at, Place)]
    locations = locate(places) if places else {}
    told = tuple(
        Located(item, locations[each.at] if isinstance(each.at, Place) else each.at)
        for each, item in results
        if isinstance(item, Raised)
    )
    failures = tuple(item for _, item in results if isinstance(item, Failure))
    return Suppressed((*parted.left, *told), parted.suppressed, failures)


def about_suppressions(rules: Iterable[Rule]) -> Iterator[Rule]:
    """The rules about suppressions: what they find depends on all the others."""
    return (rule for rule in rules if rule.check[0] == _SUBJECT)


def _judged(
    written: Iterable[PlacedSuppression],
    used: frozenset[PlacedSuppression],
    rules: Rules,
    today: datetime.date,
) -> Iterator[tuple[PlacedSuppression, JudgedSuppression]]:
    """Each suppression that is written, once, with what the run tells of it.

    What is written once may count at many places: in each render of a chart, for example.
    """
    ran = {rule.page.code for rule in rules.ran}
    known = {page.code: page for page in pages(rules.packs)}
    by_place: dict[tuple[Location | Place, str], list[PlacedSuppression]] = {}
    for each in written:
        by_place.setdefault((each.at, each.suppression.code), []).append(each)
    named: dict[str, list[Page]] = {}
    hints = 0
    for (_, code), same in by_place.items():
        said = same[0].suppression
        if code not in named:
            named[code] = [page for page in known.values() if page.code.startswith(code)]
        meant = named[code]
        hint = None
        if code and not meant:
            hints += 1
            hint = nearest(code, known) if hints <= _MOST_HINTS else ""
        # Of a whole family the rules count that run unless somebody asks for more.
        wanted = [each for each in meant if each.preset == "default"] or meant
        is_used = any(each in used for each in same)
        is_known = is_used or (
            ran.issuperset(each.code for each in wanted) and any(each.seen for each in same)
        )
        suppression = JudgedSuppression(
            same[0].form,
            said,
            nearest=hint,
            strict=bool(code) and code.startswith(rules.strict),
            final=bool(meant) and all(check_of(each)[0] in _FINAL for each in meant),
            expired=not said.counts_on(today),
            used=is_used if is_known else None,
        )
        yield same[0], suppression


def suppressed_findings(
    suppressed: Iterable[tuple[Located, Sequence[PlacedSuppression]]],
    known: Groups,
    documents: Documents,
) -> Iterator[SuppressedFinding]:
    """The findings that suppressions accept, and those that the baseline knows."""
    by_reason: dict[tuple[str, str], list[Located]] = {}
    for item, (nearest_by, *_) in suppressed:
        why = str(nearest_by.form), nearest_by.suppression.reason
        by_reason.setdefault(why, []).append(item)
    for (form, reason), items in by_reason.items():
        for each in settled(grouped(items), documents):
            yield SuppressedFinding(each, form, reason)
    for each in settled(known, documents):
        yield SuppressedFinding(each, "baseline", "")

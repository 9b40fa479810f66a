"""What is accepted of the problems of a run, and what is wrong with the statements that accept."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from qoslint import finding
from qoslint.engine.acceptance import Acceptance, split
from qoslint.engine.located import Located, spots
from qoslint.engine.page import Page, RulePack
from qoslint.engine.registry import Rule, check_of, pages
from qoslint.engine.run import Failure, Raised, run
from qoslint.engine.settle import Groups, grouped, settled
from qoslint.engine.sight import Sight
from qoslint.engine.subjects import Bearer, Subject
from qoslint.errors import nearest
from qoslint.finding import Location, Place
from qoslint.model.suppression import Suppression
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


class Accepted(NamedTuple):
    """What is left to tell, what is accepted by which statement, and which checks raised."""

    left: tuple[Located, ...]
    accepted: tuple[tuple[Located, tuple[Acceptance, ...]], ...] = ()
    failures: tuple[Failure, ...] = ()


def accept(
    items: Sequence[Located],
    stated: Sequence[Acceptance],
    seen: Sight,
    rules: Rules,
    locate: Locate,
) -> Accepted:
    """The problems without those that a statement accepts, and with those of the statements."""
    if not stated:
        return Accepted(tuple(items))
    today = datetime.date.today()
    found = spots(items, seen.documents, seen.commented)
    parted = split(items, found, stated, rules.strict, seen.documents, today)
    about = list(about_statements(rules.ran))
    results = [
        (each, item)
        for each, suppression in _judged(stated, parted.used, rules, today)
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
    return Accepted((*parted.left, *told), parted.accepted, failures)


def about_statements(rules: Iterable[Rule]) -> Iterator[Rule]:
    """The rules about statements that accept: what they find depends on all the others."""
    return (rule for rule in rules if rule.check[0] == _SUBJECT)


def _judged(
    stated: Iterable[Acceptance],
    used: frozenset[Acceptance],
    rules: Rules,
    today: datetime.date,
) -> Iterator[tuple[Acceptance, Suppression]]:
    """Each statement that is written, once, with what the run tells of it.

    What is written once may count at many places: in each render of a chart, for example.
    """
    ran = {rule.page.code for rule in rules.ran}
    known = {page.code: page for page in pages(rules.packs)}
    written: dict[tuple[Location | Place, str], list[Acceptance]] = {}
    for each in stated:
        written.setdefault((each.at, each.statement.code), []).append(each)
    named: dict[str, list[Page]] = {}
    hints = 0
    for (_, code), same in written.items():
        statement = same[0].statement
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
        suppression = Suppression(
            same[0].form,
            statement,
            nearest=hint,
            strict=bool(code) and code.startswith(rules.strict),
            final=bool(meant) and all(check_of(each)[0] in _FINAL for each in meant),
            expired=not statement.counts_on(today),
            used=is_used if is_known else None,
        )
        yield same[0], suppression


def accepted_findings(
    accepted: Iterable[tuple[Located, Sequence[Acceptance]]], known: Groups, documents: Documents
) -> Iterator[finding.Accepted]:
    """The findings that statements accept, and those that the baseline knows."""
    by_reason: dict[tuple[str, str], list[Located]] = {}
    for item, (acceptance, *_) in accepted:
        why = str(acceptance.form), acceptance.statement.reason
        by_reason.setdefault(why, []).append(item)
    for (form, reason), items in by_reason.items():
        for each in settled(grouped(items), documents):
            yield finding.Accepted(each, form, reason)
    for each in settled(known, documents):
        yield finding.Accepted(each, "baseline", "")

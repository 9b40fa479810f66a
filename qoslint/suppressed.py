"""What a change suppresses, told as findings that nothing suppresses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from qoslint.api import Ran, run_rules
from qoslint.engine.baseline import compared
from qoslint.engine.located import Located
from qoslint.engine.new_suppressions import (
    Before,
    Older,
    Owned,
    Renamed,
    SuppressedItems,
    apart,
    newly,
    newly_known,
)
from qoslint.engine.registry import Rule, select
from qoslint.engine.relaxed import Chosen, Relaxed, lost, relaxed
from qoslint.engine.run import Failure, Raised, run
from qoslint.engine.selection import Selection
from qoslint.engine.settle import Groups, grouped, settled
from qoslint.engine.since import Touches
from qoslint.engine.subjects import Bearer, Changed, Subject
from qoslint.engine.suppressions import Exceptions, PlacedSuppression
from qoslint.engine.written_suppressions import annotation_suppressions, exception_suppressions
from qoslint.errors import UsageError
from qoslint.finding import Finding, Location, Place
from qoslint.model.suppression import Form, NewSuppression
from qoslint.model.wording import some
from qoslint.settings.places import locate_stated
from qoslint.settings.settings import Settings
from qoslint.span import START
from qoslint.world import World

_SUBJECT = "check_new_suppression"
_VERBS: Mapping[Form, str] = {each: f"this {each} accepts" for each in Form}


class Judged(NamedTuple):
    """The newer revision as it is checked, and what of it can be compared with the older one."""

    world: World
    paths: Sequence[str]
    settings: Settings
    changes: Changed
    ran: Ran
    touches: Touches
    renamed: Renamed


class Earlier(NamedTuple):
    """The older revision: what it accepts, by its own settings, and what it is called."""

    name: str
    selection: Selection
    world: World | None


class Suspects(NamedTuple):
    """What is suppressed now, parted by whether the older revision states it too, as it is."""

    old: SuppressedItems
    new: SuppressedItems
    known: Groups
    newly_known: Groups
    where: Mapping[Place, Location]

    @property
    def codes(self) -> frozenset[str]:
        """The rules of which it counts what was suppressed at the older revision."""
        items = (*(item for item, _ in self.new), *(each[0] for each in self.newly_known))
        return frozenset(item.raised.rule.page.code for item in items)


class Told(NamedTuple):
    """The findings about what is suppressed, the rule that has them, and the checks that raised."""

    findings: tuple[Finding, ...] = ()
    rule: Rule | None = None
    failed: tuple[str, ...] = ()


def suspects(judged: Judged, earlier: Earlier) -> Suspects:
    """What is suppressed, parted without running a rule at the older revision."""
    documents, file = judged.world.documents, judged.settings.file
    items = judged.ran.found.suppressed
    written = {each.at for _, fitting in items for each in fitting}
    places = [each for each in written if isinstance(each, Place)]
    where = locate_stated(places, documents, file)
    older = _older(judged.renamed, earlier) if items else Older({}, Exceptions(), judged.renamed)
    selection = judged.settings.selection
    baseline = earlier.selection.baseline or {}
    held = {judged.renamed.anywhere(each): count for each, count in baseline.items()}
    beside = compared(judged.ran.beside.known, held, selection.strict, documents)
    parted = apart(items, older, judged.touches, where)
    return Suspects(*parted, beside.known, beside.new, where)


def _older(renamed: Renamed, earlier: Earlier) -> Older:
    annotations: dict[Owned, list[PlacedSuppression]] = {}
    for judged in earlier.world.clusters if earlier.world else ():
        for each in annotation_suppressions((judged,), lambda _: False):
            for owned in renamed.owned(judged.cluster.name, each.owner):
                annotations.setdefault(owned, []).append(each)
    exceptions = exception_suppressions(earlier.selection.exceptions, "", lambda _: False)
    return Older(annotations, Exceptions(exceptions), renamed)


def suppressed(judged: Judged, earlier: Earlier, found: Suspects, before: Ran | None) -> Told:
    """The findings; `before` is what the rules of the suspects find at the older revision.

    Their rule runs if the settings of either revision select it, as those of the older one say: a
    change cannot take it out of its own check.
    """
    chosen = _chosen(judged, earlier)
    rules = (*chosen.rules, *judged.ran.rules)
    about = next((rule for rule in rules if rule.check[0] == _SUBJECT), None)
    if about is None:
        return Told()
    subjects = [
        *_written(judged, earlier, found, _before(judged, earlier, before)),
        *_relaxed(judged, chosen, earlier),
    ]
    items: list[Located] = []
    failed: list[str] = []
    for suppression, owner, location in subjects:
        subject = Subject(suppression, (Bearer(owner, ""),))
        for each in run((about,), {_SUBJECT: (subject,)}):
            if isinstance(each, Raised):
                items.append(Located(each, location))
            elif isinstance(each, Failure):
                failed.append(each.message)
    findings = settled(grouped(items), judged.world.documents)
    return Told(findings, about, tuple(failed))


def _chosen(judged: Judged, earlier: Earlier) -> Chosen:
    """The rules that the older revision selects; if that is not possible, those of the newer."""
    own = judged.settings.selection
    selection = own.choosing_as(earlier.selection)
    try:
        if selection != own:
            return Chosen(selection, select(selection, judged.settings.plugins.rule_packs))
    except UsageError:
        pass  # what could not be checked before is no measure
    return Chosen(own, judged.ran.rules)


def _before(judged: Judged, earlier: Earlier, ran: Ran | None) -> Before:
    if ran is None or earlier.world is None:
        return Before((), (), {}, judged.renamed)
    documents, selection = earlier.world.documents, earlier.selection
    beside = compared(ran.beside.new, selection.baseline, selection.strict, documents)
    return Before(ran.found.suppressed, beside.known, documents, judged.renamed)


def _written(
    judged: Judged, earlier: Earlier, found: Suspects, before: Before
) -> Iterator[tuple[NewSuppression, str, Location]]:
    """What is written and the baseline suppress, what each stands in, and where."""
    documents = judged.world.documents
    for (at, *_), pairs in newly(found.old, found.new, before, documents).items():
        first, _ = pairs[0]
        findings = _severest(settled(grouped(item for _, item in pairs), documents))
        by = _VERBS[first.form]
        suppression = NewSuppression(by, findings, earlier.name, first.suppression)
        yield suppression, first.owner, at if isinstance(at, Location) else found.where[at]
    items = tuple(newly_known(found.known, found.newly_known, before, documents))
    if items:
        file = judged.settings.selection.baseline_file
        findings = _severest(settled(grouped(items), documents))
        suppression = NewSuppression("the baseline accepts", findings, earlier.name)
        yield suppression, file, Location(file, START)


def _relaxed(
    judged: Judged, before: Chosen, earlier: Earlier
) -> Iterator[tuple[NewSuppression, str, Location]]:
    """What the settings of the newer revision no longer tell, by the field that says so."""
    settings = judged.settings
    codes = relaxed(before, Chosen(settings.selection, judged.ran.rules))
    if not codes:
        return
    former = settings._replace(selection=before.selection)
    then = _findings(judged, run_rules(judged.world, judged.paths, former, judged.changes))
    fields: dict[Relaxed, list[Finding]] = {}
    for each in lost(then, _findings(judged, judged.ran), codes):
        fields.setdefault(codes[each.rule], []).append(each)
    for field, findings in fields.items():
        rules = sorted({each.rule for each in findings})
        names = some(rules, len(rules))
        by = f"the settings {field.clause} {names} and so {field.effect}"
        location = settings.file.location(field.at) if settings.file else findings[0].location
        suppression = NewSuppression(by, _severest(findings), earlier.name)
        yield suppression, location.file, location


def _findings(judged: Judged, ran: Ran) -> tuple[Finding, ...]:
    return settled(ran.beside.new, judged.world.documents)


def _severest(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda each: -each.severity))

"""What a change suppresses: findings that are suppressed now, and that were not before it.

What stands at both revisions is not of the change, nor is what accepts again what was suppressed:
the comment that moved with its lines, and the exception that takes the place of a comment.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from qoslint.engine.located import Located
from qoslint.engine.settle import Groups
from qoslint.engine.sign import sign
from qoslint.engine.since import Touches
from qoslint.engine.suppressions import Exceptions, InLines, PlacedSuppression, covers
from qoslint.finding import Location, Place, Sign
from qoslint.model.suppression import Form
from qoslint.source.places import Documents
from qoslint.span import Position, Span

Owned: TypeAlias = tuple[str, str]
"""A cluster, and an object in it as people name it."""
SuppressedItems: TypeAlias = "tuple[tuple[Located, tuple[PlacedSuppression, ...]], ...]"
_Key: TypeAlias = tuple[Sign, str]
_FOR_EVER = datetime.date.max


@dataclass(frozen=True)
class Renamed:
    """What the newer revision calls the clusters and workloads of the older one."""

    clusters: Mapping[str, str]
    workloads: Mapping[Owned, str]
    """By cluster and label at the older revision; those alone that have another label."""

    def owned(self, cluster: str, label: str) -> Iterator[Owned]:
        """An object of the older revision as one of the newer is looked for: see `known`."""
        label = self.workloads.get((cluster, label), label)
        yield self.clusters.get(cluster, cluster), label
        if cluster:
            yield "", label

    def known(self, cluster: str) -> str:
        """The cluster of the newer revision; empty, for any, if the older one has none of it.

        Without clusters in the settings each variant of an object makes another one.
        """
        return cluster if cluster in self._names else ""

    def anywhere(self, each: Sign) -> Sign:
        """A sign as the newer revision has it, in whatever cluster."""
        return each._replace(object=self._labels.get(each.object, each.object))

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self.clusters.values())

    @cached_property
    def _labels(self) -> Mapping[str, str]:
        return {old: new for (_, old), new in self.workloads.items()}


class Older(NamedTuple):
    """What is said at the older revision, in the names of the newer one."""

    annotations: Mapping[Owned, Sequence[PlacedSuppression]]
    """By cluster and object; by the object alone too."""
    exceptions: Exceptions
    renamed: Renamed

    def has(
        self,
        each: PlacedSuppression,
        item: Located,
        touches: Touches,
        where: Mapping[Place, Location],
    ) -> bool:
        """Whether a suppression in a file stands there too, as it is; `item` is what it accepts."""
        at = each.at if isinstance(each.at, Location) else where[each.at]
        is_touched = at.exact and touches(at.file, at.span)
        if each.form is Form.ANNOTATION:
            owner = self.renamed.known(item.raised.bearer.cluster), each.owner
            said = self.annotations.get(owner, ())
            return not is_touched and any(covers(old, each) for old in said)
        assert isinstance(each.scope, InLines)
        first = Position(each.scope.first, 1)
        is_about_other = each.scope.text == at.file and touches(at.file, Span(first, first))
        return at.exact and not is_touched and not is_about_other


def apart(
    suppressed: SuppressedItems, older: Older, touches: Touches, where: Mapping[Place, Location]
) -> tuple[SuppressedItems, SuppressedItems]:
    """What something accepts that the older revision has too, and what else is suppressed."""
    old: list[tuple[Located, tuple[PlacedSuppression, ...]]] = []
    new: list[tuple[Located, tuple[PlacedSuppression, ...]]] = []
    # One exception may accept thousands of problems, and is the same to all of them.
    exceptions = {
        each: older.exceptions.cover(each)
        for each in {each for _, fitting in suppressed for each in fitting}
        if each.form is Form.EXCEPTION
    }
    for item, fitting in suppressed:
        is_old = any(
            exceptions[each] if each in exceptions else older.has(each, item, touches, where)
            for each in fitting
        )
        (old if is_old else new).append((item, fitting))
    return tuple(old), tuple(new)


class Before:
    """The problems that are suppressed at the older revision, each up to which day.

    As many of a sign are suppressed now as were then; the next one is new.
    """

    def __init__(
        self, suppressed: SuppressedItems, known: Groups, documents: Documents, renamed: Renamed
    ) -> None:
        """All that is suppressed there: by what is written, and by the baseline."""
        self._renamed = renamed
        self._left: defaultdict[_Key, list[datetime.date]] = defaultdict(list)
        for item, day in (
            *((item, _last_day(fitting)) for item, fitting in suppressed),
            *((item, _FOR_EVER) for group in known for item in group),
        ):
            found, cluster = sign(item.raised, documents), item.raised.bearer.cluster
            for now, label in renamed.owned(cluster, found.object):
                self._left[found._replace(object=label), now].append(day)

    def take(self, item: Located, day: datetime.date, documents: Documents) -> bool:
        """Whether a problem of the newer revision was suppressed so long; one less is left."""
        cluster = self._renamed.known(item.raised.bearer.cluster)
        days = self._left.get((sign(item.raised, documents), cluster), [])
        enough = sorted(each for each in days if each >= day)
        if enough:
            days.remove(enough[0])
        return bool(enough)


def newly(
    old: SuppressedItems, new: SuppressedItems, before: Before, documents: Documents
) -> Mapping[tuple[Location | Place, str, str], list[tuple[PlacedSuppression, Located]]]:
    """What is suppressed that was not before, by where and in which words that is stated."""
    for item, fitting in old:
        before.take(item, _last_day(fitting), documents)
    found: dict[tuple[Location | Place, str, str], list[tuple[PlacedSuppression, Located]]] = {}
    for item, fitting in new:
        if not before.take(item, _last_day(fitting), documents):
            for each in fitting:
                key = each.at, each.suppression.reason, each.suppression.until
                found.setdefault(key, []).append((each, item))
    return found


def newly_known(
    old: Groups, new: Groups, before: Before, documents: Documents
) -> Iterator[Located]:
    """What the baseline knows that was not suppressed before."""
    for group in old:
        for item in group:
            before.take(item, _FOR_EVER, documents)
    for group in new:
        for item in group:
            if not before.take(item, _FOR_EVER, documents):
                yield item


def _last_day(fitting: Iterable[PlacedSuppression]) -> datetime.date:
    return max(each.suppression.last_day or datetime.date.min for each in fitting)

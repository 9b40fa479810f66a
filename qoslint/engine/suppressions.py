"""Suppressed problems: those that a comment, an annotation or an exception of the settings accepts.

All three are one thing, a suppression with a scope; they differ in where they are written.
"""

from __future__ import annotations

import bisect
import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from qoslint.engine.located import Located, Spots, container_path
from qoslint.finding import Location, ObjectId, Place
from qoslint.model.pattern import fits
from qoslint.model.suppression import Form, Suppression
from qoslint.source.document import Document
from qoslint.source.places import Documents
from qoslint.span import value_at

_ANY = "*"


class InLines(NamedTuple):
    """What stands in some lines of a file, or of a rendered text, which goes by its id."""

    text: str
    first: int
    last: int


class OfObject(NamedTuple):
    """What is found on an object, or on one of its containers."""

    object: ObjectId
    container: str | None = None


class Named(NamedTuple):
    """What is found on the objects that a pattern `namespace/Kind/name` fits."""

    pattern: str
    container: str | None = None


class PlacedSuppression(NamedTuple):
    """A suppression, where it is written, and what it is about."""

    form: Form
    suppression: Suppression
    scope: InLines | OfObject | Named
    at: Location | Place
    owner: str
    """What it stands in: a file, or an object as people name it."""
    seen: bool
    """Whether everything was seen that it may be about, so that it may be called unused."""


class Split(NamedTuple):
    """The problems that are left, those that are suppressed, and what suppresses any."""

    left: tuple[Located, ...]
    suppressed: tuple[tuple[Located, tuple[PlacedSuppression, ...]], ...]
    """Each with all that accept it, the nearest first."""
    used: frozenset[PlacedSuppression]


def split(
    items: Iterable[Located],
    spots: Spots,
    suppressions: Iterable[PlacedSuppression],
    strict: tuple[str, ...],
    documents: Documents,
    today: datetime.date,
) -> Split:
    """The problems, parted by whether a suppression accepts them that counts today.

    Nothing accepts what a `strict` rule finds; these are codes, or the start of some.
    """
    index = _Index(each for each in suppressions if each.suppression.counts_on(today))
    left: list[Located] = []
    suppressed: list[tuple[Located, tuple[PlacedSuppression, ...]]] = []
    used: set[PlacedSuppression] = set()
    for item in items:
        fitting: tuple[PlacedSuppression, ...] = ()
        if not item.raised.rule.page.code.startswith(strict):
            fitting = tuple(index.about(item, spots.get(item, ()), documents))
        if fitting:
            suppressed.append((item, fitting))
            used.update(fitting)
        else:
            left.append(item)
    return Split(tuple(left), tuple(suppressed), frozenset(used))


class Exceptions:
    """Suppressions that name objects by patterns, so that few of them are tried on each.

    Only those with a star in the name, which few have, are tried on all.
    """

    def __init__(self, suppressions: Iterable[PlacedSuppression] = ()) -> None:
        """Sort them by the name in their pattern."""
        self._by_name: dict[str, list[PlacedSuppression]] = defaultdict(list)
        for each in suppressions:
            assert isinstance(each.scope, Named), "only exceptions have patterns"
            name = each.scope.pattern.rpartition("/")[2]
            self._by_name[_ANY if _ANY in name else name].append(each)

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._by_name)

    def near(self, name: str) -> Iterator[PlacedSuppression]:
        """Those whose pattern may fit an object's name, or another pattern."""
        for key in dict.fromkeys((name.rpartition("/")[2], _ANY)):
            yield from self._by_name.get(key, ())

    def cover(self, newer: PlacedSuppression) -> bool:
        """Whether one of them covers an exception: see `covers`."""
        assert isinstance(newer.scope, Named), "likewise"
        return any(covers(each, newer) for each in self.near(newer.scope.pattern))


_ByLine: TypeAlias = "tuple[list[int], list[PlacedSuppression], list[int]]"
"""Suppressions about lines, sorted by the first one: these, and the one that each lies within."""


class _Index:
    """Suppressions by what they are about: thousands must not be compared with thousands."""

    def __init__(self, suppressions: Iterable[PlacedSuppression]) -> None:
        lines: dict[tuple[str, str], dict[tuple[int, int], PlacedSuppression]] = defaultdict(dict)
        self._objects: dict[tuple[ObjectId, str, str | None], list[PlacedSuppression]] = (
            defaultdict(list)
        )
        exceptions: list[PlacedSuppression] = []
        self._fitting: dict[str, Mapping[str | None, Sequence[PlacedSuppression]]] = {}
        """Those that are about an object, by its name and by the container that they are about."""
        for each in suppressions:
            scope, code = each.scope, each.suppression.code
            if isinstance(scope, InLines):
                # Of two that say the same the first accepts, and the other one is unused.
                lines[scope.text, code].setdefault((scope.first, scope.last), each)
            elif isinstance(scope, OfObject):
                self._objects[scope.object, code, scope.container].append(each)
            else:
                exceptions.append(each)
        self._exceptions = Exceptions(exceptions)
        self._lines: Mapping[tuple[str, str], _ByLine] = {
            key: _by_line(found) for key, found in lines.items()
        }

    def about(
        self, item: Located, spots: Sequence[tuple[str, int]], documents: Documents
    ) -> Iterator[PlacedSuppression]:
        """The suppressions that accept a problem."""
        code = item.raised.rule.page.code
        containers = self._containers(item, documents)
        for start in (code[:length] for length in range(len(code), 0, -1)):
            for text, line in spots:
                yield from _around(self._lines.get((text, start)), line)
            for owner in _objects(item):
                for container in containers:
                    yield from self._objects.get((owner, start, container), ())
        by_container = self._named(qualified(item.raised.bearer.label))
        for container in containers:
            for each in by_container.get(container, ()):
                if code.startswith(each.suppression.code):
                    yield each

    def _containers(self, item: Located, documents: Documents) -> Sequence[str | None]:
        """The containers that a suppression of a problem may name, the nearest first."""
        if not (self._objects or self._exceptions):
            return ()
        container = _container(item.raised.place, documents)
        return (container, None) if isinstance(container, str) else (None,)

    def _named(self, name: str) -> Mapping[str | None, Sequence[PlacedSuppression]]:
        if name not in self._fitting:
            found: dict[str | None, list[PlacedSuppression]] = defaultdict(list)
            for each in self._exceptions.near(name):
                assert isinstance(each.scope, Named)
                if _fits(each.scope.pattern, name):
                    found[each.scope.container].append(each)
            self._fitting[name] = found
        return self._fitting[name]


def _by_line(found: Mapping[tuple[int, int], PlacedSuppression]) -> _ByLine:
    """What opens lines nests: each lies within the last before it that has not ended."""
    ordered = sorted(found, key=lambda lines: (lines[0], -lines[1]))
    around: list[int] = []
    opened: list[int] = []
    for number, (first, _) in enumerate(ordered):
        while opened and ordered[opened[-1]][1] < first:
            opened.pop()
        around.append(opened[-1] if opened else -1)
        opened.append(number)
    return [first for first, _ in ordered], [found[lines] for lines in ordered], around


def _around(lines: _ByLine | None, line: int) -> Iterator[PlacedSuppression]:
    """The suppressions about a line, from the nearest on."""
    if lines is None:
        return
    firsts, found, around = lines
    number = bisect.bisect_right(firsts, line) - 1
    while number >= 0:
        scope = found[number].scope
        assert isinstance(scope, InLines)
        if line <= scope.last:
            yield found[number]
        number = around[number]


def _objects(item: Located) -> Iterable[ObjectId]:
    """The object that a problem stands in, and the workload that it is found on."""
    owners = [item.raised.place.object]
    if item.raised.bearer.admitted is not None:
        owners.append(item.raised.bearer.admitted.workload.object.id)
    return dict.fromkeys(owners)


def qualified(label: str) -> str:
    """`shop/Deployment/api` for the label `Deployment shop/api`; `PriorityClass/high`."""
    kind, _, name = label.partition(" ")
    namespace, slash, name = name.rpartition("/")
    return f"{namespace}{slash}{kind}/{name}"


def covers(older: PlacedSuppression, newer: PlacedSuppression) -> bool:
    """Whether an exception accepts at least what another one does, and as long.

    So for annotations of one object; comments are told apart by their lines alone.
    """
    one, other = older.suppression, newer.suppression
    if older.form is not newer.form or not one.code or not other.code.startswith(one.code):
        return False
    if one.last_day is None or other.last_day is None or one.last_day < other.last_day:
        return False
    if isinstance(older.scope, InLines) or isinstance(newer.scope, InLines):
        return False
    # No star stands for a slash, so that a pattern that fits another fits all that this fits.
    is_wider = not (isinstance(older.scope, Named) and isinstance(newer.scope, Named)) or _fits(
        older.scope.pattern, newer.scope.pattern
    )
    return is_wider and older.scope.container in (None, newer.scope.container)


def _fits(pattern: str, name: str) -> bool:
    """Whether the pattern fits the whole name; a star stands for any characters but a slash."""
    patterns, names = pattern.split("/"), name.split("/")
    return len(patterns) == len(names) and all(map(fits, names, patterns))


def _container(place: Place, documents: Documents) -> object:
    """The name of the container that the place lies in, None outside of containers."""
    path = container_path(place.path)
    document = documents[place.object.source, place.object.document]
    if path is None or not isinstance(document, Document):
        return None
    return value_at(document.data, (*place.object.root, *path, "name"))

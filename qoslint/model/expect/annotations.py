"""Wishes beside the workload: its annotations, and those of its pods."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from qoslint.errors import closest
from qoslint.model.expect.intent import (
    COMPARISONS,
    Fits,
    Intent,
    KilledAfter,
    Misstated,
    OfClass,
    OfPriority,
    Outlives,
    Protected,
    Wish,
)
from qoslint.model.objects import text_map
from qoslint.model.placeholders import is_placeholder
from qoslint.model.podselector import PodSelector
from qoslint.model.suppression import IGNORE, is_ignore
from qoslint.model.wording import listing
from qoslint.model.workloads import Workload
from qoslint.span import value_at

PREFIX = "qoslint.dev/"
EXPECT_QOS = f"{PREFIX}expect-qos"
EXPECT_PRIORITY = f"{PREFIX}expect-priority"
EXPECT_OUTLIVES = f"{PREFIX}expect-outlives"
EXPECT_KILLED_AFTER = f"{PREFIX}expect-killed-after"
EXPECT_FITS = f"{PREFIX}expect-fits"
EXPECT_PROTECTED = f"{PREFIX}expect-protected"

_LONGEST = 40
_LABEL = "labels."
_SELECTED = ("namespace", "kind", "name")
_COMPARISON = re.compile(rf"({'|'.join(COMPARISONS)}) *(-?[0-9]{{1,10}})")


def intents(workload: Workload) -> Iterator[Intent]:
    """What annotations of the object or of its pods state; each value of a key once."""
    seen: set[tuple[str, str]] = set()
    # What stands on the pods themselves is nearer than what stands on their owner.
    for path in (workload.metadata, ("metadata",)):
        if path is None:
            continue
        for key, value in text_map(value_at(workload.object.data, (*path, "annotations"))).items():
            if key.startswith(PREFIX) and not is_ignore(key) and (key, value) not in seen:
                seen.add((key, value))
                place = workload.object.at((*path, "annotations", key))
                for wish in _wishes(key, value):
                    yield Intent(wish, place, f"the annotation {key}")


def _wishes(key: str, value: str) -> Iterator[Wish]:
    read = _READERS.get(key)
    if read is None:
        near = closest(key[len(PREFIX) :], (known[len(PREFIX) :] for known in (*_READERS, IGNORE)))
        hint = f"Did you mean {PREFIX}{near}?" if near else f"Known are {listing(_READERS)}."
        yield Misstated(_shown(key), f"has no meaning. {hint}")
    elif not is_placeholder(value):
        try:
            yield from read(value)
        except ValueError as error:
            yield Misstated(key, str(error))


def _shown(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _wrong(value: str, wanted: str) -> ValueError:
    return ValueError(f"is {_shown(value)!r}, which is {wanted}.")


def _class(value: str) -> Iterator[Wish]:
    yield OfClass(value)


def _priority(value: str) -> Iterator[Wish]:
    yield comparison(value)


def comparison(value: str) -> OfPriority:
    """The comparison that a text such as `>=1000` states; ValueError as of `selector`."""
    found = _COMPARISON.fullmatch(value.strip())
    if not found:
        raise _wrong(value, "no comparison such as >=1000")
    return OfPriority(found[1], int(found[2]))


def _protected(value: str) -> Iterator[Wish]:
    if value not in ("true", "false"):
        raise _wrong(value, "neither true nor false")
    if value == "true":
        yield Protected()


def _fits(value: str) -> Iterator[Wish]:
    names = tuple(name.strip() for name in value.split(","))
    if not all(names):
        raise _wrong(value, "no list of node profiles such as n16,n32")
    yield Fits(names)


def _outlives(value: str) -> Iterator[Wish]:
    yield Outlives(selector(value))


def _killed_after(value: str) -> Iterator[Wish]:
    yield KilledAfter(selector(value))


def selector(value: str) -> PodSelector:
    """The selector that a text such as `namespace=batch,name=import-*,labels.app=x` states.

    Raises ValueError with a clause to follow the name of what holds the text.
    """
    fields: dict[str, str] = {}
    labels: dict[str, str] = {}
    for part in value.split(","):
        key, sign, wanted = (piece.strip() for piece in part.partition("="))
        if not sign or not wanted:
            raise _wrong(value, "no selector such as namespace=batch,kind=Job")
        if key.startswith(_LABEL):
            labels[key[len(_LABEL) :]] = wanted
        elif key in _SELECTED:
            fields[key] = wanted
        else:
            near = closest(key, (*_SELECTED, f"{_LABEL}{key}"))
            hint = f"; did you mean {near}?" if near else "."
            known = f"{listing(_SELECTED)} and {_LABEL}KEY"
            raise ValueError(f"selects by {_shown(key)!r}, and only {known} are known{hint}")
    return PodSelector(**fields, labels=tuple(sorted(labels.items())))


_READERS: Mapping[str, Callable[[str], Iterator[Wish]]] = {
    EXPECT_QOS: _class,
    EXPECT_PRIORITY: _priority,
    EXPECT_OUTLIVES: _outlives,
    EXPECT_KILLED_AFTER: _killed_after,
    EXPECT_FITS: _fits,
    EXPECT_PROTECTED: _protected,
}

"""Which document of its file each built object is authored as."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from qoslint.render.kustomize.files import parsed
from qoslint.render.kustomize.identity import Identity, identity, plain_identity
from qoslint.render.kustomize.overlay import DocumentOrigin
from qoslint.source.stream import pieces
from qoslint.span import Path

_SAMPLE = 100
_MOST_COMPARED = 1000
_LONG = 10_000
"""Characters of a document, from which on it is not read as a whole for its name alone."""


class Authored(NamedTuple):
    """An object as it stands in a file: in the document of that number, at a path in it."""

    identity: Identity
    number: int
    root: Path


class Affixes(NamedTuple):
    """What a name has more than the authored one."""

    prefix: str
    suffix: str


def authored(content: str) -> Iterator[Authored]:
    """The objects of a file; a List is none, but its items are."""
    for number, piece in enumerate(pieces(content)):
        seen = plain_identity(piece.text) if len(piece.text) > _LONG else None
        if seen is not None:
            yield Authored(seen, number, ())
            continue
        for document in parsed("", piece.text):
            for root, data in _objects((), document.data):
                yield Authored(identity(data), number, root)


def _objects(root: Path, data: object) -> Iterator[tuple[Path, object]]:
    """Kustomize takes a List apart (api/resource/factory.go inlineAnyEmbeddedLists)."""
    if isinstance(data, dict) and str(data.get("kind", "")).endswith("List"):
        items = data.get("items")
        if isinstance(items, list):
            for number, item in enumerate(items):
                yield from _objects((*root, "items", number), item)
            return
    yield root, data


def match(
    files: Sequence[str], built: Sequence[Identity], inside: Mapping[str, Sequence[Authored]]
) -> tuple[DocumentOrigin, ...]:
    """The authored document of each built object, whose file is known.

    Overlays change names and namespaces, so in each file the prefix and suffix count that explain
    the most of its objects; objects alike keep their order. An object that nothing in the file can
    have become has no number.
    """
    by_file: defaultdict[str, list[int]] = defaultdict(list)
    for index, file in enumerate(files):
        by_file[file].append(index)
    found: dict[int, DocumentOrigin] = {}
    for file, indexes in by_file.items():
        objects = [built[index] for index in indexes]
        for index, best in zip(indexes, _matched(objects, inside.get(file, ())), strict=True):
            where = (best.number, best.root) if best is not None else (None, ())
            found[index] = DocumentOrigin(file, *where)
    return tuple(found[index] for index in range(len(files)))


def _matched(built: Sequence[Identity], inside: Sequence[Authored]) -> list[Authored | None]:
    by_name: defaultdict[tuple[str, str, str], list[Authored]] = defaultdict(list)
    for other in inside:
        by_name[other.identity.group, other.identity.kind, other.identity.name].append(other)
    times: Counter[Authored] = Counter()
    found = []
    likely = _likely_affixes(built, inside)
    for each in built:
        best = _of_name(each, likely, by_name, times) or _of_kind(each, inside, times)
        if best is not None:
            times[best] += 1
        found.append(best)
    return found


def _likely_affixes(built: Sequence[Identity], inside: Sequence[Authored]) -> list[Affixes]:
    """From the likeliest on; nothing added comes first among those that explain as much."""
    count = Counter(
        affix
        for each in built[:_SAMPLE]
        for affix in {_affixes(each, other.identity) for other in inside[:_MOST_COMPARED]}
        if affix is not None
    )
    return sorted(count, key=lambda affix: (-count[affix], len("".join(affix)), affix))


def _of_name(
    built: Identity,
    likely: Sequence[Affixes],
    by_name: Mapping[tuple[str, str, str], Sequence[Authored]],
    times: Counter[Authored],
) -> Authored | None:
    for affix in likely:
        if not (built.name.startswith(affix.prefix) and built.name.endswith(affix.suffix)):
            continue
        name = built.name[len(affix.prefix) : len(built.name) - len(affix.suffix)]
        alike = by_name.get((built.group, built.kind, name), ())
        if alike:
            same = [each for each in alike if each.identity.namespace == built.namespace]
            return min(same or alike, key=lambda each: times[each])
    return None


def _of_kind(
    built: Identity, inside: Sequence[Authored], times: Counter[Authored]
) -> Authored | None:
    """For an object that a patch renamed: the only one of its kind, or the only one left."""
    alike = [other for other in inside if other.identity.kind == built.kind]
    fresh = [other for other in alike if times[other] == 0]
    return next((each[0] for each in (alike, fresh) if len(each) == 1), None)


def _affixes(built: Identity, authored: Identity) -> Affixes | None:
    if (built.group, built.kind) != (authored.group, authored.kind):
        return None
    prefix, found, suffix = built.name.partition(authored.name)
    return Affixes(prefix, suffix) if found and authored.name else None

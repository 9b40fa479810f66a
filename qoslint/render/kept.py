"""What of a render is kept for the next run: what a check reads, and no data of other objects.

Of ConfigMaps and Secrets, and of all that no check looks into, it is only that they are there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from qoslint.render.failure import RenderError
from qoslint.render.fields import Fields, at, pairs, text
from qoslint.render.gitops import DATA_KINDS, NAMED_KINDS
from qoslint.render.plain import Reading, Why, kind_of
from qoslint.render.reach import items
from qoslint.render.secrets import parts, scalars
from qoslint.render.target import Emptied, Outcome, Text
from qoslint.source.document import Document, Passed, YamlError, load
from qoslint.source.stream import pieces

_TOLD = frozenset({"apiVersion", "kind", "name", "namespace"})
_WHOLE: frozenset[object] = frozenset({None, Why.EMPTY, Why.NO_KIND})


class Refused(NamedTuple):
    """What an engine says of a target each time, and where."""

    message: str
    file: str
    line: int

    def error(self) -> RenderError:
        """The same as it was told."""
        return RenderError(*self, lasting=True)


class Kept(NamedTuple):
    """The texts of a target, by their names in it, as far as they are kept."""

    inputs: tuple[str, ...]
    texts: tuple[Text, ...]
    withheld: frozenset[tuple[str, str]] = frozenset()
    """Kind and name of the objects whose data is left out."""
    emptied: Emptied | None = None
    refused: tuple[Refused, ...] = ()
    """Why there are none."""


class _NotKeptError(Exception):
    """A text of which nothing may be kept."""


def kept(outcome: Outcome) -> Kept | None:
    """What to keep of a target; None if it is rendered again each time.

    That is one with values of a ConfigMap or a Secret, one of a Secret whose values stand in other
    objects, too, and one whose failure may be another one the next time.
    """
    if outcome.target.has_foreign_values or not _WHOLE.issuperset(_reasons(outcome)):
        return None
    if outcome.errors:
        return _refused(outcome.errors)
    held: list[Fields] = []
    try:
        texts = tuple(
            Text(name, _kept(content, reading, held))
            for (name, content), reading in zip(named(outcome), outcome.readings, strict=True)
        )
    except (_NotKeptError, YamlError):
        return None
    secrets = {part for each in held for part in _secrets(each)}
    if secrets and any(part in content for content in _contents(texts) for part in secrets):
        return None
    names = frozenset((text(each, "kind"), text(each, "metadata", "name")) for each in held)
    return Kept(outcome.inputs, texts, names, outcome.emptied)


def _refused(errors: Sequence[RenderError]) -> Kept | None:
    if not all(each.lasting for each in errors):
        return None
    return Kept((), (), refused=tuple(Refused(e.message, e.file, e.line) for e in errors))


def named(outcome: Outcome) -> tuple[Text, ...]:
    """The texts by their names in the target."""
    start = len(outcome.target.id)
    return tuple(Text(key[start:], content) for key, content in outcome.texts)


def encoded(value: Kept) -> object:
    """What is kept as JSON."""
    emptied = value.emptied and [value.emptied.files, sorted(value.emptied.holders)]
    return [value.inputs, value.texts, sorted(value.withheld), emptied, value.refused]


def decoded(value: object) -> Kept | None:
    """What was encoded; None for anything else."""
    try:
        inputs, found, names, emptied, refused = items(value)
        texts = [Text(*_texts(each)) for each in items(found)]
        withheld = [(kind, name) for kind, name in map(_texts, items(names))]
        return Kept(
            _texts(inputs),
            tuple(texts),
            frozenset(withheld),
            None if emptied is None else _emptied(emptied),
            tuple(map(_told, items(refused))),
        )
    except (ValueError, TypeError):
        return None


def _emptied(value: object) -> Emptied:
    match value:
        case [int(files), list(holders)] if all(isinstance(each, int) for each in holders):
            return Emptied(files, frozenset(holders))
    raise TypeError


def _told(value: object) -> Refused:
    match value:
        case [str(message), str(file), int(line)] if line > 0:
            return Refused(message, file, line)
    raise TypeError


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise TypeError
    return tuple(value)


def _reasons(outcome: Outcome) -> Iterator[object]:
    return (reading.reason for reading in outcome.readings)


def _kept(content: str, reading: Reading, held: list[Fields]) -> str:
    """The text with the same documents by number; `held` takes the objects without their data."""
    parsed: Iterable[Document | Passed] = (*reading.documents, *reading.passed)
    known = {item.number: item for item in parsed}
    documents = []
    for number, piece in enumerate(pieces(content)):
        document = _document(piece.text, known.get(number), held)
        is_cut = number == 0 or document.startswith("---")
        documents.append(document if is_cut else f"---\n{document}")
    joined = "".join(documents)
    if [piece.text for piece in pieces(joined)] != documents:
        raise _NotKeptError
    return joined


def _document(content: str, item: Document | Passed | None, held: list[Fields]) -> str:
    if item is None:  # it is no object
        return "{}\n"
    if isinstance(item, Passed) and item.kind not in NAMED_KINDS:
        return f"kind: {item.kind}\n"
    data = load(content)
    found = list(_holding_data(data))
    if not found:
        return content
    held += found
    if isinstance(item, Passed):
        if item.kind not in DATA_KINDS:
            raise _NotKeptError
        return f"kind: {item.kind}\n"
    without = _without_data(data)
    document = json.dumps(without, ensure_ascii=False) + "\n"
    if load(document) != without:
        raise _NotKeptError
    return document


def _holds_data(value: object) -> bool:
    return kind_of(value) in DATA_KINDS


def _holding_data(value: object) -> Iterator[Fields]:
    """The ConfigMaps and Secrets in a value, itself or what it holds."""
    if isinstance(value, dict):
        if _holds_data(value):
            yield value
        value = list(value.values())
    for each in value if isinstance(value, list) else ():
        yield from _holding_data(each)


def _without_data(value: object) -> object:
    if isinstance(value, list):
        return [_without_data(each) for each in value]
    if not isinstance(value, dict):
        return value
    if not _holds_data(value):
        return {key: _without_data(each) for key, each in value.items()}
    metadata = {key: each for key, each in pairs(value.get("metadata")).items() if key in _TOLD}
    return {**{key: value[key] for key in pairs(value) if key in _TOLD}, "metadata": metadata}


def _contents(texts: Iterable[Text]) -> Iterator[str]:
    """What the texts say, as it is written and as it is meant."""
    for _, content in texts:
        yield content
        for piece in pieces(content):
            yield "\n".join(scalars(load(piece.text)))


def _secrets(data: Fields) -> Iterator[str]:
    """What tells the values of a Secret."""
    if text(data, "kind") == "Secret":
        for value in (*pairs(at(data, "data")).values(), *pairs(at(data, "stringData")).values()):
            yield from parts(value)

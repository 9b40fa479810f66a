"""Where values that were put into a release arrive in what is rendered."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from qoslint.source.document import Document, YamlError, load
from qoslint.source.stream import pieces
from qoslint.span import Path

_NUMBER = re.compile(r"[0-9]+")


class Arrivals:
    """One render, of which only the documents with a token are read, each once."""

    def __init__(self, templates: Mapping[str, str], tokens: Collection[str]) -> None:
        """The texts of the render by Helm's names, and what is looked for in them."""
        self.templates = templates
        self.tokens = tokens
        self._read: dict[str, list[tuple[int, object]]] = {}

    def documents(self, name: str) -> Sequence[tuple[int, object]]:
        """The documents of a template that hold any token, with the lines they start at."""
        if name not in self._read:
            self._read[name] = list(self._documents(self.templates.get(name, "")))
        return self._read[name]

    def _documents(self, text: str) -> Iterator[tuple[int, object]]:
        if not tokens_of(text, self.tokens):
            return
        for piece in pieces(text):
            if tokens_of(piece.text, self.tokens):
                with contextlib.suppress(YamlError):
                    yield piece.line, load(piece.text)


def tokens_of(value: object, tokens: Collection[str]) -> set[str]:
    """The tokens within a value, whatever surrounds them."""
    if isinstance(value, dict):
        return set().union(*(tokens_of(each, tokens) for each in value.values()))
    if isinstance(value, list):
        return set().union(*(tokens_of(each, tokens) for each in value))
    return {each for each in _NUMBER.findall(str(value)) if each in tokens}


def arrived(texts: Arrivals, template: str, document: Document, path: Path) -> set[str]:
    """The tokens at a field of the document of the same object."""
    for _, data in texts.documents(template):
        if identity(data) == identity(document.data):
            return tokens_of(_alike(document.data, data, path), texts.tokens)
    return set()


def misplaced(texts: Arrivals) -> tuple[str, int] | None:
    """A template and line where tokens stand beside `resources` in a container, and only there."""
    found: tuple[str, int] | None = None
    for name in texts.templates:
        for line, data in texts.documents(name):
            for path, value in _leaves(data, ()):
                if not tokens_of(value, texts.tokens):
                    continue
                if not _beside_resources(path):
                    return None
                found = found or (name, line + _line_of(texts, name, line, value))
    return found


def _beside_resources(path: Path) -> bool:
    """Whether a path is `containers[i].limits.memory`, where Kubernetes knows no field."""
    return len(path) >= 4 and path[-4] in _CONTAINERS and path[-2] in ("limits", "requests")


_CONTAINERS = ("containers", "initContainers")


def _line_of(texts: Arrivals, name: str, start: int, value: object) -> int:
    """How many lines below the start of a document a value stands."""
    lines = texts.templates[name].split("\n")[start - 1 :]
    return next((at for at, line in enumerate(lines) if str(value) in line), 0)


def _leaves(value: object, path: Path) -> Iterator[tuple[Path, object]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _leaves(inner, (*path, number))
    else:
        yield path, value


def identity(data: object) -> tuple[object, ...]:
    """What tells an object from the others of a release."""
    if not isinstance(data, dict):
        return ()
    metadata = data.get("metadata")
    named = metadata if isinstance(metadata, dict) else {}
    return (data.get("kind"), named.get("namespace"), named.get("name"))


def _alike(clean: object, data: object, path: Path) -> object:
    """The value at a path, an item of a list by its name if it has one."""
    for step in path:
        if isinstance(step, int):
            item = clean[step] if isinstance(clean, list) and step < len(clean) else None
            clean, data = item, _item(item, data, step)
        else:
            clean = clean.get(step) if isinstance(clean, dict) else None
            data = data.get(step) if isinstance(data, dict) else None
    return data


def _item(item: object, items: object, index: int) -> object:
    if not isinstance(items, list):
        return None
    if isinstance(item, dict) and item.get("name") is not None:
        named = (e for e in items if isinstance(e, dict) and e.get("name") == item["name"])
        return next(named, None)
    return items[index] if index < len(items) else None

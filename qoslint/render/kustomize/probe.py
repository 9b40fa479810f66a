"""Changing scalars of authored texts to values that nothing else has, to see where they appear."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from qoslint.finding import Json, Part
from qoslint.render.kustomize.leaves import Leaf, Text
from qoslint.source.document import Document
from qoslint.source.edits import replaced
from qoslint.source.locate import locate_all
from qoslint.source.removal import Cut
from qoslint.span import Lines, Path

_ANCHOR = re.compile(r"&[^\s,\[\]{}]+\s+")
_SENTINEL = re.compile(r"zq(\d{5})x|\b(173\d{7})\b")
_TAG = re.compile(r":[\w.-]+\Z")
_FIRST_NUMBER = 1_730_000_000
"""Of the sentinels for numbers, each of which fits into 32 bits."""


def sentinel(number: int, leaf: Leaf) -> Json:
    """What a leaf is changed to, of the same type; those of two numbers differ.

    There is but one other truth value. Of an image only the tag is changed: its name is what
    Kustomize finds it by.
    """
    if isinstance(leaf.value, bool):
        return not leaf.value
    if isinstance(leaf.value, int | float):
        return _FIRST_NUMBER + number
    mark = f"zq{number:05}x"
    if leaf.key == "image" and isinstance(leaf.value, str):
        return _TAG.sub(f":{mark}", leaf.value) if _TAG.search(leaf.value) else mark
    return mark


def number_in(value: object) -> int | None:
    """The number of the last sentinel that is in a built value."""
    found = _SENTINEL.findall(str(value))
    if not found:
        return None
    mark, number = found[-1]
    return int(mark) if mark else int(number) - _FIRST_NUMBER


def may_hold(document: str) -> bool:
    """Whether a sentinel is in a document."""
    return _SENTINEL.search(document) is not None


def changed(texts: Mapping[str, str], values: Mapping[Leaf, Json]) -> dict[str, str]:
    """The texts of the files in which leaves are changed; `texts` are those of all files."""
    by_text: dict[Text, dict[Leaf, Json]] = {}
    for leaf, value in values.items():
        by_text.setdefault(leaf.text, {})[leaf] = value
    cuts: dict[_Source, list[Cut]] = {}
    for text, inside in by_text.items():
        cuts.setdefault(_source(text), []).extend(_cuts(text.document, inside))
    result = {}
    # The innermost texts first: each becomes a scalar in the one around it.
    while cuts:
        source = max(cuts, key=lambda each: each.depth)
        found = _apart(cuts.pop(source))
        if source.outer is None:
            result[source.file] = replaced(texts[source.file], found)
        else:
            text, path = source.outer
            written = json.dumps(replaced(source.text, found))
            cuts.setdefault(_source(text), []).append(_cut(text.document, path, written))
    return result


class _Source(NamedTuple):
    """What is rewritten as one: a file, or a scalar in another text."""

    file: str
    depth: int
    text: str
    outer: tuple[Text, Path] | None


def _source(text: Text) -> _Source:
    depth, above = 0, text
    while above.outer is not None:
        depth, above = depth + 1, above.outer[0]
    inner = text.document.source.text if text.outer is not None else ""
    return _Source(text.file, depth, inner, text.outer)


def _cut(document: Document, path: Path, written: str) -> Cut:
    """A scalar written anew as JSON, which is a YAML scalar whatever is around it."""
    (span, _), *_ = locate_all(document, [(path, Part.VALUE)])
    lines = Lines(document.source.text)
    return Cut(lines.index(span.start), lines.index(span.end), written)


def _cuts(document: Document, inside: Mapping[Leaf, Json]) -> list[Cut]:
    lines = Lines(document.source.text)
    told = [leaf.span for leaf in inside if leaf.span is not None]
    spans = [(span, True) for span in told] or locate_all(
        document, [(leaf.path, Part.VALUE) for leaf in inside]
    )
    found = []
    for leaf, (span, exact) in zip(inside, spans, strict=True):
        start, end = lines.index(span.start), lines.index(span.end)
        anchor = _ANCHOR.match(document.source.text, start, end)
        if exact:
            text = _written(leaf.value, inside[leaf])
            found.append(Cut(anchor.end() if anchor else start, end, text))
    return found


def _written(value: object, sentinel: Json) -> str:
    text = json.dumps(sentinel)
    if isinstance(value, dict):
        return f"{{{text}: {text}}}"
    return f"[{text}]" if isinstance(value, list) else text


def _apart(cuts: Iterable[Cut]) -> list[Cut]:
    """Of cuts at one place the first: what aliases share is one scalar."""
    found: list[Cut] = []
    for cut in sorted(cuts):
        if not found or cut.start >= found[-1].end:
            found.append(cut)
    return found

"""Changing scalars of authored texts to values that nothing else has, to see where they appear."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from qoslint.finding import Part
from qoslint.render.kustomize.leaves import Leaf
from qoslint.source.document import Document
from qoslint.source.edits import replaced
from qoslint.source.locate import locate_all
from qoslint.source.removal import Cut
from qoslint.span import Lines, Path

_ANCHOR = re.compile(r"&[^\s,\[\]{}]+\s+")
_FIRST_NUMBER = 1_730_000_000
"""Of the sentinels for numbers, each of which fits into 32 bits."""


class Sentinel(NamedTuple):
    """What a scalar is changed to: a value of the same type."""

    value: str | int | bool

    def is_in(self, value: object) -> bool:
        """Whether a built value comes from it, wholly or in part."""
        if isinstance(self.value, bool) or isinstance(value, bool):
            return value is self.value
        return str(self.value) in (value if isinstance(value, str) else json.dumps(value))


def sentinel(number: int, value: object) -> Sentinel:
    """The one for a value; those of two numbers differ, but for truth values."""
    if isinstance(value, bool):
        return Sentinel(not value)
    if isinstance(value, int | float):
        return Sentinel(_FIRST_NUMBER + number)
    return Sentinel(f"zq{number:05}x")


def changed(texts: Mapping[str, str], sentinels: Mapping[Leaf, Sentinel]) -> dict[str, str]:
    """The texts of the files in which leaves are changed; `texts` are those of all files."""
    outer: defaultdict[tuple[int, Path], list[Leaf]] = defaultdict(list)
    cuts: defaultdict[str, list[Cut]] = defaultdict(list)
    plain: defaultdict[int, list[Leaf]] = defaultdict(list)
    documents: dict[int, Document] = {}
    for leaf in sentinels:
        if leaf.text.outer is None:
            documents[id(leaf.text.document)] = leaf.text.document
            plain[id(leaf.text.document)].append(leaf)
        else:
            document, path = leaf.text.outer
            documents[id(document)] = document
            outer[id(document), path].append(leaf)
    for key, inside in plain.items():
        document = documents[key]
        cuts[document.source.path] += _cuts(document, inside, sentinels)
    for (key, path), inside in outer.items():
        document = documents[key]
        cuts[document.source.path].append(_outer_cut(document, path, inside, sentinels))
    return {file: replaced(texts[file], _apart(found)) for file, found in cuts.items()}


def _outer_cut(
    document: Document, path: Path, inside: Sequence[Leaf], sentinels: Mapping[Leaf, Sentinel]
) -> Cut:
    """The scalar written anew, as JSON, which is a YAML scalar whatever is around it."""
    source = inside[0].text.document.source.text
    cuts = [cut for leaf in inside for cut in _cuts(leaf.text.document, [leaf], sentinels)]
    (span, _), *_ = locate_all(document, [(path, Part.VALUE)])
    lines = Lines(document.source.text)
    written = json.dumps(replaced(source, _apart(cuts)))
    return Cut(lines.index(span.start), lines.index(span.end), written)


def _cuts(
    document: Document, inside: Sequence[Leaf], sentinels: Mapping[Leaf, Sentinel]
) -> list[Cut]:
    lines = Lines(document.source.text)
    spans = locate_all(document, [(leaf.path, Part.VALUE) for leaf in inside])
    found = []
    for leaf, (span, exact) in zip(inside, spans, strict=True):
        start, end = lines.index(span.start), lines.index(span.end)
        anchor = _ANCHOR.match(document.source.text, start, end)
        if exact:
            text = _written(leaf.value, sentinels[leaf])
            found.append(Cut(anchor.end() if anchor else start, end, text))
    return found


def _written(value: object, sentinel: Sentinel) -> str:
    text = json.dumps(sentinel.value)
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

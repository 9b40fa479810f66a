"""Markers: comments put into templates that tell where a rendered line was written.

A copy of the chart whose templates hold a comment above each line with a literal key is rendered
once more. Where that render, without the comments, has the lines of the clean one, each clean line
was written at the marker above it. The clean render alone is ever read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from qoslint.render.helm.tree import Node, every

LARGEST = 1 << 20
"""Characters of a template that is marked."""

_ACTION = re.compile(
    r"\{\{(?:-\s)?\s*/\*.*?\*/\s*-?\}\}"
    r"|\{\{(?:[^\"`'}]|\"(?:\\.|[^\"\\])*\"|`[^`]*`|'(?:\\.|[^'\\])*'|\}(?!\}))*\}\}",
    re.DOTALL,
)
_LITERAL = re.compile(r"([ \t]*)(?:- |-\r?$|[\"']?[\w./@$-]+[\"']?:(?:[ \t\r]|$))")
_MARK = "# qoslint-line:"
_LONGEST_NUMBER = 9
# What an action trims may bring a marker behind other text; the rest of its line is below.
_MARKED = re.compile(rf"^(.*?)[ \t]*{_MARK}(\d+):(\d+)[ \t]*$")
_TRIMS = re.compile(r"-\}\}\s*$")


class Written(NamedTuple):
    """Where a line was written: the file, the path in it if that is an archive, the line."""

    file: str
    inside: str
    line: int


class Sources(NamedTuple):
    """The templates of a chart that can be marked, each once whatever its aliases are."""

    places: tuple[tuple[str, str], ...]
    texts: tuple[str, ...]

    def place(self, number: str, line: str) -> Written | None:
        """What a marker tells; None if it is none of ours, for anybody may write such a comment."""
        if len(number) > _LONGEST_NUMBER or len(line) > _LONGEST_NUMBER:
            return None
        at, row = int(number), int(line)
        if at >= len(self.texts) or not 0 < row <= self.texts[at].count("\n") + 1:
            return None
        return Written(*self.places[at], row)


def sources(tree: Node) -> Sources:
    """The templates and partials of a chart and its subcharts."""
    found: dict[tuple[str, str], str] = {}
    for node in every(tree):
        for name, content in node.files.items():
            if name.startswith("templates/") and name.endswith((".yaml", ".yml", ".tpl")):
                text = content.decode(errors="replace")
                if len(text) <= LARGEST:
                    found[node.authored(name)] = text
    return Sources(tuple(found), tuple(found.values()))


def marked(templates: Sources, *, careful: bool = False) -> Mapping[tuple[str, str], str]:
    """The templates with markers; `careful` leaves out what an action before may draw up."""
    return {
        place: "".join(_marked(number, text, careful))
        for number, (place, text) in enumerate(zip(*templates, strict=True))
    }


def _marked(number: int, text: str, careful: bool) -> Iterator[str]:
    inside = list(_inside(text))
    following, at, before = 0, 0, ""
    for index, line in enumerate(re.findall(r"[^\n]*\n|[^\n]+", text), 1):
        while following < len(inside) and inside[following][1] <= at:
            following += 1
        literal = _LITERAL.match(line)
        outside = following == len(inside) or inside[following][0] >= at
        if literal and outside and not (careful and _TRIMS.search(before)):
            yield f"{literal[1]}{_MARK}{number}:{index}\n"
        yield line
        at += len(line)
        before = line


def _inside(text: str) -> Iterator[tuple[int, int]]:
    """Where actions start and end."""
    at = text.find("{{")
    while at >= 0:
        match = _ACTION.match(text, at)
        if match is None:
            return
        yield match.span()
        at = text.find("{{", match.end())


def lines(clean: str, rendered: str, templates: Sources) -> Sequence[Written | None] | None:
    """Where each line of the clean text was written, by its marked render; None if they differ."""
    found: list[Written | None] = []
    texts: list[str] = []
    above: Written | None = None
    begun: str | None = None
    for line in rendered.split("\n"):
        match = _MARKED.match(line) if _MARK in line else None
        place = templates.place(match[2], match[3]) if match else None
        if match is not None and place is not None:
            above = place
            if match[1].strip():
                begun = (begun or "") + match[1]
            continue
        texts.append(line if begun is None else f"{begun} {line.lstrip()}")
        begun = None
        found.append(above)
    expected = clean.split("\n")
    return found if _alike(expected, texts) else None


def _alike(clean: Sequence[str], unmarked: Sequence[str]) -> bool:
    """Whether the lines are the same but for some values, as checksums and random ones."""
    if len(clean) != len(unmarked):
        return False
    pairs = zip(clean, unmarked, strict=True)
    different = [one for one, other in pairs if one.split() != other.split()]
    return len(different) <= max(3, len(clean) // 10)


def by_likeness(clean: str, text: str, place: tuple[str, str]) -> Sequence[Written | None]:
    """Where lines may have been written in the template that `# Source:` would name.

    Only lines whose text stands there once, and once in the render, are sure.
    """
    written = _once(line.strip() for line in text.split("\n"))
    rendered = clean.split("\n")
    sure = _once(line.strip() for line in rendered)
    found: list[Written | None] = []
    for line in rendered:
        at = written.get(line.strip()) if line.strip() in sure else None
        found.append(None if at is None else Written(*place, at))
    return found


def _once(texts: Iterable[str]) -> Mapping[str, int]:
    found: dict[str, int] = {}
    more: set[str] = set()
    for number, text in enumerate(texts, 1):
        if text in found:
            more.add(text)
        found[text] = number
    return {text: number for text, number in found.items() if text and text not in more}

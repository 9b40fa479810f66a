"""The stretches of a document's text that a wanted change replaces, as far as that is plain.

What is built here is only proposed: `edits` reads the result again. So nothing is checked twice,
and whatever needs thought (tags, anchors on the way, text over several lines) is given up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from qoslint.finding import Json
from qoslint.source.change import GONE, Below, NoEditError, Value, made, same
from qoslint.source.nodes import Entry, Node, entries_that_count
from qoslint.source.removal import Cut, removed_entry, removed_item
from qoslint.source.writing import DOUBLE, SINGLE, block, flow, flow_entries, scalar
from qoslint.span import Lines

_LINE_END = re.compile(r"\r\n|\n|\r")
_TO_LINE_END = re.compile(r"[ \t]*(?:(?<![^ \t\n\r])#[^\n\r]*)?(?=[\n\r]|\Z)")
_COLON = re.compile(r"[ \t]*:")
_USUAL_STEP = 2


class _Field(NamedTuple):
    """A field that is there: its entry if it has a key, its value in the text and as read.

    `column` counts the characters before the keys around it; None where they show no indentation.
    """

    entry: Entry | None
    node: Node
    data: object
    column: int | None = None
    step: int = _USUAL_STEP
    in_flow: bool = False


def cuts(text: str, lines: Lines, root: Node, data: object, wanted: Below) -> tuple[Cut, ...]:
    """What to replace in the text, in order and apart from each other; raise NoEditError.

    Raises UnseenError for what only the events show.
    """
    # What leads through an alias and what leads to its anchor are cut at one place.
    found = dict.fromkeys(_Cutter(text, lines).below(_Field(None, root, data), wanted))
    joined: list[Cut] = []
    for cut in sorted(found, key=lambda cut: cut.start):
        last = joined[-1] if joined else None
        if last is not None and cut.start < last.end:
            raise NoEditError
        if last is not None and cut.start == cut.end == last.start == last.end:
            joined[-1] = last._replace(text=last.text + cut.text)
        else:
            joined.append(cut)
    return tuple(joined)


class _Cutter:
    """The cuts in one text."""

    def __init__(self, text: str, lines: Lines) -> None:
        self._text = text
        self._lines = lines
        self._is_json = text.lstrip()[:1] in ("{", "[")

    def below(self, field: _Field, wanted: Below) -> Iterator[Cut]:
        """The cuts for changes inside of a field."""
        data = field.data
        if data is None or data == {}:
            value = made(wanted)
            if isinstance(value, Mapping) and value is not GONE.value:
                yield from self._filled(field, value)
        elif isinstance(data, dict):
            yield from self._in_mapping(field, field.node.resolved(), data, wanted)
        elif isinstance(data, list):
            yield from self._in_list(field, field.node.resolved(), data, wanted)
        else:
            raise NoEditError

    def _in_mapping(
        self, field: _Field, node: Node, data: dict[str, object], wanted: Below
    ) -> Iterator[Cut]:
        in_flow = field.in_flow or self._is_flow(node)
        column, step = self._indentation(field, node, in_flow=in_flow)
        entries = entries_that_count(node)
        missing: dict[str, Json] = {}
        for key, change in wanted.items():
            if not isinstance(key, str):
                raise NoEditError
            if key not in data:
                value = made(change)
                if value is not GONE.value:
                    missing[key] = value
                continue
            entry = entries.get(key)
            if entry is None:
                raise NoEditError
            inner = _Field(entry, entry.value, data[key], column, step, in_flow)
            if change is GONE:
                before = self._column(entry.start)
                yield removed_entry(self._text, node, entry, before, in_flow=in_flow)
            elif isinstance(change, Value):
                yield from self._replaced(inner, change.value)
            else:
                yield from self.below(inner, change)
        if missing and self._is_flow(node):
            yield self._added_in_flow(node, missing)
        elif missing:
            if in_flow or column is None:
                raise NoEditError
            yield self._added_lines(node.end, block(missing, column, step))

    def _in_list(
        self, field: _Field, node: Node, data: list[object], wanted: Below
    ) -> Iterator[Cut]:
        in_flow = field.in_flow or self._is_flow(node)
        for index, change in wanted.items():
            if not isinstance(index, int) or not 0 <= index < min(len(data), len(node.items)):
                raise NoEditError
            item = _Field(None, node.items[index], data[index], None, field.step, in_flow)
            if change is GONE:
                before = self._column(node.items[index].start)
                yield removed_item(self._text, node, index, before, in_flow=in_flow)
            elif isinstance(change, Value):
                yield from self._replaced(item, change.value)
            else:
                yield from self.below(item, change)

    def _replaced(self, field: _Field, value: Json) -> Iterator[Cut]:
        """The cuts that give a field another value."""
        data, node = field.data, field.node
        if same(data, value):
            return
        if isinstance(value, Mapping) and value and (data is None or data == {}):
            yield from self._filled(field, value)
            return
        if isinstance(data, dict | list) and data:
            raise NoEditError
        if node.start == node.end:
            yield self._behind_colon(field, flow(value, self._quote()))
            return
        old = self._text[node.start : node.end]
        if _LINE_END.search(old) or old[0] in "!&|>":
            raise NoEditError
        if old[0] in (SINGLE, DOUBLE) and isinstance(value, str):
            yield Cut(node.start, node.end, scalar(value, old[0]))
        else:
            yield Cut(node.start, node.end, flow(value, self._quote()))

    def _filled(self, field: _Field, value: Mapping[str, Json]) -> Iterator[Cut]:
        """The cuts that put the first entries into a field that is null or an empty mapping."""
        entry, node = field.entry, field.node
        old = self._text[node.start : node.end]
        if old[:1] in ("!", "&", "*"):
            raise NoEditError
        if old[:1] == "{" and (field.in_flow or entry is None or old.strip("{ }")):
            yield self._added_in_flow(node, value)
        elif field.in_flow or entry is None or field.column is None:
            if old:
                yield Cut(node.start, node.end, flow(value, self._quote()))
            else:
                yield self._behind_colon(field, flow(value, self._quote()))
        else:
            colon = self._colon_end(entry)
            if self._text[colon : max(colon, node.start)].strip(" \t"):
                raise NoEditError
            if old:
                yield Cut(colon, node.end, "")
            lines = block(value, field.column + field.step, field.step)
            yield self._added_lines(max(colon, node.end), lines)

    def _behind_colon(self, field: _Field, new: str) -> Cut:
        """The cut that gives a key without a value one."""
        if field.entry is None:
            raise NoEditError
        end = self._colon_end(field.entry)
        return Cut(end, end, f" {new}")

    def _colon_end(self, entry: Entry) -> int:
        colon = _COLON.match(self._text, entry.end)
        if colon is None:
            raise NoEditError
        return colon.end()

    def _added_lines(self, index: int, lines: Iterator[str]) -> Cut:
        """The cut that adds lines below the one that holds the end of a value."""
        rest = _TO_LINE_END.match(self._text, index)
        if rest is None:
            raise NoEditError
        end = rest.end()
        line_end = _LINE_END.match(self._text, end) or _LINE_END.search(self._text)
        break_ = line_end[0] if line_end else "\n"
        return Cut(end, end, "".join(break_ + line for line in lines))

    def _added_in_flow(self, node: Node, missing: Mapping[str, Json]) -> Cut:
        """The cut that adds entries to a flow mapping: on lines of their own, if others are."""
        if not node.entries:
            new = ", ".join(flow_entries(missing, self._quote()))
            return Cut(node.start + 1, node.start + 1, new)
        first, last = node.entries[0], node.entries[-1]
        end = max(last.end, last.value.end)
        if "#" in self._text[end : node.end]:
            raise NoEditError
        quote = DOUBLE if self._text[first.start : first.start + 1] == DOUBLE else self._quote()
        before = self._text[node.start + 1 : first.start]
        breaks = list(_LINE_END.finditer(before))
        indent = before[breaks[-1].start() :] if breaks else " "
        if indent.strip(" \t\r\n"):
            raise NoEditError
        new = "".join(f",{indent}{entry}" for entry in flow_entries(missing, quote))
        return Cut(end, end, new)

    def _indentation(self, field: _Field, node: Node, *, in_flow: bool) -> tuple[int | None, int]:
        """The column of the keys of a block mapping, and how much deeper than the keys above."""
        if in_flow or not node.entries:
            return None, field.step
        column = self._column(node.entries[0].start)
        above = field.column
        deeper = above is not None and above < column <= above + 8
        return column, column - above if deeper and above is not None else field.step

    def _column(self, index: int) -> int:
        """How many characters stand before `index` on its line."""
        return self._lines.position(index).column - 1

    def _is_flow(self, node: Node) -> bool:
        return self._text[node.start : node.start + 1] in ("{", "[")

    def _quote(self) -> str:
        return DOUBLE if self._is_json else ""

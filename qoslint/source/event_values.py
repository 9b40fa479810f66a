"""The JSON value of one document from its events.

Mirrors sigs.k8s.io/yaml yaml.go: YAMLToJSON over goyaml.v2/decode.go: unmarshal, mapping, merge
and alias. A later key or merge overrides an earlier one; aliases share their value. Depth, nodes
and aliases are counted, and reading stops at the limit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from sys import intern
from typing import NamedTuple, TypeAlias

from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from qoslint.source.allowance import Allowance, kubernetes_share
from qoslint.source.events import NextEvent, is_merge, read_events
from qoslint.source.loading import MAX_DEPTH, MAX_NODES, Complaint, Loaded, YamlError
from qoslint.source.scalars import ScalarError, key_text, plain, tagged
from qoslint.span import Lines

MAX_COMPLAINTS = 100
_LONGEST_NAME = 100


def load_events(text: str, most_aliased: int | None = None) -> Loaded:
    """Read the first document of `text`; raise YamlError.

    Aliases may add `most_aliased` values, by default what the text alone allows.
    """
    most = Allowance().share(text) if most_aliased is None else most_aliased

    def read(next_event: NextEvent) -> Loaded:
        return _Reader(text, next_event, most).document()

    try:
        return read_events(text, read)
    except _RefusedError as error:
        raise YamlError(error.message, Lines(text).position(error.index)) from error


class _RefusedError(Exception):
    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.message = message
        self.index = index


class _Anchor:
    """A named value and what an alias to it costs; `nodes` is None while it is being read."""

    __slots__ = ("height", "nodes", "value")

    def __init__(self, value: object) -> None:
        self.value = value
        self.nodes: int | None = None
        self.height = 0


class _Enclosing(NamedTuple):
    """What was counted when a collection was opened, to be joined again when it closes."""

    nodes: int
    deepest: int
    anchor: _Anchor | None


_Start: TypeAlias = MappingStartEvent | SequenceStartEvent


class _Reader:
    """The state of reading one document: one method a kind of node, recursive up to MAX_DEPTH."""

    __slots__ = (
        "_aliased",
        "_anchors",
        "_complaints",
        "_deepest",
        "_depth",
        "_most_aliased",
        "_next",
        "_nodes",
        "_non_finite",
        "_text",
    )

    def __init__(self, text: str, next_event: NextEvent, most_aliased: int) -> None:
        self._text = text
        self._most_aliased = most_aliased
        self._next = next_event
        self._anchors: dict[str, _Anchor] = {}
        self._complaints: list[tuple[int, str]] = []
        # Counted as goyaml's decodeCount, which counts the document itself too.
        self._nodes = 1
        self._aliased = 0
        self._depth = 0
        self._deepest = 0
        self._non_finite: int | None = None

    def document(self) -> Loaded:
        """The first document of the stream; null if there is none."""
        next_event = self._next
        next_event()
        start = next_event()
        if isinstance(start, StreamEndEvent):
            return Loaded(None, ())
        if isinstance(start, DocumentStartEvent) and start.version not in (None, (1, 1)):
            raise _refused("found incompatible YAML document, only %YAML 1.1 is read", start)
        value = self._value(next_event())
        if self._non_finite is not None and _has_non_finite(value):
            raise _RefusedError("NaN and the infinities have no JSON value", self._non_finite)
        end = next_event()
        self._check_bounds(end)
        self._check_rest(end)
        return Loaded(value, tuple(self._told()), self._aliased)

    def _told(self) -> Iterator[Complaint]:
        if self._complaints:
            lines = Lines(self._text)
            for index, message in self._complaints:
                yield Complaint(lines.position(index), message)

    def _check_rest(self, end: Event) -> None:
        """Kubernetes reads one document, and ignores even nonsense behind it."""
        try:
            rest = self._next()
        except YAMLError:
            rest = None
        if not isinstance(rest, StreamEndEvent):
            self._complain("what follows the end of this document is ignored", end)

    def _value(self, event: Event) -> object:
        self._nodes += 1
        if isinstance(event, ScalarEvent):
            if event.ctag is None and event.anchor is None:
                return event.value if event.style else self._plain(event)
            return self._scalar(event)
        if isinstance(event, MappingStartEvent):
            return self._mapping(event)
        if isinstance(event, SequenceStartEvent):
            return self._sequence(event)
        assert isinstance(event, AliasEvent)
        return self._alias(event)

    def _plain(self, event: ScalarEvent) -> object:
        value = plain(event.value)
        if type(value) is float and not math.isfinite(value):
            # Only refused if no later key overrides it.
            self._non_finite = event.start_mark.index
        return value

    def _scalar(self, event: ScalarEvent) -> object:
        """A scalar with a tag or an anchor."""
        if event.ctag is not None:
            value: object = _tagged(event)
        else:
            value = event.value if event.style else plain(event.value)
        if isinstance(value, float) and not math.isfinite(value):
            self._non_finite = event.start_mark.index
        if event.anchor is not None:
            anchor = self._anchors[event.anchor] = _Anchor(value)
            anchor.nodes = 1
        return value

    def _mapping(self, start: MappingStartEvent) -> dict[str, object]:
        found: dict[str, object] = {}
        # Only where keys are not all strings: two keys of different types can become one JSON key.
        types: dict[str, type] = {}
        enclosing = self._open(start, found)
        next_event = self._next
        while type(event := next_event()) is not MappingEndEvent:
            if isinstance(event, ScalarEvent) and is_merge(event):
                self._merge(next_event(), found)
                continue
            raw = self._value(event)
            key = intern(raw) if type(raw) is str else _key(raw, event)
            if key in found:
                self._complain(_duplicate(key, types.get(key, str), type(raw)), event)
            if types or type(raw) is not str:
                types[key] = type(raw)
            found[key] = self._value(next_event())
        self._close(enclosing)
        return found

    def _sequence(self, start: SequenceStartEvent) -> list[object]:
        found: list[object] = []
        enclosing = self._open(start, found)
        next_event = self._next
        while type(event := next_event()) is not SequenceEndEvent:
            found.append(self._value(event))
        self._close(enclosing)
        return found

    def _merge(self, event: Event, target: dict[str, object]) -> None:
        """Merge a mapping or a list of mappings; the first of the list wins over the next."""
        value = self._value(event)
        merged = value if type(event) is SequenceStartEvent else [value]
        if not isinstance(merged, list) or not all(isinstance(item, dict) for item in merged):
            raise _refused("map merge requires map or sequence of maps as the value", event)
        for mapping in reversed(merged):
            for key in mapping.keys() & target.keys():
                self._complain(_duplicate(key, str, str), event)
            target.update(mapping)

    def _alias(self, event: AliasEvent) -> object:
        anchor = self._anchors.get(event.anchor)
        if anchor is None:
            raise _refused(f"unknown anchor '{_short(event.anchor)}' referenced", event)
        if anchor.nodes is None:
            raise _refused(f"anchor '{_short(event.anchor)}' value contains itself", event)
        self._nodes += anchor.nodes
        self._aliased += anchor.nodes
        self._deepest = max(self._deepest, self._depth + anchor.height)
        self._check_bounds(event)
        return anchor.value

    def _open(self, start: _Start, value: object) -> _Enclosing:
        enclosing = _Enclosing(self._nodes, self._deepest, None)
        if start.anchor is not None:
            anchor = self._anchors[start.anchor] = _Anchor(value)
            enclosing = enclosing._replace(anchor=anchor)
        self._depth += 1
        self._deepest = self._depth
        self._check_bounds(start)
        return enclosing

    def _close(self, enclosing: _Enclosing) -> None:
        self._depth -= 1
        if enclosing.anchor is not None:
            # The collection itself was counted before it was opened.
            enclosing.anchor.nodes = self._nodes - enclosing.nodes + 1
            enclosing.anchor.height = self._deepest - self._depth
        self._deepest = max(self._deepest, enclosing.deepest)

    def _check_bounds(self, event: Event) -> None:
        if self._deepest > MAX_DEPTH:
            raise _refused(f"nested deeper than {MAX_DEPTH} levels", event)
        if self._nodes > MAX_NODES:
            raise _refused(f"more than {MAX_NODES:,} values, aliases resolved", event)
        if self._aliased > 100 and self._aliased > self._nodes * kubernetes_share(self._nodes):
            raise _refused("document contains excessive aliasing", event)
        if self._aliased > self._most_aliased:
            raise _refused(f"aliases expand to more than {self._most_aliased:,} values", event)

    def _complain(self, message: str, event: Event) -> None:
        if len(self._complaints) < MAX_COMPLAINTS:
            self._complaints.append((event.start_mark.index, message))


def _refused(message: str, event: Event) -> _RefusedError:
    return _RefusedError(message, event.start_mark.index)


def _key(raw: object, event: Event) -> str:
    try:
        return intern(key_text(raw))
    except ScalarError as error:
        raise _refused(str(error), event) from error


def _tagged(event: ScalarEvent) -> object:
    try:
        return tagged(event.tag or "", event.value)
    except ScalarError as error:
        raise _refused(str(error), event) from error


def _short(name: str) -> str:
    """A name of any length as a message can hold it."""
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"


def _duplicate(key: str, before: type, now: type) -> str:
    key = _short(key)
    if before is now:
        return f'key "{key}" already set in map'
    return f'key "{key}" is set as two types, and which one counts is not defined'


def _has_non_finite(value: object) -> bool:
    pending, seen = [value], set[int]()
    while pending:
        inner = pending.pop()
        if isinstance(inner, float) and not math.isfinite(inner):
            return True
        if isinstance(inner, dict | list) and id(inner) not in seen:
            seen.add(id(inner))
            pending.extend(inner.values() if isinstance(inner, dict) else inner)
    return False

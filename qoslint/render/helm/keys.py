"""Where a key of a release's values is authored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from qoslint.finding import Location, Part
from qoslint.render.helm import strvals
from qoslint.render.helm.prepare import Prepared
from qoslint.render.helm.records import Layer, Parameter
from qoslint.render.helm.tree import Node, dependencies
from qoslint.source.document import Document, Source, YamlError, load
from qoslint.source.locate import locate
from qoslint.span import START, Path, Position, Span, value_at


class _Field(NamedTuple):
    """What of a key is meant: a part, or what holds `within` of a text with several lines."""

    part: Part
    within: str = ""


class _Found(NamedTuple):
    """How much of a path a source of values holds, and where that stands."""

    depth: int
    location: Location
    decides: bool = False
    """Whether no other source can hold more of it: there is a list, a scalar or a null."""


def locate_key(
    prepared: Prepared, key: Path, part: Part = Part.ENTRY, within: str = ""
) -> Location:
    """Where the value of a key is set: by whatever counts most of all that set it.

    That is a parameter, a layer from the last to the first, the chart's values.yaml, a subchart's.
    Where nothing that can be edited sets it, its nearest parent that exists, which is not exact.
    `within` is what of a text with several lines is meant.
    """
    field = _Field(part, within)
    best: _Found | None = None
    for found in (*_sources(prepared, key, field), *_imported(prepared.tree, key, field)):
        if found.depth == len(key):
            return found.location
        if found.decides:
            return found.location._replace(exact=False)
        if best is None or found.depth > best.depth:
            best = found
    if best is None:
        return _start(prepared.tree.authored("values.yaml")[0])
    return best.location._replace(exact=False)


def locate_given(layers: Sequence[Layer], key: Path, part: Part) -> tuple[Layer, Location]:
    """The same of layers alone, of which there is one at least, with the layer that sets it."""
    found = [(layer, _in_text(layer, key, _Field(part))) for layer in reversed(layers)]
    layer, best = max(found, key=lambda each: each[1].depth)
    return layer, best.location._replace(exact=best.depth == len(key) and best.location.exact)


def _sources(prepared: Prepared, key: Path, field: _Field) -> Iterator[_Found]:
    for parameter in reversed(prepared.chart.parameters):
        yield from _in_parameter(parameter, key)
    for layer in reversed(prepared.chart.layers):
        yield _in_text(layer, key, field)
    yield from _in_charts(prepared.tree, key, field, 0)


def _in_parameter(parameter: Parameter, key: Path) -> Iterator[_Found]:
    if parameter.at is None:
        return
    sets = path_of(parameter.name)
    if key[: len(sets)] == sets:
        yield _Found(len(key), parameter.at)


def path_of(name: str) -> Path:
    """The path that a name in Helm's notation leads along."""
    values: strvals.Values = {}
    try:
        strvals.apply(values, name, "x", str)
    except strvals.NotationError:
        return ("",)
    path: Path = ()
    value: object = values
    while isinstance(value, dict | list):
        last = len(value) - 1
        step, value = next(iter(value.items())) if isinstance(value, dict) else (last, value[last])
        path = (*path, step)
    return path


def _in_charts(node: Node, key: Path, field: _Field, above: int) -> Iterator[_Found]:
    """In the chart's values.yaml, then below the name of a subchart in that one's."""
    content = node.files.get("values.yaml")
    file, inside = node.authored("values.yaml")
    if content is not None and not inside:
        found = _in_text(Layer(file, content.decode(errors="replace")), key, field)
        yield found._replace(depth=found.depth + above)
    for subchart in node.subcharts:
        if key[:1] == (subchart.name,):
            yield from _in_charts(subchart, key[1:], field, above + 1)
        elif key[:1] == ("global",):
            yield from _in_charts(subchart, key, field, above)


def _imported(node: Node, key: Path, field: _Field) -> Iterator[_Found]:
    """In the values.yaml of a subchart that exports it; what a release is given does not count."""
    for dependency in dependencies(node.metadata):
        for child, parent in dependency.imports:
            if key[: len(parent)] == parent:
                inner = (dependency.key, *child, *key[len(parent) :])
                for found in _in_charts(node, inner, field, 0):
                    if found.depth == len(inner):
                        yield found._replace(depth=len(key))


def _in_text(layer: Layer, key: Path, field: _Field) -> _Found:
    try:
        value = _loaded(layer.text)
    except YamlError:
        return _Found(0, _start(layer.file))
    outer = _depth(value, layer.path)
    if outer < len(layer.path):
        return _Found(0, _start(layer.file))
    inner = value_at(value, layer.path)
    if isinstance(inner, str):
        return _in_string(layer, inner, key, field)
    depth = _depth(inner, key)
    path = (*layer.path, *key[:depth])
    span = _line_within(layer, path, value_at(value, path), field.within)
    span = span or _span(layer.text, layer.line, path, _part(field, key, depth))
    return _Found(depth, Location(layer.file, span), _decides(inner, key[:depth]))


def _in_string(layer: Layer, text: str, key: Path, field: _Field) -> _Found:
    """In YAML that is the text of a field, as an Application's `values: |`."""
    try:
        value = _loaded(text)
    except YamlError:
        value = None
    depth = _depth(value, key)
    decides = _decides(value, key[:depth])
    whole = _span(layer.text, layer.line, layer.path, Part.KEY)
    inner = _span(text, 1, key[:depth], _part(field, key, depth))
    span = shifted(layer, text, inner) if depth else None
    if span is None:
        return _Found(depth, Location(layer.file, whole, exact=False), decides)
    return _Found(depth, Location(layer.file, span), decides)


def _part(field: _Field, key: Path, depth: int) -> Part:
    """Of a parent, only the key is shown."""
    return field.part if depth == len(key) else Part.KEY


def _line_within(layer: Layer, path: Path, value: object, text: str) -> Span | None:
    """The line of a literal block that holds a text."""
    if not text or not isinstance(value, str):
        return None
    lines = enumerate(value.split("\n"), 1)
    found = next(((number, line) for number, line in lines if text in line), None)
    if found is None or "\n" not in value:
        return None
    column = found[1].index(text) + 1
    span = Span(Position(found[0], column), Position(found[0], column + len(text)))
    return shifted(layer._replace(path=path), value, span)


def shifted(layer: Layer, text: str, span: Span) -> Span | None:
    """A span of the text of a field as one of the file; None unless that is a literal block."""
    start = _span(layer.text, layer.line, layer.path, Part.KEY).start.line - layer.line
    lines = [line.rstrip("\r") for line in layer.text.split("\n")]
    inner = text.split("\n")
    first = next((at for at in range(start + 1, len(lines)) if lines[at].strip()), 0)
    if not first or not inner[0].strip():
        return None
    indent = len(lines[first]) - len(inner[0])
    at = first + span.start.line - 1
    if at >= len(lines) or lines[at][indent:] != inner[span.start.line - 1]:
        return None
    return Span(
        *(Position(each.line + first + layer.line - 1, each.column + indent) for each in span)
    )


_loaded = lru_cache(maxsize=64)(load)


def _decides(value: object, path: Path) -> bool:
    """Whether what stands at a path, or above it, is not merged with what other sources say."""
    return bool(path) and (
        any(isinstance(step, int) for step in path) or not isinstance(value_at(value, path), dict)
    )


def _span(text: str, line: int, path: Path, part: Part) -> Span:
    document = Document(Source("", "", text), 0, line, text, None)
    return locate(document, path, part)[0]


def _depth(value: object, path: Path) -> int:
    """How many steps of a path exist."""
    for depth, step in enumerate(path):
        within = range(len(value)) if isinstance(value, list) else value
        if not isinstance(within, dict | range) or step not in within:
            return depth
        value = value_at(value, (step,))
    return len(path)


def _start(file: str) -> Location:
    return Location(file, START, exact=False)

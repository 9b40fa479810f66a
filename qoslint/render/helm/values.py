"""The values of a release: what it is given, and that merged with what its charts say."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from qoslint.render.failure import RenderError
from qoslint.render.helm import strvals
from qoslint.render.helm.records import Layer, Parameter
from qoslint.render.helm.tree import Dependency, Node
from qoslint.source.document import YamlError, load
from qoslint.span import value_at

Values: TypeAlias = Mapping[str, object]


def of_release(layers: Sequence[Layer], parameters: Sequence[Parameter], folder: str) -> Values:
    """What a release is given: its layers, and its parameters applied into them.

    `folder`, the chart's, is named where a parameter that stands nowhere cannot be set.
    """
    given = copy.deepcopy(of_layers(layers)) if parameters else of_layers(layers)
    for parameter in parameters:
        text = parameter.value
        text = strvals.escaped(text) if parameter.literal else strvals.one_value(text)
        typed = str if parameter.force_string or parameter.literal else strvals.typed
        try:
            strvals.apply(given, parameter.name, text, typed)
        except strvals.NotationError as error:
            message = f"the parameter {parameter.name!r} cannot be set: {error}"
            at = parameter.at
            if at is None:
                raise RenderError(message, layers[-1].file if layers else folder) from error
            raise RenderError(message, at.file, at.span.start.line) from error
    return given


def of_layers(layers: Sequence[Layer]) -> dict[str, object]:
    """What the layers say together; raise RenderError for one that cannot be read."""
    merged: dict[str, object] = {}
    for layer in layers:
        merged = over(merged, of_layer(layer))
    return merged


def of_layer(layer: Layer) -> Values:
    """The mapping that a layer holds; nothing at all is an empty one."""
    value = value_at(_load(layer.text, layer), layer.path)
    if isinstance(value, str):
        value = _load(value, layer)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise RenderError("values are a mapping, but this is none", layer.file, layer.line)
    return value


def over(below: Values, above: Values) -> dict[str, object]:
    """Mappings are merged, all else is replaced (Helm's `MergeMaps`); null stays, as a removal."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            value = over(old, value)
        merged[key] = value
    return merged


def _load(text: str, layer: Layer) -> object:
    if not text.strip():
        return None
    try:
        return load(text)
    except YamlError as error:
        line = layer.line + error.position.line - 1
        raise RenderError(f"values cannot be read: {error.message}", layer.file, line) from error


def merged(node: Node, given: Values) -> dict[str, object]:
    """The chart's own values below what it is given, and so in each subchart (`CoalesceValues`).

    A null that is given removes the chart's own value. What subcharts export is left out.
    """
    found = _coalesced(own(node), given)
    for subchart in node.subcharts:
        inner = found.get(subchart.name)
        if inner is None or isinstance(inner, dict):
            inner = dict(inner or {})
            shared = found.get("global")
            if isinstance(shared, dict):
                inner["global"] = over(_mapping(inner.get("global")), shared)
            found[subchart.name] = merged(subchart, inner)
    return found


def own(node: Node) -> Values:
    """What a chart's values.yaml says; nothing if it cannot be read, which Helm will tell."""
    try:
        value = load(node.files.get("values.yaml", b"").decode())
    except (YamlError, UnicodeDecodeError):
        return {}
    return value if isinstance(value, dict) else {}


def is_enabled(dependency: Dependency, all_values: Values) -> bool:
    """Whether a subchart is part of the release (`processDependencyTags`, `-Conditions`)."""
    for path in dependency.condition.strip().split(","):
        value = field_of(all_values, path)
        if isinstance(value, bool):
            return value
    tags = _mapping(all_values.get("tags"))
    chosen = [tags[tag] for tag in dependency.tags if isinstance(tags.get(tag), bool)]
    return any(chosen) or not chosen


def field_of(mapping: Values, dotted: str) -> object:
    """What stands at a path of keys joined by dots; None if nothing does (`PathValue`)."""
    value: object = mapping
    for key in dotted.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _coalesced(below: Values, above: Values) -> dict[str, object]:
    found = dict(below)
    for key, value in above.items():
        old = found.get(key)
        if value is None:
            found.pop(key, None)
        elif isinstance(value, dict) and isinstance(old, dict):
            found[key] = _coalesced(old, value)
        else:
            found[key] = value
    return found


def _mapping(value: object) -> Values:
    return value if isinstance(value, dict) else {}

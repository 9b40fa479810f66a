"""The values that a release is given: its layers merged as Helm merges its `--values`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from qoslint.render.failure import RenderError
from qoslint.render.helm.records import Layer
from qoslint.source.document import YamlError, load

Values: TypeAlias = Mapping[str, object]


def of_layers(layers: Sequence[Layer]) -> dict[str, object]:
    """What the layers say together; raise RenderError for one that cannot be read."""
    merged: dict[str, object] = {}
    for layer in layers:
        merged = over(merged, of_layer(layer))
    return merged


def of_layer(layer: Layer) -> Values:
    """The mapping that a layer holds; nothing at all is an empty one."""
    value = _load(layer.text, layer)
    for step in layer.path:
        try:
            value = value[step]  # type: ignore[index]
        except (LookupError, TypeError):
            return {}
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
        both = isinstance(value, dict) and isinstance(old, dict)
        merged[key] = over(old, value) if both else value  # type: ignore[arg-type]
    return merged


def _load(text: str, layer: Layer) -> object:
    if not text.strip():
        return None
    try:
        return load(text)
    except YamlError as error:
        line = layer.line + error.position.line - 1
        raise RenderError(f"values cannot be read: {error.message}", layer.file, line) from error

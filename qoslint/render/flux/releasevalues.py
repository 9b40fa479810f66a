"""The values of a HelmRelease: fluxcd/pkg chartutil ChartValuesFromReferences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from qoslint.finding import Notice
from qoslint.render.fields import Fields, at, is_set, mapping, text
from qoslint.render.flux.context import Context, Values, refuse, values
from qoslint.render.helm.records import Layer, Parameter
from qoslint.render.objects import Object
from qoslint.render.reach import items
from qoslint.source.document import YamlError, load

_STEP = re.compile(r"(?:[^.\\]|\\.)+")
_HELD = "held by a secret"
_MOST_REFERENCES = 500


class Given(NamedTuple):
    """What a chart is rendered with."""

    layers: tuple[Layer, ...]
    parameters: tuple[Parameter, ...]
    notices: tuple[Notice, ...]


class _Single(NamedTuple):
    """A value at a `targetPath`, put there when so many layers were merged."""

    parameter: Parameter
    after: int


def given(object_: Object, context: Context) -> Given:
    """The values of a release, those it states itself last; raise NotRenderedError."""
    spec = mapping(at(object_.data, "spec"))
    layers: list[tuple[Layer, Fields]] = []
    singles: list[_Single] = []
    notices: list[Notice] = []
    for number, each in enumerate(islice(items(spec.get("valuesFrom")), _MOST_REFERENCES)):
        reference = mapping(each)
        inside = values(text(reference, "kind"), text(reference, "name"), object_, context)
        name = text(reference, "valuesKey") or "values.yaml"
        target = text(reference, "targetPath")
        if inside is None or name not in inside.entries:
            if not is_set(reference, "optional"):
                notices.append(_unknown(object_, reference, name, number))
                if target and text(reference, "kind") == "Secret":
                    # Charts often demand such a value, and none of them decides about resources.
                    singles.append(_Single(Parameter(target, _HELD, True), len(layers)))
        elif target:
            literal = is_set(reference, "literal")
            parameter = _parameter(target, inside.entries[name], literal)
            singles.append(_Single(parameter, len(layers)))
        else:
            layers.append((_layer(inside, name), _loaded(inside, name, object_, number)))
    inline = mapping(spec.get("values"))
    kept = tuple(_counting(singles, [content for _, content in layers], inline))
    own = [object_.layer("spec", "values")] if inline else []
    return Given((*(layer for layer, _ in layers), *own), kept, tuple(notices))


def _layer(inside: Values, name: str) -> Layer:
    if name in inside.places:
        return inside.object.layer(*inside.places[name])
    line = inside.object.line("data", name)
    return Layer(inside.object.file, inside.entries[name], (), line)


def _loaded(inside: Values, name: str, object_: Object, number: int) -> Fields:
    try:
        return mapping(load(inside.entries[name]))
    except YamlError as error:
        refuse(
            object_,
            f"the values in {inside.object.title} under '{name}' cannot be read: {error.message}",
            "spec",
            "valuesFrom",
            number,
        )


def _parameter(target: str, value: str, literal: bool) -> Parameter:
    if literal:
        return Parameter(target, value, literal=True)
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        return Parameter(target, value.strip("'\""), force_string=True)
    return Parameter(target, value)


def _unknown(object_: Object, reference: Fields, name: str, number: int) -> Notice:
    kind = text(reference, "kind") or "object"
    return Notice(
        f"{object_.title} takes values from '{name}' in the {kind} {text(reference, 'name')}, "
        "which the repository does not hold in plain text; it is rendered without them.",
        object_.file,
        object_.line("spec", "valuesFrom", number),
    )


def _counting(singles: list[_Single], layers: list[Fields], inline: Fields) -> Iterator[Parameter]:
    """Those of the single values that nothing replaces."""
    for single in singles:
        # An item of a list stays if the list does.
        fixed, index, _ = single.parameter.name.partition("[")
        steps = [step.replace("\\", "") for step in _STEP.findall(fixed)]
        # That of the release itself is changed in place.
        in_place = bool(index) and len(steps) == 1 and steps[0] in inline
        if in_place or not steps or _stays(steps, single.after, layers, inline):
            yield single.parameter


def _stays(steps: list[str], after: int, layers: list[Fields], inline: Fields) -> bool:
    """Whether a value that is put in after so many layers is there in the end.

    Flux puts it into what is merged so far, with the values of the release, then merges on, those
    of the release last. A mapping of theirs that was merged with nothing is the very same mapping,
    not a copy, so that what was put into it stays.
    """
    marker = object()
    last = _spine(inline, steps)
    merged: dict[str, object] = {}
    for layer in layers[:after]:
        merged = _merged(merged, _spine(layer, steps))
    merged = _merged(merged, last)
    _put(merged, steps, marker)
    for layer in layers[after:]:
        merged = _merged(merged, _spine(layer, steps))
    value: object = _merged(merged, last)
    for step in steps:
        value = value.get(step) if isinstance(value, Mapping) else None
    return value is marker


def _spine(values_: Fields, steps: list[str]) -> dict[str, object]:
    """Of the values, only what is on the way: a copy, in which the marker may be put."""
    if not steps or steps[0] not in values_:
        return {}
    inner = values_[steps[0]]
    return {steps[0]: _spine(inner, steps[1:]) if isinstance(inner, Mapping) else inner}


def _put(merged: dict[str, object], steps: list[str], marker: object) -> None:
    inner = merged
    for step in steps[:-1]:
        below = inner.get(step)
        if not isinstance(below, dict):
            below = {}
            inner[step] = below
        inner = below
    inner[steps[-1]] = marker


def _merged(below: Fields, above: Fields) -> dict[str, object]:
    """`MergeMaps`: mappings that nothing is merged with are the same ones, not copies."""
    merged = dict(below)
    for name, value in above.items():
        old = merged.get(name)
        if isinstance(value, Mapping) and isinstance(old, Mapping):
            merged[name] = _merged(old, value)
        else:
            merged[name] = value
    return merged

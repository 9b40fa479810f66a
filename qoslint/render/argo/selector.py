"""Which sets of parameters a generator keeps."""

from __future__ import annotations

from collections.abc import Mapping

from qoslint.render.argo.expressions import UnevaluatedError
from qoslint.render.argo.gotext import go_text
from qoslint.render.fields import Fields, mapping, mappings, text, texts

_DEEPEST = 100


def selects(selector: Fields, parameters: Fields) -> bool:
    """Whether the label selector takes the parameters, each a label (applicationset/utils)."""
    labels = flattened(parameters)
    for key, value in mapping(selector.get("matchLabels")).items():
        if labels.get(key) != value:
            return False
    return all(_holds(each, labels) for each in mappings(selector.get("matchExpressions")))


def _holds(requirement: Fields, labels: Mapping[str, str]) -> bool:
    value = labels.get(text(requirement, "key"))
    values = set(texts(requirement.get("values")))
    match text(requirement, "operator"):
        case "In":
            return value is not None and value in values
        case "NotIn":
            return value is None or value not in values
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
    raise UnevaluatedError("its selector has an operator that is not known")


def flattened(value: object, prefix: str = "", depth: int = 0) -> dict[str, str]:
    """The values by their dotted path, as texts (jeremywohl/flatten, then `%v`)."""
    if depth > _DEEPEST:
        raise UnevaluatedError("its parameters are nested more than 100 levels deep")
    found: dict[str, str] = {}
    if isinstance(value, list):
        entries = [(str(number), item) for number, item in enumerate(value)]
    else:
        entries = list(mapping(value).items())
    for key, item in entries:
        path = f"{prefix}.{key}" if prefix else key
        if isinstance(item, Mapping | list):
            # An empty one leaves no trace.
            found.update(flattened(item, path, depth + 1))
        else:
            found[path] = go_text(item)
    return found

"""Labels and label selectors: what is wrong with them, and what a selector selects.

Mirrors `staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go` and
`staging/src/k8s.io/apimachinery/pkg/labels/selector.go`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from qoslint.kernel.jsonvalue import each, mapping, string, string_map, strings
from qoslint.kernel.pod import Path
from qoslint.kernel.validation.field import Field, FieldError, forbidden, invalid, required
from qoslint.kernel.validation.names import is_qualified_name, is_valid_label_value


class LabelSelectorRequirement(NamedTuple):
    """An item of `matchExpressions`."""

    key: str
    operator: str
    values: tuple[str, ...]


class LabelSelector(NamedTuple):
    """A selector; without requirements it selects everything."""

    match_labels: tuple[tuple[str, str], ...] = ()
    match_expressions: tuple[LabelSelectorRequirement, ...] = ()

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether a set of labels meets every requirement."""
        return all(labels.get(key) == value for key, value in self.match_labels) and all(
            _meets(requirement, labels) for requirement in self.match_expressions
        )

    def json(self) -> dict[str, object]:
        """The selector as errors print it."""
        expressions = [
            {"key": item.key, "operator": item.operator, "values": list(item.values)}
            for item in self.match_expressions
        ]
        parts = {"matchLabels": dict(self.match_labels), "matchExpressions": expressions}
        return {key: part for key, part in parts.items() if part}


def decode_label_selector(value: object, path: Path) -> LabelSelector | None:
    """The selector at `path`, None if absent; DecodeError for a field of the wrong type."""
    if value is None:
        return None
    data = mapping(value, path)
    labels = string_map(data, "matchLabels", path)
    expressions = each(data, "matchExpressions", _decode_requirement, path)
    return LabelSelector(tuple(labels.items()), expressions)


def _decode_requirement(value: object, path: Path) -> LabelSelectorRequirement:
    data = mapping(value, path)
    return LabelSelectorRequirement(
        string(data, "key", path),
        string(data, "operator", path),
        strings(data, "values", path),
    )


def _meets(requirement: LabelSelectorRequirement, labels: Mapping[str, str]) -> bool:
    match requirement.operator:
        case "In":
            return labels.get(requirement.key) in requirement.values
        case "NotIn":
            return labels.get(requirement.key) not in requirement.values
        case "Exists":
            return requirement.key in labels
        case "DoesNotExist":
            return requirement.key not in labels
    return False


def validate_labels(labels: Iterable[tuple[str, str]], field: Field) -> Iterator[FieldError]:
    """What is wrong with labels; all complaints are printed at the map (`ValidateLabels`)."""
    for key, value in labels:
        for message in is_qualified_name(key):
            yield invalid(field.key(key).printed_as(field), key, message)
        for message in is_valid_label_value(value):
            yield invalid(field.key(key).printed_as(field), value, message)


def validate_label_selector(selector: LabelSelector, field: Field) -> Iterator[FieldError]:
    """What is wrong with a selector (`ValidateLabelSelector`)."""
    if selector.match_labels:
        yield from validate_labels(selector.match_labels, field.child("matchLabels"))
    for index, requirement in enumerate(selector.match_expressions):
        yield from _validate_requirement(requirement, field.child("matchExpressions").item(index))


def _validate_requirement(
    requirement: LabelSelectorRequirement, field: Field
) -> Iterator[FieldError]:
    match requirement.operator:
        case "In" | "NotIn":
            if not requirement.values:
                yield required(
                    field.child("values"), "must be specified when `operator` is 'In' or 'NotIn'"
                )
        case "Exists" | "DoesNotExist":
            if requirement.values:
                yield forbidden(
                    field.child("values"),
                    "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
                )
        case operator:
            yield invalid(field.child("operator"), operator, "not a valid selector operator")
    for message in is_qualified_name(requirement.key):
        yield invalid(field.child("key"), requirement.key, message)
    for index, value in enumerate(requirement.values):
        for message in is_valid_label_value(value):
            yield invalid(field.child("values").item(index), value, message)

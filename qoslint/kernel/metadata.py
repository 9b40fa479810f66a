"""ObjectMeta: the parts of `metadata` that the API server reads before anything else.

Mirrors `staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go ObjectMeta` and
`staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go ValidateObjectMeta`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from qoslint.kernel.jsonvalue import mapping, string, string_map
from qoslint.kernel.pod import Path
from qoslint.kernel.validation.field import Field, FieldError, invalid, required, too_long
from qoslint.kernel.validation.labels import validate_labels
from qoslint.kernel.validation.names import is_qualified_name, utf8_length

MIRROR_ANNOTATION = "kubernetes.io/config.mirror"
_ANNOTATIONS_SIZE = 256 * 1024


class ObjectMeta(NamedTuple):
    """An object's name, labels and annotations; the pairs in the order of the manifest."""

    name: str = ""
    generate_name: str = ""
    labels: tuple[tuple[str, str], ...] = ()
    annotations: tuple[tuple[str, str], ...] = ()


def decode_object_meta(value: object, path: Path) -> ObjectMeta:
    """The `metadata` at `path`; DecodeError for a field of the wrong type."""
    data = mapping(value, path)
    return ObjectMeta(
        name=string(data, "name", path),
        generate_name=string(data, "generateName", path),
        labels=tuple(string_map(data, "labels", path).items()),
        annotations=tuple(string_map(data, "annotations", path).items()),
    )


def validate_object_meta(
    meta: ObjectMeta, field: Field, is_name: Callable[[str], Iterable[str]]
) -> Iterator[FieldError]:
    """What is wrong with an object's metadata (`objectmeta.go ValidateObjectMetaAccessor`)."""
    if meta.generate_name:
        for message in is_name(_mask_trailing_dash(meta.generate_name)):
            yield invalid(field.child("generateName"), meta.generate_name, message)
    if not meta.name and not meta.generate_name:
        yield required(field.child("name"), "name or generateName is required")
    if meta.name:
        for message in is_name(meta.name):
            yield invalid(field.child("name"), meta.name, message)
    if meta.labels:
        yield from validate_labels(meta.labels, field.child("labels"))
    if meta.annotations:
        yield from validate_annotations(meta.annotations, field.child("annotations"))


def validate_annotations(
    annotations: tuple[tuple[str, str], ...], field: Field
) -> Iterator[FieldError]:
    """What is wrong with annotations: keys, and 256 KiB in all (`objectmeta.go`)."""
    for key, _ in annotations:
        for message in is_qualified_name(key.lower()):
            yield invalid(field.key(key).printed_as(field), key, message)
    size = sum(utf8_length(key) + utf8_length(text) for key, text in annotations)
    if size > _ANNOTATIONS_SIZE:
        yield too_long(field, _ANNOTATIONS_SIZE)


def validate_mirror_annotation(
    annotations: Mapping[str, str], node_name: str, field: Field
) -> Iterator[FieldError]:
    """A mirror pod must name its node (`validation.go ValidatePodSpecificAnnotations`)."""
    value = annotations.get(MIRROR_ANNOTATION)
    if value is not None and not node_name:
        where = field.key(MIRROR_ANNOTATION)
        yield invalid(where, value, "must set spec.nodeName if mirror pod annotation is set")


def _mask_trailing_dash(prefix: str) -> str:
    """A prefix as a name to check: letters will follow, so it may end with a dash."""
    return f"{prefix[:-2]}a" if len(prefix) > 1 and prefix.endswith("-") else prefix

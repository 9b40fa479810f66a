"""Placeholders that something else fills in before the API server sees a pod template.

A `${CPU}` of an OpenShift Template or of Flux, or a `{{ .Values.cpu }}` in quotes, is no error of
the author and no value either: what it decides is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.model.objects import mapping, sequence
from qoslint.model.podspec import authored_containers
from qoslint.span import Path

_BRACKETS = (("${", "}"), ("{{", "}}"))

# Shell variables and other templates are the ordinary content of commands, arguments and
# environments; a placeholder counts only in the fields that decide about class, admission and rank.
_DECIDING = (
    "resources",
    "overhead",
    "priorityClassName",
    "priority",
    "preemptionPolicy",
    "runtimeClassName",
    "restartPolicy",
)
_DECIDING_IN_CONTAINER = ("resources", "restartPolicy")


def placeholders(pod_spec: object) -> Iterator[Path]:
    """The paths of the deciding fields of a PodSpec that hold a placeholder."""
    if not isinstance(pod_spec, dict):
        return
    for key in _DECIDING:
        yield from holding(pod_spec.get(key), (key,))
    for path, container in authored_containers(pod_spec):
        for key in _DECIDING_IN_CONTAINER:
            yield from holding(container.get(key), (*path, key))
        for index, port in enumerate(sequence(container.get("ports"))):
            protocol = mapping(port).get("protocol")
            yield from holding(protocol, (*path, "ports", index, "protocol"))


def holding(value: object, path: Path = ()) -> Iterator[Path]:
    """The paths of all text below the value that holds a placeholder; `path` is the value's own.

    What several aliases share is looked at once, so that no document can multiply the work.
    """
    return _holding(value, path, set())


def _holding(value: object, path: Path, seen: set[int]) -> Iterator[Path]:
    if isinstance(value, str):
        if is_placeholder(value):
            yield path
    elif isinstance(value, dict | list) and id(value) not in seen:
        seen.add(id(value))
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _holding(item, (*path, key), seen)


def is_placeholder(text: str) -> bool:
    """Whether a text holds a placeholder."""
    for opening, closing in _BRACKETS:
        start = text.find(opening)
        if start >= 0 and text.find(closing, start + len(opening)) >= 0:
            return True
    return False

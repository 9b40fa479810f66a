"""`--what-if`: other values for a pod template, as people write them on a command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from qoslint.errors import UsageError, nearest
from qoslint.kernel.pod import CPU, EPHEMERAL_STORAGE, MEMORY, is_hugepage
from qoslint.kernel.quantity import QuantityError, parse
from qoslint.model.edits import TemplateEdit
from qoslint.model.effective import Admitted
from qoslint.model.objects import text
from qoslint.model.podspec import authored_containers
from qoslint.span import Path

EVERY = "*"
"""Stands for all containers and init containers of a pod."""

_LISTS = ("requests", "limits")
_BLOCK = "resources"
_RESOURCES = (CPU, MEMORY, EPHEMERAL_STORAGE)
_OF_POD = ("priorityClassName", "preemptionPolicy", "restartPolicy", "runtimeClassName")
_OF_CONTAINER = ("restartPolicy",)
_LONGEST = 200


class Assignment(NamedTuple):
    """A field of one container, of `EVERY` container or, without a container, of the PodSpec.

    The value is None where the field is taken out.
    """

    container: str | None
    field: Path
    value: str | None


def assignment(argument: str) -> Assignment:
    """The meaning of `[CONTAINER:]FIELD=VALUE`; no value takes the field out.

    `requests.NAME` and `limits.NAME` without a container are those of every container,
    `resources.requests.NAME` those of the pod as a whole. Raises UsageError for a field that does
    not exist and for a value that is no quantity.
    """
    left, equals, value = argument.partition("=")
    owner, colon, name = left.rpartition(":")
    if not (equals and name) or (colon and not owner):
        raise UsageError(
            f"--what-if {argument[:_LONGEST]!r} is not [CONTAINER:]FIELD=VALUE, "
            "such as 'limits.cpu=2' or 'app:requests.memory=1Gi'"
        )
    if not colon and name.partition(".")[0] in _LISTS:
        owner = EVERY
    path = _path(name, _OF_CONTAINER if owner else _OF_POD)
    if path == (_BLOCK,) and value:
        raise UsageError("--what-if can only take 'resources' out as a whole: 'resources='")
    if len(path) > 1 and value:
        _check_quantity(name, value)
    return Assignment(owner or None, path, value or None)


def edits_of(assignments: Iterable[Assignment], admitted: Admitted) -> Iterator[TemplateEdit]:
    """The assignments as edits of the workload's template; UsageError for an unknown container."""
    containers = _containers(admitted)
    for owner, field, value in assignments:
        if owner is None:
            yield TemplateEdit(field, value)
        elif owner == EVERY:
            for _, path in containers:
                yield TemplateEdit((*path, *field), value)
        else:
            paths = [path for name, path in containers if name == owner]
            if not paths:
                hint = nearest(owner, [name for name, _ in containers])
                raise UsageError(f"{admitted.label} has no container {owner[:_LONGEST]!r}{hint}")
            for path in paths:
                yield TemplateEdit((*path, *field), value)


def _path(name: str, others: tuple[str, ...]) -> Path:
    """The field's path in its container or in the PodSpec."""
    head, _, rest = name.removeprefix(f"{_BLOCK}.").partition(".")
    if head in _LISTS and _is_resource(rest):
        return (_BLOCK, head, rest)
    if name in (*others, _BLOCK):
        return (name,)
    known = [f"{key}.{resource}" for key in _LISTS for resource in _RESOURCES]
    hint = nearest(name, [*known, *others])
    raise UsageError(f"--what-if knows no field {name[:_LONGEST]!r}{hint}")


def _is_resource(name: str) -> bool:
    """Whether a name can be that of a resource: others than Kubernetes' own have a domain."""
    return name in _RESOURCES or is_hugepage(name) or "/" in name


def _check_quantity(name: str, value: str) -> None:
    try:
        parse(value)
    except QuantityError as error:
        shown = value[:_LONGEST]
        raise UsageError(f"--what-if {name}={shown!r} is no quantity: {error}") from error


def _containers(admitted: Admitted) -> list[tuple[str, Path]]:
    """The containers of the template, as far as it can be read, by name and path."""
    containers = authored_containers(admitted.workload.pod_spec)
    return [(text(container.get("name")), path) for path, container in containers]

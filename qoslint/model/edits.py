"""Edits: a workload with other values in its pod template, and what then becomes of its pods."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from qoslint.errors import UsageError
from qoslint.model.admitting import admit_cluster
from qoslint.model.cluster import Cluster
from qoslint.model.effective import Admitted
from qoslint.model.objects import mapping
from qoslint.model.podspec import CONTAINER_LISTS
from qoslint.model.workloads import Workload
from qoslint.span import Path, field_path, value_at


class TemplateEdit(NamedTuple):
    """A field of the PodSpec as authored and the text to write there; None takes it out."""

    path: Path
    value: str | None


def admit_edited(workload: Workload, edits: Iterable[TemplateEdit], cluster: Cluster) -> Admitted:
    """What becomes of the workload in its cluster once its template is edited.

    Raises UsageError where a field of the template has no room for another one.
    """
    (admitted,) = admit_cluster(replace(cluster, workloads=(edited(workload, edits),)))
    return admitted


def edited(workload: Workload, edits: Iterable[TemplateEdit]) -> Workload:
    """The workload with its template edited; the original stays as it is."""
    data: object = workload.object.data
    for edit in edits:
        data = _written(data, (*workload.template, *edit.path), 0, edit.value)
    unresolved = tuple(
        path
        for path in workload.unresolved
        if value_at(data, (*workload.template, *path)) is value_at(workload.pod_spec, path)
    )
    return replace(
        workload, object=replace(workload.object, data=mapping(data)), unresolved=unresolved
    )


def _written(data: object, path: Path, done: int, value: str | None) -> object:
    """A copy of what stands at `path[:done]`, with the value at `path`."""
    if done == len(path):
        return value
    step = path[done]
    if isinstance(step, int) and isinstance(data, list) and step < len(data):
        items = list(data)
        items[step] = _written(items[step], path, done + 1, value)
        return items
    if data is not None and not (isinstance(data, dict) and isinstance(step, str)):
        raise UsageError(f"{field_path(path[:done])} is no mapping, so no field can be set in it")
    fields: dict[str | int, object] = {} if data is None else dict(data)
    if value is None and (step not in fields or done + 1 == len(path)):
        fields.pop(step, None)
        return data if data is None else fields
    fields[step] = _written(fields.get(step), path, done + 1, value)
    return fields


def change(edit: TemplateEdit, workload: Workload) -> dict[str, object]:
    """The edit as JSON: the field inside its container, the value there now, and its place."""
    container, field = None, edit.path
    if edit.path[0] in CONTAINER_LISTS:
        container = value_at(workload.pod_spec, (*edit.path[:2], "name"))
        field = edit.path[3:] if edit.path[2] == "resources" else edit.path[2:]
    before = value_at(workload.pod_spec, edit.path)
    return {
        "container": container if isinstance(container, str) else None,
        "field": field_path(field),
        "before": before if before is None or isinstance(before, str) else json.dumps(before),
        "after": edit.value,
        "at": workload.at(edit.path),
    }

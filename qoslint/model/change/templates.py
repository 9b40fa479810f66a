"""What differs between two pod templates, of all that decides about pods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qoslint.kernel.decode import decode_pod_spec
from qoslint.kernel.jsonvalue import DecodeError
from qoslint.kernel.pod import Container, Path, Pod, Resources
from qoslint.model.change.jsonedits import FieldEdit, field_edits
from qoslint.model.change.record import Edit, Side, Sided
from qoslint.model.effective import Admitted
from qoslint.model.wording import owner
from qoslint.span import field_path, value_at

_FIELDS: Mapping[str, str] = {
    "overhead": "overhead",
    "priority_class_name": "priorityClassName",
    "priority": "priority",
    "preemption_policy": "preemptionPolicy",
    "runtime_class_name": "runtimeClassName",
    "restart_policy": "restartPolicy",
    "node_selector": "nodeSelector",
    "tolerations": "tolerations",
    "required_node_affinity": "affinity",
    "cross_namespace_affinity": "affinity",
    "volumes": "volumes",
    "resource_claims": "resourceClaims",
    "os": "os",
    "termination_grace_period_seconds": "terminationGracePeriodSeconds",
    "active_deadline_seconds": "activeDeadlineSeconds",
    "node_name": "nodeName",
}
_CONTAINER_FIELDS: Mapping[str, str] = {
    "restart_policy": "restartPolicy",
    "resize_policy": "resizePolicy",
}


def template_edits(before: Admitted, after: Admitted) -> tuple[Edit, ...]:
    """The fields that decide about pods and differ, each where it is written or was.

    Of an object that the API server refuses they are what is written.
    """
    if before.hidden or after.hidden:
        return ()
    if before.effective and after.effective:
        found = _edits(before, after, before.effective.authored, after.effective.authored)
    else:
        found = _written_edits(before, after)
    return tuple(dict.fromkeys(found))


def _written_edits(before: Admitted, after: Admitted) -> Iterator[Edit]:
    """The edits of templates as they are written; of what cannot be read, that one alone."""
    try:
        pods = [decode_pod_spec(each.workload.pod_spec) for each in (before, after)]
    except DecodeError as error:
        return _of_field(before, after, error.path, error.path, "")
    return _edits(before, after, *pods)


def _edits(before: Admitted, after: Admitted, old: Pod, new: Pod) -> Iterator[Edit]:
    earlier = {container.name: (path, container) for path, container in old.containers_with_paths()}
    later = {container.name: (path, container) for path, container in new.containers_with_paths()}
    for name, (path, container) in earlier.items():
        if name not in later:
            at = Sided(Side.BASE, before.workload.at(path))
            yield Edit(owner(container), "present", None, at)
    for name, (path, container) in later.items():
        if name not in earlier:
            at = Sided(Side.HEAD, after.workload.at(path))
            yield Edit(owner(container), None, "present", at)
        else:
            yield from _of_container(before, after, earlier[name], (path, container))
    for attribute, field in _FIELDS.items():
        if getattr(old, attribute) != getattr(new, attribute):
            yield from _of_field(before, after, (field,), (field,), "")
    if old.resources != new.resources:
        pod_level = old.resources or Resources(), new.resources or Resources()
        yield from _of_resources(before, after, *pod_level, ("resources",), ("resources",), "")


def _of_container(
    before: Admitted,
    after: Admitted,
    earlier: tuple[Path, Container],
    later: tuple[Path, Container],
) -> Iterator[Edit]:
    (old_path, old), (new_path, new) = earlier, later
    of = f"{owner(new)} "
    if old.resources != new.resources:
        yield from _of_resources(
            before,
            after,
            old.resources,
            new.resources,
            (*old_path, "resources"),
            (*new_path, "resources"),
            of,
        )
    if old.type != new.type and old_path[0] != new_path[0]:
        yield Edit(
            f"{owner(new)} in {new_path[0]}",
            None,
            "present",
            Sided(Side.HEAD, after.workload.at(new_path)),
        )
    for attribute, field in _CONTAINER_FIELDS.items():
        if getattr(old, attribute) != getattr(new, attribute):
            yield from _of_field(before, after, (*old_path, field), (*new_path, field), of)


def _of_resources(
    before: Admitted,
    after: Admitted,
    old: Resources,
    new: Resources,
    old_path: Path,
    new_path: Path,
    of: str,
) -> Iterator[Edit]:
    for key in ("requests", "limits"):
        earlier, later = getattr(old, key), getattr(new, key)
        for name in dict.fromkeys((*earlier, *later)):
            if earlier.get(name) != later.get(name):
                below = (key, name)
                ours, theirs = (*old_path, *below), (*new_path, *below)
                yield from _of_field(before, after, ours, theirs, of)


def _of_field(
    before: Admitted, after: Admitted, old_path: Path, new_path: Path, of: str
) -> Iterator[Edit]:
    """The edits of one field; what stands below it is compared entry by entry."""
    old = value_at(before.workload.pod_spec, old_path)
    new = value_at(after.workload.pod_spec, new_path)
    for edit in field_edits(old, new):
        inside = new_path[2:] if of else new_path
        named = inside[1:] if of and inside[0] == "resources" else inside
        field = f"{of}{field_path((*named, *edit.path))}"
        yield _edit_at(before, after, edit, (old_path, new_path), field)


def _edit_at(
    before: Admitted, after: Admitted, edit: FieldEdit, paths: tuple[Path, Path], field: str
) -> Edit:
    """An edit of the templates, at the newer line; at the older one of what is gone."""
    if edit.after is None:
        at = Sided(Side.BASE, before.workload.at((*paths[0], *edit.path)))
    else:
        at = Sided(Side.HEAD, after.workload.at((*paths[1], *edit.path)))
    left = after.workload.at((*paths[1], *edit.path))
    return Edit(field, edit.before, edit.after, at, left)

"""What a change means for pods that run already: which of it they can get without a new pod."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qoslint.kernel.pod import Pod
from qoslint.kernel.resize import lowered_memory, restarted, validate_pod_resize
from qoslint.model.change.inputs import Sides
from qoslint.model.change.record import Resize
from qoslint.model.objects import Fields, mapping, sequence
from qoslint.model.podspec import CONTAINER_LISTS
from qoslint.model.wording import listing, owner

_MUTABLE = ("resources",)
_ROLLED = ("Deployment", "StatefulSet", "DaemonSet")


def resize(sides: Sides) -> Resize | None:
    """Whether running pods can be resized; None where their resources are what they were."""
    before, after = sides.before.effective, sides.after.effective
    if before is None or after is None or False in (before.admitted, after.admitted):
        return None
    old, new = before.pod, after.pod
    if _resources(old) == _resources(new):
        return None
    rollout = _is_rolled_out(sides)
    obstacles = list(validate_pod_resize(old, new, after.given.scope.features))
    specs = sides.before.workload.pod_spec, sides.after.workload.pod_spec
    if not obstacles and _others(specs[0]) != _others(specs[1]):
        obstacles.append("other fields of the template change too")
    if obstacles:
        return Resize(rollout, tuple(obstacles))
    lowered = [owner(each) for each in lowered_memory(old, new)]
    remark = f"the memory limit of {listing(lowered)} falls only while less than it is in use"
    restarts = tuple(owner(each) for each in restarted(old, new))
    return Resize(rollout, (), restarts, (remark,) if lowered else ())


def _is_rolled_out(sides: Sides) -> bool:
    """Whether the template differs, and the controller replaces its pods then."""
    workload = sides.after.workload
    strategy = mapping(mapping(workload.object.data.get("spec")).get("updateStrategy"))
    before = sides.before.workload
    changed = (before.pod_spec, before.pod_metadata) != (workload.pod_spec, workload.pod_metadata)
    return changed and workload.object.kind in _ROLLED and strategy.get("type") != "OnDelete"


def _resources(pod: Pod) -> object:
    containers = ((each.name, each.resources) for _, each in pod.containers_with_paths())
    return pod.resources, tuple(containers)


def _others(spec: Fields) -> Mapping[str, object]:
    """The template without what a resize may change."""
    return dict(_without_resources(spec))


def _without_resources(spec: Fields) -> Iterator[tuple[str, object]]:
    for key, value in spec.items():
        if key in CONTAINER_LISTS:
            yield (
                key,
                [
                    {name: item for name, item in mapping(each).items() if name not in _MUTABLE}
                    for each in sequence(value)
                ],
            )
        elif key not in _MUTABLE:
            yield key, value

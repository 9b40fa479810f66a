"""What would make a pod Guaranteed and what that costs, proven by admitting the edited pod."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import NamedTuple, TypeAlias

from qoslint.kernel.features import Features
from qoslint.kernel.guaranteed import Obstacle, obstacles
from qoslint.kernel.oom import GUARANTEED_OOM_SCORE_ADJ
from qoslint.kernel.pod import CPU, MEMORY, Path, Pod, ResourceList, Resources
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.quantity import ZERO, Quantity, parse
from qoslint.kernel.scheduling import (
    aggregate_container_limits,
    aggregate_container_requests,
    pod_requests,
)
from qoslint.model.cluster import Cluster
from qoslint.model.edits import TemplateEdit, admit_edited, change
from qoslint.model.effective import Admitted, Effective
from qoslint.model.facts import quantities
from qoslint.model.workloads import Workload

Json: TypeAlias = dict[str, object]

_EXAMPLE = {CPU: "100m", MEMORY: "128Mi"}
"""What stands for numbers that only people can choose while an edit is tried."""

_MOST = 5
"""So much of what stands in the way is told."""


_LEAST_MEMORY = 1024
"""Bytes; a smaller limit is a wrong suffix that nobody means to keep."""


class Proposal(NamedTuple):
    """Edits of a manifest, which of them hold an example, and what becomes of the pod."""

    edits: tuple[TemplateEdit, ...]
    chosen: frozenset[Path]
    """Fields whose value people must choose; their edits hold an example."""
    after: Admitted

    @property
    def works(self) -> bool:
        """Whether the pod is then Guaranteed and, as far as can be known, admitted."""
        effective = self.after.effective
        return (
            effective is not None
            and effective.admitted is not False
            and effective.classes == (QOSClass.GUARANTEED,)
        )


def guaranteed(admitted: Admitted, effective: Effective, cluster: Cluster) -> Json:
    """The edits that make the pods Guaranteed, for pods that are created."""
    return {
        "already": effective.classes == (QOSClass.GUARANTEED,),
        "oomScoreAdj": GUARANTEED_OOM_SCORE_ADJ,
        "foreign": list(_foreign(effective)),
        "edits": [
            _proposal(proposal, admitted, effective)
            for proposal in proposals(admitted.workload, effective, cluster)
        ],
    }


def proposals(workload: Workload, effective: Effective, cluster: Cluster) -> Iterator[Proposal]:
    """The edit to prefer, and the opposite one if that works too.

    Preferred: what has a limit requests all of it, what has only a request is limited to it.
    """
    tried: list[Proposal] = []
    for fields in (_preferred, _opposite, _both):
        if fields is _both and any(proposal.works for proposal in tried):
            return
        fixes = tuple(_fixes(effective, fields))
        edits = tuple(edit for edit, _ in fixes)
        if not edits or any(edits == other.edits for other in tried):
            continue
        chosen = frozenset(edit.path for edit, is_example in fixes if is_example)
        proposal = Proposal(edits, chosen, admit_edited(workload, edits, cluster))
        if not tried or (proposal.works and not any(map(_is_tiny, edits))):
            yield proposal
        tried.append(proposal)


def _preferred(resource: str, authored: Resources) -> tuple[str, ...]:
    only_requested = resource in authored.requests and resource not in authored.limits
    return ("limits",) if only_requested else ("requests",)


def _opposite(resource: str, authored: Resources) -> tuple[str, ...]:
    return ("requests",) if _preferred(resource, authored) == ("limits",) else ("limits",)


def _both(resource: str, authored: Resources) -> tuple[str, ...]:
    """Nothing is left to LimitRanges then, in whatever order they are applied."""
    return ("requests", "limits")


def _is_tiny(edit: TemplateEdit) -> bool:
    """Whether the edit limits memory to less than any process has."""
    is_limit = edit.path[-2:] == ("limits", MEMORY) and edit.value is not None
    return is_limit and parse(edit.value).value() < _LEAST_MEMORY


def _fixes(
    effective: Effective, fields: Callable[[str, Resources], tuple[str, ...]]
) -> Iterator[tuple[TemplateEdit, bool]]:
    """Each edit, and whether its value is an example only.

    Where request and limit differ, `fields` says which of them is set to the other's value, or to
    the limit if both are set.
    """
    own = _own(effective)
    for obstacle in _obstacles(effective):
        name, request, limit = obstacle.resource, obstacle.request, obstacle.limit
        key = None if obstacle.container is None else obstacle.container.name
        if key not in own:
            continue
        path, authored = own[key]
        is_example = False
        has_request = request is not None and request.nanos > 0
        if limit is not None and limit.nanos > 0:
            keys = fields(name, authored) if has_request else ("requests",)
            value = str(request if keys == ("limits",) else limit)
        elif has_request:
            keys, value = ("limits",), str(request)
        else:
            # A container's request follows its limit, unless one is stated.
            stated = name in authored.requests or obstacle.container is None
            keys = ("requests", "limits") if stated else ("limits",)
            value, is_example = _example(name, obstacle, effective.pod), True
        for field in keys:
            yield TemplateEdit((*path, "resources", field, name), value), is_example


def _obstacles(effective: Effective) -> Iterable[Obstacle]:
    """What stands in the way under any of the orders that Kubernetes leaves undefined."""
    found: dict[tuple[Path, str], Obstacle] = {}
    for outcome in (effective.shown, *effective.outcomes):
        if outcome.admitted is not False:
            for obstacle in obstacles(outcome.pod, effective.given.scope.features):
                found.setdefault((obstacle.path, obstacle.resource), obstacle)
    return found.values()


def _own(effective: Effective) -> Mapping[str | None, tuple[Path, Resources]]:
    """What the manifest itself holds: containers by name, under None the pod-level block."""
    pod = effective.authored
    own: dict[str | None, tuple[Path, Resources]] = {
        container.name: (path, container.resources)
        for path, container in pod.containers_with_paths()
    }
    return own | {None: ((), pod.resources or Resources())}


def _example(resource: str, obstacle: Obstacle, pod: Pod) -> str:
    """A number to try: for the whole pod at least what its containers state."""
    example = parse(_EXAMPLE[resource])
    if obstacle.container is None:
        lists = (aggregate_container_requests(pod), aggregate_container_limits(pod))
        stated = (each.get(resource, ZERO) for each in lists)
        example = max(example, *stated, key=lambda quantity: quantity.nanos)
    return str(example)


def _foreign(effective: Effective) -> Iterator[str]:
    """The containers that the manifest does not hold, and that stand in the way."""
    own = _own(effective)
    for obstacle in _obstacles(effective):
        if obstacle.container is not None and obstacle.container.name not in own:
            yield obstacle.container.name


def _proposal(proposal: Proposal, admitted: Admitted, before: Effective) -> Json:
    after, workload = proposal.after.effective, admitted.workload
    features = before.given.scope.features
    remaining = () if after is None else obstacles(after.pod, features)
    return {
        "changes": [
            {
                **change(edit, workload),
                "after": None if edit.path in proposal.chosen else edit.value,
                "example": edit.value if edit.path in proposal.chosen else None,
            }
            for edit in proposal.edits
        ],
        "works": proposal.works,
        "admitted": proposal.after.admitted,
        "rejections": [
            {"by": str(refusal.by), "message": refusal.message}
            for refusal in proposal.after.refusals[:_MOST]
        ],
        "remaining": [
            {
                "container": None if each.container is None else each.container.name,
                "resource": each.resource,
            }
            for each in islice(remaining, _MOST)
        ],
        "cost": _cost(before.pod, after.pod, admitted.workload.replicas, features)
        if after is not None and proposal.works and not proposal.chosen
        else None,
    }


def _cost(before: Pod, after: Pod, replicas: int | None, features: Features) -> Json:
    """What the scheduler reserves before and after, and how much more that is."""
    old, new = pod_requests(before, features), pod_requests(after, features)
    added = {
        name: quantity - old.get(name, ZERO)
        for name, quantity in new.items()
        if quantity.nanos != old.get(name, ZERO).nanos
    }
    return {
        "requests": {"before": quantities(old), "after": quantities(new)},
        "added": quantities(ResourceList(added)),
        "addedByReplicas": None
        if replicas is None
        else {name: times(quantity, replicas).canonical() for name, quantity in added.items()},
    }


def times(quantity: Quantity, count: int) -> Quantity:
    """The quantity so many times, exactly."""
    return replace(quantity, nanos=quantity.nanos * count, text=None)

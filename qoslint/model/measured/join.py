"""Measurements of pods to the workloads of a cluster."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from qoslint.errors import question
from qoslint.finding import Place
from qoslint.kernel.quantity import Quantity
from qoslint.model.measured.podnames import Owners, PodOwner
from qoslint.model.measured.record import POD, SANDBOX, MeasuredUsage, Resource, Unused
from qoslint.model.node import NodeProfile
from qoslint.model.wording import listing

_MOST_SUGGESTED = 50
"""Names that are compared with all others, which takes a moment each."""
_SHOWN = 3


class Measured(NamedTuple):
    """What was measured of the pods of a workload, the least and the most of all of them."""

    lo: int
    hi: int | None
    """None if nothing is known of the most."""
    place: Place
    """Where the first of the measurements stands."""

    def narrowed(self, lo: int, hi: int) -> tuple[int, int]:
        """The part of an interval that was measured; its nearest end if all lies outside."""
        least = min(max(lo, self.lo), hi)
        return least, max(least, hi if self.hi is None else min(hi, self.hi))


class Joined(NamedTuple):
    """The measurements of a cluster by what they are of; `unused` are those that are of nothing."""

    pods: Mapping[tuple[PodOwner, Resource], Measured]
    containers: Mapping[tuple[PodOwner, str, Resource], Measured]
    unused: tuple[Unused, ...] = ()


NOT_MEASURED = Joined({}, {})


def join(usages: Iterable[MeasuredUsage], workloads: Iterable[PodOwner]) -> Joined:
    """Each measurement to the one workload that it is of.

    Where a pod as a whole was not measured, it uses the sum of its containers: at the most only if
    each of those that run was measured. A measurement that two workloads could be meant by is
    not used, and said.
    """
    owners = Owners(workloads)
    found: dict[PodOwner, list[MeasuredUsage]] = {}
    unknown: list[MeasuredUsage] = []
    unused: list[Unused] = []
    candidates_of: dict[tuple[str | None, str, str], list[PodOwner]] = {}
    for usage in usages:
        key = usage.namespace, usage.kind, usage.name
        first = key not in candidates_of
        if first:
            candidates_of[key] = _candidates(owners, usage)
        candidates = candidates_of[key]
        if len(candidates) == 1:
            found.setdefault(candidates[0], []).append(usage)
        elif first and candidates:
            unused.append(_ambiguous(usage, candidates))
        elif first:
            unknown.append(usage)
    pods: dict[tuple[PodOwner, Resource], Measured] = {}
    containers: dict[tuple[PodOwner, str, Resource], Measured] = {}
    for owner, measured in found.items():
        unused += _unknown_containers(owner, measured)
        for resource in dict.fromkeys(each.resource for each in measured):
            of_resource = [each for each in measured if each.resource is resource]
            parts = _by_container(of_resource)
            containers.update(((owner, name, resource), part) for name, part in parts.items())
            pods[owner, resource] = _pod(owner, of_resource)
    return Joined(pods, containers, (*unused, *_unknown_pods(owners, unknown)))


def above_node(joined: Joined, node: NodeProfile) -> Iterator[Unused]:
    """Each pod that was measured to use more than the node has: it ran elsewhere."""
    for (owner, resource), measured in joined.pods.items():
        name = "pid" if resource is Resource.PROCESSES else resource
        capacity: Quantity | None = node.capacity.get(name)
        if capacity is None:
            continue
        has = -(-capacity.nanos // resource.unit_nanos)
        peak = measured.lo if measured.hi is None else measured.hi
        if peak > has:
            yield Unused(
                f"Pods of {owner.label} were measured to use {resource.shown(peak)} of {resource}, "
                f"and node {node.name} has {resource.shown(has)}: on it no pod can use more than "
                "that.",
                measured.place,
            )


def _candidates(owners: Owners, usage: MeasuredUsage) -> list[PodOwner]:
    if usage.kind == POD:
        return owners.of_pod(usage.namespace, usage.name)
    return owners.of_workload(usage.namespace, usage.kind, usage.name)


def _pod(owner: PodOwner, usages: Collection[MeasuredUsage]) -> Measured:
    """The least and the most of a pod: of those measured as a whole, and of those in parts."""
    whole = [each for each in usages if each.container is None]
    names = {each.name for each in whole}
    parts = _by_container(each for each in usages if each.name not in names)
    counted = {name: part for name, part in parts.items() if name not in owner.ended}
    intervals = [Measured(each.lo, each.hi, each.place) for each in whole]
    if parts:
        place = next(iter(parts.values())).place
        tops = [part.hi for part in counted.values() if part.hi is not None]
        all_known = owner.running and owner.running <= counted.keys()
        hi = sum(tops) if all_known and len(tops) == len(counted) else None
        intervals.append(Measured(sum(part.lo for part in counted.values()), hi, place))
    return _united(intervals)


def _by_container(usages: Iterable[MeasuredUsage]) -> dict[str, Measured]:
    grouped: defaultdict[str, list[Measured]] = defaultdict(list)
    for each in usages:
        if each.container is not None:
            grouped[each.container].append(Measured(each.lo, each.hi, each.place))
    return {name: _united(intervals) for name, intervals in grouped.items()}


def _united(intervals: list[Measured]) -> Measured:
    tops = [each.hi for each in intervals if each.hi is not None]
    hi = max(tops) if len(tops) == len(intervals) else None
    return Measured(min(each.lo for each in intervals), hi, intervals[0].place)


def _ambiguous(usage: MeasuredUsage, candidates: list[PodOwner]) -> Unused:
    labels = [owner.label for owner in candidates]
    if len(set(labels)) == 1:
        return Unused(
            f"The usage of {usage.label} is not used: the files hold {len(labels)} workloads "
            "of that kind and name, of different API groups.",
            usage.place,
        )
    more = [f"{len(labels) - _SHOWN} more"] if len(labels) > _SHOWN else []
    named = listing([*labels[:_SHOWN], *more])
    return Unused(
        f"The usage of {usage.label} is not used: it can be a pod of {named}. "
        "State it in a usage file under the kind and name of the workload.",
        usage.place,
    )


def _unknown_containers(owner: PodOwner, usages: Iterable[MeasuredUsage]) -> Iterator[Unused]:
    known = owner.running | owner.ended
    told = {None, SANDBOX, *known}
    for usage in usages:
        if known and usage.container not in told:
            told.add(usage.container)
            name = str(usage.container)[:253]
            yield Unused(
                f"Container {name} of {usage.label} was measured, and pods of {owner.label} have "
                "none of that name: its usage counts as part of the pod."
                f"{question(name, sorted(known))}",
                usage.place,
            )


def _unknown_pods(owners: Owners, usages: list[MeasuredUsage]) -> Iterator[Unused]:
    """What is of no workload: one by one where a name is near, else by namespace."""
    others: dict[str | None, list[MeasuredUsage]] = {}
    for number, usage in enumerate(usages):
        hint = _hint(owners, usage) if number < _MOST_SUGGESTED else ""
        if hint or usage.kind != POD:
            missing = "makes such a pod" if usage.kind == POD else "is of that kind and name"
            yield Unused(
                f"The usage of {usage.label} is not used: no workload in the files {missing}."
                f"{hint}",
                usage.place,
            )
        else:
            others.setdefault(usage.namespace, []).append(usage)
    for namespace, pods in others.items():
        where = f" of namespace {namespace[:253]}" if namespace is not None else ""
        more = f" and {len(pods) - 1} more" if len(pods) > 1 else ""
        yield Unused(
            f"The usage of pod {pods[0].name[:253]}{more}{where} is not used: no workload in the "
            "files makes pods of such names.",
            pods[0].place,
        )


def _hint(owners: Owners, usage: MeasuredUsage) -> str:
    elsewhere = _candidates(owners, usage._replace(namespace=None))
    if elsewhere:
        there = listing(owner.label for owner in elsewhere[:_SHOWN])
        return f" {there} {'makes' if len(elsewhere) == 1 else 'make'} pods of such a name."
    inside = [owner for owner in owners.all if usage.namespace in (None, owner.namespace)]
    if usage.kind != POD:
        same = [owner.label for owner in inside if owner.name == usage.name]
        labels = [owner.label for owner in inside]
        return f" Did you mean {same[0]!r}?" if same else question(usage.label, labels)
    names = sorted({owner.name for owner in inside})
    # What a controller appended has no likeness to any name.
    parts = usage.name.rsplit("-", 2)
    stems = (usage.name, "-".join(parts[:2]), parts[0])
    return next((hint for stem in stems if (hint := question(stem, names))), "")

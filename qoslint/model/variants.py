"""Variants: the clusters of a repository whose settings declare none.

Files that define one object in different ways, such as `overlays/staging` and `overlays/prod`,
cannot be meant for one cluster. The path segments in which they differ are the labels of variants:
what a folder holds is in every variant that has all labels of the folder's path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from qoslint.finding import Notice
from qoslint.model.clusterspec import ClusterSpec
from qoslint.model.inventory import Inventory, Item, Key
from qoslint.model.labels import NO_LABELS, LabelIndex, Labelled, labelled, labels
from qoslint.model.members import (
    Members,
    by_key,
    different,
    name_of,
    notice_at,
    places,
    without_replaced,
)

MOST_ENVIRONMENTS = 8
"""More variants than this are no environments; see `_are_environments`."""

_SHOWN = 8


def variants(spec: ClusterSpec, inventory: Inventory) -> Iterator[Members]:
    """The members of the implicit cluster, or those of one cluster for each variant, by name."""
    everything = without_replaced(inventory.items, spec.namespace)
    items = [item for item in everything if not item.is_namespace]
    named = by_key(items, spec.namespace)
    conflicts = {
        key: rivals
        for key, rivals in named.items()
        if len(rivals) > 1 and len(different(rivals)) > 1
    }
    index = LabelIndex(labelled(everything, labels(conflicts.values())))
    environments = _largest(index.groups)
    if _are_environments(spec, environments, index.groups, conflicts):
        found = list(_environments(spec, index, environments))
    else:
        found = list(_collection(spec, index))
    found.sort(key=lambda members: members.name)
    notices = [
        *_split_notice(conflicts, found),
        *_judged_twice(spec, found),
        *_left_out(spec, items, found),
    ]
    yield found[0]._replace(notices=tuple(notices))
    yield from found[1:]


def _are_environments(
    spec: ClusterSpec,
    environments: Sequence[Labelled],
    groups: Iterable[Labelled],
    conflicts: Mapping[Key, list[Item]],
) -> bool:
    """Whether variants are environments, each with everything that conflicts with nothing.

    Then most of what they define contradicts another one. Else they are a collection of things
    that have little to do with each other, such as examples, or a few names that happen to be
    the same: there each workload is judged once, with what shares its labels. But where what
    decides about pods is in conflict, each workload is judged with each definition of it.
    """
    if len(environments) > MOST_ENVIRONMENTS:
        return False
    if any(rivals[0].decides for rivals in conflicts.values()):
        return True
    keys = [
        item.key(spec.namespace)
        for group in groups
        for item in group.items
        if group.labels and not item.is_namespace
    ]
    return 2 * sum(key in conflicts for key in keys) >= len(keys)


def _largest(groups: Iterable[Labelled]) -> list[Labelled]:
    """The groups whose labels no other group's include; all of them, or a few too many."""
    found: list[Labelled] = []
    deciding = (group for group in groups if not all(item.is_namespace for item in group.items))
    for group in sorted(deciding, key=lambda group: -len(group.labels)):
        if len(found) > MOST_ENVIRONMENTS:
            break
        if not any(group.labels <= each.labels for each in found):
            found.append(group)
    return found or [NO_LABELS]


def _environments(
    spec: ClusterSpec, index: LabelIndex, environments: Sequence[Labelled]
) -> Iterator[Members]:
    found = [_members(spec, environment, index) for environment in environments]
    yield from found
    # What every environment has in a more specific definition is still somebody's workload.
    workloads = (item for group in index.groups for item in group.items if not item.decides)
    judged = (item for members in found for item in members.judged)
    left = _absent(spec, workloads, judged)
    for group in index.groups:
        own = tuple(item for item in group.items if item in left)
        if own:
            yield _members(spec, group, index)._replace(judged=own)


def _collection(spec: ClusterSpec, index: LabelIndex) -> Iterator[Members]:
    with_pods = [group for group in index.groups if not all(item.decides for item in group.items)]
    for group in with_pods or [NO_LABELS]:
        members = _members(spec, group, index)
        own = set(group.items)
        judged = tuple(item for item in members.judged if item in own)
        yield members._replace(judged=judged, environment=False)


def _members(spec: ClusterSpec, group: Labelled, index: LabelIndex) -> Members:
    """Everything that has no label but the group's; of one object the most specific definition."""
    specific = {
        item: len(each.labels) for each in index.within(group.labels) for item in each.items
    }
    items = sorted(specific, key=lambda item: item.place)
    overruled: set[Item] = set()
    contradictory: list[tuple[Item, ...]] = []
    for rivals in by_key(items, spec.namespace).values():
        best = _most_specific(rivals, specific)
        if len(best) > 1 and best[0].decides:
            # Nothing tells them apart. That of workloads each is judged spoils nothing; but what
            # decides about the pods of others must be known.
            contradictory.append(tuple(best))
            best = []
        overruled.update(set(rivals).difference(best))
    kept = [item for item in items if item not in overruled]
    return Members(
        name="/".join(group.order) or spec.name,
        judged=tuple(item for item in kept if not item.decides),
        deciding=tuple(item for item in kept if item.decides),
        contradictory=tuple(contradictory),
    )


def _most_specific(rivals: list[Item], specific: Mapping[Item, int]) -> list[Item]:
    """Of the definitions of one object those that the cluster may have; of a Namespace one."""
    if len(rivals) == 1:
        return rivals
    most = max(specific[item] for item in rivals)
    best = different([item for item in rivals if specific[item] == most])
    return best[:1] if best[0].is_namespace else best


def _absent(spec: ClusterSpec, items: Iterable[Item], present: Iterable[Item]) -> dict[Item, None]:
    """The items, in order, that are not present and repeat nothing that is."""
    present = set(present)
    absent = [item for item in items if item not in present]
    if not absent:
        return {}
    known = {(item.key(spec.namespace), item.content()) for item in present}
    return {
        item: None for item in absent if (item.key(spec.namespace), item.content()) not in known
    }


def _split_notice(
    conflicts: Mapping[Key, list[Item]], found: Sequence[Members]
) -> Iterator[Notice]:
    if len(found) == 1:
        return
    key, items = next(iter(conflicts.items()))
    names = [members.name for members in found]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    yield notice_at(
        items[0].object,
        f"Objects are defined in different ways ({len(conflicts)} of them, first {name_of(key)} "
        f"in {places(items)}), so the files are taken for {len(names)} clusters: "
        f"{', '.join(names[:_SHOWN])}{more}. Declare `clusters` in the settings to say which "
        "files belong together.",
    )


def _judged_twice(spec: ClusterSpec, found: Sequence[Members]) -> Iterator[Notice]:
    """A notice for workloads that one cluster has in several ways, since nothing tells which."""
    twice = {
        key: rivals
        for members in found
        for key, rivals in by_key(members.judged, spec.namespace).items()
        if len(rivals) > 1
    }
    if twice:
        key, items = next(iter(twice.items()))
        more = f", like {len(twice) - 1} more workloads" if len(twice) > 1 else ""
        yield notice_at(
            items[0].object,
            f"{name_of(key)} is defined in different ways in one place{more}, in {places(items)}; "
            "each definition is judged.",
        )


def _left_out(
    spec: ClusterSpec, items: Iterable[Item], found: Sequence[Members]
) -> Iterator[Notice]:
    """A notice for what decides about pods and is in no cluster, since nothing tells in which."""
    deciding = (item for item in items if item.decides)
    left = _absent(spec, deciding, (item for members in found for item in members.deciding))
    if left:
        first = next(iter(left)).object
        more = f", and so are {len(left) - 1} more objects that decide" if len(left) > 1 else ""
        yield notice_at(
            first,
            f"{first.kind} {first.name} in {first.file} is in no cluster, for other files define "
            f"it in other ways{more}; pods are judged without.",
        )

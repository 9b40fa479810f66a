"""What differs between two revisions of a node profile."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import Place
from qoslint.model.change.jsonedits import field_edits
from qoslint.model.change.pairs import ClusterPair
from qoslint.model.change.record import (
    Difference,
    Edit,
    Facet,
    NodeChange,
    Side,
    Sided,
    Value,
    What,
)
from qoslint.model.effective import Admitted
from qoslint.model.judged import JudgedCluster
from qoslint.model.kubelet import Kubelet, thawed
from qoslint.model.nodethresholds import configured_text
from qoslint.model.population import kept_off
from qoslint.span import field_path


def node_changes(clusters: ClusterPair) -> Iterator[NodeChange]:
    """The profiles of a cluster that are not what they were, by name."""
    before = {each.node.name: each for each in _kubelets(clusters.before)}
    after = {each.node.name: each for each in _kubelets(clusters.after)}
    cluster = clusters.either
    for name in sorted({*before, *after}):
        old, new = before.get(name), after.get(name)
        if new is None or old is None:
            if clusters.before and clusters.after:
                yield _alone(cluster, name, old, new)
        elif found := tuple(_differences(old, new)):
            yield NodeChange(
                cluster.cluster.name,
                name,
                What.CHANGED,
                found,
                node_edits(old, new),
                tuple(_running(cluster, new)),
            )


def _alone(
    cluster: JudgedCluster, name: str, old: Kubelet | None, new: Kubelet | None
) -> NodeChange:
    side, kubelet = (Side.HEAD, new) if new else (Side.BASE, old)
    assert kubelet is not None, "it is at one of the revisions"
    at = Sided(side, kubelet.node.place)
    edit = Edit("", None, "present", at) if new else Edit("", "present", None, at)
    what = What.ADDED if new else What.DELETED
    pods = tuple(_running(cluster, new)) if new else ()
    return NodeChange(cluster.cluster.name, name, what, (), (edit,), pods)


def _kubelets(cluster: JudgedCluster | None) -> tuple[Kubelet, ...]:
    return cluster.kubelets if cluster else ()


def _running(cluster: JudgedCluster, kubelet: Kubelet) -> Iterator[Admitted]:
    for verdict, sharing in cluster.verdicts:
        yield from (each for each in sharing if kept_off(kubelet, each, verdict) is None)


def _differences(old: Kubelet, new: Kubelet) -> Iterator[Difference]:
    before, after = dict(_facets(old)), dict(_facets(new))
    for field in dict.fromkeys((*before, *after)):
        if before.get(field) != after.get(field):
            yield Difference(Facet(field), before.get(field), after.get(field))


def _facets(kubelet: Kubelet) -> Iterator[tuple[str, Value]]:
    node, allocatable = kubelet.node, kubelet.resources.allocatable
    yield "version", str(node.version)
    for name, quantity in node.capacity.items():
        yield f"capacity.{name}", quantity.canonical()
    for name, quantity in allocatable.allocatable.items() if allocatable else ():
        yield f"allocatable.{name}", quantity.canonical()
    for threshold in kubelet.resources.thresholds or ():
        stated = configured_text(threshold, kubelet)
        if stated.signal is threshold.signal:  # others are the kubelet's own copies
            kind = "hard" if threshold.hard else "soft"
            yield f"{kind} threshold {threshold.signal}", stated.text


def node_edits(old: Kubelet, new: Kubelet) -> tuple[Edit, ...]:
    """The fields of the profile and of its kubelet's configuration that differ."""
    return tuple(_edits(old, new)) or (Edit("", None, None, Sided(Side.HEAD, new.node.place)),)


def _edits(old: Kubelet, new: Kubelet) -> Iterator[Edit]:
    before, after = old.node.kubelet, new.node.kubelet
    for name in dict.fromkeys((*before, *after)):
        one, other = before.get(name), after.get(name)
        for edit in field_edits(
            thawed(one.value) if one else None, thawed(other.value) if other else None
        ):
            gone = edit.after is None and one is not None
            side, setting = (Side.BASE, one) if gone else (Side.HEAD, other or one)
            assert setting is not None, "one of them states the field"
            place = Place(setting.place.object, (*setting.place.path, *edit.path))
            yield Edit(field_path((name, *edit.path)), edit.before, edit.after, Sided(side, place))
    for name in dict.fromkeys((*old.node.capacity, *new.node.capacity)):
        ours, theirs = old.node.capacity.get(name), new.node.capacity.get(name)
        if ours != theirs:
            path = (*new.node.place.path, "capacity", name)
            at = Sided(Side.HEAD, Place(new.node.place.object, path))
            texts = (ours and str(ours), theirs and str(theirs))
            yield Edit(f"capacity.{name}", texts[0] or None, texts[1] or None, at)
    if old.node.version != new.node.version:
        path = (*new.node.place.path, "version")
        at = Sided(Side.HEAD, Place(new.node.place.object, path))
        yield Edit("version", str(old.node.version), str(new.node.version), at)

"""The inputs that decide what a pod becomes, and in which of them two revisions differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import NamedTuple, TypeAlias

from qoslint.finding import Part
from qoslint.kernel.admission import admit
from qoslint.kernel.injection import Injection
from qoslint.kernel.pod import Pod
from qoslint.kernel.scope import Scope
from qoslint.model.change.facets import Facets, facets
from qoslint.model.change.jsonedits import field_edits, shown
from qoslint.model.change.nodes import node_edits
from qoslint.model.change.record import Cause, CauseKind, Edit, Side, Sided, What
from qoslint.model.change.scopechanges import (
    ATTRIBUTES,
    ScopeChanges,
    mattering,
    scope_changes,
)
from qoslint.model.change.templates import template_edits
from qoslint.model.effective import Admitted, Effective
from qoslint.model.injection import Acting
from qoslint.model.judged import JudgedCluster
from qoslint.model.kubelet import Kubelet
from qoslint.model.objects import KubeObject
from qoslint.model.scopes import NamespaceScope
from qoslint.span import Path, field_path, value_at

_NAMESPACED = (CauseKind.LIMIT_RANGE, CauseKind.QUOTA)
_METADATA = ("metadata", "status", "apiVersion", "kind")


class Inputs(NamedTuple):
    """All that decides about a pod."""

    authored: Pod
    scope: Scope
    injections: tuple[Injection, ...]
    kubelets: tuple[Kubelet, ...]


class Sides(NamedTuple):
    """A workload that is at both revisions, and the clusters it is in."""

    before: Admitted
    after: Admitted
    earlier: JudgedCluster
    later: JudgedCluster


class Candidate(NamedTuple):
    """An input that differs, and the inputs of the newer revision with that one reverted."""

    cause: Cause
    reverted: Inputs


def inputs(effective: Effective, cluster: JudgedCluster) -> Inputs:
    """The inputs of a pod."""
    scope, injections = effective.given.scope, effective.injection.injections
    return Inputs(effective.authored, scope, injections, cluster.kubelets)


def outcome(effective: Effective, given: Inputs) -> Facets:
    """The facets of what other inputs would make of a pod."""
    outcomes = admit(given.authored, given.scope, (), given.injections)
    shown = next((each for each in outcomes if each.admitted is not False), outcomes[0])
    made = replace(effective, authored=given.authored, outcomes=outcomes, shown=shown)
    return facets(made, given.kubelets)


Differing: TypeAlias = Callable[[CauseKind, NamespaceScope, NamespaceScope], ScopeChanges]
"""What differs between two scopes, which many workloads share."""


def differing() -> Differing:
    """As `scope_changes`, which is asked once for the workloads that share the scopes."""
    return cache(lambda kind, before, after: scope_changes(kind, before.scope, after.scope))


def candidates(
    sides: Sides, before: Effective, after: Effective, given: Differing
) -> Iterator[Candidate]:
    """Each input that differs and can matter to the pod, in the order in which they decide."""
    old, new = inputs(before, sides.earlier), inputs(after, sides.later)
    if old.authored != new.authored:
        for cause in template_causes(sides):
            yield Candidate(cause, new._replace(authored=old.authored))
    moved = sides.before.namespace != sides.after.namespace
    if moved:
        scope = replace(new.scope, limit_ranges=old.scope.limit_ranges, quotas=old.scope.quotas)
        reverted = new._replace(scope=scope, injections=old.injections)
        yield Candidate(_move(sides), reverted)
    for kind in ATTRIBUTES:
        if not (moved and kind in _NAMESPACED):
            yield from _of_scope(kind, sides, before, after, new, given)
    if not moved and old.injections != new.injections:
        yield Candidate(_injection(sides, before, after), new._replace(injections=old.injections))
    if old.scope.features != new.scope.features or old.scope.complete != new.scope.complete:
        scope = replace(new.scope, features=old.scope.features, complete=old.scope.complete)
        yield Candidate(_cluster(sides), new._replace(scope=scope))
    yield from _of_nodes(sides, new)


def template_causes(sides: Sides) -> Iterator[Cause]:
    """The template of the workload, if it differs."""
    edits = template_edits(sides.before, sides.after)
    if edits:
        yield Cause(CauseKind.TEMPLATE, sides.after.label, What.CHANGED, edits)


def _move(sides: Sides) -> Cause:
    at = Sided(Side.HEAD, sides.after.workload.object.at(("metadata", "namespace"), Part.VALUE))
    edit = Edit("metadata.namespace", sides.before.namespace, sides.after.namespace, at)
    return Cause(CauseKind.NAMESPACE, sides.after.label, What.CHANGED, (edit,))


def _of_scope(
    kind: CauseKind,
    sides: Sides,
    before: Effective,
    after: Effective,
    new: Inputs,
    given: Differing,
) -> Iterator[Candidate]:
    older, newer = before.given, after.given
    found = given(kind, older, newer)
    for change in mattering(found, new.authored, new.injections, after.outcomes):
        objects = [getattr(each, ATTRIBUTES[kind]) for each in (older, newer)]
        within = f"{sides.after.namespace}/" if kind in _NAMESPACED else ""
        cause = object_cause(
            kind,
            f"{kind} {within}{change.name}",
            None if change.earlier is None else objects[0][change.earlier],
            None if change.later is None else objects[1][change.later],
        )
        yield Candidate(cause, new._replace(scope=found.reverted(change)))


def object_cause(
    kind: CauseKind, label: str, before: KubeObject | None, after: KubeObject | None
) -> Cause:
    """An object that was deleted, added or changed, with the fields that decide."""
    if after is None:
        assert before is not None, "it is at one of the revisions"
        at = Sided(Side.BASE, before.at(("metadata", "name"), Part.VALUE))
        return Cause(kind, label, What.DELETED, (Edit("", "present", None, at),))
    if before is None:
        at = Sided(Side.HEAD, after.at(("metadata", "name"), Part.VALUE))
        return Cause(kind, label, What.ADDED, (Edit("", None, "present", at),))
    return Cause(kind, label, What.CHANGED, tuple(_object_edits(before, after)))


def _object_edits(before: KubeObject, after: KubeObject) -> Iterator[Edit]:
    found = 0
    for edit in field_edits(_deciding(before), _deciding(after)):
        found += 1
        thing, side = (before, Side.BASE) if edit.after is None else (after, Side.HEAD)
        field = field_path(_named(edit.path))
        at = Sided(side, thing.at(edit.path))
        yield Edit(field, edit.before, edit.after, at, after.at(edit.path))
    if not found:
        yield Edit("", None, None, Sided(Side.HEAD, after.at(("metadata", "name"), Part.VALUE)))


def _named(path: Path) -> Path:
    """A path in the object without what every one of its kind has."""
    return path[3:] if path[:2] == ("spec", "limits") and len(path) > 3 else path


def _deciding(thing: KubeObject) -> dict[str, object]:
    return {key: value for key, value in thing.data.items() if key not in _METADATA}


def _injection(sides: Sides, before: Effective, after: Effective) -> Cause:
    """The first injector that acts otherwise, at what asks for it."""
    old = {each.injector.name: each for each in before.injection.acting}
    new = {each.injector.name: each for each in after.injection.acting}
    names = dict.fromkeys((*new, *old))
    name = next(
        (each for each in names if _injected(old.get(each)) != _injected(new.get(each))),
        next(iter(names)),
    )
    acting = new.get(name) or old[name]
    side, subject = (Side.HEAD, sides.after) if name in new else (Side.BASE, sides.before)
    at = Sided(side, subject.place_of(acting.asked))
    field = acting.asked.field
    earlier, later = (
        shown(value_at(each.workload.pod_metadata, field)) if field else None
        for each in (sides.before, sides.after)
    )
    came = What.ADDED if name in new else What.DELETED
    what = What.CHANGED if name in old and name in new else came
    edit = Edit(field_path(field), earlier, later, at)
    return Cause(CauseKind.INJECTION, f"Injection by {name}", what, (edit,))


def _injected(acting: Acting | None) -> Injection | None:
    return acting and acting.injection


def _cluster(sides: Sides) -> Cause:
    """Another Kubernetes version or other gates, told at the workload: settings say it."""
    old, new = sides.earlier.cluster, sides.later.cluster
    at = Sided(Side.HEAD, sides.after.workload.object.at(("metadata", "name"), Part.VALUE))
    facts = (
        ("kubernetes", str(old.features.version), str(new.features.version)),
        ("complete", str(old.complete).lower(), str(new.complete).lower()),
        ("featureGates", _gates(sides.earlier, sides.later), _gates(sides.later, sides.earlier)),
    )
    edits = tuple(Edit(name, one, other, at) for name, one, other in facts if one != other)
    return Cause(CauseKind.CLUSTER, f"cluster {new.name}", What.CHANGED, edits)


def _gates(cluster: JudgedCluster, other: JudgedCluster) -> str:
    own = cluster.cluster.features
    if own.version != other.cluster.features.version:
        return ""
    return ", ".join(sorted(own.enabled - other.cluster.features.enabled))


def _of_nodes(sides: Sides, new: Inputs) -> Iterator[Candidate]:
    before = {each.node.name: each for each in sides.earlier.kubelets}
    for kubelet in sides.later.kubelets:
        name = kubelet.node.name
        old = before.get(name)
        if old is None or old == kubelet:
            continue
        kubelets = tuple(old if each is kubelet else each for each in new.kubelets)
        cause = Cause(
            CauseKind.NODE, f"node profile {name}", What.CHANGED, node_edits(old, kubelet)
        )
        yield Candidate(cause, new._replace(kubelets=kubelets))

"""The table of workload kinds: where each kind of object keeps its pod templates.

The table is data (`qoslint/data/kinds/*.yaml`), for kinds differ in nothing else. A kind that looks
like a pod and is none, such as a Prometheus, is in it too: without templates.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from qoslint.model.nodesources.readers import NODE_KINDS
from qoslint.model.scaler import SCALER_KINDS
from qoslint.package_data import data
from qoslint.source.document import load
from qoslint.span import Path

Table: TypeAlias = Mapping[str, Any]
"""Entries of kinds, as `schemas/kinds.schema.json` describes them."""

Pattern: TypeAlias = tuple[str, ...]
"""A path with `EACH` for every item of a list and `ANY` for every value of a mapping."""

EACH = "[]"
ANY = "*"

SCOPE_KINDS = frozenset({"LimitRange", "ResourceQuota", "PriorityClass", "RuntimeClass"})
"""Kinds that decide about the pods of others."""

_OTHERS = frozenset({"Namespace", "PodDisruptionBudget", *(kind for _, kind in SCALER_KINDS)})
"""Kinds that rules speak of beside those."""


class Pods(NamedTuple):
    """One place of pod templates in a kind.

    The number of pods is the product of `replicas`, where `default_replicas` stands for what is
    missing; it is not the object's to say where both are empty.
    """

    spec: Pattern
    metadata: Pattern | None
    replicas: tuple[Pattern, ...] = ()
    default_replicas: int | None = None
    partial: str = ""
    """What an operator still changes in these pods, as a clause; empty if nothing."""


class WorkloadKind(NamedTuple):
    """One kind of one API group."""

    group: str
    kind: str
    pods: tuple[Pods, ...] = ()
    objects: tuple[Pattern, ...] = ()
    """Where whole objects are embedded that have a kind of their own."""
    built_by: str = ""
    """Who builds the pods of a kind without templates."""
    served: tuple[str, ...] | None = None
    """The versions that a supported API server serves; None for a custom resource."""
    resources: tuple[Pattern, ...] = ()
    priority_class: tuple[Pattern, ...] = ()
    targets: tuple[Pattern, ...] = ()
    """Where it names the workload whose pods it changes."""
    jvm_sizes: tuple[Pattern, ...] = ()
    """Where sizes stand as a JVM reads them: `512m` for 512 MiB."""

    @property
    def matters(self) -> bool:
        """Whether an object counts in a cluster although it has no pod template."""
        return bool(self.targets or self.jvm_sizes)

    @property
    def built_in(self) -> bool:
        """Whether the kind is the API server's own, so that an object always stands for pods."""
        return self.served is not None


class Kinds(NamedTuple):
    """The kinds by group and kind."""

    table: Mapping[tuple[str, str], WorkloadKind]

    def find(self, group: str, kind: str) -> WorkloadKind | None:
        """The kind, or None if the table does not know it."""
        return self.table.get((group, kind))

    @property
    def names(self) -> frozenset[str]:
        """Names of kinds that count in a cluster.

        They are those of workloads, of scopes, of namespaces, of budgets, of what scales, and of
        what configures kubelets.
        """
        workloads = frozenset(kind for _, kind in self.table)
        return workloads | SCOPE_KINDS | NODE_KINDS | _OTHERS


@functools.cache
def shipped_kinds() -> tuple[Table, ...]:
    """The tables that qoslint ships."""
    pages = sorted(data("kinds").glob("*.yaml"))
    tables: tuple[Any, ...] = tuple(load(page.read_text("utf-8")) for page in pages)
    return tables


def known_kinds(tables: Iterable[Table]) -> Kinds:
    """The kinds of the tables; of two entries of one kind, the later one counts."""
    kinds = (kind for table in tables for kind in workload_kinds(table))
    return Kinds(MappingProxyType({(kind.group, kind.kind): kind for kind in kinds}))


def workload_kinds(table: Table) -> Iterator[WorkloadKind]:
    """The kinds of one table."""
    for entry in table["kinds"]:
        for group in entry["groups"]:
            for kind in entry["kinds"]:
                yield _workload_kind(group, kind, entry)


def pattern(text: str) -> Pattern:
    """The pattern of a dotted path: `spec.tasks[].template.spec`."""
    return tuple(
        step
        for name in text.split(".")
        for step in ((name.removesuffix(EACH), EACH) if name.endswith(EACH) else (name,))
    )


def match(value: object, wanted: Pattern) -> Iterator[tuple[Path, object]]:
    """Every path of the value that the pattern fits, with what is there, in document order."""
    yield from _match(value, wanted, ())


def bind(wanted: Pattern, path: Path, fitted: Pattern) -> Path:
    """The pattern as a path, its wildcards as in `path`, which fits the pattern `fitted`."""
    if EACH not in wanted and ANY not in wanted:
        return wanted
    taken = iter(step for step, name in zip(path, fitted, strict=True) if name in (EACH, ANY))
    return tuple(next(taken) if name in (EACH, ANY) else name for name in wanted)


def _match(value: object, wanted: Pattern, path: Path) -> Iterator[tuple[Path, object]]:
    if not wanted:
        yield path, value
        return
    step, *rest = wanted
    if step == EACH:
        for index, item in enumerate(value if isinstance(value, list) else ()):
            yield from _match(item, tuple(rest), (*path, index))
    elif isinstance(value, dict):
        for key in value if step == ANY else (step,):
            if key in value:
                yield from _match(value[key], tuple(rest), (*path, key))


def _workload_kind(group: str, kind: str, entry: Mapping[str, Any]) -> WorkloadKind:
    return WorkloadKind(
        group=group,
        kind=kind,
        pods=tuple(_pods(place) for place in entry.get("pods", ())),
        objects=_patterns(entry.get("objects", ())),
        built_by=entry.get("builtBy", ""),
        served=tuple(entry["served"]) if "served" in entry else None,
        resources=_patterns(entry.get("resources", ())),
        priority_class=_patterns(entry.get("priorityClass", ())),
        targets=_patterns(entry.get("targets", ())),
        jvm_sizes=_patterns(entry.get("jvmSizes", ())),
    )


def _pods(place: Mapping[str, Any]) -> Pods:
    spec = pattern(place["spec"])
    beside = (*spec[:-1], "metadata")
    replicas = place.get("replicas", ())
    fixed = isinstance(replicas, int)
    return Pods(
        spec=spec,
        metadata=_optional(place["metadata"]) if "metadata" in place else beside,
        replicas=() if fixed else _patterns([replicas] if isinstance(replicas, str) else replicas),
        default_replicas=replicas if fixed else place.get("default"),
        partial=place.get("partial", ""),
    )


def _optional(text: str | None) -> Pattern | None:
    return None if text is None else pattern(text)


def _patterns(texts: Iterable[str]) -> tuple[Pattern, ...]:
    return tuple(pattern(text) for text in texts)

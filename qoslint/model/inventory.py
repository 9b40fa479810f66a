"""The objects of a repository that matter to clusters, by the file that holds them."""

from __future__ import annotations

import bisect
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from qoslint.model.kinds import Kinds, WorkloadKind
from qoslint.model.objects import KubeObject, objects, text
from qoslint.model.sameness import Numbering
from qoslint.model.scopes import is_namespaced, is_scope_object
from qoslint.model.workloads import KUSTOMIZED, PATCHED, Workload, workloads
from qoslint.render.discovery import Discovery
from qoslint.render.patches import Patched
from qoslint.source.document import Document

Key: TypeAlias = tuple[str, str, str, str]
"""Group, kind, namespace (empty for cluster-wide kinds) and name: only one can exist."""


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """An object with the workloads that it is."""

    object: KubeObject
    workloads: tuple[Workload, ...]
    numbering: Numbering
    kind: WorkloadKind | None = None
    """What the table of kinds knows of it."""
    renamed: bool = False
    """A kustomization gives it another name than the one it has here."""

    @property
    def folder(self) -> str:
        """The folder of its file, empty for the root: the target that plain files belong to.

        Each environment of a chart is as a folder in it.
        """
        return posixpath.join(posixpath.dirname(self.object.file), self.object.variant)

    @property
    def place(self) -> tuple[str, int]:
        """Where it stands, to sort by."""
        return self.object.file, self.object.document.number

    @property
    def matters(self) -> bool:
        """Whether a cluster needs to know of it."""
        return bool(self.workloads) or self.decides or (self.kind is not None and self.kind.matters)

    @property
    def decides(self) -> bool:
        """Whether it is a Namespace or decides about the pods of others; else it makes its own."""
        changes = self.kind is not None and bool(self.kind.targets)
        return changes or self.is_namespace or is_scope_object(self.object)

    @property
    def is_namespace(self) -> bool:
        """Whether it is a Namespace."""
        return self.object.kind == "Namespace" and self.object.group == ""

    def key(self, default_namespace: str) -> Key | None:
        """What the object is in a cluster; None if its name is only made up later."""
        thing = self.object
        if self.renamed or not text(thing.metadata.get("name")):
            return None
        namespace = (thing.namespace or default_namespace) if is_namespaced(thing.kind) else ""
        return thing.group, thing.kind, namespace, thing.name

    def content(self) -> int:
        """A number that equal objects of one inventory have in common."""
        return self.numbering.number(self.object.data)


class Inventory:
    """Every item, sorted by file; finds those below a path without looking at the others."""

    items: tuple[Item, ...]
    podless: tuple[KubeObject, ...]
    """The objects that make no pods; the deciding ones are among them."""
    by_kind: Mapping[tuple[str, str], tuple[KubeObject, ...]]
    """The same by group and kind."""
    kustomized: Mapping[str, tuple[str, ...]]
    """By file the namespaces that kustomizations put its objects into."""

    def __init__(self, discovery: Discovery, kinds: Kinds) -> None:
        """Look at each document once, in the order of files and of documents in them."""
        ordered = sorted(discovery.documents, key=_position)
        numbering = Numbering()
        everything = [
            Item(
                thing,
                tuple(_tagged(workloads(thing, kinds), discovery)),
                numbering,
                kinds.find(thing.group, thing.kind),
                renamed=not thing.is_rendered and thing.file in discovery.renamed,
            )
            for document in ordered
            for thing in objects(document)
        ]
        self.items = tuple(item for item in everything if item.matters)
        self.podless = tuple(item.object for item in everything if not item.workloads)
        by_kind: dict[tuple[str, str], list[KubeObject]] = {}
        for thing in self.podless:
            by_kind.setdefault((thing.group, thing.kind), []).append(thing)
        self.by_kind = {key: tuple(things) for key, things in by_kind.items()}
        self.kustomized = discovery.namespaces
        self._files = [item.object.file for item in self.items]

    def under(self, paths: Iterable[str]) -> Iterator[Item]:
        """Each item in the files and folders once, in order; "." is every file."""
        done = 0
        for start, end in sorted(self._range(path) for path in paths):
            yield from self.items[max(start, done) : end]
            done = max(done, end)

    def _range(self, path: str) -> tuple[int, int]:
        if path in (".", ""):
            return 0, len(self.items)
        # A file is its own range. What a folder holds sorts together: "/" is followed by "0".
        start, end = bisect.bisect_left(self._files, path), bisect.bisect_right(self._files, path)
        if start == end:
            start = bisect.bisect_left(self._files, f"{path}/")
            end = bisect.bisect_left(self._files, f"{path}0")
        return start, end


def _position(document: Document) -> tuple[str, str, int]:
    return document.source.path, document.source.id, document.number


def _tagged(found: Iterable[Workload], discovery: Discovery) -> Iterator[Workload]:
    for workload in found:
        obj = workload.object
        if obj.is_rendered or obj.file not in discovery.kustomized:
            yield workload
            continue
        more = (KUSTOMIZED, PATCHED) if _is_patched(obj, discovery) else (KUSTOMIZED,)
        yield replace(workload, tags=(*workload.tags, *more))


def _is_patched(obj: KubeObject, discovery: Discovery) -> bool:
    return any(
        Patched(obj.file, kind, name) in discovery.patched
        for kind in (obj.kind, "")
        for name in (obj.name, "")
    )

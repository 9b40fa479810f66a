"""Node profiles that a repository holds, and machines and kubelets that it describes."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from qoslint import schema
from qoslint.model.nodesources.readers import READERS, kubelet_sources, object_sources
from qoslint.model.nodesources.source import KubeletSource
from qoslint.model.objects import KubeObject, mapping, text
from qoslint.model.presets import instance_preset
from qoslint.render.policytests import is_testdata
from qoslint.settings.annotated import Line, commented_out, is_writable, spot, value_text
from qoslint.settings.proposal.evidence import Evidence
from qoslint.source.document import Document
from qoslint.source.locate import locate
from qoslint.source.tree import SUFFIXES
from qoslint.source.writing import scalar

_MOST = 20
"""More profiles than a person would go through."""
_ASK = "`kubectl get nodes -o json | qoslint nodes --from -` prints the profiles of a cluster"


class Node(NamedTuple):
    """An entry of the list `nodes`."""

    text: str
    why: str
    file: str
    name: str
    holds: bool


def nodes(evidence: Evidence) -> Sequence[Node]:
    """The profiles in files, those of machines that are named, and what kubelets lack to be one."""
    found = {node.text: node for node in _found(evidence)}
    return list(found.values())[:_MOST]


def node_lines(entries: Sequence[Node], indent: str = "") -> Iterator[Line]:
    """The list `nodes` of one cluster, or of all."""
    if not entries:
        profile = value_text([{"name": "worker", "capacity": {"cpu": "4", "memory": "16Gi"}}])
        why = f"no file tells what the nodes have, without which there are no scores: {_ASK}"
        yield Line(f"{indent}nodes: {profile}", why, holds=False)
        return
    lines = [
        Line(f"{indent}nodes:", "scores and rankings are computed on each of them"),
        *(Line(f"{indent}  - {each.text}", each.why, each.holds) for each in entries),
    ]
    yield from lines if any(each.holds for each in entries) else commented_out(lines)


def _found(evidence: Evidence) -> Iterator[Node]:
    for document in evidence.kindless:
        yield from _profile(document)
    for source, document in _sources(evidence):
        yield from _machines(source, document)


def _profile(document: Document) -> Iterator[Node]:
    file = document.source.path
    data = mapping(document.data)
    if not {"name", "capacity"} <= data.keys() or not file.endswith(SUFFIXES):
        return
    if document.number == 0 and is_writable(file) and not [*schema.check(data, "node-profile")]:
        name = text(data.get("name"))
        yield Node(scalar(file), f"{spot(file, 1)}: the node profile {name}", file, name, True)


def _sources(evidence: Evidence) -> Iterator[tuple[KubeletSource, Document]]:
    things: Iterable[KubeObject] = (
        thing for key in READERS for thing in evidence.inventory.by_kind.get(key, ())
    )
    for thing in things:
        if not is_testdata(thing.file):
            yield from ((source, thing.document) for source in object_sources(thing))
    for document in evidence.kindless:
        yield from ((source, document) for source in kubelet_sources(document))


def _machines(source: KubeletSource, document: Document) -> Iterator[Node]:
    """The shipped profiles of its machines; else what a profile of its kubelets would be."""
    file = document.source.path
    path = (*source.place.object.root, *source.place.path)
    line = None if document.source.rendered else locate(document, path)[0].start.line
    here = spot(file, line)
    known = False
    for machine in source.instance_types:
        if preset := instance_preset(machine):
            known = True
            own = "; its kubelet's fields are not in it" if source.fields else ""
            why = f"{here}: {source.name} names {machine}, of which there is a profile{own}"
            yield Node(scalar(preset), why, file, source.group, True)
    if known or not (source.fields or source.instance_types):
        return
    name = source.group or posixpath.splitext(posixpath.basename(file))[0] or "worker"
    if is_writable(name, file):
        configured = {} if document.source.rendered else {"kubeletConfig": file}
        capacity = {"capacity": {"memory": "16Gi"}}
        profile = value_text({"name": name, **capacity, **configured})
        why = f"{here}: {source.name} does not say what its nodes have; {_ASK}"
        yield Node(profile, why, file, source.group, False)

"""The list `clusters` of a proposal, and what is known of one cluster or of all."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from qoslint.settings.annotated import Line, commented_out, is_writable, value_text
from qoslint.settings.proposal.choice import Choice, path_lines
from qoslint.settings.proposal.clusters import Proposed
from qoslint.settings.proposal.exported import Exported, context_lines
from qoslint.settings.proposal.nodes import Node, node_lines
from qoslint.settings.proposal.versions import StatedVersion, version_line
from qoslint.source.paths import covers

_INDENT = "    "
_SEVERAL = 2


class Stated(NamedTuple):
    """What files state beside what is applied."""

    versions: list[StatedVersion]
    nodes: list[Node]
    exported: list[Exported]


def version_of_all(clusters: Sequence[Proposed], stated: Stated) -> Iterator[Line]:
    """The line `kubernetes` of clusters that have none of their own, if there are any."""
    if not clusters or not all(_of(each, stated, clusters).versions for each in clusters):
        yield version_line(_of_none(stated, clusters).versions)


def nodes_of_all(clusters: Sequence[Proposed], stated: Stated) -> Iterator[Line]:
    """The list `nodes` of clusters that have none of their own, if there are any."""
    if not clusters or not all(_of(each, stated, clusters).nodes for each in clusters):
        yield from node_lines(_of_none(stated, clusters).nodes)


def _of_none(stated: Stated, clusters: Sequence[Proposed]) -> Stated:
    """What is of all clusters, for nothing says of which one it is."""
    return Stated(
        [each for each in stated.versions if not _owners(each.file, each.name, clusters)],
        [each for each in stated.nodes if not _owners(each.file, each.name, clusters)],
        [each for each in stated.exported if not _owners(each.file, "", clusters)],
    )


def cluster_lines(choice: Choice, stated: Stated) -> Iterator[Line]:
    """The list `clusters`; commented out if no such list is sure to hold."""
    if not choice.clusters:
        yield from _instead(choice)
        return
    several = len(choice.clusters) >= _SEVERAL
    why = "what each of them has, and what decides about its pods, is read together"
    yield Line("clusters:", why if several else "with them each run reads all that decides")
    common = _of_none(stated, choice.clusters)
    for each in choice.clusters:
        own = _of(each, stated, choice.clusters)
        yield from path_lines(each)
        if own.versions:
            yield version_line(own.versions, _INDENT)
        if several:
            yield from context_lines(own.exported, common.exported, _INDENT)
        else:
            yield from context_lines(common.exported, [], _INDENT)
        yield _complete()
        if own.nodes:
            yield from node_lines([*own.nodes, *common.nodes], _INDENT)


def _instead(choice: Choice) -> Iterator[Line]:
    shown = [each for each in choice.instead if is_writable(each.name, *each.paths)]
    if not shown:
        example = value_text([{"name": "prod", "paths": ["."]}])
        yield Line(f"clusters: {example}", choice.why, holds=False)
        return
    lines = (line for each in shown for line in path_lines(each))
    yield from commented_out([Line("clusters:", choice.why), *lines])


def _complete() -> Line:
    why = (
        "true if these files hold all PriorityClasses, LimitRanges and RuntimeClasses of it, which "
        "no file tells: one that is missing is then an error"
    )
    return Line(f"{_INDENT}complete: false", why)


def _of(cluster: Proposed, stated: Stated, clusters: Sequence[Proposed]) -> Stated:
    def mine(file: str, name: str) -> bool:
        return cluster in _owners(file, name, clusters)

    return Stated(
        [each for each in stated.versions if mine(each.file, each.name)],
        [each for each in stated.nodes if mine(each.file, each.name)],
        [each for each in stated.exported if mine(each.file, "")],
    )


def _owners(file: str, name: str, clusters: Sequence[Proposed]) -> list[Proposed]:
    """The clusters that something is of: by its name, by that of its file, or by its place.

    None where there is only one cluster: what is of all is then of that one.
    """
    if len(clusters) < _SEVERAL:
        return []
    names = {name, posixpath.splitext(posixpath.basename(file))[0], *file.split("/")[:-1]}
    named = [each for each in clusters if each.name in names]
    return named or [each for each in clusters if covers([*each.paths], file)]

"""The journeys: what each command does, from paths to one document."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from qoslint.engine.registry import select
from qoslint.engine.run import Failure, Raised, run
from qoslint.engine.settle import settle
from qoslint.engine.subjects import subjects
from qoslint.finding import Notice, Report
from qoslint.model.cluster import assemble
from qoslint.model.facts import Facts, facts_document, facts_places
from qoslint.model.inventory import Inventory
from qoslint.model.judged import JudgedCluster, judge_cluster
from qoslint.model.kinds import known_kinds
from qoslint.model.summary import coverage, pod_lines
from qoslint.render.discover import discover
from qoslint.render.discovery import Discovery
from qoslint.settings.settings import Settings
from qoslint.source.places import Documents, locate_places
from qoslint.source.tree import WorkTree


@dataclass(frozen=True, slots=True)
class World:
    """What was read and judged; the commands differ in what they tell of it."""

    everything: Discovery
    asked: Discovery
    """The part of it below the paths; the rest only decides about it."""
    inventory: Inventory
    clusters: tuple[JudgedCluster, ...]
    notices: tuple[Notice, ...]

    @property
    def documents(self) -> Documents:
        """The documents by source and number, broken ones included."""
        return {
            (item.source.id, item.number): item
            for items in (self.everything.documents, self.everything.broken)
            for item in items
        }


def check(paths: Sequence[str], settings: Settings) -> tuple[Report, Mapping[str, str]]:
    """The report of the rules on the paths, and the texts of the files that it names."""
    rules = select(settings.selection)
    world = judge(paths, settings)
    results = tuple(run(rules, subjects(world.asked.broken, world.clusters)))
    findings = settle((item for item in results if isinstance(item, Raised)), world.documents)
    report = Report(
        findings=findings,
        notices=world.notices,
        rules=tuple(rule.info() for rule in rules),
        coverage=coverage(world.asked, world.inventory, world.clusters),
        kubernetes=tuple(sorted({str(each.cluster.features.version) for each in world.clusters})),
        failed_checks=tuple(item.message for item in results if isinstance(item, Failure)),
        pods=tuple(pod_lines(world.clusters)),
    )
    return report, {item.source.path: item.source.text for item in world.documents.values()}


def facts(paths: Sequence[str], settings: Settings) -> Facts:
    """The effective pods of every cluster, with their verdicts."""
    world = judge(paths, settings)
    locations = locate_places(facts_places(world.clusters), world.documents)
    return facts_document(world.clusters, locations)


def judge(paths: Sequence[str], settings: Settings) -> World:
    """Everything under the paths read, put into clusters, admitted and judged."""
    with _without_collector():
        kinds = known_kinds()
        # What decides about a pod may lie outside the paths, in another folder of its cluster.
        everything = (*paths, *(path for spec in settings.clusters for path in spec.reads))
        discovery = discover(WorkTree(settings.root), everything, kinds.names)
        inventory = Inventory(discovery, kinds)
        clusters, notices = assemble(settings.clusters, inventory)
        judged = tuple(judge_cluster(cluster.under(paths)) for cluster in clusters)
    asked = discovery.under(paths)
    told = (*settings.notices, *asked.notices, *notices)
    return World(discovery, asked, inventory, judged, told)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Reading makes millions of objects and no garbage; looking for some costs a third."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()

"""What was read from the paths and judged: what every journey starts from."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import NamedTuple

from qoslint.finding import Coverage, Notice
from qoslint.model.cluster import assemble
from qoslint.model.inventory import Inventory
from qoslint.model.judged import JudgedCluster, judge_cluster
from qoslint.model.sought import sought
from qoslint.model.summary import coverage
from qoslint.render.discover import discover
from qoslint.render.discovery import Discovery
from qoslint.render.shared import Shared
from qoslint.settings.notices import idle_expectations, other_settings, unread
from qoslint.settings.settings import Settings
from qoslint.source.document import Document
from qoslint.source.places import Documents
from qoslint.source.text import NotTextError, decode
from qoslint.source.tree import UnreadableError, WorkTree


class World(NamedTuple):
    """What was read and judged; the commands differ in what they tell of it."""

    everything: Discovery
    asked: Discovery
    """The part of it below the paths; the rest only decides about it."""
    inventory: Inventory
    clusters: tuple[JudgedCluster, ...]
    notices: tuple[Notice, ...]
    tree: WorkTree
    settings: tuple[Document, ...] = ()
    """The settings of the run, if they are YAML: profiles have places in them."""

    @property
    def documents(self) -> Documents:
        """The documents by source and number, broken ones included."""
        return {
            (item.source.id, item.number): item
            for items in (
                self.settings,
                self.everything.documents,
                self.everything.values,
                self.everything.broken,
            )
            for item in items
        }

    @property
    def coverage(self) -> Coverage:
        """What was asked for, and what became of it."""
        return coverage(self.asked, self.inventory, self.clusters)

    def text(self, file: str) -> str | None:
        """The text of a file, None if it cannot be had or is none."""
        with contextlib.suppress(UnreadableError, NotTextError):
            return decode(self.tree.read(file))
        return None


def judge(
    paths: Sequence[str],
    settings: Settings,
    tree: WorkTree | None = None,
    shared: Shared | None = None,
) -> World:
    """Everything under the paths read, put into clusters, admitted and judged.

    `tree` is where it is read, if that is more than what is on the disk or given, and `shared` what
    is known of another revision.
    """
    kinds = settings.plugins.kinds
    # What decides about a pod may lie outside the paths, in another folder of its cluster.
    reads = (path for spec in settings.clusters for path in spec.reads)
    everything = (*paths, *settings.beside, *reads)
    tree = tree or WorkTree(settings.root, given=settings.given)
    looked_for = sought(kinds, settings.clusters)
    discovery = discover(tree, everything, looked_for, settings.rendering, shared or Shared())
    inventory = Inventory(discovery, kinds)
    clusters, notices = assemble(settings.clusters, inventory)
    judged = tuple(judge_cluster(cluster.under(paths)) for cluster in clusters)
    asked = discovery.under(paths)
    told = (
        *settings.notices,
        *other_settings(asked, settings),
        *unread(paths, settings),
        *idle_expectations(paths, settings, judged),
        *asked.notices,
        *notices,
    )
    own = settings.file.document if settings.file else None
    return World(discovery, asked, inventory, judged, told, tree, (own,) if own else ())

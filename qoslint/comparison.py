"""The journeys of two revisions: what a change of the repository changes of its pods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from qoslint.api import World, judge
from qoslint.finding import Coverage, Location, Notice, Place
from qoslint.model.change.blast import sided_places
from qoslint.model.change.compare import compare
from qoslint.model.change.document import Revision, changes_document
from qoslint.model.change.record import Comparison, Side, Sided
from qoslint.model.summary import coverage
from qoslint.settings.places import locate_settings
from qoslint.settings.settings import Settings
from qoslint.source.places import locate_places


class Revised(NamedTuple):
    """The repository at one of the revisions: the settings that count there, and what to judge."""

    revision: Revision
    settings: Settings
    paths: tuple[str, ...]
    """Those of the PATHs that there are; none if the revision has nothing of what is asked for."""


class Compared(NamedTuple):
    """A comparison with the locations that it names, and the worlds that were compared."""

    comparison: Comparison
    where: Mapping[Sided, Location]
    base: World | None
    head: World | None


class Diff(NamedTuple):
    """The document of a comparison, and what it does not cover at each revision."""

    document: object
    notices: tuple[Notice, ...]
    """Those of the newer revision, and of the older one those that it has alone."""
    base: Coverage | None
    head: Coverage | None


def diff(base: Revised, head: Revised) -> Diff:
    """What is different of the pods of each workload, and what made it so."""
    compared = compared_worlds(base, head)
    document = changes_document(base.revision, head.revision, compared.comparison, compared.where)
    return Diff(
        document, tuple(_notices(compared)), _coverage(compared.base), _coverage(compared.head)
    )


def compared_worlds(base: Revised, head: Revised) -> Compared:
    """Both revisions judged, compared, and what differs located."""
    worlds = {Side.BASE: _world(base), Side.HEAD: _world(head)}
    comparison = compare(*(world.clusters if world else () for world in worlds.values()))
    wanted = dict.fromkeys(sided_places(comparison))
    where: dict[Sided, Location] = {}
    for side, revised in ((Side.BASE, base), (Side.HEAD, head)):
        places = [each.place for each in wanted if each.side is side]
        located = _located(places, worlds[side], revised.settings)
        where.update((Sided(side, place), location) for place, location in located)
    return Compared(comparison, where, worlds[Side.BASE], worlds[Side.HEAD])


def _world(revised: Revised) -> World | None:
    return judge(revised.paths, revised.settings) if revised.paths else None


def _located(
    places: Sequence[Place], world: World | None, settings: Settings
) -> Iterator[tuple[Place, Location]]:
    """The places in what was read, and those in files that only the settings name."""
    if world is None:
        return
    documents = world.documents
    known = [each for each in places if (each.object.source, each.object.document) in documents]
    yield from locate_places(known, documents).items()
    if others := [each for each in places if each not in set(known)]:
        assert settings.file is not None, "what no walk finds is named by settings"
        yield from locate_settings(others, settings.file).items()


def _notices(compared: Compared) -> Iterator[Notice]:
    own = compared.head.notices if compared.head else ()
    yield from own
    known = {each.message for each in own}
    for notice in compared.base.notices if compared.base else ():
        if notice.message not in known:
            yield notice._replace(message=f"At the older revision: {notice.message}")


def _coverage(world: World | None) -> Coverage | None:
    return world and coverage(world.asked, world.inventory, world.clusters)

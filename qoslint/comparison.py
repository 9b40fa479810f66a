"""The journeys of two revisions: what a change of the repository changes of its pods."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from qoslint.api import Checked, Ran, reported, run_rules
from qoslint.engine.new_suppressions import Renamed
from qoslint.engine.registry import Rule, select
from qoslint.engine.settle import settled
from qoslint.engine.since import change_subjects, fresh
from qoslint.engine.subjects import Changed
from qoslint.engine.suppress import about_suppressions
from qoslint.engine.touched import Texts, Touched
from qoslint.finding import Coverage, Finding, Location, Notice, Place, Report
from qoslint.model.change.blast import blasts, sided_places
from qoslint.model.change.changes import Changes
from qoslint.model.change.compare import compare
from qoslint.model.change.document import Revision, changes_document
from qoslint.model.change.pairs import cluster_pairs
from qoslint.model.change.record import (
    Bump,
    Comparison,
    Side,
    Sided,
    WorkloadChange,
)
from qoslint.model.objects import Fields, mapping, text
from qoslint.render.shared import Shared
from qoslint.settings.places import locate_settings
from qoslint.settings.settings import Settings
from qoslint.source.document import YamlError, load
from qoslint.source.places import locate_places
from qoslint.source.tree import WorkTree
from qoslint.span import Span
from qoslint.suppressed import Earlier, Judged, Told, suppressed, suspects
from qoslint.world import World, judge


class Revised(NamedTuple):
    """The repository at one of the revisions: the settings that count there, and what to judge."""

    revision: Revision
    settings: Settings
    paths: tuple[str, ...]
    """Those of the PATHs that there are; none if the revision has nothing of what is asked for."""
    own: Settings | None = None
    """Those that it has itself, where others are read in their place."""
    tree: WorkTree | None = None
    """Where it is read."""


class Compared(NamedTuple):
    """A comparison with the locations that it names, and the worlds that were compared."""

    comparison: Comparison
    where: Mapping[Sided, Location]
    base: World | None
    head: World | None


class CheckedChange(NamedTuple):
    """What is found of a change, and all that is found in what there is, as if without one."""

    checked: Checked
    standing: Report


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
    covered = (world and world.coverage for world in (compared.base, compared.head))
    return Diff(document, tuple(_notices(compared)), *covered)


def compared_worlds(base: Revised, head: Revised) -> Compared:
    """Both revisions judged, compared, and what differs located."""
    shared = Shared()
    worlds = {Side.BASE: _world(base, shared), Side.HEAD: _world(head, shared)}
    comparison = compare(*(world.clusters if world else () for world in worlds.values()))
    wanted = dict.fromkeys(sided_places(comparison))
    where: dict[Sided, Location] = {}
    for side, revised in ((Side.BASE, base), (Side.HEAD, head)):
        places = [each.place for each in wanted if each.side is side]
        located = _located(places, worlds[side], revised.settings)
        where.update((Sided(side, place), location) for place, location in located)
    return Compared(comparison, where, worlds[Side.BASE], worlds[Side.HEAD])


def check_since(base: Revised, head: Revised) -> CheckedChange:
    """What the rules find of a change: what it causes, and what it touches.

    Rules that compare revisions run too. The selection of the newer revision counts for both, and
    of each its own exceptions.
    """
    compared = compared_worlds(base, head)
    # A change may take away all that it is asked about.
    now = compared.head or judge((), head.settings)
    changes = _subjects(compared, base)
    ran = run_rules(now, head.paths, head.settings, changes)
    found = reported(ran, now, head.settings)
    touches = Touched(*(_readable(world) for world in (compared.base, compared.head))).touches
    renamed = _renamed(compared)
    merged = _merged(head)
    is_same = merged.selection == head.settings.selection
    then = ran if is_same else run_rules(now, head.paths, merged, changes)
    judged = Judged(now, head.paths, merged, changes, then, touches, renamed)
    own = (base.own or base.settings).selection
    earlier = Earlier(base.revision.told, own, compared.base)
    suspected = suspects(judged, earlier)
    elsewhere = {
        each.rule
        for each in found.report.findings
        if not touches(each.location.file, each.location.span)
    }
    before = _run_before(compared, base, head, suspected.codes | elsewhere)
    known: tuple[Finding, ...] = ()
    if before and compared.base:
        known = settled(before.beside.new, compared.base.documents)
    kept = tuple(fresh(found.report.findings, known, touches, renamed.clusters))
    notices = (*found.report.notices, *_left_out(len(found.report.findings) - len(kept), base))
    report = found.report._replace(findings=kept, notices=notices)
    standing = _standing(found.report, (each for each in ran.rules if each.check[0] in changes))
    told = suppressed(judged, earlier, suspected, before)
    return CheckedChange(_with_suppressed(found._replace(report=report), told, now), standing)


def _merged(head: Revised) -> Settings:
    """The settings with what the change makes of their rules and of the baseline."""
    if head.own is None:
        return head.settings
    return head.settings._replace(selection=head.own.selection, file=head.own.file)


def _standing(report: Report, comparing: Iterable[Rule]) -> Report:
    """The report without the rules that compare revisions."""
    codes = {rule.page.code for rule in comparing}
    return report._replace(
        findings=tuple(each for each in report.findings if each.rule not in codes),
        rules=tuple(each for each in report.rules if each.code not in codes),
    )


def _with_suppressed(found: Checked, told: Told, world: World) -> Checked:
    """The findings with those that tell what the change suppresses."""
    report = found.report
    findings = sorted((*report.findings, *told.findings), key=_order)
    rules = {each.code: each for each in report.rules}
    if told.rule:
        rules.setdefault(told.rule.page.code, told.rule.info())
    files = {each.location.file for each in told.findings}
    texts = {file: text for file in files if (text := world.text(file)) is not None}
    whole = report._replace(
        findings=tuple(findings),
        rules=tuple(rules[code] for code in sorted(rules)),
        failed_checks=(*report.failed_checks, *told.failed),
    )
    return Checked(whole, {**texts, **found.texts})


def _order(finding: Finding) -> tuple[str, Span, str, str]:
    return finding.location.file, finding.location.span, finding.rule, finding.message


def _renamed(compared: Compared) -> Renamed:
    """What the clusters and workloads of the older revision are called at the newer one."""
    both = cluster_pairs(*(each.clusters if each else () for each in compared[2:]))
    clusters = {
        each.before.cluster.name: each.after.cluster.name
        for each in both
        if each.before and each.after
    }
    workloads = {
        (each.before.cluster, each.before.label): each.after.label
        for each in compared.comparison.workloads
        if each.before and each.after and each.before.label != each.after.label
    }
    return Renamed(clusters, workloads)


def _readable(world: World | None) -> Texts:
    if world is None:
        return Texts(lambda _: None, {})
    plain = {
        document.source.path: document.source.text
        for document in world.everything.documents
        if document.source.rendered is None
    }
    return Texts(world.text, plain)


def _left_out(count: int, base: Revised) -> Iterator[Notice]:
    if count:
        what = "finding is" if count == 1 else "findings are"
        yield Notice(
            f"{count} {what} not told, which the change since {base.revision.told} neither causes "
            "nor touches."
        )


def _subjects(compared: Compared, base: Revised) -> Changed:
    assert compared.head is not None, "what is checked is there"
    comparison, where = compared.comparison, compared.where
    changes = tuple(
        replace(each, where=where, base=base.revision.told, bumps=tuple(_bumps(each, compared)))
        for each in comparison.workloads
    )
    documents = frozenset(compared.head.documents)
    found = blasts(changes, where)
    whole = Changes(base.revision.told, found, comparison.nodes, where, documents)
    return change_subjects(whole, changes)


def _run_before(
    compared: Compared, base: Revised, head: Revised, codes: Collection[str]
) -> Ran | None:
    """What some of the rules find at the older revision; the others need not run there."""
    if compared.base is None or not codes:
        return None
    selection = head.settings.selection
    needed = [
        rule
        for rule in select(selection, head.settings.plugins.rule_packs)
        if rule.page.code in codes
    ]
    if not any(about_suppressions(needed)):
        selection = selection._replace(select=tuple(sorted(codes)), extend=(), ignore=())
    exceptions = (base.own or base.settings).selection.exceptions
    selection = selection._replace(exceptions=exceptions, baseline=None)
    return run_rules(compared.base, base.paths, base.settings._replace(selection=selection))


def _bumps(change: WorkloadChange, compared: Compared) -> Iterator[Bump]:
    """The charts that a workload is rendered from at both revisions, in different versions."""
    if change.before is None or change.after is None:
        return
    assert compared.base is not None, "the workload is at both revisions"
    assert compared.head is not None, "likewise"
    rendered = change.after.workload.object.document.source.rendered
    for file in rendered.inputs if rendered else ():
        if file.endswith("Chart.yaml"):
            old, new = _chart(compared.base, file), _chart(compared.head, file)
            if old and new and old.get("version") != new.get("version"):
                name, *versions = (
                    text(each) for each in (new.get("name"), old.get("version"), new.get("version"))
                )
                yield Bump(file, name, *versions)


def _chart(world: World, file: str) -> Fields:
    """What a Chart.yaml says; nothing if it cannot be read."""
    try:
        return mapping(load(world.text(file) or ""))
    except YamlError:
        return {}


def _world(revised: Revised, shared: Shared) -> World | None:
    if not revised.paths:
        return None
    return judge(revised.paths, revised.settings, revised.tree, shared)


def _located(
    places: Sequence[Place], world: World | None, settings: Settings
) -> Iterator[tuple[Place, Location]]:
    """The places in what was read, and those in files that only the settings name."""
    if world is None:
        return
    documents = world.documents
    known = {each for each in places if (each.object.source, each.object.document) in documents}
    yield from locate_places([each for each in places if each in known], documents).items()
    if others := [each for each in places if each not in known]:
        assert settings.file is not None, "what no walk finds is named by settings"
        yield from locate_settings(others, settings.file).items()


def _notices(compared: Compared) -> Iterator[Notice]:
    own = compared.head.notices if compared.head else ()
    yield from own
    known = {each.message for each in own}
    for notice in compared.base.notices if compared.base else ():
        if notice.message not in known:
            yield notice._replace(message=f"At the older revision: {notice.message}")

"""The journeys: what each command does, from paths to one document."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from qoslint.engine.baseline import Compared, compared, gone, gone_notices
from qoslint.engine.located import located
from qoslint.engine.page import Page, RulePack
from qoslint.engine.piped import from_templates
from qoslint.engine.registry import Rule, pages, select
from qoslint.engine.run import Failure, Raised, run, runnable
from qoslint.engine.settle import grouped, settled
from qoslint.engine.sight import Sight, sight
from qoslint.engine.subjects import Changed, subjects
from qoslint.engine.suppress import Rules, Suppressed, suppress, suppressed_findings
from qoslint.engine.written_suppressions import written_suppressions
from qoslint.errors import UsageError, nearest
from qoslint.finding import Coverage, Finding, Notice, Report
from qoslint.model.givenvalues import given_values
from qoslint.model.judgednodes import node_configurations
from qoslint.model.summary import pod_lines
from qoslint.settings.places import locate_settings, locate_stated
from qoslint.settings.settings import Settings
from qoslint.source.document import lies_under
from qoslint.source.paths import Paths
from qoslint.source.places import locate_places
from qoslint.source.tree import WorkTree
from qoslint.world import World, judge

if TYPE_CHECKING:
    from qoslint.kernel.signals import Signal
    from qoslint.model.facts import Facts
    from qoslint.model.noderanking import Question
    from qoslint.model.simulate import NodeName, Plan
    from qoslint.plugins.collect import Plugins
    from qoslint.source.rewrite import Rewrite


_MOST_ROUNDS = 10


class Checked(NamedTuple):
    """The report of the rules on the paths, and the texts of the files that it names."""

    report: Report
    texts: Mapping[str, str]


class Ran(NamedTuple):
    """What the rules of a run found, before it is a report."""

    rules: tuple[Rule, ...]
    seen: Sight
    found: Suppressed
    beside: Compared
    """What nothing that is written suppresses, beside the baseline."""
    covered: Coverage
    failed: tuple[str, ...]
    """One line for each check that raised."""


class Asked(NamedTuple):
    """What a ranking is asked for."""

    signal: Signal
    scenario: str
    """`peak`, `requests`, `usage` or `leak:` and the name of a workload."""
    nodes: tuple[str, ...] = ()
    """Names of profiles; all if empty."""
    pods: tuple[str, ...] = ()
    """Workloads whose bounds are shown with their witnesses."""
    usage: tuple[str, ...] = ()
    """Files of measured usage."""

    @property
    def leaking(self) -> tuple[str, ...]:
        """The name of the workload that leaks, if one does."""
        kind, _, name = self.scenario.partition(":")
        return (name,) if kind == "leak" else ()


class Fixed(NamedTuple):
    """What was found, what of it was fixed by which rewrites, and what is left."""

    found: Checked
    fixed: tuple[Finding, ...]
    rewrites: tuple[Rewrite, ...]
    left: Checked


def check(
    paths: Sequence[str], settings: Settings, edited: Mapping[str, bytes] = MappingProxyType({})
) -> Checked:
    """What the rules find on the paths; `edited` is what some files would hold."""
    tree = WorkTree(settings.root, edited, settings.given)
    return checked(judge(paths, settings, tree), paths, settings)


def checked(world: World, paths: Sequence[str], settings: Settings) -> Checked:
    """What the rules find in what was judged."""
    return reported(run_rules(world, paths, settings), world, settings)


def run_rules(
    world: World, paths: Sequence[str], settings: Settings, changes: Changed = MappingProxyType({})
) -> Ran:
    """What the rules find in what was judged and in its changes, and what is suppressed of it."""
    documents = world.documents
    asked = Paths.of(paths)
    about = {key for key, item in documents.items() if lies_under(item.source, asked)}
    nodes = node_configurations(world.inventory, settings.clusters, world.clusters, about)
    values = given_values(
        world.asked.values, settings.clusters, (each.cluster for each in world.clusters)
    )
    selection = settings.selection
    looked_at = {**subjects(world.asked.broken, world.clusters, nodes, values), **changes}
    rules = runnable(select(selection, settings.plugins.rule_packs), looked_at)
    results = tuple(run(rules, looked_at))
    covered = world.coverage
    seen = sight(documents, world.asked, world.clusters, covered.unjudged, paths, world.text)
    problems = located((item for item in results if isinstance(item, Raised)), documents)
    found = suppress(
        problems,
        tuple(
            written_suppressions(
                seen, selection.exceptions, settings.file.name if settings.file else ""
            )
        ),
        seen,
        Rules(rules, settings.plugins.rule_packs, selection.strict),
        partial(locate_stated, documents=documents, file=settings.file),
    )
    beside = compared(grouped(found.left), selection.baseline, selection.strict, documents)
    failures = (item for item in (*results, *found.failures) if isinstance(item, Failure))
    return Ran(rules, seen, found, beside, covered, tuple(item.message for item in failures))


def reported(ran: Ran, world: World, settings: Settings) -> Checked:
    """The report of a run."""
    documents = world.documents
    codes = () if ran.failed else tuple(rule.page.code for rule in ran.rules)
    missing = gone(ran.beside.missing, codes, ran.seen)
    report = Report(
        findings=from_templates(settled(ran.beside.new, documents), settings.given),
        notices=(*world.notices, *gone_notices(missing)),
        rules=tuple(rule.info() for rule in ran.rules),
        coverage=ran.covered,
        kubernetes=tuple(sorted({str(each.cluster.features.version) for each in world.clusters})),
        failed_checks=ran.failed,
        pods=tuple(pod_lines(world.clusters)),
        suppressed=tuple(suppressed_findings(ran.found.suppressed, ran.beside.known, documents)),
        gone=missing,
    )
    return Checked(report, _texts(report, world))


def _texts(report: Report, world: World) -> Mapping[str, str]:
    """The texts of all files that were read as they are, or that a finding leads to."""
    texts = {
        item.source.path: item.source.text
        for item in world.documents.values()
        if item.source.rendered is None
    }
    for finding in report.findings:
        for location in (finding.location, *(each.location for each in finding.related)):
            if location.file not in texts and (text := world.text(location.file)) is not None:
                texts[location.file] = text
    return texts


def fix(paths: Sequence[str], settings: Settings) -> Fixed:
    """The fixes of all findings made, but not written: round by round, until none is left.

    A fix may make room for another, or for a finding that a refusal hid.
    """
    from qoslint.engine.fix import repaired
    from qoslint.source.rewrite import rewrite

    tree = WorkTree(settings.root)
    asked = Paths.of(paths)
    found = left = check(paths, settings)
    rewrites: dict[str, Rewrite] = {}
    fixed: list[Finding] = []
    for _ in range(_MOST_ROUNDS):
        fixable = (
            finding
            for finding in left.report.findings
            if all(asked.hold(replacement.file) for replacement in finding.fixes)
        )
        changed, done = repaired(fixable, left.texts)
        if not done:
            break
        for file, text in changed.items():
            rewrites[file] = rewrite(tree, file, found.texts[file], text)
        fixed += done
        left = check(paths, settings, {file: made.after for file, made in rewrites.items()})
    return Fixed(found, tuple(fixed), tuple(rewrites[file] for file in sorted(rewrites)), left)


def facts(paths: Sequence[str], settings: Settings) -> tuple[Facts, Coverage, tuple[Notice, ...]]:
    """The effective pods of every cluster with their verdicts, and what they do not cover."""
    from qoslint.model.facts import facts_document, facts_places

    world = judge(paths, settings)
    locations = locate_places(facts_places(world.clusters), world.documents)
    covered = world.coverage
    return facts_document(world.clusters, locations), covered, world.notices


def explain(
    name: str,
    paths: Sequence[str],
    settings: Settings,
    what_if: Sequence[str] = (),
    asked: Asked | None = None,
) -> tuple[object, Coverage, tuple[Notice, ...]]:
    """The derivation of one workload's pods, and what it does not cover.

    `what_if` are other values for its template; see `qoslint.model.whatif.assignment`. What is
    `asked` of the rankings of one node tells where the pods stand there.
    """
    from qoslint.model.explain import OnNode, explanation, located, places
    from qoslint.model.named import named
    from qoslint.model.standing import with_node
    from qoslint.model.whatif import assignment

    assignments = tuple(map(assignment, what_if))
    world = judge(paths, settings)
    found, node, notices = named(name, world.clusters), None, world.notices
    if asked:
        (wanted,) = asked.nodes
        found = with_node(wanted, found)
        question, measured = _question(asked, world)
        node, notices = OnNode(wanted, question), (*notices, *measured)
    derived = explanation(found, assignments, node)
    document = located(derived, locate_places(places(derived), world.documents))
    return document, world.coverage, notices


def evicted(message: str) -> object:
    """What the message of an evicted pod says."""
    from qoslint.model.evicted import evicted_document, told_eviction

    return evicted_document(told_eviction(message))


def evicted_workload(
    message: str, name: str, paths: Sequence[str], settings: Settings
) -> tuple[object, Coverage, tuple[Notice, ...]]:
    """The same, compared with what the files say of a workload, and what that does not cover."""
    from qoslint.model.evicted import evicted_document, told_eviction
    from qoslint.model.explain import located, places
    from qoslint.model.named import named

    told = told_eviction(message)
    world = judge(paths, settings)
    compared = evicted_document(told, named(name, world.clusters))
    document = located(compared, locate_places(places(compared), world.documents))
    return document, world.coverage, world.notices


def rank(
    paths: Sequence[str], settings: Settings, asked: Asked
) -> tuple[object, Coverage, tuple[Notice, ...]]:
    """Who is evicted first on each node profile, and what the answer does not cover."""
    from qoslint.model.named import named
    from qoslint.model.noderanking import node_rankings
    from qoslint.model.rankdocument import rank_document

    world = judge(paths, settings)
    shown = tuple(item for name in asked.pods for item, _ in named(name, world.clusters))
    question, notices = _question(asked, world)
    document = rank_document(node_rankings(world.clusters, question), asked.scenario, shown)
    covered = world.coverage
    return document, covered, (*world.notices, *notices)


def _question(asked: Asked, world: World) -> tuple[Question, tuple[Notice, ...]]:
    """What is asked, with the workloads and the usage that it names, and what of that is unused."""
    from qoslint.model.named import named
    from qoslint.model.noderanking import Question
    from qoslint.settings.usage.measure import measure

    leaking = tuple(item for name in asked.leaking for item, _ in named(name, world.clusters))
    measured = measure(asked.usage, world.clusters)
    question = Question(asked.signal, asked.scenario, leaking, asked.nodes, measured.by_cluster)
    return question, measured.notices


def simulate(
    paths: Sequence[str], settings: Settings, node: NodeName, plan: Plan, usage: Sequence[str] = ()
) -> tuple[object, Coverage, tuple[Notice, ...]]:
    """The plan played on a node profile; `usage` are files of measured usage."""
    from qoslint.model.simulate import chosen_node, simulate
    from qoslint.model.simulationdocument import simulation_document
    from qoslint.settings.usage.measure import measure

    world = judge(paths, settings)
    cluster, kubelet = chosen_node(node, world.clusters)
    measured = measure(usage, (cluster,))
    played = simulate(cluster, kubelet, plan, measured.of(cluster))
    covered = world.coverage
    return simulation_document(played), covered, (*world.notices, *measured.notices)


def nodes(settings: Settings, wanted: Sequence[str] = ()) -> object:
    """The node profiles of the clusters, each number with the line that it comes from."""
    from qoslint.model.explain import located, places
    from qoslint.model.nodelist import node_list

    document = node_list(settings.clusters, wanted)
    assert settings.file is not None, "profiles stand in settings"
    return located(document, locate_settings(places(document), settings.file))


def presets(plugins: Plugins, wanted: Sequence[str] = ()) -> object:
    """The profiles that are shipped, and those of plugins; all if none is wanted by name."""
    from qoslint.model.nodelist import preset_list
    from qoslint.model.presets import known_profiles

    return preset_list(known_profiles(plugins.node_profiles), wanted)


def preset_names(paths: Sequence[str], plugins: Plugins) -> tuple[str, ...]:
    """The paths, if they are names of presets and not of files.

    Raises UsageError for what is neither and looks like a preset.
    """
    from qoslint.model.presets import known_profiles

    known = known_profiles(plugins.node_profiles)
    absent = [path for path in paths if not os.path.lexists(path)]
    named = tuple(path for path in absent if path in known)
    families = {name.partition("/")[0] for name in known}
    for path in absent:
        if path not in known and (named or path.partition("/")[0] in families):
            raise UsageError(f"there is no preset {path!r}{nearest(path, known)}")
    if named and len(named) < len(paths):
        raise UsageError("names of presets and paths exclude each other")
    return named


def rule(name: str, packs: Iterable[RulePack]) -> Page | None:
    """The page of the rule of that code or name; None for a word that means no rule.

    Raises UsageError for what can only be meant for a code, and is none.
    """
    known = tuple(pages(packs))
    wanted = name.upper()
    for page in known:
        if wanted == page.code or name == page.name:
            return page
    families = {page.code.rstrip("0123456789") for page in known}
    if wanted.rstrip("0123456789") in families:
        raise UsageError(
            f"there is no rule {name!r}{nearest(wanted, [page.code for page in known])}"
        )
    return None

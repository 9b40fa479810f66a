"""The work list: what there is to render, and what that asks for in turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from qoslint.cache import Cache
from qoslint.finding import Notice
from qoslint.render import roots
from qoslint.render.bench import Bench
from qoslint.render.checkout import Checkout
from qoslint.render.discovery import NOTHING_DONE, Done
from qoslint.render.engines import Engines
from qoslint.render.gitops import Gitops, asks
from qoslint.render.givenvalues import given_values
from qoslint.render.helm.records import Chart
from qoslint.render.kustomize.overlay import Overlay
from qoslint.render.plain import Reading, Sought
from qoslint.render.renders import Renders
from qoslint.render.renderspec import RenderSpec
from qoslint.render.shared import Shared
from qoslint.render.surroundings import Surroundings
from qoslint.render.target import Folder, Missing, Outcome, Target
from qoslint.source.allowance import Allowance
from qoslint.source.document import Source
from qoslint.source.tree import WorkTree

_MOST_ROUNDS = 10
"""Applications that deploy Applications; more is no honest repository."""

_TOO_DEEP = (
    f"Objects that deploy objects were followed {_MOST_ROUNDS} times; what would come after that "
    "is not checked."
)


class WorkList:
    """What there is to render in a run."""

    def __init__(
        self,
        tree: WorkTree,
        around: Surroundings,
        spec: RenderSpec,
        sought: Sought,
        allowance: Allowance,
        shared: Shared,
    ) -> None:
        """Render nothing yet."""
        self._checkout = checkout = Checkout(tree)
        engines = Engines(spec.renderer, tree.root, spec.kubernetes("."))
        self._gitops = Gitops(tree, checkout, spec)
        self._renders = Renders(
            partial(Bench, tree, checkout, engines, sought, allowance),
            self._rendered,
            Cache(spec.cache),
            shared,
        )
        found = (
            *roots.charts(around.charts, spec, checkout.text),
            *roots.overlays(around.contents, around.kustomizations),
        )
        self._absent = tuple(each for each in found if isinstance(each, Missing))
        roots_ = [each for each in found if isinstance(each, Target)]
        reads = [checkout.needed(each.what) for each in roots_ if isinstance(each.what, Overlay)]
        self._held = frozenset(file for each in reads for file in each.files)
        inflated = {folder for each in reads for folder in each.charts}
        self._roots = tuple(
            each
            for each in roots_
            if each.variant or isinstance(each.what, Overlay) or each.folder not in inflated
        )

    def held(self) -> frozenset[str]:
        """The files that kustomizations hold which stand for themselves."""
        return self._held

    def work(self, plain: Mapping[str, Reading], before: Done = NOTHING_DONE) -> Done:
        """Render all that was not rendered before, round by round.

        `plain` are the files that are read as they are, by path.
        """
        done = list(before.outcomes)
        answers: list[Target | Missing | Notice] = []
        for _ in range(_MOST_ROUNDS):
            answers = [*_apart(self._gitops.asked(_live(plain, done)))]
            asked = [each for each in answers if isinstance(each, Target)]
            known = [*_among(asked, done)]
            known += self._renders.rendered(_unknown(asked, known))
            standing = [*self._standing(known)]
            known += _among(standing, done)
            known += self._renders.rendered(_unknown(standing, known))
            known = self._with_data(known, plain)
            same = {*map(id, known)} == {*map(id, done)}
            done = known
            if same:
                break
        else:
            answers.append(Notice(_TOO_DEEP, done[-1].target.file, done[-1].target.line))
        self._renders.keep_places()
        missing = (*self._absent, *(each for each in answers if isinstance(each, Missing)))
        return Done(
            tuple(done),
            missing,
            tuple(map(self._renders.bench.missing, missing)),
            (
                *(notice for outcome in done for notice in outcome.notices),
                *(each for each in answers if isinstance(each, Notice)),
            ),
            tuple(given_values(missing)),
        )

    def _standing(self, asked: Sequence[Outcome]) -> Iterator[Target]:
        """The roots that nothing asks for or holds, and those that the settings ask for."""
        deployed = {
            each.target.folder for each in asked if not isinstance(each.target.what, Folder)
        }
        held = {file for each in asked for file in each.inputs}
        for root in self._roots:
            if root.variant or (root.folder not in deployed and root.file not in held):
                yield root

    def _with_data(self, done: list[Outcome], plain: Mapping[str, Reading]) -> list[Outcome]:
        """The outcomes, rendered anew where something asks for data that was not kept."""
        if not any(each.withheld for each in done):
            return done
        named = self._gitops.names_of_data(_live(plain, done))
        short = [each.target for each in done if not named.isdisjoint(each.withheld)]
        whole = iter(self._renders.whole(short))
        return [each if named.isdisjoint(each.withheld) else next(whole) for each in done]

    def _rendered(self, targets: Sequence[Target], bench: Bench) -> Iterator[Outcome]:
        # Imported here: most runs find all that they need in the cache.
        if rendered := [each for each in targets if isinstance(each.what, Chart)]:
            from qoslint.render.charts import charts

            yield from charts(rendered, bench)
        if built := [each for each in targets if isinstance(each.what, Overlay)]:
            from qoslint.render.overlays import overlays

            yield from overlays(built, bench)
        if plain := [each for each in targets if isinstance(each.what, Folder)]:
            from qoslint.render.folders import folders

            yield from folders(plain, self._gitops.repository, bench)


def _apart(answers: Iterable[Target | Missing | Notice]) -> Iterator[Target | Missing | Notice]:
    """The answers; of targets that nothing tells apart only the first."""
    known: dict[str, Target] = {}
    for each in answers:
        if not isinstance(each, Target) or known.setdefault(each.id, each) is each:
            yield each
        elif known[each.id] != each:
            message = "something else is deployed by the same name from the same line, and only it"
            yield Missing(each.name, each.file, each.line, message)


def _among(targets: Iterable[Target], outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """The outcomes of the targets, as far as they are among these."""
    known = {each.target.id: each for each in outcomes}
    for target in targets:
        if target.id in known and known[target.id].target == target:
            yield known[target.id]


def _unknown(targets: Iterable[Target], outcomes: Iterable[Outcome]) -> Sequence[Target]:
    """The targets that have no outcome yet, of those that may have one."""
    known = {each.target.id for each in outcomes}
    return [each for each in targets if each.id not in known]


def _live(plain: Mapping[str, Reading], done: Iterable[Outcome]) -> list[Source]:
    """The texts that hold GitOps objects: files that nothing holds, and what was rendered."""
    held = {file for outcome in done for file in outcome.inputs}
    return [
        *(
            _source(reading)
            for path, reading in plain.items()
            if path not in held and asks(reading)
        ),
        *(
            source
            for outcome in done
            for source, reading in zip(outcome.sources, outcome.readings, strict=True)
            if asks(reading)
        ),
    ]


def _source(reading: Reading) -> Source:
    passed = reading.passed
    return passed[0].source if passed else reading.documents[0].source

"""The work list: what there is to render, and what that asks for in turn."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from qoslint.finding import Notice
from qoslint.render import roots
from qoslint.render.bench import Bench
from qoslint.render.charts import charts
from qoslint.render.checkout import Checkout
from qoslint.render.discovery import Done
from qoslint.render.engines import Engines
from qoslint.render.folders import folders
from qoslint.render.gitops import Gitops, asks
from qoslint.render.givenvalues import given_values
from qoslint.render.helm.records import Chart
from qoslint.render.kustomize.overlay import Overlay
from qoslint.render.overlays import needed, overlays
from qoslint.render.plain import Reading
from qoslint.render.renderspec import RenderSpec
from qoslint.render.surroundings import Surroundings
from qoslint.render.target import Folder, Missing, Outcome, Target
from qoslint.source.allowance import Allowance
from qoslint.source.document import Source
from qoslint.source.tree import WorkTree

_MOST_ROUNDS = 10
"""Applications that deploy Applications; more is no honest repository."""


class WorkList:
    """What there is to render in a run."""

    def __init__(
        self,
        tree: WorkTree,
        around: Surroundings,
        spec: RenderSpec,
        kinds: Container[str],
        allowance: Allowance,
    ) -> None:
        """Render nothing yet."""
        checkout = Checkout(tree)
        engines = Engines(spec.renderer, tree.root, spec.kubernetes("."))
        self._bench = Bench(tree, checkout, engines, kinds, allowance)
        self._gitops = Gitops(tree, checkout, spec)
        found = (
            *roots.charts(around.charts, spec, checkout.text),
            *roots.overlays(around.contents, around.kustomizations),
        )
        self._roots = tuple(each for each in found if isinstance(each, Target))
        self._absent = tuple(each for each in found if isinstance(each, Missing))

    def held(self) -> frozenset[str]:
        """The files that kustomizations hold which stand for themselves."""
        found = (
            needed(target.what, self._bench.checkout).files
            for target in self._roots
            if isinstance(target.what, Overlay)
        )
        return frozenset(file for files in found for file in files)

    def work(self, plain: Mapping[str, Reading]) -> Done:
        """Render all, round by round; `plain` are the files that are read as they are, by path."""
        done: list[Outcome] = []
        live = [_source(reading) for reading in plain.values() if asks(reading)]
        answers: list[Target | Missing | Notice] = []
        for _ in range(_MOST_ROUNDS):
            answers = list(self._gitops.asked(live))
            asked = [each for each in answers if isinstance(each, Target)]
            targets = [*asked, *self._standing(asked)]
            known = _by_name(done)
            new = [each for each in targets if each not in known.get(each.name, ())]
            if not new:
                break
            wanted = _by_name(Outcome(each) for each in targets)
            done = [each for each in done if each.target in wanted.get(each.target.name, ())]
            done += self._rendered(new)
            live = _live(plain, done)
        missing = (*self._absent, *(each for each in answers if isinstance(each, Missing)))
        return Done(
            tuple(done),
            missing,
            tuple(map(self._bench.missing, missing)),
            (
                *(notice for outcome in done for notice in outcome.notices),
                *(each for each in answers if isinstance(each, Notice)),
            ),
            tuple(given_values(missing)),
        )

    def _standing(self, asked: Iterable[Target]) -> Iterator[Target]:
        """The roots that nothing asks for, and those that the settings ask for."""
        deployed = {each.folder for each in asked if not isinstance(each.what, Folder)}
        return (root for root in self._roots if root.variant or root.folder not in deployed)

    def _rendered(self, targets: Sequence[Target]) -> Iterator[Outcome]:
        yield from charts([each for each in targets if isinstance(each.what, Chart)], self._bench)
        yield from overlays([e for e in targets if isinstance(e.what, Overlay)], self._bench)
        plain = [each for each in targets if isinstance(each.what, Folder)]
        if plain:
            yield from folders(plain, self._gitops.repository, self._bench)


def _by_name(outcomes: Iterable[Outcome]) -> Mapping[str, Sequence[Target]]:
    """Clusters may deploy different things by one name."""
    found: dict[str, list[Target]] = {}
    for outcome in outcomes:
        found.setdefault(outcome.target.name, []).append(outcome.target)
    return found


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

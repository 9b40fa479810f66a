"""The work list: what there is to render, and what that asks for in turn."""

from __future__ import annotations

from collections.abc import Container, Iterator

from qoslint.render import roots
from qoslint.render.checkout import Checkout
from qoslint.render.engines import Engines
from qoslint.render.rendering import Bench, render
from qoslint.render.renderspec import RenderSpec
from qoslint.render.surroundings import Surroundings
from qoslint.render.target import Outcome, Target
from qoslint.source.allowance import Allowance
from qoslint.source.tree import WorkTree


def outcomes(
    tree: WorkTree,
    around: Surroundings,
    spec: RenderSpec,
    kinds: Container[str],
    allowance: Allowance,
) -> tuple[Outcome, ...]:
    """What becomes of all that renders."""
    engines = Engines(spec.renderer, tree.root, spec.kubernetes("."))
    bench = Bench(tree, Checkout(tree), engines, kinds, allowance)
    return tuple(render(_roots(around, spec), bench))


def _roots(around: Surroundings, spec: RenderSpec) -> Iterator[Target]:
    yield from roots.charts(around.charts, spec.kubernetes)
    yield from roots.overlays(around.contents, around.kustomizations)

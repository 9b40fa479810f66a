"""Which programs render, as far as any is at hand."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from qoslint.render.helm import embedded
from qoslint.render.helm.records import Engine as Helm
from qoslint.render.kustomize.engine import Engine as Kustomize
from qoslint.render.kustomize.engine import NoEngine, Renderer, engine


class Engines:
    """Looked for when the first target needs them: most runs render nothing, or only one kind."""

    def __init__(self, renderer: Renderer, root: Path) -> None:
        """`root` is what is linted: no program below it is taken."""
        self._renderer = renderer
        self._root = root

    @cached_property
    def helm(self) -> Helm | NoEngine:
        """What renders charts."""
        return Helm("embedded", "4.2.3", embedded.command())

    @cached_property
    def kustomize(self) -> Kustomize | NoEngine:
        """What builds kustomizations."""
        return engine(self._renderer, self._root)

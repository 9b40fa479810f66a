"""Which programs render, as far as any is at hand."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from qoslint.render.helm import engine as helm
from qoslint.render.helm.records import Engine as Helm
from qoslint.render.kustomize import engine as kustomize
from qoslint.render.renderspec import Renderer


class Engines:
    """Looked for when the first target needs them: most runs render nothing, or only one kind."""

    def __init__(self, renderer: Renderer, root: Path) -> None:
        """`root` is what is linted: no program below it is taken."""
        # What renders nothing asks for none.
        self._renderer: helm.Renderer = "auto" if renderer == "none" else renderer
        self._root = root

    @cached_property
    def helm(self) -> Helm | str:
        """What renders charts, or a sentence that says why nothing does."""
        return helm.engine(self._renderer, self._root)

    @cached_property
    def kustomize(self) -> kustomize.Engine | str:
        """What builds kustomizations, or a sentence that says why nothing does."""
        return kustomize.engine(self._renderer, self._root)

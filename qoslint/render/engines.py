"""Which programs render, as far as any is at hand."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from functools import cached_property
from pathlib import Path

from qoslint.render.helm import installed
from qoslint.render.helm.records import Engine as Helm
from qoslint.render.kustomize import engine as kustomize
from qoslint.render.kustomize.helm_command import write_helm_command
from qoslint.render.renderspec import Renderer


class Engines:
    """Looked for when the first target needs them: most runs render nothing, or only one kind."""

    def __init__(self, renderer: Renderer, root: Path, kubernetes: str) -> None:
        """`root` is what is linted: no program below it is taken.

        `kubernetes` is the version that charts in kustomizations are told.
        """
        self.kubernetes = kubernetes
        # What renders nothing asks for none.
        self._renderer: kustomize.Renderer = "auto" if renderer == "none" else renderer
        self._root = root

    @cached_property
    def helm(self) -> Helm | str:
        """What renders charts, or a sentence that says why nothing does."""
        from qoslint.render.helm.engine import engine

        return engine(self._renderer, self._root)

    @cached_property
    def helm_command(self) -> Path | str:
        """What Kustomize starts to inflate charts, or a sentence that says why nothing does."""
        if isinstance(self.helm, str):
            return self.helm
        folder = Path(tempfile.mkdtemp(prefix="qoslint-helm-"))
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return write_helm_command(folder, self.helm, self.kubernetes)

    @cached_property
    def identity_of_helm(self) -> str:
        """What tells the Helm that would render from others; nothing is started for it."""
        return installed.identity(self._renderer, self._root)

    @cached_property
    def identity_of_kustomize(self) -> str:
        """What tells the program that would build from others; nothing is started for it."""
        return kustomize.identity(self._renderer, self._root)

    @cached_property
    def kustomize(self) -> kustomize.Engine | str:
        """What builds kustomizations, or a sentence that says why nothing does."""
        return kustomize.engine(self._renderer, self._root)

"""What the settings say about rendering."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from qoslint.render.kustomize.engine import Renderer

_KUBERNETES = "1.36"


class RenderSpec(NamedTuple):
    """How targets are rendered."""

    renderer: Renderer = "auto"
    kubernetes: Callable[[str], str] = lambda file: _KUBERNETES
    """The version that charts are told, of the cluster that a file belongs to."""


NO_SPEC = RenderSpec()

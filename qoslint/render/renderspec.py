"""What the settings say about rendering."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

_KUBERNETES = "1.36"

Renderer: TypeAlias = Literal["auto", "embedded", "path", "none"]
"""Which programs render: what is installed with qoslint first, only that, only what is on the PATH;
or nothing at all."""


class RenderSpec(NamedTuple):
    """How targets are rendered."""

    renderer: Renderer = "auto"
    kubernetes: Callable[[str], str] = lambda file: _KUBERNETES
    """The version that charts are told, of the cluster that a file belongs to."""
    remotes: Mapping[str, str] = MappingProxyType({})
    """Where the repository keeps a copy of what it takes from elsewhere: address to path."""


NO_SPEC = RenderSpec()

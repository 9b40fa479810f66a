"""What the settings say about rendering."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from qoslint.render.helm.records import Parameter

_KUBERNETES = "1.36"

Renderer: TypeAlias = Literal["auto", "embedded", "path", "none"]
"""Which programs render: what is installed with qoslint first, only that, only what is on the PATH;
or nothing at all."""


class Environment(NamedTuple):
    """One of the environments that a chart is rendered for."""

    name: str
    values: tuple[str, ...] = ()
    """Files with values, relative to the root; of several, a later one counts more."""
    parameters: tuple[Parameter, ...] = ()
    namespace: str | None = None
    release: str | None = None
    """The name of the release; by default that of the chart."""
    kubernetes: str | None = None
    """The version of the cluster that has the name of the environment, if there is one."""


class RenderSpec(NamedTuple):
    """How targets are rendered."""

    renderer: Renderer = "auto"
    kubernetes: Callable[[str], str] = lambda file: _KUBERNETES
    """The version that charts are told, of the cluster that a file belongs to."""
    remotes: Mapping[str, str] = MappingProxyType({})
    """Where the repository keeps a copy of what it takes from elsewhere: address to path."""
    charts: Mapping[str, tuple[Environment, ...]] = MappingProxyType({})
    """By folder the environments of charts, the root being empty."""
    cache: Path | None = None
    """The folder in which renders are kept from run to run."""


NO_SPEC = RenderSpec()

"""What the settings say of one cluster."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from qoslint.model.expect.intent import Expected
    from qoslint.model.injector import Injector
    from qoslint.model.node import NodeProfile


class ClusterSpec(NamedTuple):
    """A cluster before it is assembled.

    `paths` are files and folders relative to the settings' root, "." the root itself; what lies
    under `context` is resolved against and not linted. `charts` are the folders of charts that have
    an environment of the cluster's name: of all environments the cluster has that one, wherever the
    chart lies. `declared` is False for the one cluster
    that stands for a repository whose settings name none: it holds every file, may be split into
    variants, and may know less than the real cluster (`complete`).
    """

    name: str = "default"
    paths: tuple[str, ...] = (".",)
    context: tuple[str, ...] = ()
    kubernetes: str = "1.36"
    feature_gates: Mapping[str, bool] = MappingProxyType({})
    complete: bool = True
    namespace: str = "default"
    nodes: tuple[NodeProfile, ...] = ()
    injectors: tuple[Injector, ...] = ()
    declared: bool = True
    expected: tuple[Expected, ...] = ()
    charts: tuple[str, ...] = ()

    @property
    def reads(self) -> tuple[str, ...]:
        """What must be read for the cluster, whatever part of it is asked for."""
        return (*self.paths, *self.charts, *self.context) if self.declared else ()

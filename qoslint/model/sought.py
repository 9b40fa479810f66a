"""Which kinds a run looks for."""

from __future__ import annotations

from collections.abc import Iterable

from qoslint.model.clusterspec import ClusterSpec
from qoslint.model.kinds import Kinds
from qoslint.model.policies import POLICY_KINDS
from qoslint.render.discovery import DEPLOYING_KINDS
from qoslint.render.plain import Sought


def sought(kinds: Kinds, clusters: Iterable[ClusterSpec]) -> Sought:
    """The kinds that count, and with them what else is parsed.

    That is what deploys from the repository, what may change pods on their way, and where injectors
    look for sizes: an object that states none is told from one that is not there.
    """
    injectors = (injector for spec in clusters for injector in spec.injectors)
    of_sizes = {values.kind for injector in injectors for values in injector.values}
    policies = {kind for _, kind in POLICY_KINDS}
    return Sought(kinds.names, kinds.names | DEPLOYING_KINDS | policies | of_sizes)

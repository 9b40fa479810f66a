"""Rolling updates of Deployments: whether one needs room for more pods than there are.

`pkg/controller/deployment/util/deployment_util.go ResolveFenceposts`.
"""

from __future__ import annotations

from qoslint.model.intorpercent import scaled_value
from qoslint.model.objects import KubeObject, mapping
from qoslint.span import value_at

_DEFAULT = "25%"
_ROLLING: tuple[str, ...] = ("spec", "strategy", "rollingUpdate")


def needs_one_more(deployment: KubeObject, replicas: int) -> bool:
    """Whether no pod may be missing, so that a new one must run before an old one goes.

    False where the strategy is another one, or is not understood.
    """
    strategy = mapping(value_at(deployment.data, ("spec", "strategy")))
    if strategy.get("type", "RollingUpdate") != "RollingUpdate":
        return False
    rolling = mapping(value_at(deployment.data, _ROLLING))
    surge = scaled_value(rolling.get("maxSurge", _DEFAULT), replicas, round_up=True)
    missing = scaled_value(rolling.get("maxUnavailable", _DEFAULT), replicas, round_up=False)
    # Where both come to nothing, Kubernetes lets one be missing.
    return missing == 0 and surge is not None and surge > 0

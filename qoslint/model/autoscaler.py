"""VerticalPodAutoscalers: which workload one resizes, and how far.

Read as `vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1/types.go` defines it and
`pkg/utils/vpa/capping.go` and `api.go GetContainerResourcePolicy` use it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from qoslint.kernel.pod import CPU, MEMORY
from qoslint.kernel.quantity import Quantity, QuantityError, from_json
from qoslint.model.objects import KubeObject, mapping, sequence, text
from qoslint.span import Path, value_at

GROUP, KIND = "autoscaling.k8s.io", "VerticalPodAutoscaler"
IN_PLACE = "InPlaceOrRecreate"

_POLICIES: Path = ("spec", "resourcePolicy", "containerPolicies")
_UPDATING = frozenset({"Initial", "Recreate", "Auto", IN_PLACE})
_EVERY_CONTAINER = "*"


class ContainerPolicy(NamedTuple):
    """What an autoscaler may do with one container, or with all that have no policy."""

    path: Path = ()
    """Empty for what holds without a policy."""
    name: str = _EVERY_CONTAINER
    on: bool = True
    requests_only: bool = False
    resources: tuple[str, ...] = (CPU, MEMORY)
    """Whose requests it sets."""
    least: tuple[tuple[str, Quantity], ...] = ()
    most: tuple[tuple[str, Quantity], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Autoscaler:
    """A VerticalPodAutoscaler. `mode` is empty if it is not one that is known."""

    object: KubeObject
    mode: str
    target: tuple[str, str, str]
    """API group, empty if not given; kind; name."""
    policies: tuple[ContainerPolicy, ...]
    by_container: Mapping[str, ContainerPolicy]
    """The policies by name; of several for one name the last."""

    @property
    def updates(self) -> bool:
        """Whether it sets requests, rather than only recommend them."""
        return self.mode in _UPDATING

    def policy(self, container: str) -> ContainerPolicy:
        """The policy for a container: its own, or that for all, or the default."""
        named = self.by_container
        return named.get(container) or named.get(_EVERY_CONTAINER) or ContainerPolicy()


def read_autoscaler(obj: KubeObject) -> Autoscaler:
    """What the object says; what has another type than it should is taken as missing."""
    mode = value_at(obj.data, ("spec", "updatePolicy", "updateMode"))
    target = mapping(value_at(obj.data, ("spec", "targetRef")))
    group = text(target.get("apiVersion")).rpartition("/")[0]
    policies = tuple(
        _policy(mapping(item), (*_POLICIES, index))
        for index, item in enumerate(sequence(value_at(obj.data, _POLICIES)))
    )
    return Autoscaler(
        object=obj,
        mode="Auto" if mode is None else text(mode),
        target=(group, text(target.get("kind")), text(target.get("name"))),
        policies=policies,
        by_container={policy.name: policy for policy in policies},
    )


def _policy(data: object, path: Path) -> ContainerPolicy:
    item = mapping(data)
    listed = item.get("controlledResources")
    return ContainerPolicy(
        path=path,
        name=text(item.get("containerName")),
        on=item.get("mode") in (None, "Auto"),
        requests_only=item.get("controlledValues") == "RequestsOnly",
        resources=tuple(
            name for name in (CPU, MEMORY) if not isinstance(listed, list) or name in listed
        ),
        least=tuple(_amounts(item.get("minAllowed"))),
        most=tuple(_amounts(item.get("maxAllowed"))),
    )


def _amounts(data: object) -> Iterator[tuple[str, Quantity]]:
    for name, value in mapping(data).items():
        try:
            yield name, from_json(value)
        except QuantityError:
            continue

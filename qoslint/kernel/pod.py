"""A pod as the kernel computes with it: frozen, hashable, and free of names and positions.

Mirrors the fields of `PodSpec` in `staging/src/k8s.io/api/core/v1/types.go` that change what a
cluster does with a pod's resources. Two pods that a cluster would treat alike are one value.
"""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from enum import StrEnum
from typing import NamedTuple, TypeAlias, TypeVar, overload

from qoslint.kernel.quantity import Quantity

Path: TypeAlias = tuple[str | int, ...]
"""A way into a PodSpec's JSON: keys of objects and indexes of lists."""

CPU = "cpu"
MEMORY = "memory"
EPHEMERAL_STORAGE = "ephemeral-storage"
HUGEPAGES_PREFIX = "hugepages-"

SYSTEM_NODE_CRITICAL = "system-node-critical"
SYSTEM_CLUSTER_CRITICAL = "system-cluster-critical"
SYSTEM_CRITICAL_PRIORITY = 2_000_000_000
"""Pods of at least this priority are critical (`pkg/apis/scheduling/types.go`)."""

_T = TypeVar("_T")


class ResourceList(Mapping[str, Quantity]):
    """Quantities by resource name; immutable, hashable, sorted by name.

    Go's maps have no order; sorting makes every result here reproducible. Most of `Mapping` is
    written out: what it derives from three methods is several times slower.
    """

    __slots__ = ("_hash", "_items", "_rounded")

    def __init__(self, items: Mapping[str, Quantity] | Iterable[tuple[str, Quantity]] = ()) -> None:
        """Take a mapping or pairs; a later pair of the same name wins."""
        given = dict(items)
        self._items = dict(sorted(given.items())) if len(given) > 1 else given
        self._hash: int | None = None
        self._rounded = False

    def __getitem__(self, name: str) -> Quantity:
        """The quantity of a resource; KeyError if it is not named."""
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        """The resource names, sorted."""
        return iter(self._items)

    def __len__(self) -> int:
        """How many resources are named."""
        return len(self._items)

    def __contains__(self, name: object) -> bool:
        """Whether the resource is named, even with the value zero."""
        return name in self._items

    @overload
    def get(self, name: str, /) -> Quantity | None: ...
    @overload
    def get(self, name: str, /, default: Quantity | _T) -> Quantity | _T: ...
    def get(self, name: str, /, default: object = None) -> object:
        """The quantity of a resource; the default if it is not named."""
        return self._items.get(name, default)

    def keys(self) -> KeysView[str]:
        """The resource names, sorted."""
        return self._items.keys()

    def values(self) -> ValuesView[Quantity]:
        """The quantities, sorted by resource name."""
        return self._items.values()

    def items(self) -> ItemsView[str, Quantity]:
        """The names with their quantities, sorted by name."""
        return self._items.items()

    def __hash__(self) -> int:
        """Equal lists hash alike."""
        if self._hash is None:
            self._hash = hash(tuple(self._items.items()))
        return self._hash

    def __eq__(self, other: object) -> bool:
        """Whether both print alike; compare `nanos` to ask for equal values."""
        if not isinstance(other, ResourceList):
            return NotImplemented
        return self._items == other._items

    def __repr__(self) -> str:
        """The list as `ResourceList(cpu=250m)`."""
        inner = ", ".join(f"{name}={quantity}" for name, quantity in self._items.items())
        return f"ResourceList({inner})"

    def map(self, change: Callable[[Quantity], Quantity]) -> ResourceList:
        """This list with each quantity changed; itself if none is."""
        changed = {name: change(quantity) for name, quantity in self._items.items()}
        return self if changed == self._items else ResourceList(changed)

    def rounded_up(self) -> ResourceList:
        """Every entry rounded up to thousandths, as the API server stores it.

        `pkg/apis/core/v1/defaults.go SetDefaults_ResourceList`. A list remembers that it is.
        """
        if self._rounded:
            return self
        rounded = self.map(Quantity.round_up_milli)
        rounded._rounded = True
        return rounded

    def with_items(self, items: Mapping[str, Quantity]) -> ResourceList:
        """This list, with the entries of `items` on top."""
        return ResourceList((*self._items.items(), *items.items())) if items else self


NO_RESOURCES = ResourceList()


class ResourceClaim(NamedTuple):
    """An entry of `resources.claims`: the pod's claim and, optionally, one request of it."""

    name: str
    request: str = ""


class Resources(NamedTuple):
    """`resources` of a container or, at pod level, of the pod. Missing lists are empty."""

    requests: ResourceList = NO_RESOURCES
    limits: ResourceList = NO_RESOURCES
    claims: tuple[ResourceClaim, ...] = ()


class ContainerType(StrEnum):
    """What a container is: regular, plain init, or restartable init (sidecar)."""

    CONTAINER = "container"
    INIT = "init"
    SIDECAR = "sidecar"


class ResizePolicy(NamedTuple):
    """An entry of a container's `resizePolicy`."""

    resource_name: str
    restart_policy: str


class Container(NamedTuple):
    """A container of any type. `restart_policy` is its own field, not the pod's."""

    name: str
    type: ContainerType = ContainerType.CONTAINER
    resources: Resources = Resources()
    image: str = ""
    restart_policy: str | None = None
    resize_policy: tuple[ResizePolicy, ...] = ()
    protocols: tuple[str, ...] = ()
    """Of its ports; empty where one states none, which is TCP."""


class Toleration(NamedTuple):
    """An entry of `tolerations`; an empty key with `Exists` tolerates everything."""

    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""
    toleration_seconds: int | None = None


class NodeSelectorRequirement(NamedTuple):
    """One test of a node's labels or fields."""

    key: str
    operator: str
    values: tuple[str, ...] = ()


class NodeSelectorTerm(NamedTuple):
    """Requirements that must all hold; an empty term matches no node."""

    match_expressions: tuple[NodeSelectorRequirement, ...] = ()
    match_fields: tuple[NodeSelectorRequirement, ...] = ()


class Volume(NamedTuple):
    """A volume: its name, the key of its source (`emptyDir`), and an emptyDir's two fields."""

    name: str
    source: str
    medium: str = ""
    size_limit: Quantity | None = None


class Pod(NamedTuple):
    """The parts of a PodSpec, and of a pod's annotations, that change results."""

    containers: tuple[Container, ...]
    init_containers: tuple[Container, ...] = ()
    ephemeral_containers: tuple[str, ...] = ()
    """Names only: no pod can be created with them, and they have no resources of their own."""
    resources: Resources | None = None
    """Pod-level resources; None if the field is absent (an empty block is not None)."""
    overhead: ResourceList | None = None
    priority_class_name: str = ""
    priority: int | None = None
    preemption_policy: str | None = None
    runtime_class_name: str | None = None
    restart_policy: str = "Always"
    node_selector: tuple[tuple[str, str], ...] = ()
    """Labels and values, sorted by label."""
    tolerations: tuple[Toleration, ...] = ()
    required_node_affinity: tuple[NodeSelectorTerm, ...] | None = None
    """Terms of which one must match; None if no required node affinity is given."""
    cross_namespace_affinity: bool = False
    """Whether a pod (anti-)affinity term names other namespaces, which quota scopes select."""
    volumes: tuple[Volume, ...] = ()
    resource_claims: tuple[str, ...] = ()
    os: str | None = None
    termination_grace_period_seconds: int | None = None
    active_deadline_seconds: int | None = None
    node_name: str = ""
    static: bool = False
    """Read by the kubelet from a file or URL, not from the API server."""
    mirror: bool = False
    """The API server's copy of a static pod (annotation `kubernetes.io/config.mirror`)."""

    def containers_with_paths(self) -> Iterator[tuple[Path, Container]]:
        """Init containers, then containers, each with its path in the PodSpec."""
        for index, container in enumerate(self.init_containers):
            yield ("initContainers", index), container
        for index, container in enumerate(self.containers):
            yield ("containers", index), container


def is_critical_pod(pod: Pod) -> bool:
    """Whether node-pressure eviction leaves the pod alone.

    `pkg/kubelet/types/pod_update.go IsCriticalPod`, since v1.10.
    """
    high = pod.priority is not None and pod.priority >= SYSTEM_CRITICAL_PRIORITY
    return pod.static or pod.mirror or high


def is_node_critical_pod(pod: Pod) -> bool:
    """Whether the kernel is told to spare the pod's containers whatever their class.

    `pkg/kubelet/types/pod_update.go IsNodeCriticalPod`, since v1.17.
    """
    return is_critical_pod(pod) and pod.priority_class_name == SYSTEM_NODE_CRITICAL


def is_hugepage(name: str) -> bool:
    """Whether a resource name is a size of huge pages.

    `pkg/apis/core/v1/helper/helpers.go IsHugePageResourceName`, since v1.8.
    """
    return name.startswith(HUGEPAGES_PREFIX)

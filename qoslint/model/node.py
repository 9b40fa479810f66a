"""A node profile: what a kind of node has, and the Kubernetes version of its kubelet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from qoslint.errors import nearest
from qoslint.finding import Place
from qoslint.kernel.features import SUPPORTED, Version
from qoslint.kernel.pod import MEMORY, ResourceList
from qoslint.kernel.quantity import Quantity, QuantityError, from_json
from qoslint.kernel.signals import Filesystems
from qoslint.kernel.taints import Taint
from qoslint.model.disks import DISKS, ON_IMAGEFS
from qoslint.model.podselector import PodSelector, pod_selector
from qoslint.model.setting import Setting, frozen, settings_at
from qoslint.schema import Json
from qoslint.span import Path

# The kubelet counts bytes in an int64.
_MEMORY_BOUND_NANOS = 2**63 * 10**9


NO_PROFILE = (
    "list `nodes` for the cluster in .qoslint.yaml, for example `nodes: [eks/m5.large]`; "
    "`qoslint nodes --presets` lists what is shipped, and `kubectl get nodes -o json | qoslint "
    "nodes --from -` prints the profiles of a cluster"
)
"""What to do where no profile is known."""


class ProfileError(ValueError):
    """A value of a profile that cannot be; the message reads on from the path of the value."""

    def __init__(self, path: Path, message: str) -> None:
        """Name the value by its path in the profile."""
        super().__init__(message)
        self.path = path
        self.message = message


class Approximation(NamedTuple):
    """That nodes of a kind differ in their memory, from the capacity of the profile upwards."""

    source: str
    """Whose numbers they are, as an address with a version or date."""
    memory: Quantity
    """The most memory that such a node has."""


@dataclass(frozen=True, slots=True)
class NodeProfile:
    """A kind of node. Profiles that differ only in their place are equal."""

    name: str
    version: Version
    """Version of the kubelet: it governs scores, the cluster's version what the API server does."""
    capacity: ResourceList
    """What the node has in all; memory is always named and more than zero.

    Of an `approximate` profile it is the least that such a node has: the worst case.
    """
    place: Place = field(compare=False)
    os: str = "linux"
    cgroup: str = "v2"
    labels: Mapping[str, str] = field(default_factory=dict, hash=False)
    taints: tuple[Taint, ...] = ()
    kubelet: Mapping[str, Setting] = field(default_factory=dict, hash=False)
    """Fields of the KubeletConfiguration that are set, by name."""
    filesystems: Filesystems = Filesystems.NODEFS
    disks: ResourceList = field(default_factory=ResourceList, hash=False)
    """What a node does not report: `inodes` of its nodefs, bytes and inodes of its imagefs."""
    daemons: ResourceList = field(default_factory=ResourceList, hash=False)
    """What is used outside of pods, by the names of `capacity` and `disks`: images count too."""
    pods: tuple[PodSelector, ...] = ()
    """Which pods share one such node; empty if the profile does not say."""
    approximate: Approximation | None = None
    count: int | None = None
    """How many nodes are of this kind; None if the profile does not say."""

    @property
    def memory_bytes(self) -> int:
        """The memory capacity in bytes, fractions rounded up as the kubelet does."""
        return self.capacity[MEMORY].value()

    @property
    def most_memory_bytes(self) -> int:
        """The memory capacity of the largest such node; `memory_bytes` if all are alike."""
        most = self.approximate
        return self.memory_bytes if most is None else most.memory.value()


def supported_version(text: str) -> Version:
    """The Kubernetes version that the text names, as people or nodes write it.

    Raises ValueError, which names the supported ones, for any other.
    """
    version = Version.parse(text)
    if version not in SUPPORTED:
        raise ValueError(f"must be Kubernetes {SUPPORTED[0]} to {SUPPORTED[-1]}, not {text!r}")
    return version


def node_profile(
    data: Mapping[str, Json],
    version: Version,
    place: Place,
    below: Mapping[str, Setting] = MappingProxyType({}),
) -> NodeProfile:
    """The profile that `data`, valid by the node-profile schema, states.

    `version` is that of a profile which names none; settings of the kubelet that stand elsewhere
    come from `below` where the profile has no field of that name. Raises ProfileError.
    """
    stated = dict(_quantities(data["capacity"], "capacity"))
    capacity = ResourceList({name: stated[name] for name in stated if name not in DISKS})
    if capacity[MEMORY].nanos == 0:
        raise ProfileError(("capacity", MEMORY), "must be more than zero")
    daemons = ResourceList(_quantities(data.get("daemons", {}), "daemons"))
    filesystems = Filesystems(data.get("filesystems", Filesystems.NODEFS))
    _check_imagefs(filesystems, {"capacity": stated, "daemons": daemons})
    for name, quantity in daemons.items():
        if name in stated and quantity.nanos > stated[name].nanos:
            has = f"{data['capacity'][name]!r} that the node has"
            raise ProfileError(("daemons", name), f"must be at most the {has}")
    _check_fields(data.get("kubelet", {}))
    own = settings_at(place, data.get("kubelet", {}), "kubelet")
    return NodeProfile(
        name=data["name"],
        version=_version(data["version"]) if "version" in data else version,
        capacity=capacity,
        place=place,
        os=data.get("os", "linux"),
        cgroup=data.get("cgroup", "v2"),
        labels=frozen(data.get("labels", {})),
        taints=tuple(Taint(**taint) for taint in data.get("taints", ())),
        kubelet=MappingProxyType({**below, **own}),
        filesystems=filesystems,
        disks=ResourceList({name: stated[name] for name in stated if name in DISKS}),
        daemons=daemons,
        pods=tuple(pod_selector(entry) for entry in data.get("pods", ())),
        approximate=_approximation(data, capacity) if "approximate" in data else None,
        count=data.get("count"),
    )


def _check_imagefs(filesystems: Filesystems, stated: Mapping[str, Mapping[str, Quantity]]) -> None:
    if filesystems is not Filesystems.NODEFS:
        return
    for part, amounts in stated.items():
        for name in amounts:
            if name in ON_IMAGEFS:
                raise ProfileError(
                    (part, name),
                    "needs `filesystems: imagefs` or `filesystems: split`: else images lie beside "
                    "the files of the kubelet, whose sizes are ephemeral-storage and inodes",
                )


def _check_fields(kubelet: Mapping[str, Json]) -> None:
    if not kubelet:
        return
    from qoslint.kernel.kubeletdecode import KUBELET_FIELDS

    for name in kubelet:
        if name not in KUBELET_FIELDS:
            hint = nearest(name, KUBELET_FIELDS)
            raise ProfileError(("kubelet", name), f"is no field of a KubeletConfiguration{hint}")


def _version(text: str) -> Version:
    try:
        return supported_version(text)
    except ValueError as error:
        raise ProfileError(("version",), str(error)) from error


def _approximation(data: Mapping[str, Json], capacity: ResourceList) -> Approximation:
    stated = data["approximate"]
    memory = dict(_quantities({MEMORY: stated[MEMORY]}, "approximate"))[MEMORY]
    if memory.nanos < capacity[MEMORY].nanos:
        least = f"the least memory, {data['capacity'][MEMORY]!r} in capacity"
        raise ProfileError(("approximate", MEMORY), f"must be at least {least}")
    return Approximation(stated["source"], memory)


def _quantities(data: Mapping[str, object], field: str) -> Iterator[tuple[str, Quantity]]:
    for name, value in data.items():
        path: Path = (field, name)
        try:
            quantity = from_json(value)
        except QuantityError as error:
            raise ProfileError(path, f"is no quantity: {error}") from error
        if quantity.nanos < 0:
            raise ProfileError(path, f"must not be negative, not {value!r}")
        if name == MEMORY and quantity.nanos >= _MEMORY_BOUND_NANOS:
            raise ProfileError(path, f"must be less than 8Ei, not {value!r}")
        yield name, quantity

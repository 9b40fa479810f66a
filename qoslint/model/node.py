"""A node profile: what a kind of node has, and the Kubernetes version of its kubelet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from qoslint.finding import Place
from qoslint.kernel.features import SUPPORTED, Version
from qoslint.kernel.pod import MEMORY, ResourceList
from qoslint.kernel.quantity import Quantity, QuantityError, from_json
from qoslint.schema import Json
from qoslint.span import Path

# The kubelet counts bytes in an int64.
_MEMORY_BOUND_NANOS = 2**63 * 10**9


class ProfileError(ValueError):
    """A value of a profile that cannot be; the message reads on from the path of the value."""

    def __init__(self, path: Path, message: str) -> None:
        """Name the value by its path in the profile."""
        super().__init__(message)
        self.path = path
        self.message = message


class Taint(NamedTuple):
    """A taint of a node; the value may be empty."""

    key: str
    effect: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class NodeProfile:
    """A kind of node. Profiles that differ only in their place are equal."""

    name: str
    version: Version
    """Version of the kubelet: it governs scores, the cluster's version what the API server does."""
    capacity: ResourceList
    """What the node has in all; memory is always named and more than zero."""
    place: Place = field(compare=False)
    os: str = "linux"
    cgroup: str = "v2"
    labels: Mapping[str, str] = field(default_factory=dict, hash=False)
    taints: tuple[Taint, ...] = ()
    kubelet: Mapping[str, object] = field(default_factory=dict, hash=False)
    """Fields of the KubeletConfiguration that the profile states."""
    kubelet_config: str | None = None
    """The path of a file that holds them, as the profile names it."""
    count: int | None = None
    """How many nodes are of this kind; None if the profile does not say."""

    @property
    def memory_bytes(self) -> int:
        """The memory capacity in bytes, fractions rounded up as the kubelet does."""
        return self.capacity[MEMORY].value()


def supported_version(text: str) -> Version:
    """The Kubernetes version that the text names, as people or nodes write it.

    Raises ValueError, which names the supported ones, for any other.
    """
    version = Version.parse(text)
    if version not in SUPPORTED:
        raise ValueError(f"must be Kubernetes {SUPPORTED[0]} to {SUPPORTED[-1]}, not {text!r}")
    return version


def node_profile(data: Mapping[str, Json], version: Version, place: Place) -> NodeProfile:
    """The profile that `data`, valid by the node-profile schema, states.

    `version` is that of a profile which names none. Raises ProfileError.
    """
    return NodeProfile(
        name=data["name"],
        version=_version(data["version"]) if "version" in data else version,
        capacity=ResourceList(_capacity(data["capacity"])),
        place=place,
        os=data.get("os", "linux"),
        cgroup=data.get("cgroup", "v2"),
        labels=frozen(data.get("labels", {})),
        taints=tuple(Taint(**taint) for taint in data.get("taints", ())),
        kubelet=frozen(data.get("kubelet", {})),
        kubelet_config=data.get("kubeletConfig"),
        count=data.get("count"),
    )


def frozen(value: Json) -> Json:
    """The JSON value with its lists as tuples and its mappings read-only."""
    if isinstance(value, dict):
        return MappingProxyType({key: frozen(item) for key, item in value.items()})
    if isinstance(value, list):
        return tuple(frozen(item) for item in value)
    return value


def _version(text: str) -> Version:
    try:
        return supported_version(text)
    except ValueError as error:
        raise ProfileError(("version",), str(error)) from error


def _capacity(data: Mapping[str, object]) -> Iterator[tuple[str, Quantity]]:
    for name, value in data.items():
        path: Path = ("capacity", name)
        try:
            quantity = from_json(value)
        except QuantityError as error:
            raise ProfileError(path, f"is no quantity: {error}") from error
        if quantity.nanos < 0:
            raise ProfileError(path, f"must not be negative, not {value!r}")
        if name == MEMORY and quantity.nanos == 0:
            raise ProfileError(path, "must be more than zero")
        if name == MEMORY and quantity.nanos >= _MEMORY_BOUND_NANOS:
            raise ProfileError(path, f"must be less than 8Ei, not {value!r}")
        yield name, quantity

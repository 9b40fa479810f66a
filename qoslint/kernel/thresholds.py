"""Eviction thresholds: their defaults, how they are read, and what they mean for a capacity.

Mirrors `pkg/kubelet/eviction/helpers.go` ParseThresholdConfig and UpdateContainerFsThresholds, and
`pkg/kubelet/eviction/api/types.go` (unchanged in v1.31 to v1.36).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from qoslint.kernel.amount import MAX_INT64, MIN_INT64
from qoslint.kernel.duration import parse_duration
from qoslint.kernel.features import Features
from qoslint.kernel.float32 import divide_float32, parse_float32
from qoslint.kernel.quantity import Format, Quantity, new_quantity, parse
from qoslint.kernel.signals import Filesystems, Signal

PODS_ENFORCEMENT = "pods"
"""The entry of enforceNodeAllocatable that limits the pods' cgroup."""

_NODE_FS = (Signal.NODEFS, Signal.NODEFS_INODES)
_IMAGE_FS = (Signal.IMAGEFS, Signal.IMAGEFS_INODES)
_CONTAINER_FS = (Signal.CONTAINERFS, Signal.CONTAINERFS_INODES)
_NOTHING: Mapping[str, str] = MappingProxyType({})
_DEFAULT_EVICTION_HARD: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "linux": MappingProxyType(
            {
                "memory.available": "100Mi",
                "nodefs.available": "10%",
                "nodefs.inodesFree": "5%",
                "imagefs.available": "15%",
                "imagefs.inodesFree": "5%",
            }
        ),
        "windows": MappingProxyType(
            {
                "memory.available": "500Mi",
                "nodefs.available": "10%",
                "imagefs.available": "15%",
            }
        ),
    }
)
_T = TypeVar("_T")


class KubeletStartError(ValueError):
    """A kubelet does not start with what it was configured with.

    Go reads a map in no fixed order: each of the messages can be the one that it gives.
    """

    def __init__(self, messages: Iterable[str]) -> None:
        """The kubelet's own messages, in any order."""
        self.messages = tuple(sorted(set(messages)))
        super().__init__("; ".join(self.messages))


class ThresholdValue(NamedTuple):
    """A quantity, or the share of the capacity: a float32, of which 1 is all."""

    quantity: Quantity | None = None
    percentage: float = 0.0


class Threshold(NamedTuple):
    """Met when less than `value` is available; a grace period of 0 makes it a hard one."""

    signal: Signal
    value: ThresholdValue
    grace_period: int = 0
    """Nanoseconds."""
    min_reclaim: ThresholdValue | None = None

    @property
    def hard(self) -> bool:
        """Whether it evicts at once, wherever it was configured (`isHardEvictionThreshold`)."""
        return self.grace_period == 0

    def resolved(self, capacity: int) -> Quantity:
        """The bytes or the number that must be available, of a capacity."""
        return threshold_quantity(self.value, capacity)


def default_eviction_hard(os: str) -> Mapping[str, str]:
    """The hard thresholds of a kubelet that is given none.

    `pkg/kubelet/eviction/defaults_{linux,windows}.go`; `imagefs.inodesFree` since v1.30.
    """
    return _DEFAULT_EVICTION_HARD[os]


def effective_eviction_hard(
    given: Mapping[str, str] | None, merge_defaults: bool, os: str, features: Features
) -> Mapping[str, str]:
    """The hard thresholds that are in force: any that is given makes the defaults vanish.

    Unless mergeDefaultEvictionSettings keeps those of the other signals (since v1.33).
    """
    if given is None:
        return default_eviction_hard(os)
    if merge_defaults and features.since(33):
        return {**default_eviction_hard(os), **given}
    return given


def threshold_quantity(value: ThresholdValue, capacity: int) -> Quantity:
    """What a value means for a capacity (`api/types.go GetThresholdQuantity`).

    A share is computed in float64 from a float32, whose noise shows: 10% of 100Gi is 10737418400.
    """
    if value.quantity is not None:
        return value.quantity
    product = float(capacity) * value.percentage
    return new_quantity(_int64(product), Format.BINARY_SI)


def _int64(value: float) -> int:
    # What Go leaves of a float that no int64 holds, on amd64.
    return int(value) if abs(value) <= MAX_INT64 else MIN_INT64


def parse_threshold_config(
    eviction_hard: Mapping[str, str],
    eviction_soft: Mapping[str, str] = _NOTHING,
    grace_periods: Mapping[str, str] = _NOTHING,
    minimum_reclaims: Mapping[str, str] = _NOTHING,
    enforce_node_allocatable: Iterable[str] = (),
) -> tuple[Threshold, ...]:
    """The thresholds of a kubelet, hard ones first; KubeletStartError if it would not start."""
    hard = _parsed(eviction_hard, _parse_threshold_value)
    soft = _parsed(eviction_soft, _parse_threshold_value)
    graces = _parsed(grace_periods, _parse_grace_period)
    reclaims = _parsed(minimum_reclaims, _parse_minimum_reclaim)
    missing = [signal for signal, value in soft.items() if value and signal not in graces]
    if missing:
        text = "grace period must be specified for the soft eviction threshold"
        raise KubeletStartError(f"{text} {signal}" for signal in missing)
    thresholds = (
        *(Threshold(s, value, 0, reclaims.get(s)) for s, value in hard.items() if value),
        *(Threshold(s, value, graces[s], reclaims.get(s)) for s, value in soft.items() if value),
    )
    if PODS_ENFORCEMENT in enforce_node_allocatable:
        return add_allocatable_thresholds(thresholds)
    return thresholds


def _parsed(
    statements: Mapping[str, str], parse_value: Callable[[Signal, str], _T]
) -> dict[Signal, _T]:
    values, messages = {}, []
    for name, text in sorted(statements.items()):
        try:
            signal = _signal(name)
            values[signal] = parse_value(signal, text)
        except ValueError as error:
            messages.append(str(error))
    if messages:
        raise KubeletStartError(messages)
    return values


def _signal(name: str) -> Signal:
    try:
        return Signal(name)
    except ValueError:
        raise ValueError(f"unsupported eviction signal {name}") from None


def _parse_threshold_value(signal: Signal, text: str) -> ThresholdValue | None:
    """The value, or None for the two texts that switch a threshold off."""
    if text in ("0%", "100%"):
        return None
    if text.endswith("%"):
        percentage = _parse_percentage(text)
        if percentage < 0:
            raise ValueError(f"eviction percentage threshold {signal} must be >= 0%: {text}")
        if percentage > 1:
            raise ValueError(f"eviction percentage threshold {signal} must be <= 100%: {text}")
        return ThresholdValue(percentage=percentage)
    quantity = parse(text)
    if quantity.sign <= 0:
        raise ValueError(f"eviction threshold {signal} must be positive: {quantity}")
    return ThresholdValue(quantity)


def _parse_percentage(text: str) -> float:
    return divide_float32(parse_float32(text.rstrip("%")), 100)


def _parse_grace_period(_: Signal, text: str) -> int:
    period = parse_duration(text)
    if period < 0:
        raise ValueError(
            f"invalid eviction grace period specified: {text}, must be a positive value"
        )
    return period


def _parse_minimum_reclaim(signal: Signal, text: str) -> ThresholdValue:
    if text.endswith("%"):
        percentage = _parse_percentage(text)
        if percentage <= 0:
            raise ValueError(
                f"eviction percentage minimum reclaim {signal} must be positive: {text}"
            )
        return ThresholdValue(percentage=percentage)
    quantity = parse(text)
    if quantity.sign < 0:
        raise ValueError(f"negative eviction minimum reclaim specified for {signal}")
    return ThresholdValue(quantity)


def add_allocatable_thresholds(thresholds: tuple[Threshold, ...]) -> tuple[Threshold, ...]:
    """The thresholds, and for the pods' cgroup those that are hard for the node's memory.

    A share is then one of the cgroup's limit, not of the node's memory.
    """
    copies = (
        Threshold(Signal.ALLOCATABLE_MEMORY, each.value, 0, each.min_reclaim)
        for each in thresholds
        if each.signal is Signal.MEMORY and each.hard
    )
    return (*thresholds, *copies)


def update_container_fs_thresholds(
    thresholds: Iterable[Threshold], filesystems: Filesystems
) -> tuple[Threshold, ...]:
    """The thresholds with those of containerfs, which nobody can choose (since v1.29).

    They are those of the filesystem that holds the writable layers. What the kubelet was given
    for containerfs is dropped: it only logs a line.
    """
    kept = tuple(each for each in thresholds if each.signal not in _CONTAINER_FS)
    sources = _IMAGE_FS if filesystems is Filesystems.IMAGEFS else _NODE_FS
    copies = (
        each
        for signal, source in zip(_CONTAINER_FS, sources, strict=True)
        for each in _copied(kept, source, signal)
    )
    return (*kept, *copies)


def _copied(
    thresholds: tuple[Threshold, ...], source: Signal, signal: Signal
) -> Iterator[Threshold]:
    """The hard and the soft threshold of a signal for another one.

    Of two hard ones, which a soft one without grace makes, the kubelet copies the later.
    """
    for hard in (True, False):
        found = [each for each in thresholds if each.signal is source and each.hard is hard]
        if found:
            yield found[-1]._replace(signal=signal)

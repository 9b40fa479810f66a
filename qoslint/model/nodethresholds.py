"""Where the eviction thresholds of a kubelet come from: what somebody set, or a default."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from qoslint.kernel.signals import Filesystems, Signal

if TYPE_CHECKING:  # a run without nodes need not import what starts kubelets
    from qoslint.kernel.thresholds import Threshold
    from qoslint.model.kubelet import Kubelet

EVICTION_HARD = "evictionHard"
EVICTION_SOFT = "evictionSoft"
_IMAGE_FS = {Signal.NODEFS: Signal.IMAGEFS, Signal.NODEFS_INODES: Signal.IMAGEFS_INODES}
_CONTAINER_FS = {
    Signal.CONTAINERFS: Signal.NODEFS,
    Signal.CONTAINERFS_INODES: Signal.NODEFS_INODES,
}


class Reason(StrEnum):
    """Why a threshold is in force."""

    SET = "set"
    DEFAULT = "default"
    """Nothing is set, so that all defaults of the version and system hold."""
    MERGED = "merged"
    """A default that mergeDefaultEvictionSettings keeps beside what is set (since v1.33)."""


class ConfiguredText(NamedTuple):
    """A threshold as text: as it was written, or as the default is."""

    text: str
    field: str
    """`evictionHard` or `evictionSoft`."""
    signal: Signal
    """The signal that it stands at: another one for a threshold that the kubelet derives."""


def configured_text(threshold: Threshold, kubelet: Kubelet) -> ConfiguredText:
    """The text that a threshold in force was read from.

    A soft threshold without grace is a hard one, so that its text may stand in either field.
    """
    from qoslint.kernel.thresholds import parse_threshold_config

    signal = source_signal(threshold.signal, kubelet.node.filesystems)
    fields = {
        EVICTION_HARD: kubelet.resources.eviction_hard,
        EVICTION_SOFT: kubelet.configuration.eviction_soft,
    }
    order = (EVICTION_HARD, EVICTION_SOFT) if threshold.hard else (EVICTION_SOFT, EVICTION_HARD)
    for field in order:
        text = fields[field].get(signal)
        if text and any(
            each.value == threshold.value for each in parse_threshold_config({signal: text})
        ):
            return ConfiguredText(text, field, signal)
    raise AssertionError("every threshold was read from a text")


def source_signal(signal: Signal, filesystems: Filesystems) -> Signal:
    """The signal whose threshold counts: those of containerfs and of the pods' cgroup are copies.

    `helpers.go UpdateContainerFsThresholds` and `addAllocatableThresholds`.
    """
    if signal is Signal.ALLOCATABLE_MEMORY:
        return Signal.MEMORY
    source = _CONTAINER_FS.get(signal, signal)
    if signal in _CONTAINER_FS and filesystems is Filesystems.IMAGEFS:
        return _IMAGE_FS[source]
    return source


def reason(configured: ConfiguredText, kubelet: Kubelet) -> Reason:
    """Why the threshold is in force."""
    stated = kubelet.configuration.eviction_hard
    if configured.field == EVICTION_SOFT:
        return Reason.SET
    if stated is None:
        return Reason.DEFAULT
    return Reason.SET if configured.signal in stated else Reason.MERGED

"""Thresholds of the eviction loop."""

from __future__ import annotations

from typing import NamedTuple

from qoslint.kernel.quantity import Format, Quantity, new_quantity
from qoslint.kernel.signals import Signal


class ThresholdValue(NamedTuple):
    """A quantity, or a share of the capacity as float32."""

    quantity: Quantity | None = None
    percentage: float = 0.0


class Threshold(NamedTuple):
    """Met when less than `value` is available; a grace period of 0 makes it a hard one."""

    signal: Signal
    value: ThresholdValue
    grace_period: int = 0
    """Nanoseconds."""
    min_reclaim: ThresholdValue | None = None


def threshold_quantity(value: ThresholdValue, capacity: int) -> Quantity:
    """What a value means for a capacity.

    `pkg/kubelet/eviction/api/types.go GetThresholdQuantity`.
    """
    if value.quantity is not None:
        return value.quantity
    return new_quantity(int(float(capacity) * value.percentage), Format.BINARY_SI)

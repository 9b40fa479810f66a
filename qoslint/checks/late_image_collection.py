"""QOS606: disk pressure comes before unused images are collected."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.kernel.signals import Signal
from qoslint.model.nodeconfiguration import NodeConfiguration

_HIGH = "imageGCHighThresholdPercent"
_ALL = 100
_UNIT = 1_000_000
"""A capacity to compare percentages by: fine enough, and too coarse for the noise of a float32."""


def check_node(node: NodeConfiguration) -> Iterator[Problem]:
    """One problem for each threshold of imagefs that is met before images are collected."""
    given = node.configuration
    if given is None or node.refusals or not (node.is_whole or _HIGH in node.fields):
        return
    high = given.image_gc_high_threshold_percent
    if high == _ALL:  # images are then only collected under pressure
        return
    for each in node.thresholds:
        field = "evictionHard" if each.hard else "evictionSoft"
        is_written = bool(node.written(field, each.signal))
        if each.signal is not Signal.IMAGEFS or not (is_written or node.is_whole):
            continue
        size = _UNIT if each.value.quantity is None else node.capacity(each.signal)
        if size is None or each.resolved(size).value() * _ALL <= size * (_ALL - high):
            continue
        text = node.written(field, each.signal) or f"the default {node.default(each.signal)}"
        yield Problem(
            node.at(field, each.signal) if is_written else node.at(_HIGH),
            f"{OBJECT} collects unused images when their disk is {high}% full, and is under disk "
            f"pressure before that, when less than {text} of {each.signal} is left: the node is "
            "tainted, and pods may be evicted.",
        )

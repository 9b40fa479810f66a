"""QOS603: no kubelet starts with it, or the thresholds are not what they were meant to be."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem, Severity
from qoslint.model.nodeconfiguration import NodeConfiguration, SoftThreshold

_HALF = 0.5


def check_node(node: NodeConfiguration) -> Iterator[Problem]:
    """One problem for each message of the kubelet; else for each threshold that makes no sense."""
    version = node.features.version
    for refusal in node.refusals:
        yield Problem(
            refusal.place,
            f"No kubelet of Kubernetes {version} starts with {OBJECT}: {refusal.message}",
        )
    if not node.refusals:
        yield from _most_of_the_machine(node)
        yield from _late(node)


def _most_of_the_machine(node: NodeConfiguration) -> Iterator[Problem]:
    for field, threshold in node.written_thresholds():
        share = threshold.value.percentage
        if threshold.value.quantity is None and share > _HALF:
            signal = threshold.signal
            text = node.written(field, signal)
            yield Problem(
                node.at(field, signal),
                f"{field} of {OBJECT} is met when less than {text} of {signal} is left, and not "
                "when that much is used: a node in ordinary use is under pressure all the time.",
                severity=Severity.WARNING,
            )


def _late(node: NodeConfiguration) -> Iterator[Problem]:
    for each in node.soft_thresholds():
        if _is_late(node, each):
            yield Problem(
                node.at("evictionSoft", each.soft.signal),
                f"The soft threshold {node.written('evictionSoft', each.soft.signal)} for "
                f"{each.soft.signal} of {OBJECT} is not above the hard one, {each.hard_text}: the "
                "hard one is met first, and evicts without the grace of the soft one.",
                severity=Severity.WARNING,
            )


def _is_late(node: NodeConfiguration, each: SoftThreshold) -> bool:
    """Whether it is known that the hard threshold is met first or at the same time."""
    soft, hard = each.soft.value, each.hard.value
    if soft.quantity is not None and hard.quantity is not None:
        return soft.quantity.nanos <= hard.quantity.nanos
    if soft.quantity is None and hard.quantity is None:
        return soft.percentage <= hard.percentage
    capacity = node.capacity(each.soft.signal)
    if capacity is None:
        return False
    return each.soft.resolved(capacity).nanos <= each.hard.resolved(capacity).nanos

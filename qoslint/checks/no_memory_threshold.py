"""QOS602: nothing makes the kubelet evict pods for memory."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.kernel.signals import Signal
from qoslint.model.nodeconfiguration import NodeConfiguration


def check_node(node: NodeConfiguration) -> Iterator[Problem]:
    """One problem if the written evictionHard leaves memory without a threshold."""
    given = node.given_eviction_hard
    if given is None or node.resources is None or node.resources.configured_thresholds is None:
        return
    if any(each.signal is Signal.MEMORY for each in node.thresholds):
        return
    place = node.at("evictionHard", *([Signal.MEMORY] if Signal.MEMORY in given else []))
    why = (
        f"switches {Signal.MEMORY} off"
        if Signal.MEMORY in given
        else f"has no {Signal.MEMORY}, and with any entry the defaults no longer apply"
    )
    yield Problem(
        place,
        f"evictionHard of {OBJECT} {why}: the kubelet never evicts for memory. When memory runs "
        "out, the kernel kills by oom_score_adj and size, whatever the priorities of pods.",
        edits=node.restoring([Signal.MEMORY]),
    )

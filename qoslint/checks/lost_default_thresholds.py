"""QOS601: a partial evictionHard takes the other default thresholds away."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.kernel.signals import Filesystems, Signal
from qoslint.model.nodeconfiguration import NodeConfiguration
from qoslint.model.wording import listing

_SAME_DISK = {
    Signal.IMAGEFS: Signal.NODEFS,
    Signal.IMAGEFS_INODES: Signal.NODEFS_INODES,
}
_MERGE = "mergeDefaultEvictionSettings"


def check_node(node: NodeConfiguration) -> Iterator[Problem]:
    """One problem that lists the signals without the threshold that they have by default."""
    given = node.given_eviction_hard
    if given is None:
        return
    shared = node.kubelet is None or node.kubelet.node.filesystems is Filesystems.NODEFS
    lost = {
        signal: value
        for signal, value in node.lost_defaults().items()
        if signal != Signal.MEMORY and not (shared and _SAME_DISK.get(Signal(signal)) in given)
    }
    if not lost:
        return
    merging = node.configuration is not None and node.configuration.merge_default_eviction_settings
    signals = listing(f"{signal} ({value})" for signal, value in lost.items())
    ignored = f" Kubernetes {node.features.version} does not know {_MERGE}." if merging else ""
    yield Problem(
        node.at("evictionHard"),
        f"evictionHard of {OBJECT} leaves out signals, which then lose their default threshold: "
        f"{signals}. The kubelet does not evict when one of them runs out.{ignored}",
        edits=node.restoring(lost),
    )

"""QOS604: soft evictions give pods no time to stop."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.model.nodeconfiguration import NodeConfiguration
from qoslint.model.wording import listing

_FIELD = "evictionMaxPodGracePeriod"


def check_node(node: NodeConfiguration) -> Iterator[Problem]:
    """One problem if there are soft thresholds, and pods get less than a second when one is met."""
    is_written = _FIELD in node.fields
    if node.configuration is None or (node.by_flags and not is_written):
        return
    seconds = node.configuration.eviction_max_pod_grace_period
    soft = [
        threshold.signal
        for field, threshold in node.written_thresholds()
        if field == "evictionSoft" and not threshold.hard
    ]
    if seconds > 0 or not soft:
        return
    what = f"{_FIELD} of {OBJECT} is {seconds}" if is_written else f"{OBJECT} sets no {_FIELD}"
    acts = " A negative value does not leave pods their own grace." if seconds < 0 else ""
    yield Problem(
        node.at(_FIELD if is_written else "evictionSoft"),
        f"{what}: pods that are evicted for the soft threshold of {listing(soft)} get one second "
        f"to stop, as for a hard one.{acts}",
    )

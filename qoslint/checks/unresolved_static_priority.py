"""QOS311: a static pod names a PriorityClass, which the kubelet never looks up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.kernel.priority import BUILT_IN
from qoslint.model.effective import Admitted
from qoslint.model.pattern import fits_any
from qoslint.model.subject import Options


def check_workload(admitted: Admitted, options: Options) -> Iterator[Problem]:
    """One problem for a class of the cluster's own, where the manifest repeats no value."""
    effective, obj = admitted.effective, admitted.workload.object
    if effective is None or effective.admitted is False or obj.kind != "Pod":
        return
    static = bool({"static", "mirror"} & {*admitted.workload.tags})
    name, value = effective.authored.priority_class_name, effective.pod.priority
    if not name or name in BUILT_IN or value is None or effective.authored.priority is not None:
        return
    if static or _is_under(obj.file, options["paths"]):
        yield Problem(
            admitted.workload.at(("priorityClassName",)),
            f"{OBJECT} is a static pod, and the kubelet looks up no PriorityClass: {name} means "
            f"{value} to the API server and 0 to the kubelet, which goes by it when it shuts the "
            "node down and ranks pods for eviction.",
        )


def _is_under(file: str, patterns: Iterable[str]) -> bool:
    """Whether a pattern fits; one that does not start with `*` starts at the root."""
    anchored = (each if each.startswith("*") else f"/{each.lstrip('/')}" for each in patterns)
    return fits_any(f"/{file}", anchored)

"""QOS409: an eviction does not leave pods the time to stop that they ask for."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem, Severity
from qoslint.kernel.pod import is_critical_pod
from qoslint.model.effective import Admitted
from qoslint.model.expect.guests import guests
from qoslint.model.importance import importance
from qoslint.model.judged import JudgedCluster
from qoslint.model.kubelet import Kubelet
from qoslint.model.subject import Options
from qoslint.model.wording import counted, some

_FIELD = "terminationGracePeriodSeconds"


def check_cluster(judged: JudgedCluster, options: Options) -> Iterator[Problem]:
    """One problem for each workload that asks for more than the nodes which take it leave."""
    asking = [each for each in judged.admitted if _asked(each) > options["grace-period"]]
    if not judged.kubelets or not asking:
        return
    field = guests(judged)
    leaving = [_left(kubelet) for kubelet in judged.kubelets]
    for admitted in asking:
        matters, asked = importance(admitted), _asked(admitted)
        if id(admitted) not in field.known or not (matters or options["pods"] == "all"):
            continue
        short: dict[str, list[str]] = {}
        for index, (seconds, how) in enumerate(leaving):
            if seconds is not None and seconds < asked and id(admitted) in field.on(index):
                short.setdefault(how, []).append(judged.kubelets[index].node.name)
        if short:
            kept = f", which {matters.because}," if matters and matters.because else ""
            nodes = "; ".join(f"on {some(names, len(names))} {how}" for how, names in short.items())
            yield Problem(
                admitted.at((_FIELD,)),
                f"{OBJECT}{kept} asks for {asked} seconds to stop. When it is evicted it does not "
                f"get them: {nodes}. What it does after that on SIGTERM or in a preStop hook is "
                "lost.",
                severity=None if matters and matters.strong else Severity.NOTE,
                about=admitted.label,
            )


def _asked(admitted: Admitted) -> int:
    """The seconds that pods which can be evicted have to stop; none of those that cannot."""
    effective = admitted.effective
    if effective is None or effective.admitted is False or is_critical_pod(effective.pod):
        return 0
    return effective.pod.termination_grace_period_seconds or 0


def _left(kubelet: Kubelet) -> tuple[int | None, str]:
    """The most seconds that an eviction leaves a pod, and how; None where none ever happens."""
    thresholds = kubelet.resources.thresholds
    if not thresholds:
        return None, ""
    if all(threshold.hard for threshold in thresholds):
        return 1, "all eviction thresholds are hard, and a hard one leaves 1 second"
    stated = kubelet.configuration.eviction_max_pod_grace_period
    most = max(1, stated)
    given = f"{counted(most, 'second')} (evictionMaxPodGracePeriod {stated})"
    return most, f"a soft eviction threshold leaves at most {given}, and a hard one 1 second"

"""QOS804: a pod counts in other quotas than its manifest shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from qoslint.finding import OBJECT, Problem, Related
from qoslint.kernel.pod import Pod
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.quotaevaluator import matches
from qoslint.model.effective import Admitted
from qoslint.model.judged import JudgedCluster
from qoslint.model.objects import KubeObject
from qoslint.model.verdict import Verdict, qos_without_limit_ranges
from qoslint.model.wording import some
from qoslint.span import Path, value_at

_SHOWN = 4


class _Shown(NamedTuple):
    """What a reader of the manifest takes the pod for, the field that shows it, and the truth."""

    pod: Pod
    qos: QOSClass
    path: Path
    truth: str


def check_cluster(judged: JudgedCluster) -> Iterator[Problem]:
    """One problem for each way in which a pod falls into other scopes than it seems to."""
    for verdict, sharing in judged.verdicts:
        if any(
            quota.scopes or quota.scope_selector for quota in verdict.effective.given.scope.quotas
        ):
            for admitted in sharing:
                for shown in (*_class(verdict, admitted), *_deadline(verdict, admitted)):
                    yield from _problems(verdict, admitted, shown)


def _class(verdict: Verdict, admitted: Admitted) -> Iterator[_Shown]:
    """The class before a LimitRange filled anything in."""
    written = qos_without_limit_ranges(verdict)
    if written is not None and written is not verdict.qos:
        path = (*admitted.workload.template, "containers")
        truth = f"a LimitRange makes it {verdict.qos}, and it is {written} as written"
        yield _Shown(verdict.effective.pod, written, path, truth)


def _deadline(verdict: Verdict, admitted: Admitted) -> Iterator[_Shown]:
    """The deadline of a Job, which ends the Job and is none of its pods."""
    pod, template = verdict.effective.pod, admitted.workload.template
    path = (*template[:-2], "activeDeadlineSeconds")
    thing = admitted.workload.object
    seconds = value_at(thing.data, path) if thing.group == "batch" else None
    if isinstance(seconds, int) and pod.active_deadline_seconds is None:
        truth = "activeDeadlineSeconds of a Job is not that of its pods, which have none"
        as_shown = pod._replace(active_deadline_seconds=seconds)
        yield _Shown(as_shown, verdict.qos, path, truth)


def _problems(verdict: Verdict, admitted: Admitted, shown: _Shown) -> Iterator[Problem]:
    given = verdict.effective.given
    expected = _counting(verdict, shown.pod, shown.qos)
    counting = _counting(verdict, verdict.effective.pod, verdict.qos)
    differing = {*expected} ^ {*counting}
    wrong = [quota for quota in given.quotas if quota in differing][:_SHOWN]
    if wrong:
        yield Problem(
            admitted.workload.object.at(shown.path),
            f"{OBJECT} counts {_names(counting)}, and its manifest suggests {_names(expected)}: "
            f"{shown.truth}.",
            related=tuple(
                Related(quota.at(("spec",)), f"ResourceQuota {quota.name}") for quota in wrong
            ),
            about=admitted.label,
        )


def _counting(verdict: Verdict, pod: Pod, qos: QOSClass) -> list[KubeObject]:
    """The quotas that such a pod counts in."""
    given = verdict.effective.given
    pairs = zip(given.quotas, given.scope.quotas, strict=True)
    return [obj for obj, quota in pairs if matches(quota, pod, qos)]


def _names(quotas: list[KubeObject]) -> str:
    return (
        f"in ResourceQuota {some((obj.name for obj in quotas), len(quotas))}"
        if quotas
        else "in no ResourceQuota"
    )

"""QOS803: a quota has no room for all pods of its namespace."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem, Related
from qoslint.kernel.allocatable import PODS
from qoslint.model.judged import JudgedCluster
from qoslint.model.quotaload import Blocked, Lack, QuotaLoad, Share, quota_amount, quota_loads
from qoslint.model.wording import counted, listing, some


def check_cluster(cluster: JudgedCluster) -> Iterator[Problem]:
    """One problem for a quota that is too small; else one for each workload that cannot grow."""
    checked = frozenset(cluster.cluster.objects)
    for load in quota_loads(cluster):
        name = f"ResourceQuota {cluster.cluster.qualified_name(load.object)}"
        if lacks := tuple(load.lacks()):
            yield _too_small(load, name, lacks, load.object in checked)
            continue
        for blocked in load.unreached():
            yield _unreached(load, name, blocked, cluster)
        for blocked in load.stalled():
            yield _stalled(load, name, blocked)


def _too_small(load: QuotaLoad, name: str, lacks: tuple[Lack, ...], checked: bool) -> Problem:
    first = lacks[0]
    told = listing(
        f"{_of(each.counts, each.key)} where {each.allows} are allowed" for each in lacks
    )
    parts = sorted(load.shares, key=lambda share: -share.needs(first.key))
    needing = [_part(share, first.key) for share in parts if share.needs(first.key)]
    heaviest = parts[0].admitted
    place = heaviest.workload.object.at(("spec",))
    if checked:
        place = load.object.at(("spec", "hard", first.key))
    return Problem(
        place,
        f"{name} has no room for its pods: together they need {told}. That is "
        f"{some(needing, len(needing))}; the API server refuses those that come last.",
        () if not checked else (Related(heaviest.workload.at(), heaviest.label),),
        about=name if checked else heaviest.label,
    )


def _part(share: Share, key: str) -> str:
    each = quota_amount(share.usage[key].nanos, key)
    return f"{share.pods} times {each} for {share.admitted.label}"


def _unreached(load: QuotaLoad, name: str, blocked: Blocked, cluster: JudgedCluster) -> Problem:
    share = blocked.share
    (scaler,) = share.scalers
    admitted, thing = share.admitted, scaler.object
    asked = thing.lies_under(cluster.cluster.asked)
    label = f"{thing.kind} {cluster.cluster.qualified_name(thing)}"
    place = thing.at(scaler.path) if asked else admitted.workload.object.at(("spec",))
    return Problem(
        place,
        f"{label} may ask for {counted(scaler.most or 0, 'pod')} of {admitted.label}, and {name} "
        f"has room for {blocked.room}: {_room(blocked)}. The API server refuses the others.",
        (_hard(load, name, blocked),),
        about=label if asked else admitted.label,
    )


def _stalled(load: QuotaLoad, name: str, blocked: Blocked) -> Problem:
    share = blocked.share
    return Problem(
        share.admitted.workload.object.at(("spec", "replicas")),
        f"A rollout of {OBJECT} stalls: none of its {counted(share.pods, 'pod')} may be missing, "
        f"so a new one must run beside them, and {name} has no room for it: {_room(blocked)}.",
        (_hard(load, name, blocked),),
        about=share.admitted.label,
    )


def _room(blocked: Blocked) -> str:
    lack = blocked.lack
    return f"it allows {_of(lack.allows, lack.key)}, and {lack.counts} would be needed"


def _of(amount: str, key: str) -> str:
    return f"{amount} {key}" if key == PODS else f"{amount} of {key}"


def _hard(load: QuotaLoad, name: str, blocked: Blocked) -> Related:
    return Related(load.object.at(("spec", "hard", blocked.lack.key)), name)

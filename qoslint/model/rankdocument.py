"""The ranking of each node as one JSON document, `schemas/ranking.schema.json`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import TypeAlias

from qoslint.kernel.duration import format_duration
from qoslint.kernel.eviction import usage_quantity
from qoslint.kernel.quantity import from_nanos
from qoslint.kernel.signals import Signal
from qoslint.kernel.simulation import reclaimable_garbage
from qoslint.kernel.thresholds import Threshold
from qoslint.model.contenders import Rest
from qoslint.model.disks import size_name
from qoslint.model.effective import Admitted
from qoslint.model.facts import quantities
from qoslint.model.noderanking import NodeRanking, qualified_name
from qoslint.model.nodethresholds import configured_text
from qoslint.model.population import Excess, Population
from qoslint.model.preemption import preemption
from qoslint.model.pressure import Pressure
from qoslint.model.ranking import Rank, Row
from qoslint.model.witness import Witness

Document: TypeAlias = dict[str, object]

MOST_NAMED = 20
"""Lists of pods that may be as long as the ranking itself are cut to so many names."""

_AT = {Rest.LO: "least", Rest.HI: "most"}


def rank_document(
    rankings: Iterable[NodeRanking], scenario: str, shown: Collection[Admitted] = ()
) -> Document:
    """The whole document; in the witnesses of the `shown` workloads each pod is named."""
    return {
        "schemaVersion": 1,
        "scenario": scenario,
        "rankings": [_ranking(each, shown) for each in rankings],
    }


def _ranking(found: NodeRanking, shown: Collection[Admitted]) -> Document:
    node, pressure = found.kubelet.node, found.pressure
    allocatable = found.kubelet.resources.allocatable
    signal, usages = found.ranking.signal, [each.usage for each in found.ranking.contenders]
    total = sum(row.usage for row in found.ranking.rows)
    return {
        "cluster": found.cluster.cluster.name,
        "node": {
            "name": node.name,
            "version": str(node.version),
            "filesystems": str(node.filesystems),
            "capacity": quantities(node.capacity),
            "allocatable": quantities(allocatable.allocatable) if allocatable else {},
            "approximate": node.approximate.source if node.approximate else None,
        },
        "signal": str(signal),
        "size": {
            "name": size_name(signal, node.filesystems),
            "quantity": None
            if pressure.capacity is None
            else usage_quantity(signal, pressure.capacity).canonical(),
        },
        "reclaimed": [str(each) for each in reclaimable_garbage(signal, node.filesystems)],
        "thresholds": threshold_documents(found),
        "total": usage_quantity(signal, total).canonical(),
        "feasible": pressure.limits.allow(total),
        "limits": limits_document(pressure, signal),
        "range": {
            "least": usage_quantity(signal, sum(usage.lo for usage in usages)).canonical(),
            "most": usage_quantity(signal, sum(usage.hi for usage in usages)).canonical(),
        },
        "population": population_document(found.population),
        "measured": len(found.measured),
        "ifDaemonsGrow": _daemons_grow(found),
        "alwaysAboveRequest": _named(found.innocents.always_above, found),
        "measuredAboveRequest": _named(found.innocents.measured_above, found),
        "rows": [row_document(row, found, shown) for row in found.ranking.rows],
        "preemption": _preemption(found),
    }


def _preemption(found: NodeRanking) -> Document:
    """Who may be deleted for whom, which is another order."""
    who = preemption([each.verdict.effective.pod for each in found.population.members])
    return {
        "levels": [
            {"priority": priority, "pods": _named(pods, found)} for priority, pods in who.levels
        ],
        "never": _named(who.never, found),
        "critical": _named(who.critical, found),
    }


def _daemons_grow(found: NodeRanking) -> Document:
    """Who goes while only something outside of pods grows, and whether innocent."""
    innocents, above = found.innocents, found.innocents.above

    def ranked(part: slice) -> Document:
        places = list(innocents.places[part][:MOST_NAMED])
        return {**_named(innocents.order[part], found), "ranks": places}

    return {
        "aboveRequest": ranked(slice(above)),
        "innocentVictims": ranked(slice(above, None)),
    }


def _named(pods: Sequence[int], found: NodeRanking) -> Document:
    return _first(len(pods), pods, found)


def threshold_documents(found: NodeRanking) -> list[Document]:
    """The thresholds of the signal, and what they are of the node's capacity."""
    return [_threshold(each, found) for each in found.pressure.thresholds]


def limits_document(pressure: Pressure, signal: Signal) -> Document | None:
    """What all pods use together when they are ranked, as far as anything is known of that."""
    least, most = pressure.limits
    unmet = pressure.unmet
    if unmet is None or least is None or most is None:
        return None
    return {
        "least": usage_quantity(signal, least).canonical(),
        "most": usage_quantity(signal, most).canonical(),
        "withDaemons": usage_quantity(signal, unmet).canonical(),
        "daemons": None
        if pressure.daemons is None
        else usage_quantity(signal, pressure.daemons).canonical(),
    }


def _threshold(threshold: Threshold, found: NodeRanking) -> Document:
    capacity = found.pressure.capacity
    return {
        "value": configured_text(threshold, found.kubelet).text,
        "resolved": None if capacity is None else threshold.resolved(capacity).canonical(),
        "kind": "hard" if threshold.hard else "soft",
        "gracePeriod": format_duration(threshold.grace_period),
    }


def population_document(found: Population) -> Document:
    """How it is known which pods share the node, and why others do not."""
    return {
        "kind": str(found.kind),
        "fits": found.fits,
        "excess": [_excess(each) for each in found.excess],
        "leftOut": [
            {"pod": qualified_name(each.admitted), "why": each.why} for each in found.left_out
        ],
    }


def _excess(excess: Excess) -> Document:
    return {
        "resource": excess.resource,
        "requested": excess.wants,
        "allocatable": excess.has,
    }


def row_document(row: Row, found: NodeRanking, shown: Collection[Admitted] = ()) -> Document:
    """A pod in the ranking; those of the `shown` workloads with the witnesses of their bounds."""
    signal, contender = found.ranking.signal, found.ranking.contenders[row.pod]
    member = found.population.members[row.pod]
    innocents = found.innocents
    overage = from_nanos(row.overage_nanos, usage_quantity(signal, 0).format)
    return {
        "position": row.position,
        "tie": row.tie,
        "earliest": _rank(row.earliest),
        "latest": _rank(row.latest),
        "victimEarliest": _rank(row.victim_earliest),
        "victimLatest": _rank(row.victim_latest),
        "pod": found.names[row.pod],
        "qosClass": str(member.verdict.qos),
        "exceedsRequest": row.exceeds_request,
        "priority": contender.priority,
        "usage": usage_quantity(signal, row.usage).canonical(),
        "least": usage_quantity(signal, contender.usage.lo).canonical(),
        "most": usage_quantity(signal, contender.usage.hi).canonical(),
        "request": contender.request.canonical(),
        "overage": overage.canonical(),
        "evictable": not contender.critical,
        "decidedBy": row.decided_by,
        "goBefore": _first(innocents.count(row.pod), innocents.victims(row.pod), found),
        "innocentVictims": _first(
            innocents.count_of_innocents(row.pod), innocents.innocents(row.pod), found
        ),
        "witnesses": [
            {
                **_rule(each, signal),
                "usages": _usages(each, found) if member.admitted in shown else None,
            }
            for each in row.witnesses
        ],
    }


def _first(count: int, pods: Iterable[int], found: NodeRanking) -> Document:
    return {"count": count, "pods": [found.names[index] for index in islice(pods, MOST_NAMED)]}


def _rank(rank: Rank | None) -> Document | None:
    return rank and {"bound": rank.value, "feasible": rank.feasible}


def _rule(witness: Witness, signal: Signal) -> Document:
    rule = witness.rule
    total = None if rule.total is None else usage_quantity(signal, rule.total).canonical()
    return {
        "bound": str(witness.bound),
        "rank": witness.rank,
        "feasible": witness.feasible,
        "usage": usage_quantity(signal, rule.usage).canonical(),
        "others": _AT[rule.rest],
        "moved": rule.moved,
        "total": total,
    }


def _usages(witness: Witness, found: NodeRanking) -> Document:
    signal = found.ranking.signal
    shown = witness.scenario(found.ranking.contenders, signal)
    return {
        "others": _AT[shown.rest],
        "set": {
            found.names[index]: usage_quantity(signal, usage).canonical()
            for index, usage in sorted(shown.set.items())
        },
    }

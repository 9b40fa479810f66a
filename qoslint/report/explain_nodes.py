"""What a node's kubelet makes of a pod, in sentences with the formulas filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qoslint.model.wording import listing
from qoslint.report.amounts import amount, cpu_time, decimal, size
from qoslint.report.prose import container_name
from qoslint.schema import Json

_LEAST = 3
_MOST = 999


def node(each: Json, pod: Json) -> Iterator[str]:
    """The lines about one node."""
    verdict = pod["result"]["verdict"]
    if each["tooSmallFor"]:
        requests, capacity = verdict["requests"], each["capacity"]
        lacking = listing(
            f"{name} {amount(name, requests[name])} where the node has {capacity[name]}"
            for name in each["tooSmallFor"]
        )
        yield f"  The pod is never scheduled here: it requests {lacking}."
    if not each["scores"]:
        yield "  Windows has neither oom_score_adj nor cgroups."
        return
    for score, container in zip(each["scores"], verdict["containers"], strict=True):
        who = container_name(score["container"], score["type"])
        yield f"  {who}: oom_score_adj {_range(score, each)}{_reason(score)}"
        if score["derivation"]:
            requests = _memory_requests(verdict)
            yield from (f"    - {line}" for line in _formula(score, requests, each))
        values = container["cgroup"][each["name"]]
        # opencontainers/cgroups converts shares to a weight in another way since v0.0.6.
        passed = "passed to the runtime"
        weight = ", whose version decides which cpu.weight this becomes"
        how = f"{passed}{weight}" if each["cgroup"] == "v2" else passed
        yield f"    - cgroup: cpu.shares {values['cpu.shares']} ({how}), {_bounds(values, each)}"
    values = verdict["cgroup"].get(each["name"])
    if values is None:
        yield "  The pod as a whole has no cgroup: the kubelet runs with cgroupsPerQOS: false."
        return
    key = "cpu.weight" if each["cgroup"] == "v2" else "cpu.shares"
    bounds = _bounds(values, each)
    yield f"  cgroup of the pod: {key} {values[key]} (cgroup {each['cgroup']}), {bounds}"


def _range(score: Json, each: Json) -> str:
    """The score, and that of the largest node where those of a profile differ."""
    least, most = score["oomScoreAdj"], score["oomScoreAdjOfLargest"]
    if most == least:
        return str(least)
    return f"{least}, and {most} on a node with {size(each['mostMemory'])}"


def _reason(score: Json) -> str:
    match score["because"]:
        case "node-critical":
            return ", as all containers of pods with priority class system-node-critical have"
        case "Guaranteed" | "BestEffort" as qos:
            return f", as containers of {qos} pods have"
    return ""


def _memory_requests(verdict: Json) -> dict[str, str]:
    """The memory request of each container, by name."""
    return {each["name"]: each["requests"].get("memory", "0") for each in verdict["containers"]}


def _formula(score: Json, requests: Mapping[str, str], each: Json) -> Iterator[str]:
    steps = score["derivation"]
    level = steps["podLevel"]
    if level:
        yield (
            f"memory: its request {steps['request']} and an even share of what the pod-level "
            f"request leaves, ({level['request']} - {level['assigned']}) / {level['containers']} = "
            f"{level['share']}"
        )
    own = _memory(score, steps["own"], requests)
    yield f"oom_score_adj = {_divided(own, steps['own'], each)}"
    raw = steps["own"]["score"]
    if steps["least"]:
        regular = (other for other in each["scores"] if other["type"] not in ("init", "sidecar"))
        smallest = min(regular, key=lambda other: int(other["derivation"]["request"]))
        least = _memory(smallest, steps["least"], requests)
        yield (
            "a sidecar gets no more than the regular container that requests least: "
            f"{_divided(least, steps['least'], each)}"
        )
        raw = min(raw, steps["least"]["score"])
    if raw < _LEAST:
        yield f"{raw} is raised to {_LEAST}: less is kept for Guaranteed pods"
    elif raw != score["oomScoreAdj"]:
        yield f"{raw} is lowered to {_MOST}: 1000 is kept for BestEffort pods"


def _memory(score: Json, term: Json, requests: Mapping[str, str]) -> str:
    """What the score of a container is computed from: `memory request 256Mi (268435456)`."""
    if score["derivation"]["podLevel"]:
        return f"memory {term['memory']}"
    text = requests[score["container"]]
    told = amount("memory", text)
    return f"memory request {told if told != text else _with_bytes(text, term['memory'])}"


def _with_bytes(text: str, count: int) -> str:
    return text if text == str(count) else f"{text} ({count})"


def _divided(what: str, term: Json, each: Json) -> str:
    """The formula, filled in for what the memory is."""
    memory, product, score = term["memory"], term["product"], term["score"]
    capacity = each["memory"]
    node = f"node memory {_with_bytes(each['capacity']['memory'], capacity)}"
    text = f"1000 - 1000 * {what} / {node} = 1000 - {1000 - score} = {score}"
    if product != 1000 * memory:
        return f"{text} (1000 * {memory} overflows 64 bits and counts as {product})"
    whole, rest = divmod(product, capacity)
    if not rest:
        return text
    if not whole:
        return f"{text} (the quotient is below 1 and is cut to 0)"
    thousandths, inexact = divmod(rest * 1000, capacity)
    exact = f"{whole}.{thousandths:03}…" if inexact else decimal(whole, thousandths, 3)
    return f"{text} ({exact} is cut to {whole})"


def _bounds(values: Mapping[str, int], each: Json) -> str:
    period = each["cpuCFSQuotaPeriod"]
    quota, memory = values["cpu.quota"], values["memory.max"]
    return " and ".join(
        (
            f"at most {cpu_time(quota, period)}" if quota else _without_quota(period),
            f"at most {size(memory)}" if memory else "no memory limit",
        )
    )


def _without_quota(period: int | None) -> str:
    return "no CPU limit (cpuCFSQuota is off)" if period is None else "no CPU limit"

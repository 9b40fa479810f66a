"""What a node's kubelet makes of a pod, in sentences with the formulas filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qoslint.report.prose import container_name, listing
from qoslint.schema import Json

_LEAST = 3
_MOST = 999


def node(each: Json, pod: Json) -> Iterator[str]:
    """The lines about one node."""
    verdict = pod["result"]["verdict"]
    if each["tooSmallFor"]:
        requests, capacity = verdict["requests"], each["capacity"]
        lacking = listing(
            f"{name} {requests[name]} where the node has {capacity[name]}"
            for name in each["tooSmallFor"]
        )
        yield f"  The pod is never scheduled here: it requests {lacking}."
    if not each["scores"]:
        yield "  Windows has neither oom_score_adj nor cgroups."
        return
    for score, container in zip(each["scores"], verdict["containers"], strict=True):
        who = container_name(score["container"], score["type"])
        yield f"  {who}: oom_score_adj {score['oomScoreAdj']}{_reason(score)}"
        if score["derivation"]:
            yield from (f"    - {line}" for line in _formula(score, each["memory"]))
        values = container["cgroup"][each["name"]]
        # The runtime converts shares to a weight in its own way.
        yield f"    - cgroup: cpu.shares {values['cpu.shares']}, {_bounds(values)}"
    values = verdict["cgroup"][each["name"]]
    key = "cpu.weight" if each["cgroup"] == "v2" else "cpu.shares"
    yield f"  cgroup of the pod: {key} {values[key]}, {_bounds(values)}"


def _reason(score: Json) -> str:
    match score["because"]:
        case "node-critical":
            return ", as all containers of pods with priority class system-node-critical have"
        case "Guaranteed" | "BestEffort" as qos:
            return f", as all containers of {qos} pods have"
    return ""


def _formula(score: Json, capacity: int) -> Iterator[str]:
    steps = score["derivation"]
    level = steps["podLevel"]
    if level:
        yield (
            f"memory: its request {steps['request']} and an even share of what the pod-level "
            f"request leaves, ({level['request']} - {level['assigned']}) / {level['containers']} = "
            f"{level['share']}"
        )
    yield _divided(steps["own"], capacity)
    raw = steps["own"]["score"]
    if steps["least"]:
        yield (
            "a sidecar gets no more than the regular container that requests least: "
            f"{_divided(steps['least'], capacity)}"
        )
        raw = min(raw, steps["least"]["score"])
    if raw < _LEAST:
        yield f"{raw} is raised to {_LEAST}: Guaranteed pods stay below every Burstable one"
    elif raw != score["oomScoreAdj"]:
        yield f"{raw} is lowered to {_MOST}: BestEffort pods stay above every Burstable one"


def _divided(term: Json, capacity: int) -> str:
    memory, product, score = term["memory"], term["product"], term["score"]
    text = f"1000 - 1000 * {memory} / {capacity} = 1000 - {1000 - score} = {score}"
    if product != 1000 * memory:
        return f"{text} (1000 * {memory} overflows 64 bits and counts as {product})"
    whole, rest = divmod(product, capacity)
    if not rest:
        return text
    thousandths, inexact = divmod(rest * 1000, capacity)
    decimals = f"{thousandths:03}…" if inexact else f"{thousandths:03}".rstrip("0")
    return f"{text} ({whole}.{decimals} is cut to {whole})"


def _bounds(values: Mapping[str, int]) -> str:
    quota, memory = values["cpu.quota"], values["memory.max"]
    return " and ".join(
        (
            f"{quota} µs of CPU in each 100000 µs" if quota else "no CPU limit",
            f"{memory} bytes of memory at most" if memory else "no memory limit",
        )
    )

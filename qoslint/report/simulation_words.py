"""The sentences about a played node that text and markdown share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qoslint.kernel.quantity import parse
from qoslint.kernel.scenario import MONITORING_PERIOD_SECONDS
from qoslint.model.wording import counted, listing, some
from qoslint.report.amounts import memory
from qoslint.report.ranking_words import decided
from qoslint.report.ranking_words import population as shared
from qoslint.schema import Json

_MIB = 2**20
_NODE = "memory.available"
_MOST_NAMED = 20
MOST_ROWS = 10
"""Rows of a ranking that are shown; the document holds all."""


def signed(text: str) -> str:
    """The same of a difference, with its sign."""
    return f"+{memory(text)}" if parse(text).nanos > 0 else memory(text)


def pod(document: Json, index: int) -> str:
    """A pod as reports name it: `shop/Deployment/api`, of several replicas with its number."""
    name: str = document["pods"][index]["pod"]
    return name


def heading(document: Json) -> str:
    """The node, in a line."""
    node = document["node"]
    about = "at least " if node["approximate"] else ""
    return (
        f"Node {node['name']} of cluster {document['cluster']}, Kubernetes {node['version']}: "
        f"{about}{memory(node['memory'])} of memory, {memory(node['allocatable'])} allocatable"
    )


def frame(document: Json) -> Iterator[str]:
    """When the kubelet evicts, and what is played."""
    yield from _thresholds(document["node"])
    daemons = ramp(document["daemons"])
    yield from _jump(document)
    if document["population"]["kind"] == "possible":
        yield shared(document["population"], len(document["pods"]))
    count = counted(len(document["pods"]), "pod")
    yield (
        f"Played: {count} (scenario {document['scenario']}) for {document['seconds']} s; outside "
        f"of pods {daemons}."
    )
    grows = [line for index in range(len(document["pods"])) for line in _growing(document, index)]
    if grows:
        yield f"Growing: {some(grows, len(grows))}."


def _thresholds(node: Json) -> Iterator[str]:
    if not node["thresholds"]:
        yield (
            "The kubelet has no threshold for memory: it never evicts a pod for memory, and only "
            "the kernel acts."
        )
        return
    wait = MONITORING_PERIOD_SECONDS
    yield (
        f"Every {wait} s the kubelet looks, and after an eviction as soon as the pod is cleaned "
        f"up, 30 s later at most; here that takes {wait} s, too. It evicts a pod if there is"
    )
    for each in node["thresholds"]:
        where = "available on the node" if each["signal"] == _NODE else _cgroup(node)
        grace, more = each["gracePeriodSeconds"], each["minReclaim"]
        late = f", for {grace} s" if grace else ""
        wanted = more not in (None, "0")
        until = f"; then until there is {memory(more)} more than that" if wanted else ""
        yield f"  - less than {memory(each['value'])} {where}{late} ({each['signal']}){until}"
    yield from _in_time(node["thresholds"])


def _in_time(thresholds: Json) -> Iterator[str]:
    """How fast memory may shrink for the kubelet to look before it is gone."""
    on_node = [each for each in thresholds if each["signal"] == _NODE]
    best = max(on_node, key=lambda each: parse(each["inTime"]).nanos, default=None)
    if best is None:
        return
    wait, grace = best["worstWaitSeconds"], best["worstGraceSeconds"]
    yield (
        f"Growth of up to {rate(best['inTime'])} in all ({memory(best['value'])} in {wait} + "
        f"{grace} s: until the kubelet evicts, and until the pod has ended) cannot fill the node "
        "before the first evicted pod is gone. With faster growth the kernel may kill first, and "
        "later, too, if evicted pods free little: that depends on the moments at which the kubelet "
        "looks, here 0 s, 10 s and so on (pkg/kubelet/kubelet.go evictionMonitoringPeriod)."
    )


def _jump(document: Json) -> Iterator[str]:
    """From which usage of daemons on memory is gone, if they grow."""
    daemons, most = document["daemons"], document["daemonsFit"]
    if parse(daemons["to"]).nanos <= parse(daemons["from"]).nanos:
        return
    if parse(daemons["from"]).nanos > parse(most).nanos:
        return
    yield (
        f"Beside the pods as they are at the start there is room for {memory(most)} outside of "
        "pods. If more than that is used before the first evicted pod is gone, as after a jump, "
        "the kernel kills first."
    )


def _cgroup(node: Json) -> str:
    return f"left of the {memory(node['kubepodsLimit'])} that all pods together are limited to"


def rate(text: str) -> str:
    """Bytes per second: `10Mi/s`."""
    return f"{memory(text)}/s" if parse(text).value() >= _MIB else f"{text} bytes/s"


def ramp(each: Json) -> str:
    """Usage over time: `512Mi to 1400Mi at 10Mi/s`."""
    if each["from"] == each["to"]:
        return memory(each["from"])
    way = abs(parse(each["to"]).nanos - parse(each["from"]).nanos)
    jump = parse(each["perSecond"]).nanos >= way
    how = "at once" if jump else f"at {rate(each['perSecond'])}"
    return f"{memory(each['from'])} to {memory(each['to'])} {how}"


def _growing(document: Json, index: int) -> Iterator[str]:
    for each in document["pods"][index]["containers"]:
        if each["memory"]["from"] != each["memory"]["to"]:
            yield f"{each['name']} of {pod(document, index)} {ramp(each['memory'])}"


def saw(step: Json) -> str:
    """What the kubelet saw in a second, as a line: what was available against which threshold."""
    on_node = [each for each in step["signals"] if each["signal"] == _NODE]
    parts = [f"{memory(step['available'])} available{_against(on_node)}"]
    for each in step["signals"]:
        if each["signal"] != _NODE and each["met"]:
            parts.append(f"{memory(each['available'])} left to all pods{_against([each])}")
    still = "" if any(each["met"] for each in step["signals"]) else "still "
    under = f": {still}{listing(step['conditions'])}" if step["conditions"] else ""
    return f"daemons {memory(step['daemons'])}; {'; '.join(parts)}{under}"


def _against(thresholds: list[Json]) -> str:
    """What the thresholds of a signal say of what is available; the least that is met counts."""
    met = [each for each in thresholds if each["met"]]
    if not met:
        values = [memory(each["threshold"]) for each in thresholds]
        word = "threshold" if len(values) == 1 else "thresholds"
        return f" ({word} {listing(values)})" if values else ""
    hard = min(met, key=lambda each: parse(each["threshold"]).nanos)
    soft = f" (soft, since {hard['since']} s)" if hard["gracePeriodSeconds"] else ""
    return f" < {memory(hard['threshold'])}{soft}"


def waits(step: Json) -> Iterator[str]:
    """Why nobody is evicted although a threshold is met, or somebody although none is."""
    met = [each for each in step["signals"] if each["met"]]
    if step["reclaims"] and not met:
        yield "No threshold is met any more, but what must then be reclaimed is not there yet."
    if step["evicted"] or step["reclaims"]:
        return
    for each in met:
        if each["gracePeriodSeconds"] and each["since"] is not None:
            yield (
                f"Nobody is evicted before {each['since'] + each['gracePeriodSeconds']} s: the "
                f"threshold is a soft one, with {each['gracePeriodSeconds']} s of grace."
            )


def refused(step: Json, document: Json) -> Iterator[str]:
    """Critical pods that were ranked and are not evicted."""
    if step["refused"]:
        names = [pod(document, index) for index in step["refused"]]
        are = "is critical and is" if len(names) == 1 else "are critical and are"
        nobody = "" if step["evicted"] else " Nobody is left to evict."
        yield f"{some(names, len(names))} {are} not evicted.{nobody}"


def evicted(step: Json, document: Json) -> Iterator[tuple[str, str]]:
    """Whom the kubelet evicts and why, and the message of the pod's status."""
    for each in step["evicted"]:
        name, seconds = pod(document, each["pod"]), each["gracePeriodSeconds"]
        why = f"{_why(each, step, document)}{_innocent(each, step)}"
        yield f"Evicted: {name}, which gets {seconds} s to end. {why}", each["message"].strip()


def _innocent(each: Json, step: Json) -> str:
    own = [row for row in step["ranking"] if row["pod"] == each["pod"]]
    if any(row["exceedsRequest"] for row in own) or not own:
        return ""
    return " It is an innocent victim: it uses no more than it requests."


def _why(each: Json, step: Json, document: Json) -> str:
    if not step["ranking"]:
        return "It is above a limit of its own for local storage."
    rows = step["ranking"]
    own = next(row for row in rows if row["pod"] == each["pod"])
    if each["tiesWith"]:
        others = [pod(document, index) for index in each["tiesWith"]]
        return f"It ties with {some(others, len(others))}: the kubelet may take any of them."
    behind = [row for row in rows if row["rank"] > own["rank"]]
    if not behind:
        return "It is the last in the ranking."
    why = decided(own, behind[0], step["reclaims"], signed)
    return f"It goes before {pod(document, behind[0]['pod'])}: {why}."


def named(names: Sequence[str]) -> str:
    """All names, or of very many the first and how many more."""
    return (
        listing(names[:_MOST_NAMED])
        if len(names) <= _MOST_NAMED
        else listing([*names[:_MOST_NAMED], f"{len(names) - _MOST_NAMED} more"])
    )


RANKING = ("", "pod", "above request", "priority", "usage - request", "usage", "request")
"""The columns of a ranking: the kubelet compares the third, fourth and fifth, in this order."""


def ranking_rows(step: Json, document: Json) -> list[tuple[str, ...]]:
    """The first rows of the ranking of a pass; pods that tie have one number, with `=`."""
    return [
        (
            f"{each['rank']}{'=' if each['tie'] else ''}",
            pod(document, each["pod"]),
            "yes" if each["exceedsRequest"] else "no",
            str(each["priority"]),
            signed(each["overage"]),
            memory(each["usage"]),
            memory(each["request"]),
        )
        for each in step["ranking"][:MOST_ROWS]
    ]


def more_rows(rows: list[Json]) -> Iterator[str]:
    """What is said of the rows that are not shown."""
    if len(rows) > MOST_ROWS:
        yield f"and {len(rows) - MOST_ROWS} more"

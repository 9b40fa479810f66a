"""The answer of Prometheus' /api/v1/query and /api/v1/query_range: vectors and matrices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qoslint.errors import nearest
from qoslint.finding import ObjectId, Place
from qoslint.model.measured.record import POD, SANDBOX, MeasuredUsage, Resource, Unused
from qoslint.schema import Json
from qoslint.settings.file import SettingsFile
from qoslint.settings.usage.amounts import AmountError, sample
from qoslint.span import Path

_METRICS = {
    "container_memory_working_set_bytes": Resource.MEMORY,
    "pod_memory_working_set_bytes": Resource.MEMORY,
    "node_namespace_pod_container:container_memory_working_set_bytes": Resource.MEMORY,
    "node_namespace_pod_container:container_cpu_usage_seconds_total:sum_irate": Resource.CPU,
    "node_namespace_pod_container:container_cpu_usage_seconds_total:sum_rate5m": Resource.CPU,
    "container_processes": Resource.PROCESSES,
}
"""What the kubelet ranks by, and cAdvisor, the kubelet or kubernetes-mixin's rules export."""

_OTHERS = {
    "container_memory_usage_bytes": "it counts page cache that is not in use, and the kubelet "
    "ranks by container_memory_working_set_bytes",
    "container_memory_rss": "it leaves out the active page cache, and the kubelet ranks by "
    "container_memory_working_set_bytes",
    "container_cpu_usage_seconds_total": "it is a counter: query its rate",
    "pod_cpu_usage_seconds_total": "it is a counter: query its rate",
}
_RESOURCES = " or ".join(Resource)
_TYPES = ("vector", "matrix")


def read(file: SettingsFile, unnamed: Resource | None) -> Iterator[MeasuredUsage | Unused]:
    """What each series states; raise SettingsError, at its line, for what is wrong.

    `unnamed` is what series are of that name no metric, as those of most functions do.
    """
    series = _series(file)
    elsewhere: list[Path] = []
    for index, each in enumerate(series):
        path: Path = ("data", "result", index)
        labels = each.get("metric") if isinstance(each, dict) else None
        if not isinstance(labels, dict) or not all(map(_is_text, labels.values())):
            raise file.wrong((*path, "metric"), "must be a mapping of labels")
        if not labels.get("pod"):
            elsewhere.append(path)
            continue
        resource = _resource(file, path, labels, unnamed)
        lo, hi = _least_and_most(file, path, resource)
        place = Place(ObjectId(file.name, 0, ()), path)
        namespace = labels.get("namespace") or None
        container = _container(labels)
        yield MeasuredUsage(namespace, POD, labels["pod"], container, resource, lo, hi, place)
    if elsewhere:
        yield Unused(
            f"{len(elsewhere)} of {len(series)} series have no label `pod` and are not used: "
            "they are of other processes of a node, or of many pods together.",
            Place(ObjectId(file.name, 0, ()), elsewhere[0]),
        )
    if not series:
        yield Unused(
            "Prometheus found no series, so that no usage is known.",
            Place(ObjectId(file.name, 0, ()), ("data", "result")),
        )


def _series(file: SettingsFile) -> list[Json]:
    if file.data.get("status") == "error":
        error = str(file.data.get("error"))[:500]
        raise file.error(("error",), f"Prometheus answered with an error: {error}")
    data = file.data.get("data")
    if not isinstance(data, dict):
        raise file.wrong(("data",), "must be a mapping, as Prometheus writes it")
    found = data.get("resultType")
    if found not in _TYPES:
        message = f"must be {' or '.join(map(repr, _TYPES))}, not {str(found)[:60]!r}"
        raise file.wrong(("data", "resultType"), f"{message}: select series by pod")
    result = data.get("result")
    if not isinstance(result, list):
        raise file.wrong(("data", "result"), "must be a list of series")
    return result


def _resource(
    file: SettingsFile, path: Path, labels: Mapping[str, str], unnamed: Resource | None
) -> Resource:
    metric = labels.get("__name__")
    if metric in _METRICS:
        return _METRICS[metric]
    if metric is not None:
        why = _OTHERS.get(metric, f"known are {', '.join(_METRICS)}{nearest(metric, _METRICS)}")
        raise file.wrong((*path, "metric"), f"is of {metric[:200]!r}, which is not used: {why}")
    if labels.get("resource") in {*Resource}:
        return Resource(labels["resource"])
    if unnamed is None:
        raise file.wrong(
            (*path, "metric"),
            "names no metric, as functions of PromQL leave it out: name what was measured by a "
            f'label, label_replace(…, "resource", "memory", "", ""), which is {_RESOURCES}',
        )
    return unnamed


def _container(labels: Mapping[str, str]) -> str | None:
    """None for the cgroup of the pod, which has no image, while its sandbox has one.

    `pkg/kubelet/server/server.go containerPrometheusLabelsFunc`.
    """
    return labels.get("container") or (SANDBOX if labels.get("image") else None)


def _least_and_most(file: SettingsFile, path: Path, resource: Resource) -> tuple[int, int]:
    series = file.value(path)
    if "values" in series:
        samples, at = series["values"], (*path, "values")
        if not isinstance(samples, list) or not samples:
            raise file.wrong(at, "must be a list of samples")
        amounts = [_sample(file, (*at, n), each, resource) for n, each in enumerate(samples)]
        return min(amounts), max(amounts)
    if "value" not in series:
        raise file.wrong(path, "has no samples: native histograms are not read")
    amount = _sample(file, (*path, "value"), series["value"], resource)
    return amount, amount


def _sample(file: SettingsFile, path: Path, value: Json, resource: Resource) -> int:
    if not isinstance(value, list) or len(value) != 2:
        raise file.wrong(path, "must be a time and a value")
    try:
        return sample(value[1], resource)
    except AmountError as error:
        raise file.wrong((*path, 1), str(error)) from error


def _is_text(value: object) -> bool:
    return isinstance(value, str)

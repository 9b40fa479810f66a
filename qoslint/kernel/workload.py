"""Objects that make pods: their metadata, their selector and the template of their pods.

Mirrors `staging/src/k8s.io/api/{core,apps,batch}/v1/types.go`. What the API server would default
is defaulted; fields that are not kept here are not looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from qoslint.kernel.decode import decode_pod_spec
from qoslint.kernel.jsonvalue import (
    DecodeError,
    boolean,
    int32,
    int64,
    mapping,
    optional_string,
    string,
    string_map,
)
from qoslint.kernel.metadata import ObjectMeta, decode_object_meta
from qoslint.kernel.pod import Path, Pod
from qoslint.kernel.validation.labels import LabelSelector, decode_label_selector

TEMPLATE: Path = ("spec", "template")


class PodTemplate(NamedTuple):
    """A pod template as authored, and its path in the object."""

    metadata: ObjectMeta
    spec: Pod
    path: Path


class Controller(NamedTuple):
    """A Deployment, ReplicaSet, StatefulSet, DaemonSet or ReplicationController.

    `counts` are the integers of its spec that must not be negative, by field name; `None` is
    absent. `strategy` is the type of its (update) strategy.
    """

    kind: str
    metadata: ObjectMeta
    selector: LabelSelector | None
    template: PodTemplate | None
    """None only for a ReplicationController without `template`."""
    counts: Mapping[str, int | None]
    strategy: str
    rolling_update: bool
    """Whether parameters of a rolling update are given."""
    pod_management_policy: str = ""


class Job(NamedTuple):
    """A Job, or the job template of a CronJob; `counts` as for a Controller."""

    metadata: ObjectMeta
    selector: LabelSelector | None
    manual_selector: bool | None
    template: PodTemplate
    counts: Mapping[str, int | None]
    completion_mode: str
    pod_failure_policy: bool
    """Whether a pod failure policy is given."""


class CronJob(NamedTuple):
    """A CronJob; `counts` as for a Controller."""

    metadata: ObjectMeta
    schedule: str
    time_zone: str | None
    concurrency_policy: str
    job: Job
    counts: Mapping[str, int | None]


class BarePod(NamedTuple):
    """A Pod object, or a PodTemplate object with its template."""

    metadata: ObjectMeta
    spec: Pod
    template: PodTemplate | None = None


Workload = Controller | Job | CronJob | BarePod

_CONTROLLERS = {
    ("apps/v1", "Deployment"): (
        "replicas",
        "minReadySeconds",
        "revisionHistoryLimit",
        "progressDeadlineSeconds",
    ),
    ("apps/v1", "ReplicaSet"): ("replicas", "minReadySeconds"),
    ("apps/v1", "StatefulSet"): ("replicas", "minReadySeconds"),
    ("apps/v1", "DaemonSet"): ("minReadySeconds", "revisionHistoryLimit"),
    ("v1", "ReplicationController"): ("replicas", "minReadySeconds"),
}
"""For each kind the integers that validation looks at."""

_JOB_COUNTS = (
    "parallelism",
    "completions",
    "backoffLimit",
    "ttlSecondsAfterFinished",
)
_CRON_JOB_COUNTS = ("successfulJobsHistoryLimit", "failedJobsHistoryLimit")


def template_of(workload: Workload) -> PodTemplate | None:
    """The template of the pods that an object makes; None for a Pod."""
    return workload.job.template if isinstance(workload, CronJob) else workload.template


def decode_workload(data: object) -> Workload | None:
    """The object that a JSON value describes; None for kinds that make no pods.

    DecodeError, with its path from the object's root, for the first value that cannot be read.
    """
    root = mapping(data, ())
    key = (string(root, "apiVersion"), string(root, "kind"))
    match key:
        case ("v1", "Pod"):
            return _decode_pod(root)
        case ("v1", "PodTemplate"):
            metadata = decode_object_meta(root.get("metadata"), ("metadata",))
            template = _decode_template(root.get("template"), ("template",))
            return BarePod(metadata, template.spec, template)
        case ("batch/v1", "Job"):
            return _decode_job(root, ())
        case ("batch/v1", "CronJob"):
            return _decode_cron_job(root)
    return _decode_controller(root, key) if key in _CONTROLLERS else None


def _decode_pod(root: Mapping[str, object]) -> BarePod:
    metadata = decode_object_meta(root.get("metadata"), ("metadata",))
    return BarePod(metadata, _decode_spec(root.get("spec"), metadata, ("spec",)))


def _decode_spec(value: object, metadata: ObjectMeta, path: Path) -> Pod:
    try:
        return decode_pod_spec(value, dict(metadata.annotations))
    except DecodeError as error:
        raise error.below(path) from None


def _decode_template(value: object, path: Path) -> PodTemplate:
    data = mapping(value, path)
    metadata = decode_object_meta(data.get("metadata"), (*path, "metadata"))
    return PodTemplate(metadata, _decode_spec(data.get("spec"), metadata, (*path, "spec")), path)


def _decode_controller(root: Mapping[str, object], key: tuple[str, str]) -> Controller:
    kind = key[1]
    spec = mapping(root.get("spec"), ("spec",))
    has_template = spec.get("template") is not None or kind != "ReplicationController"
    template = _decode_template(spec.get("template"), TEMPLATE) if has_template else None
    name = "strategy" if kind == "Deployment" else "updateStrategy"
    strategy = mapping(spec.get(name), ("spec", name))
    policy = string(spec, "podManagementPolicy", ("spec",))
    return Controller(
        kind,
        decode_object_meta(root.get("metadata"), ("metadata",)),
        _decode_selector(spec, kind, template),
        template,
        {field: int32(spec, field, ("spec",)) for field in _CONTROLLERS[key]},
        strategy=string(strategy, "type", ("spec", name)) or "RollingUpdate",
        rolling_update=strategy.get("rollingUpdate") is not None,
        pod_management_policy=policy or "OrderedReady",
    )


def _decode_selector(
    spec: Mapping[str, object], kind: str, template: PodTemplate | None
) -> LabelSelector | None:
    """The selector; that of a ReplicationController is a plain map, by default the pods' labels."""
    path: Path = ("spec", "selector")
    if kind != "ReplicationController":
        return decode_label_selector(spec.get("selector"), path)
    labels = tuple(string_map(spec, "selector", ("spec",)).items())
    default = () if template is None else template.metadata.labels
    return LabelSelector(labels or default)


def _decode_job(data: Mapping[str, object], path: Path) -> Job:
    where = (*path, "spec")
    spec = mapping(data.get("spec"), where)
    counts = {field: int32(spec, field, where) for field in _JOB_COUNTS}
    deadline = int64(spec, "activeDeadlineSeconds", where)
    boolean(spec, "suspend", where)  # must be readable; changes no pod
    return Job(
        decode_object_meta(data.get("metadata"), (*path, "metadata")),
        decode_label_selector(spec.get("selector"), (*where, "selector")),
        boolean(spec, "manualSelector", where),
        _decode_template(spec.get("template"), (*where, "template")),
        counts | {"activeDeadlineSeconds": deadline},
        completion_mode=string(spec, "completionMode", where) or "NonIndexed",
        pod_failure_policy=spec.get("podFailurePolicy") is not None,
    )


def _decode_cron_job(root: Mapping[str, object]) -> CronJob:
    spec = mapping(root.get("spec"), ("spec",))
    path: Path = ("spec", "jobTemplate")
    counts = {field: int32(spec, field, ("spec",)) for field in _CRON_JOB_COUNTS}
    deadline = int64(spec, "startingDeadlineSeconds", ("spec",))
    boolean(spec, "suspend", ("spec",))  # must be readable; changes no pod
    return CronJob(
        decode_object_meta(root.get("metadata"), ("metadata",)),
        string(spec, "schedule", ("spec",)),
        optional_string(spec, "timeZone", ("spec",)),
        string(spec, "concurrencyPolicy", ("spec",)) or "Allow",
        _decode_job(mapping(spec.get("jobTemplate"), path), path),
        counts | {"startingDeadlineSeconds": deadline},
    )

"""Jobs and CronJobs.

Mirrors `pkg/apis/batch/validation/validation.go`, and `pkg/registry/batch/job/strategy.go`, which
adds the labels and the selector of a Job's pods before validation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from qoslint.kernel.features import Features
from qoslint.kernel.metadata import validate_object_meta
from qoslint.kernel.validation.cron import schedule_error
from qoslint.kernel.validation.field import (
    ROOT,
    Field,
    FieldError,
    invalid,
    not_supported,
    required,
)
from qoslint.kernel.validation.labels import validate_label_selector
from qoslint.kernel.validation.names import is_dns1123_subdomain, utf8_length
from qoslint.kernel.validation.workloads import validate_counts, validate_template
from qoslint.kernel.workload import CronJob, Job

_UID = "the uid of the job"
_UID_LABELS = ("batch.kubernetes.io/controller-uid", "controller-uid")
_NAME_LABELS = ("batch.kubernetes.io/job-name", "job-name")
_POLICIES = ("OnFailure", "Never")
_CONCURRENCY_POLICIES = ("Allow", "Forbid", "Replace")
_COMPLETION_MODES = ("NonIndexed", "Indexed")
_MAX_CRON_JOB_NAME = 52
_TIME_ZONE_PART = re.compile(r"[A-Za-z._0-9+][A-Za-z._0-9+-]{0,13}")


def validate_job(job: Job, features: Features) -> Iterator[FieldError]:
    """What is wrong with a Job."""
    yield from validate_object_meta(job.metadata, ROOT.child("metadata"), is_dns1123_subdomain)
    spec = ROOT.child("spec")
    if job.manual_selector:
        yield from _validate_manual_selector(job, spec.child("selector"))
    else:
        job = _with_generated_labels(job)
        yield from _validate_generated_selector(job, spec)
    yield from _validate_job_spec(job, features, spec)


def _with_generated_labels(job: Job) -> Job:
    """The Job as it is stored: its pods labelled with its name and uid (`generateSelector`).

    A Job with a generated name gets labels that cannot be known, nor be wrong.
    """
    labels = dict(job.template.metadata.labels)
    names = dict.fromkeys(_NAME_LABELS, job.metadata.name) if job.metadata.name else {}
    generated = tuple({**names, **labels}.items())
    metadata = job.template.metadata._replace(labels=generated)
    return job._replace(template=job.template._replace(metadata=metadata))


def _validate_generated_selector(job: Job, spec: Field) -> Iterator[FieldError]:
    """Labels and selector that the author gave must be what is generated.

    The uid of a Job is not known before it exists, so no authored uid can be right.
    """
    labels = dict(job.template.metadata.labels)
    field = spec.child("template").child("metadata").child("labels")
    expected = dict.fromkeys(_UID_LABELS, _UID)
    if job.metadata.name:
        expected |= dict.fromkeys(_NAME_LABELS, job.metadata.name)
    for key, value in expected.items():
        if labels.get(key, value) != value:
            yield invalid(field.key(key), labels, f"must be '{value}'")
    selector = job.selector
    if selector is not None and not selector.matches(expected):
        yield invalid(spec.child("selector"), selector.json(), "`selector` not auto-generated")
    if selector is not None and not selector.matches({**labels, **expected}):
        yield invalid(field, labels, "`selector` does not match template `labels`")
    if selector is not None:
        yield from validate_label_selector(selector, spec.child("selector"))


def _validate_manual_selector(job: Job, field: Field) -> Iterator[FieldError]:
    if job.selector is None:
        yield required(field)
    else:
        yield from validate_label_selector(job.selector, field)
    labels = dict(job.template.metadata.labels)
    if job.selector is None or not job.selector.matches(labels):
        where = ROOT.at(job.template.path).child("metadata").child("labels")
        yield invalid(where, labels or None, "`selector` does not match template `labels`")


def _validate_job_spec(job: Job, features: Features, spec: Field) -> Iterator[FieldError]:
    """What is wrong with the spec of a Job or of a CronJob's job template (`validateJobSpec`)."""
    yield from validate_counts(job.counts, spec)
    if job.completion_mode not in _COMPLETION_MODES:
        field = spec.child("completionMode")
        yield not_supported(field, job.completion_mode, _COMPLETION_MODES)
    if job.completion_mode == "Indexed" and job.counts["completions"] is None:
        yield required(spec.child("completions"), "when completion mode is Indexed")
    yield from validate_template(job.template, features)
    policy = job.template.spec.restart_policy
    field = ROOT.at(job.template.path).child("spec").child("restartPolicy")
    if policy == "Always":
        # Always is also what a missing policy becomes, so Kubernetes asks for one.
        yield required(field, 'valid values: "OnFailure", "Never"')
    elif policy not in _POLICIES:
        yield not_supported(field, policy, _POLICIES)
    elif job.pod_failure_policy and policy != "Never":
        yield invalid(field, policy, 'only "Never" is supported when podFailurePolicy is specified')


def validate_cron_job(cron_job: CronJob, features: Features) -> Iterator[FieldError]:
    """What is wrong with a CronJob."""
    metadata, spec = ROOT.child("metadata"), ROOT.child("spec")
    yield from validate_object_meta(cron_job.metadata, metadata, is_dns1123_subdomain)
    name = cron_job.metadata.name
    if utf8_length(name) > _MAX_CRON_JOB_NAME:
        detail = f"must be no more than {_MAX_CRON_JOB_NAME} characters"
        yield invalid(metadata.child("name"), name, detail)
    yield from _validate_schedule(cron_job.schedule, spec.child("schedule"))
    if cron_job.time_zone is not None:
        yield from _validate_time_zone(cron_job.time_zone, spec.child("timeZone"))
    if cron_job.concurrency_policy not in _CONCURRENCY_POLICIES:
        field = spec.child("concurrencyPolicy")
        yield not_supported(field, cron_job.concurrency_policy, _CONCURRENCY_POLICIES)
    yield from validate_counts(cron_job.counts, spec)
    yield from _validate_job_template(cron_job.job, features, spec.child("jobTemplate"))


def _validate_schedule(schedule: str, field: Field) -> Iterator[FieldError]:
    if not schedule:
        yield required(field)
        return
    if complaint := schedule_error(schedule):
        yield invalid(field, schedule, complaint)
    if "TZ" in schedule:
        detail = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"
        yield invalid(field, schedule, detail)


def _validate_time_zone(time_zone: str, field: Field) -> Iterator[FieldError]:
    """The form of a time zone's name; whether it exists depends on the server's own list."""
    if not time_zone:
        yield invalid(field, time_zone, "timeZone must be nil or non-empty string")
        return
    parts = time_zone.split("/")
    if any(part in (".", "..") or not _TIME_ZONE_PART.fullmatch(part) for part in parts):
        yield invalid(field, time_zone, f"unknown time zone {time_zone}")
    elif time_zone.lower() == "local":
        detail = (
            "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"
        )
        yield invalid(field, time_zone, detail)


def _validate_job_template(job: Job, features: Features, field: Field) -> Iterator[FieldError]:
    spec = field.child("spec")
    yield from _validate_job_spec(job, features, spec)
    if job.selector is not None:
        selector = job.selector.json()
        yield invalid(spec.child("selector"), selector, "`selector` will be auto-generated")
    if job.manual_selector:
        yield not_supported(spec.child("manualSelector"), True, ("nil", "false"))

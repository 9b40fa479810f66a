"""What the API server makes of a pod, in sentences: one for each object and stage in its order."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.model.wording import listing
from qoslint.report.amounts import amount
from qoslint.report.prose import Naming, naming, place, placed
from qoslint.schema import Json

_DEFAULTS = "Defaulting"
_LIMIT_RANGER = "LimitRanger"
_PRIORITY = "Priority"
_SHOWN = 10
_COUNTS_AS = {
    ("limits", "max"): "default",
    ("requests", "max"): "default and defaultRequest",
    ("requests", "default"): "defaultRequest",
    ("requests", "min"): "defaultRequest",
}
"""The keys that a stated one of a LimitRange stands in for (`SetDefaults_LimitRangeItem`)."""


def stages(pod: Json) -> Iterator[str]:
    """The numbered steps; none for a workload whose pods are not known."""
    if pod["authored"] is not None:
        for number, sentence in enumerate(_sentences(pod), start=1):
            yield f"  {number}. {sentence}"


def _sentences(pod: Json) -> Iterator[str]:
    every = pod["stages"]
    if not every or every[0]["stage"] != _DEFAULTS:
        yield "API defaulting leaves all requests and limits as they are."
    name = naming(pod)
    quiet = list(_quiet_limit_ranges(pod))
    for index, stage in enumerate(every):
        if stage["stage"] not in (_DEFAULTS, _LIMIT_RANGER):
            yield from quiet
            quiet = []
        if stage["stage"] == _DEFAULTS:
            yield from _defaulting(stage["changes"], "Afterwards API" if index else "API", name)
        elif stage["stage"] == _PRIORITY:
            yield _priority(stage, pod)
        else:
            verb = "fills in" if stage["stage"] == _LIMIT_RANGER else "sets"
            yield f"{stage['by']} {verb} {_by_container(stage['changes'], name)}."
    yield from quiet
    yield from _conclusion(pod)


def _quiet_limit_ranges(pod: Json) -> Iterator[str]:
    """What is to be said of LimitRanges that fill nothing in."""
    if not pod["limitRanges"]:
        known = "" if pod["complete"] else " that the files hold"
        yield f"No LimitRange{known} applies to namespace {pod['namespace']}."
    filling = {stage["by"] for stage in pod["stages"]}
    for each in pod["limitRanges"]:
        if each["name"] not in filling:
            yield f"{each['name']} ({place(each['at'])}) finds nothing to fill in."


def _defaulting(changes: list[Json], who: str, name: Naming) -> Iterator[str]:
    copied = [each for each in changes if each["before"] is None and each["container"] is not None]
    filled = [each for each in changes if each["before"] is None and each["container"] is None]
    rewritten = [each for each in changes if each["before"] is not None]
    if copied:
        yield f"{who} defaulting copies limits to missing requests: {_by_container(copied, name)}."
    if filled:
        yield (
            f"{who} defaulting completes the pod-level block from the containers or from its own "
            f"limits: {_by_container(filled, name)}."
        )
    if rewritten:
        listed = listing(
            f"{each['field']}{_of(each['container'], name)} from {each['before']} to "
            f"{each['after']}"
            for each in rewritten
        )
        yield f"{who} defaulting rewrites {listed}."


def _priority(stage: Json, pod: Json) -> str:
    values = {change["field"]: change["after"] for change in stage["changes"]}
    given = listing(f"{field} {value}" for field, value in values.items())
    first = stage["changes"][0]["at"]
    if first is not None:
        default = "is the global default and " if "priorityClassName" in values else ""
        return f"{stage['by']} ({place(first)}) {default}gives the pod {given}."
    stated = [each["value"] for each in pod["authored"]["fields"] if _names_class(each)]
    if stated:
        return f"PriorityClass {stated[0]}, which every cluster has, gives the pod {given}."
    known = "" if pod["complete"] else " in the files"
    return (
        f"The pod names no PriorityClass, and none{known} is the global default, so it gets "
        f"{given}."
    )


def _names_class(field: Json) -> bool:
    return bool(field["field"] == "priorityClassName")


def _conclusion(pod: Json) -> Iterator[str]:
    if pod["result"]["admitted"] is False:
        return
    bounding = [each["name"] for each in pod["limitRanges"] if each["bounds"]]
    bounds = f", and it is within the bounds of {listing(bounding)}" if bounding else ""
    yield f"Validation accepts the pod{bounds}{_warned(pod['result']['warnings'])}."
    if pod["quotas"]:
        named = listing(placed((each["name"], each["at"]) for each in pod["quotas"]))
        yield f"How much is left of {named} cannot be known from the files."


def _warned(warnings: list[str]) -> str:
    if not warnings:
        return ""
    more = len(warnings) - _SHOWN
    told = "; ".join([*warnings[:_SHOWN], *([f"and {more} more"] if more > 0 else [])])
    return f", and the API server adds {'a warning' if len(warnings) == 1 else 'warnings'}: {told}"


def _by_container(changes: list[Json], name: Naming) -> str:
    """The changes, those of a container together: `limits.cpu 1 (a.yaml:3) of container 'app'`."""
    parts = placed((_change(each), each["at"]) for each in changes)
    grouped: dict[str | None, list[str]] = {}
    for change, part in zip(changes, parts, strict=True):
        grouped.setdefault(change["container"], []).append(part)
    return "; ".join(f"{listing(group)}{_of(owner, name)}" for owner, group in grouped.items())


def _change(change: Json) -> str:
    field, key = change["field"], change["from"]
    before = (
        f" instead of {amount(field, change['before'])}" if change["before"] is not None else ""
    )
    other = _COUNTS_AS.get((field.partition(".")[0], key))
    counts = f" (its {key} counts as its {other})" if other else ""
    return f"{field} {amount(field, change['after'])}{before}{counts}"


def _of(container: str | None, name: Naming) -> str:
    return "" if container is None else f" of {name(container)}"

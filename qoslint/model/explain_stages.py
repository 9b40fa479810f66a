"""What the API server makes of a pod, stage by stage, for an explanation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from qoslint.kernel.outcome import Cause, Stage
from qoslint.model.effective import Effective
from qoslint.model.facts import owner_and_field
from qoslint.model.step import Step, name_of, place_of
from qoslint.span import field_path

_LIMIT_RANGE = "LimitRange"
_QUOTA = "ResourceQuota"


def stages(effective: Effective) -> Iterator[dict[str, object]]:
    """The changes in the order in which they happen, those that one object made together."""
    owners = {path: container.name for path, container in effective.pod.containers_with_paths()}
    order = {str(item["name"]): place for place, item in enumerate(limit_ranges(effective))}
    for stage, run in groupby(effective.steps, key=lambda step: step.stage):
        by: dict[str, list[Step]] = {}
        for step in run:
            by.setdefault(step.by, []).append(step)
        # One container after the other takes what it lacks; people think of one LimitRange after
        # the other, which is the same.
        for name in sorted(by, key=lambda name: order.get(name, 0)):
            changes = []
            for step in by[name]:
                container, field = owner_and_field(step.path, owners)
                changes.append(
                    {
                        "container": container,
                        "field": field_path(field),
                        "before": step.before,
                        "after": step.after,
                        "at": step.cause,
                        "from": _limit_range_key(step),
                    }
                )
            yield {"stage": str(stage), "by": name, "changes": changes}


def _limit_range_key(step: Step) -> str | None:
    """The key of the LimitRange that holds the value: `default`, `defaultRequest`, `max`, `min`."""
    if step.stage is not Stage.LIMIT_RANGER or step.cause is None:
        return None
    return str(step.cause.path[-2])


def limit_ranges(effective: Effective) -> Iterator[dict[str, object]]:
    """The LimitRanges of the namespace in the order in which they are applied."""
    given = effective.given
    for index in effective.shown.order:
        items = given.scope.limit_ranges[index].limits
        cause = Cause(index, _LIMIT_RANGE, ("metadata", "name"))
        yield {
            "name": name_of(cause, given, effective.namespace),
            "at": place_of(cause, given),
            "bounds": any(item.min or item.max or item.max_limit_request_ratio for item in items),
        }


def quotas(effective: Effective) -> Iterator[dict[str, object]]:
    """The ResourceQuotas of the namespace."""
    for index in range(len(effective.given.quotas)):
        cause = Cause(index, _QUOTA, ("metadata", "name"))
        yield {
            "name": name_of(cause, effective.given, effective.namespace),
            "at": place_of(cause, effective.given),
        }

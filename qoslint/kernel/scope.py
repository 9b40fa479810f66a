"""What of a cluster decides about the pods of one namespace."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, TypeVar

from qoslint.kernel import limitranger, priority, quotaevaluator, runtimeclass
from qoslint.kernel.features import Features
from qoslint.kernel.jsonvalue import DecodeError
from qoslint.kernel.limitrange import LimitRange, decode_limit_range, validate_limit_range
from qoslint.kernel.outcome import Stage
from qoslint.kernel.pod import Path
from qoslint.kernel.priority import PriorityClass, decode_priority_class, validate_priority_class
from qoslint.kernel.quota import ResourceQuota, decode_resource_quota, validate_resource_quota
from qoslint.kernel.runtimeclass import RuntimeClass, decode_runtime_class, validate_runtime_class
from qoslint.kernel.validation.field import MAX_ERRORS, FieldError

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """A cluster's classes and a namespace's LimitRanges and quotas, each valid on its own.

    The two `system-` priority classes exist in every cluster and need not be listed. With
    `complete` false, more classes may exist than are listed: a missing one is unknown then.
    Build it with `load_scope`, which leaves out what the API server would refuse. A scope is equal
    only to itself.
    """

    features: Features
    limit_ranges: tuple[LimitRange, ...] = ()
    priority_classes: tuple[PriorityClass, ...] = ()
    runtime_classes: tuple[RuntimeClass, ...] = ()
    quotas: tuple[ResourceQuota, ...] = ()
    complete: bool = True


@dataclass(frozen=True, slots=True)
class ObjectError:
    """Why the API server refuses one of the given objects: decoding or validation."""

    kind: str
    index: int
    """Its place among the given objects of its kind."""
    by: Stage
    message: str
    path: Path


class Kept(NamedTuple):
    """For each object of the scope's tuples, its place among the given objects of its kind."""

    limit_ranges: tuple[int, ...]
    priority_classes: tuple[int, ...]
    runtime_classes: tuple[int, ...]
    quotas: tuple[int, ...]


class LoadedScope(NamedTuple):
    """A scope, which of the given objects it holds, and what is wrong with the others."""

    scope: Scope
    kept: Kept
    errors: tuple[ObjectError, ...]


def load_scope(
    features: Features,
    *,
    limit_ranges: Sequence[object] = (),
    priority_classes: Sequence[object] = (),
    runtime_classes: Sequence[object] = (),
    quotas: Sequence[object] = (),
    complete: bool = True,
) -> LoadedScope:
    """A scope out of the JSON of its objects; those that could not exist are left out."""
    errors: list[ObjectError] = []
    ranges = _load(limitranger.KIND, limit_ranges, decode_limit_range, validate_limit_range, errors)
    priorities = _load(
        priority.KIND, priority_classes, decode_priority_class, validate_priority_class, errors
    )
    runtimes = _load(
        runtimeclass.KIND, runtime_classes, decode_runtime_class, validate_runtime_class, errors
    )
    limits = _load(
        quotaevaluator.KIND, quotas, decode_resource_quota, validate_resource_quota, errors
    )
    scope = Scope(
        features,
        tuple(ranges.values()),
        tuple(priorities.values()),
        tuple(runtimes.values()),
        tuple(limits.values()),
        complete,
    )
    kept = Kept(tuple(ranges), tuple(priorities), tuple(runtimes), tuple(limits))
    return LoadedScope(scope, kept, tuple(errors))


def _load(
    kind: str,
    objects: Sequence[object],
    decode: Callable[[object], _T],
    validate: Callable[[_T], Iterator[FieldError]],
    errors: list[ObjectError],
) -> dict[int, _T]:
    """The objects that the API server accepts, by place; what is wrong with others is appended."""
    kept: dict[int, _T] = {}
    for index, data in enumerate(objects):
        try:
            item = decode(data)
        except DecodeError as error:
            errors.append(ObjectError(kind, index, Stage.DECODE, error.message, error.path))
            continue
        problems = [
            ObjectError(kind, index, Stage.VALIDATION, str(problem), problem.field.path)
            for problem in islice(validate(item), MAX_ERRORS)
        ]
        if problems:
            errors.extend(problems)
        else:
            kept[index] = item
    return kept

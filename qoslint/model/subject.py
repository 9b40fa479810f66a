"""What a check of single objects looks at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from qoslint.kernel.quantity import QuantityError, from_json
from qoslint.kernel.scope import ObjectError
from qoslint.model.jvmsizes import JvmSize
from qoslint.model.objects import KubeObject
from qoslint.model.placeholders import holding
from qoslint.model.quantities import Authored, authored_quantities
from qoslint.model.workloads import Workload
from qoslint.span import Path

Options: TypeAlias = Mapping[str, Any]
"""The options of a rule that a check is given: quantities parsed, lists as tuples."""


class NamedClass(NamedTuple):
    """The name of a PriorityClass in values, its path there, and the classes of the cluster."""

    path: Path
    name: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Stated:
    """An object, whatever cluster it is in, with what its resource lists state.

    It may be the values that an object gives to a chart which is not in the repository.

    `bytes` are its amounts of memory and disk, `cores` those of CPU, and `unreadable` those entries
    that are no quantities, placeholders aside; `errors` says why an object that decides about pods
    cannot exist.
    """

    object: KubeObject
    bytes: tuple[Authored, ...] = ()
    cores: tuple[Authored, ...] = ()
    unreadable: tuple[Authored, ...] = ()
    errors: tuple[ObjectError, ...] = ()
    jvm_sizes: tuple[JvmSize, ...] = ()
    """Sizes that a JVM reads, which only look like quantities."""
    unadmitted: bool = False
    """Whether it is values: no pod is admitted that would show what the quantities mean."""
    unknown_classes: tuple[NamedClass, ...] = ()
    """Of values the PriorityClasses that are in no file of the cluster."""


def stated(
    obj: KubeObject,
    workloads: Iterable[Workload],
    errors: tuple[ObjectError, ...],
    sizes: tuple[JvmSize, ...] = (),
) -> Stated:
    """An object with what it states itself and in the pod templates of its workloads."""
    quantities = _sorted(tuple(authored_quantities(obj, workloads)))
    return Stated(obj, *quantities, errors, sizes)


def stated_values(
    obj: KubeObject, quantities: Sequence[Authored], unknown_classes: tuple[NamedClass, ...] = ()
) -> Stated:
    """The values that an object gives to a chart, with the quantities in them."""
    return Stated(obj, *_sorted(quantities), unadmitted=True, unknown_classes=unknown_classes)


def _sorted(
    quantities: Sequence[Authored],
) -> tuple[tuple[Authored, ...], tuple[Authored, ...], tuple[Authored, ...]]:
    """Those of bytes, those of cores, and those that are none."""
    return (
        tuple(each for each in quantities if each.counts_bytes),
        tuple(each for each in quantities if each.counts_cores),
        tuple(filter(_is_unreadable, quantities)),
    )


def _is_unreadable(authored: Authored) -> bool:
    try:
        from_json(authored.value)
    except QuantityError:
        return next(holding(authored.value), None) is None
    return False

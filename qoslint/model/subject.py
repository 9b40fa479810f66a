"""What a check of single objects looks at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from qoslint.kernel.quantity import QuantityError, from_json
from qoslint.kernel.scope import ObjectError
from qoslint.model.jvmsizes import JvmSize
from qoslint.model.objects import KubeObject
from qoslint.model.placeholders import holding
from qoslint.model.quantities import Authored, authored_quantities
from qoslint.model.workloads import Workload

Options: TypeAlias = Mapping[str, Any]
"""The options of a rule that a check is given: quantities parsed, lists as tuples."""


@dataclass(frozen=True, slots=True, eq=False)
class Stated:
    """An object, whatever cluster it is in, with what its resource lists state.

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


def stated(
    obj: KubeObject,
    workloads: Iterable[Workload],
    errors: tuple[ObjectError, ...],
    sizes: tuple[JvmSize, ...] = (),
) -> Stated:
    """An object with what it states itself and in the pod templates of its workloads."""
    quantities = tuple(authored_quantities(obj, workloads))
    return Stated(
        obj,
        tuple(each for each in quantities if each.counts_bytes),
        tuple(each for each in quantities if each.counts_cores),
        tuple(filter(_is_unreadable, quantities)),
        errors,
        sizes,
    )


def _is_unreadable(authored: Authored) -> bool:
    try:
        from_json(authored.value)
    except QuantityError:
        return next(holding(authored.value), None) is None
    return False

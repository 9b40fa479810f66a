"""QOS310: a PriorityClass with a value or name that it cannot, or had better not, have."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Part, Problem, Severity
from qoslint.kernel.jsonvalue import DecodeError
from qoslint.kernel.priority import (
    HIGHEST_USER_DEFINABLE_PRIORITY,
    KIND,
    decode_priority_class,
)
from qoslint.model.refusals import is_reserved_priority
from qoslint.model.scopes import is_scope_object
from qoslint.model.subject import Options, Stated

_REFUSED = "so it does not exist, and the pods that name it are refused too"


def check_object(stated: Stated, options: Options) -> Iterator[Problem]:
    """One problem for each reason to refuse the class; a note for a default below the cutoff."""
    obj = stated.object
    if obj.kind != KIND or not is_scope_object(obj):
        return
    for error in filter(is_reserved_priority, stated.errors):
        if error.path == ("value",):
            message = (
                f"The API server refuses {OBJECT}, {_REFUSED}: its value {obj.data['value']} is "
                f"above {HIGHEST_USER_DEFINABLE_PRIORITY}, the highest of a class of your own."
            )
        else:
            message = f"The API server refuses {OBJECT}, {_REFUSED}: {error.message}."
        yield Problem(obj.at(error.path, Part.VALUE), message)
    if not stated.errors:
        yield from _below_cutoff(stated, options["cutoff"])


def _below_cutoff(stated: Stated, cutoff: int) -> Iterator[Problem]:
    try:
        record = decode_priority_class(stated.object.data)
    except DecodeError:
        return  # a placeholder stands in it
    if record.global_default and record.value < cutoff:
        yield Problem(
            stated.object.at(("value",), Part.VALUE),
            f"{OBJECT} gives every pod without a class priority {record.value}. Below {cutoff} the "
            "cluster autoscaler takes pods for expendable: it adds no node for them and removes "
            "nodes under them.",
            severity=Severity.NOTE,
        )

"""How usage grows, as people write it on a command line: `900Mi..2Gi@10Mi/s`."""

from __future__ import annotations

from typing import NamedTuple

from qoslint.errors import UsageError
from qoslint.kernel.amount import MAX_INT64
from qoslint.kernel.quantity import QuantityError, parse
from qoslint.kernel.ramps import Ramp
from qoslint.model.objects import shortened

_RANGE, _RATE, _PER_SECOND = "..", "@", "/s"


class Growth(NamedTuple):
    """A workload, or one container of its pods, and the bytes of memory that it uses over time."""

    workload: str
    container: str | None
    """None for the pod as a whole."""
    ramp: Ramp


def growth(text: str) -> Growth:
    """What `shop/Deployment/api=900Mi..2Gi@10Mi/s` states, or `api:app=...` of a container.

    Raises UsageError.
    """
    name, equals, amounts = text.partition("=")
    workload, colon, container = name.partition(":")
    if not equals or not workload or (colon and not container):
        raise UsageError(
            f"a ramp is written WORKLOAD=FROM..TO@RATE, such as "
            f"shop/Deployment/api=900Mi..2Gi@10Mi/s, not {_shown(text)}"
        )
    return Growth(workload, container or None, ramp(amounts))


def ramp(text: str) -> Ramp:
    """What `FROM..TO@RATE` states, in bytes and bytes per second; raises UsageError.

    Without a rate all of it happens in the first second. One amount alone stays as it is.
    """
    amounts, at, rate = text.partition(_RATE)
    first, dots, last = amounts.partition(_RANGE)
    start = _bytes(first, text)
    target = _bytes(last, text) if dots else start
    if not at:
        return Ramp(start, target, abs(target - start))
    if not dots:
        raise UsageError(f"a rate leads from one amount to another: {_shown(text)} has only one")
    if not rate.endswith(_PER_SECOND):
        raise UsageError(f"a rate is written as 10Mi/s, not {_shown(rate)}")
    per_second = _bytes(rate.removesuffix(_PER_SECOND), text)
    if per_second == 0:
        raise UsageError(f"at a rate of zero nothing grows: {_shown(text)}")
    return Ramp(start, target, per_second)


def last_second(ramp: Ramp) -> int:
    """The second in which the ramp arrives at its target."""
    way = abs(ramp.target - ramp.start)
    return ramp.begins + (-(-way // ramp.per_second) if way else 0)


def _bytes(text: str, whole: str) -> int:
    try:
        nanos = parse(text).nanos
    except QuantityError as error:
        raise UsageError(f"{_shown(text)} in {_shown(whole)} is no amount: {error}") from error
    amount = -(-nanos // 10**9)
    if not 0 <= amount <= MAX_INT64:
        raise UsageError(f"{_shown(text)} in {_shown(whole)} is no amount of memory")
    return amount


def _shown(text: str) -> str:
    return repr(shortened(text))

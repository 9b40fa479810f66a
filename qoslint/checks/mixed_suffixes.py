"""QOS703: a request and its limit of bytes, one with a decimal and one with a binary suffix."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Part, Problem, Related
from qoslint.model.quantities import Authored
from qoslint.model.subject import Stated

_DECIMAL = frozenset("kMGTPE")


def check_object(stated: Stated) -> Iterator[Problem]:
    """One problem at each limit whose suffix is of another family than that of its request."""
    if not {2, 10} <= set(map(_family, stated.bytes)):
        return
    requests = {
        (authored.path[:-2], authored.resource): authored
        for authored in stated.bytes
        if authored.path[-2] == "requests"
    }
    for limit in stated.bytes:
        request = requests.get((limit.path[:-2], limit.resource))
        if request and limit.path[-2] == "limits" and {_family(request), _family(limit)} == {2, 10}:
            low, high = _bytes(request), _bytes(limit)
            yield Problem(
                stated.object.at(limit.path, Part.VALUE),
                f"requests.{limit.resource} of {OBJECT} is {request.value} ({low:,} bytes) and "
                f"limits.{limit.resource} is {limit.value} ({high:,} bytes): one suffix counts in "
                f"1024s and the other in 1000s, so {_consequence(low, high)}.",
                related=(Related(stated.object.at(request.path, Part.VALUE), "the request"),),
            )


def _family(authored: Authored) -> int:
    """The base that the suffix counts in, 0 for an amount of zero or without such a suffix."""
    suffix = str(authored.value).strip()[-2:]
    if authored.quantity is None or authored.quantity.nanos == 0:
        return 0
    return 2 if suffix.endswith("i") else 10 if suffix[-1:] in _DECIMAL else 0


def _bytes(authored: Authored) -> int:
    return authored.quantity.value() if authored.quantity else 0


def _consequence(request: int, limit: int) -> str:
    if request > limit:
        return f"the request is {request - limit:,} bytes above the limit"
    return f"the limit is {limit - request:,} bytes above the request"

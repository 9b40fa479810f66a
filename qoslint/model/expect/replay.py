"""Usages of all pods of a node with which one is evicted while another still runs.

**What goes first must not be enough.** The kubelet evicts pod by pod, in its order, until no
threshold is met any more (`pkg/kubelet/eviction/eviction_manager.go synchronize`). So p is evicted
iff a threshold is still met by what is left once all that rank before it are gone. Those use best
their least; p and those behind it must use enough.

**The most is decisive.** The more p uses, the fewer are before it, and the more those behind it
may use without passing it. So if any usages show it, then those do in which p uses the most that
the node leaves beside the least of all others, and those behind it rise as far as it takes.
Smaller and rounder usages are tried before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from qoslint.kernel.signals import Signal
from qoslint.model.bounds import runners
from qoslint.model.contenders import Contender, Limits
from qoslint.model.expect.pairs import at_request, rounded_up


class Duel(NamedTuple):
    """The pods of a node, and which of them shall outlive which."""

    contenders: Sequence[Contender]
    outliving: int
    rival: int


class Replay(NamedTuple):
    """What each pod of a node uses in bytes, and which of them go before the one that is evicted.

    All are told by their index. A critical pod is never evicted, wherever it ranks.
    """

    usages: tuple[int, ...]
    before: frozenset[int]


def replay(duel: Duel, signal: Signal, limits: Limits) -> Replay | None:
    """Usages within the limits with which the pod is evicted, and the rival not before.

    None if there are none; ties are none, as the kubelet may break them in another way.
    """
    least, most = limits
    own = duel.contenders[duel.outliving]
    if least is None or most is None or least > most or own.critical:
        return None
    room = most - sum(each.usage.lo for each in duel.contenders) + own.usage.lo
    cap = min(own.usage.hi, room)
    for usage in _tried(own, signal, cap):
        if found := _with(duel, signal, limits, usage):
            return found
        # Most often the others at their requests leave little to be used.
        missing = least - sum(_moderate(duel, signal, usage).values())
        for more in (rounded_up(usage + missing), usage + missing) if missing > 0 else ():
            if more <= cap and (found := _with(duel, signal, limits, more)):
                return found
    return None


def _tried(own: Contender, signal: Signal, cap: int) -> Iterator[int]:
    requested = at_request(own, signal)
    for usage in (rounded_up(requested + 1), requested, cap):
        if own.usage.lo <= usage <= cap:
            yield usage


def _rooms(duel: Duel, signal: Signal, usage: int) -> dict[int, int]:
    """The most with which each pod is behind the one at that usage; those before it are left out.

    What is never evicted keeps what it uses, as if it were behind.
    """
    field = runners(duel.contenders, signal)
    found: dict[int, int] = {}
    key = field[duel.outliving].key(usage)
    for index, (each, runner) in enumerate(zip(duel.contenders, field, strict=True)):
        rise = None if each.critical else runner.cost(key)
        if index == duel.outliving:
            found[index] = usage
        elif rise is None:
            found[index] = each.usage.hi
        elif rise > 0:
            found[index] = each.usage.lo + rise - 1
    return found


def _moderate(duel: Duel, signal: Signal, usage: int) -> dict[int, int]:
    """The same, of no more than each requests."""
    return {
        index: room
        if index == duel.outliving
        else min(room, at_request(duel.contenders[index], signal))
        for index, room in _rooms(duel, signal, usage).items()
    }


def _with(duel: Duel, signal: Signal, limits: Limits, usage: int) -> Replay | None:
    """The usages with the pod at that much, no more of others than it takes."""
    rooms, used = _rooms(duel, signal, usage), _moderate(duel, signal, usage)
    least, most = limits
    assert least is not None
    assert most is not None
    if duel.rival not in rooms:
        return None
    before = [index for index in range(len(duel.contenders)) if index not in rooms]
    # The rival is the last to be changed: at its request people understand it best.
    order = sorted(rooms.keys() - {duel.outliving}, key=lambda index: (index == duel.rival, index))
    total, freed = sum(used.values()), sum(duel.contenders[i].usage.lo for i in before)
    # Less than makes the next one a victim, too.
    enough = max(least, min(most - freed, least + usage - 1))
    missing = max(least - total, 0) or min(enough - total, 0)
    for index in order:
        lo = duel.contenders[index].usage.lo
        change = min(missing, rooms[index] - used[index]) if missing > 0 else 0
        change = max(missing, lo - used[index]) if missing < 0 else change
        used[index] += change
        missing -= change
    used |= {index: duel.contenders[index].usage.lo for index in before}
    if missing > 0 or sum(used.values()) > most:
        return None
    return Replay(tuple(used[index] for index in range(len(used))), frozenset(before))

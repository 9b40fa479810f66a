"""What gives a pod a later rank: the smallest change of its request, or of its priority."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from qoslint.kernel.eviction import NANOS, Candidate, Key, key_function
from qoslint.kernel.priority import HIGHEST_USER_DEFINABLE_PRIORITY
from qoslint.kernel.quantity import Format, new_quantity
from qoslint.kernel.signals import StarvedResource, starved_resource
from qoslint.model.ranking import Ranking


class Move(NamedTuple):
    """The smallest value that gives the first of the pods a rank."""

    value: int
    """A request in bytes, or a priority."""
    position: int
    """1 for the first to go; those that tie share the first of their places."""
    tie: bool


class Moves(NamedTuple):
    """The next later rank and the latest that one kind of change can give, if any."""

    nearest: Move
    furthest: Move


class _Standing(NamedTuple):
    """The first of the pods of a workload, once they are changed."""

    position: int
    tie: bool


def later_by_request(ranking: Ranking, own: Collection[int], most: int | None) -> Moves | None:
    """Larger requests of the pods of these indexes, of so many bytes at most, for a later rank.

    All pods use what the scenario says. None where no request counts or none is large enough.
    """
    if starved_resource(ranking.signal) not in _REQUESTED:
        return None
    candidates = _candidates(ranking)
    now = max(candidates[index].request.nanos for index in own)
    values: set[int] = set()
    for usage in {candidates[index].usage or 0 for index in own}:
        # The rank only changes where the pod stops to exceed, and where it gets behind another.
        values.add(usage)
        values.update(
            (each.request.nanos - (each.usage or 0) * NANOS) // NANOS + usage + 1
            for index, each in enumerate(candidates)
            if index not in own
        )
    larger = (value for value in values if value * NANOS > now and (most is None or value <= most))
    return _moves(
        ranking,
        own,
        larger,
        lambda each, value: each._replace(request=new_quantity(value, Format.BINARY_SI)),
    )


def later_by_priority(ranking: Ranking, own: Collection[int]) -> Moves | None:
    """Higher priorities of the pods of these indexes that give them a later rank.

    None if there is none up to the highest of a class of one's own.
    """
    candidates = _candidates(ranking)
    now = max(candidates[index].priority for index in own)
    levels = {each.priority for index, each in enumerate(candidates) if index not in own}
    higher = (
        value
        for level in levels
        for value in (level, level + 1)
        if now < value <= HIGHEST_USER_DEFINABLE_PRIORITY
    )
    return _moves(ranking, own, higher, lambda each, value: each._replace(priority=value))


_REQUESTED = frozenset({StarvedResource.MEMORY, StarvedResource.EPHEMERAL_STORAGE})


def _candidates(ranking: Ranking) -> list[Candidate]:
    usages = ranking.scenario.usages(ranking.contenders)
    return [each.at(usage) for each, usage in zip(ranking.contenders, usages, strict=True)]


def _moves(
    ranking: Ranking,
    own: Collection[int],
    values: Iterable[int],
    changed: Callable[[Candidate, int], Candidate],
) -> Moves | None:
    """The rank only gets later with a larger value."""
    candidates = _candidates(ranking)
    others = sorted(
        _key(each, ranking) for index, each in enumerate(candidates) if index not in own
    )
    pods = [candidates[index] for index in own]
    now = _standing(pods, others, ranking).position

    def later() -> Iterator[Move]:
        for value in sorted(set(values)):
            found = _standing([changed(pod, value) for pod in pods], others, ranking)
            if found.position > now:
                yield Move(value, *found)

    moves = list(later())
    if not moves:
        return None
    latest = moves[-1].position
    return Moves(moves[0], next(move for move in moves if move.position == latest))


def _standing(pods: Iterable[Candidate], others: list[Key], ranking: Ranking) -> _Standing:
    first = min(_key(each, ranking) for each in pods)
    before = bisect_left(others, first)
    return _Standing(before + 1, others[before : before + 1] == [first])


def _key(each: Candidate, ranking: Ranking) -> Key:
    return key_function(ranking.signal)(each.usage, each.request.nanos, each.priority)

"""A whole node, where its pods are known, on which a pod is evicted while another still runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from qoslint.kernel.eviction import NANOS
from qoslint.kernel.signals import Signal
from qoslint.model.contenders import Limits
from qoslint.model.expect.guests import Ground
from qoslint.model.expect.pairs import Example, at_request, rounded_up
from qoslint.model.expect.replay import Duel, Replay, replay
from qoslint.model.population import Member, Population
from qoslint.model.pressure import beside_daemons
from qoslint.model.wording import exact_bytes, listing

_SIGNAL = Signal.MEMORY


_THEIRS = ("its request", "their requests")


class Trial(NamedTuple):
    """What all pods of a node and its daemons use, in bytes."""

    members: Sequence[Member]
    duel: Duel
    found: Replay
    daemons: int
    stated: bool
    """Whether the profile says what daemons use; else they use what is missing."""

    @property
    def example(self) -> Example:
        """The usages of the two, and what all other pods use."""
        used = self.found.usages
        pair = used[self.duel.outliving], used[self.duel.rival]
        return Example(*pair, sum(used) - sum(pair))


def trial(ground: Ground, shared: Population, member: Member, rival: Member) -> Trial | None:
    """Usages of the whole node with which the member is evicted first; None if there are none.

    For memory, and where it is known which pods share the node: else nobody can tell what goes
    first.
    """
    if ground.signal is not _SIGNAL or not (shared.known and shared.fits):
        return None
    places = [
        next((i for i, each in enumerate(shared.members) if each.admitted is of.admitted), None)
        for of in (member, rival)
    ]
    own, other = places
    if own is None or other is None:
        return None
    contenders = [ground.contender(each.verdict.effective.pod) for each in shared.members]
    duel, stated = Duel(contenders, own, other), ground.pressure.daemons
    daemons, limits = _daemons(ground, duel) if stated is None else (stated, ground.pressure.limits)
    found = replay(duel, _SIGNAL, limits)
    if found is None:
        return None
    return Trial(shared.members, duel, found, daemons, stated is not None)


def _daemons(ground: Ground, duel: Duel) -> tuple[int, Limits]:
    """What daemons use where nobody says: what is missing if the other pods use their requests."""
    without = beside_daemons(ground.kubelet, ground.pressure, 0)
    usual = [at_request(each, _SIGNAL) for each in duel.contenders]
    own = duel.contenders[duel.outliving]
    usual[duel.outliving] = min(own.usage.hi, rounded_up(usual[duel.outliving] + 1))
    daemons = max(0, (without.least or 0) - sum(usual))
    return daemons, beside_daemons(ground.kubelet, ground.pressure, daemons)


def told(trial: Trial) -> Iterator[str]:
    """What the others use, in sentences and to the byte, so that it can be played."""
    duel, used, before = trial.duel, trial.found.usages, trial.found.before
    others = [i for i in range(len(used)) if i not in (duel.outliving, duel.rival)]
    asked = {i for i in others if used[i] * NANOS == duel.contenders[i].request.nanos}
    parts = [_named(trial, i) for i in others if i not in before and i not in asked]
    if requesting := [trial.members[i].admitted.label for i in sorted(asked - before)]:
        parts.insert(0, f"{listing(requesting)} at {_THEIRS[len(requesting) > 1]}")
    daemons = "which the profile states" if trial.stated else "which no profile states"
    outside = f"daemons use {exact_bytes(trial.daemons)}, {daemons}"
    yield (
        f"That is with {listing(parts)}, while {outside}." if parts else f"That is while {outside}."
    )
    first = [_named(trial, i) for i in others if i in before]
    if first:
        goes = "goes" if len(first) == 1 else "go"
        yield f"{listing(first)} {goes} first and free{'s' if len(first) == 1 else ''} too little."


def _named(trial: Trial, index: int) -> str:
    """A pod with what it uses."""
    label = trial.members[index].admitted.label
    return f"{label} at {exact_bytes(trial.found.usages[index])}"

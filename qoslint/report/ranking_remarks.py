"""What a ranking says beside its table: why usages do not fit, and which lead to a bound."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.kernel.quantity import Quantity, parse
from qoslint.model.wording import exact_bytes, listing
from qoslint.report.amounts import memory
from qoslint.report.visible import shortened
from qoslint.schema import Json

NONE = "-"
"""What stands for the ranks of a pod that no usages can lead to."""
UNKNOWN = "?"
"""What stands for them, and for usages, where the size of the node is not known."""

_MOST_NAMED = 20
_NANOS = 10**9
_COUNTED = ("inodesFree", "pid.available")
_BOUNDS = {
    "earliest": "goes as early as rank",
    "latest": "goes as late as rank",
    "victimEarliest": "goes, among those that can be evicted, as early as rank",
    "victimLatest": "goes, among those that can be evicted, as late as rank",
}


def misfit(each: Json) -> str:
    """What the usages of the scenario come to, where the node cannot show them: half a sentence."""
    if each["limits"] is None or each["feasible"]:
        return ""
    total = parse(each["total"])
    least, most = _limits(each)
    if least.nanos > most.nanos:
        why = "and no usages meet the threshold: nobody is evicted for it"
    elif total.nanos > most.nanos:
        more, room = _shown(each, _less(total, most)), _shown(each, most)
        why = (
            f"{more} more than the {room} that the node has for pods: they cannot all use so much "
            "at once. But how any two of them compare does not depend on the others"
        )
    else:
        less, met = _shown(each, _less(least, total)), _shown(each, least)
        why = (
            f"{less} less than the {met} at which a threshold is met: nobody is evicted"
            f"{_while_daemons(each)}. If something else takes the rest{_from_daemons(each)}, pods "
            f"go in this order{_plays(each)}"
        )
    together = _shown(each, total)
    return f". Together that is {together}, {why}"


def met(each: Json) -> Iterator[str]:
    """When pods use so much that a threshold is met, as far as that is theirs."""
    if each["limits"] is None or each["signal"].startswith("pid"):
        return
    least, most = _limits(each)
    if least.nanos > most.nanos:
        return
    if not least.nanos:
        yield (
            "A threshold can be met whatever these pods use: as far as the profile says "
            "(`daemons`), all else on the node may be in use."
        )
    else:
        below = _shown(each, _less(least, Quantity(_NANOS, least.format)))
        yield f"A threshold is met once the pods use more than {below} together{_beside(each)}."


def is_unknown(each: Json) -> bool:
    """Whether the size of what the signal watches is not known."""
    return each["size"]["quantity"] is None


def feasible_remarks(each: Json) -> Iterator[str]:
    """Why the column `feasible` says nothing, if it does not."""
    if not each["rows"]:
        return
    if is_unknown(each):
        fits = ", nor which usages fit the node" if each["thresholds"] else ""
        yield (
            f"`{UNKNOWN}`: the profile does not state `capacity.{each['size']['name']}`, so that "
            f"the most that pods can use is not known{fits}."
        )
    if each["rows"][0]["earliest"]["feasible"] is None:
        yield f"`{NONE}` under `feasible`: {_why_none(each)}."


def order_remarks(each: Json) -> Iterator[str]:
    """What is peculiar to the order for a signal."""
    signal = each["signal"]
    if signal == "memory.available":
        yield (
            "Memory in the page cache that was used lately counts as used: a pod that reads many "
            "files ranks as if it held that memory."
        )
    if signal == "pid.available":
        yield (
            "The threshold counts threads as well, the order only processes: pods of few processes "
            "can meet it with many threads."
        )
    if each["range"]["most"] == "0" and each["rows"]:
        yield (
            "The kubelet measures nothing of a pod on this filesystem, on which only images lie: "
            "every pod uses 0 of it."
        )
    if signal.endswith("inodesFree"):
        yield (
            "Inodes cannot be requested: a pod with one is above its request. Among those of one "
            "priority the kubelet subtracts the bytes of the ephemeral-storage request from the "
            "number of inodes."
        )
    if each["reclaimed"]:
        yield (
            f"Before any pod, the kubelet deletes {listing(each['reclaimed'])}; it evicts only if "
            "that does not help."
        )


def witness_sentence(witness: Json, pod: str, signal: str) -> str:
    """The usages with which a pod gets a rank, by name or, if they are many, by their rule."""
    shown = "" if witness["feasible"] else " (the node cannot show this)"
    usages = witness["usages"]
    how = _rule(witness, signal)
    if len(usages["set"]) <= _MOST_NAMED:
        used = [
            f"{shortened(name)} at {_exact(signal, usage)}" for name, usage in usages["set"].items()
        ]
        at = f"the {usages['others']}"
        how = f"{listing(used)}, the others at {at} they may use" if used else f"all at {at}"
    return f"{shortened(pod)} {_BOUNDS[witness['bound']]} {witness['rank']}{shown}: {how}."


def _rule(witness: Json, signal: str) -> str:
    rising = witness["others"] == "least"
    than, place, bound = ("more", "before", "least") if rising else ("less", "behind", "most")
    own, others = _exact(signal, witness["usage"]), witness["others"]
    how = f"it at {own}, the others at the {others} they may use"
    if moved := witness["moved"]:
        how += (
            f", except the {moved} for which it takes least, which use just so much {than} that "
            f"they are at or {place} it"
        )
    if total := witness["total"]:
        amount = _exact(signal, total)
        how += f"; and others use {than} until all use at {bound} {amount} together"
    return how


def _why_none(each: Json) -> str:
    signal, uses = each["signal"], each["range"]
    if not each["thresholds"]:
        return f"without a threshold for {signal} the kubelet evicts nobody for it"
    least, most = _limits(each)
    if least.nanos > most.nanos:
        return "no usages of pods meet the threshold, so that nobody is evicted"
    if parse(uses["least"]).nanos > most.nanos:
        together, room = _shown(each, parse(uses["least"])), _shown(each, most)
        return (
            f"at their least the pods use {together} together, more than the {room} that the node "
            "has for pods, so that not all of them run there at once"
        )
    together, met = _shown(each, parse(uses["most"])), _shown(each, least)
    return (
        f"at their most the pods use {together} together, and no threshold is met below {met}: "
        f"with these usages nobody is evicted{_while_daemons(each)}"
    )


def _from_daemons(each: Json) -> str:
    """From which usage of daemons on a threshold of the node is met beside what the pods use."""
    if each["limits"]["daemons"] is None or each["signal"].endswith(_COUNTED):
        return ""
    together = parse(each["limits"]["withDaemons"])
    most = _less(together, parse(each["total"]))
    if most.nanos < 0:
        return ""
    return f", such as daemons above {_shown(each, most)}"


def _while_daemons(each: Json) -> str:
    daemons = each["limits"]["daemons"]
    if daemons is None:
        return ""
    return f" while `daemons` use {shown(each['signal'], daemons)}, as the profile says"


def _beside(each: Json) -> str:
    daemons = each["limits"]["daemons"]
    if daemons is None:
        return ""
    return f", beside the {shown(each['signal'], daemons)} that the profile gives to `daemons`"


def _plays(each: Json) -> str:
    """Which command plays what else grows."""
    if not each["signal"].startswith("memory"):
        return ""
    return " (`qoslint simulate --daemons FROM..TO@RATE` plays that)"


def _limits(each: Json) -> tuple[Quantity, Quantity]:
    return parse(each["limits"]["least"]), parse(each["limits"]["most"])


def _less(larger: Quantity, smaller: Quantity) -> Quantity:
    return Quantity(larger.nanos - smaller.nanos, larger.format)


def _shown(each: Json, quantity: Quantity) -> str:
    """An amount as people read it; inodes and processes are counted."""
    return shown(each["signal"], quantity.canonical())


def shown(signal: str, text: str) -> str:
    """The same of the text of a quantity: in MiB, so that a column can be compared."""
    return text if signal.endswith(_COUNTED) else memory(text).replace(".0Mi", "Mi")


def _exact(signal: str, text: str) -> str:
    """An amount to the byte: `512Mi`, `2 bytes`, `256Mi + 1 byte`."""
    return text if signal.endswith(_COUNTED) else exact_bytes(parse(text).value())

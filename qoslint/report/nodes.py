"""Node profiles as text: what is left for pods, number by number, and when the kubelet evicts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from qoslint.model.wording import counted, listing
from qoslint.report.amounts import size
from qoslint.report.style import Style
from qoslint.report.visible import shortened, width
from qoslint.schema import Json

_HEAD = ("preset", "product", "cpu", "memory", "allocatable cpu", "memory", "pods")
_GAP = "  "
_SHOWN = 5


def render(document: Json, style: Style) -> str:
    """Each profile or preset explained."""
    every = [*document["nodes"], *document["presets"]]
    blocks = (chain(_block(each, style), [""]) for each in every)
    return "\n".join(chain.from_iterable(blocks)).rstrip("\n") + "\n"


def render_presets(document: Json, style: Style) -> str:
    """The presets as a table: their nominal size, and what the least of such nodes allocates."""
    palette = style.palette
    rows = [_HEAD, *(_row(each) for each in document["presets"])]
    widths = [max(width(row[column]) for row in rows) for column in range(len(_HEAD))]
    lines = []
    for row in rows:
        cells = (cell + " " * (most - width(cell)) for cell, most in zip(row, widths, strict=True))
        lines.append(_GAP.join(cells).rstrip())
    lines[0] = palette.paint(palette.faint, lines[0])
    lines.append("")
    lines.append(
        "Machines of a type differ in the memory that they report: allocatable is that of the "
        "least. `qoslint nodes eks/m5.large` explains one."
    )
    return "\n".join(lines) + "\n"


def _row(preset: Json) -> tuple[str, ...]:
    left = {each["resource"]: each["allocatable"] for each in preset["resources"]}
    nominal = preset["size"]
    return (
        shortened(preset["name"]),
        shortened(preset["product"] or "of a plugin"),
        nominal.get("cpu", ""),
        nominal.get("memory", ""),
        left.get("cpu", ""),
        left.get("memory", ""),
        left.get("pods", ""),
    )


def _block(each: Json, style: Style) -> Iterator[str]:
    palette = style.palette
    yield palette.paint(palette.strong, _title(each))
    yield from (f"  {line}" for line in _remarks(each))
    yield from (f"  Such a kubelet does not start: {text}" for text in each["refusals"])
    for resource in each["resources"]:
        yield from _derivation(resource)
    if each["disks"]:
        sizes = listing(f"{name} {size}" for name, size in each["disks"].items())
        yield f"  Filesystems ({each['filesystems']}): {sizes}."
    yield from _unknown(each)
    yield "  The kubelet evicts when less is available than:"
    rows = [_threshold(threshold, each) for threshold in each["thresholds"]]
    widths = [max((width(row[column]) for row in rows), default=0) for column in range(2)]
    for signal, value, why in rows:
        signal += " " * (widths[0] - width(signal))
        value += " " * (widths[1] - width(value))
        yield f"    {signal}  {value}  {why}"
    if not rows:
        yield "    (no threshold: it never evicts)"
    yield from _unwatched(each)
    yield from _kubepods(each)
    yield _daemons(each)


def _title(each: Json) -> str:
    many = f", {counted(each['count'], 'node')}" if each["count"] else ""
    product = f", {shortened(each['product'])}" if each.get("product") else ""
    where = f" ({_place(each['at'])})" if each["at"] else ""
    return (
        f"{shortened(each['name'])}{product}: kubelet {each['version']}, {each['os']}, "
        f"cgroup {each['cgroup']}{many}{where}"
    )


def _remarks(each: Json) -> Iterator[str]:
    if clusters := each.get("clusters"):
        more = len(clusters) - _SHOWN
        names = [shortened(name) for name in clusters[:_SHOWN]]
        shown = listing([*names, f"{more} more"] if more > 0 else names)
        yield f"In {'cluster' if len(clusters) == 1 else 'clusters'} {shown}{_skew(each['skew'])}."
    if most := each["approximate"]:
        least = next(item["capacity"] for item in each["resources"] if item["resource"] == "memory")
        yield (
            f"Approximate: such nodes have {least} to {most['mostMemory']} of memory, and these "
            f"are the numbers of the least. Source: {shortened(most['source'])}"
        )
    if "formula" not in each:
        return
    if each["versions"]:
        yield f"Holds for {shortened(each['versions'])}."
    for line in each["formula"]:
        yield f"Reserved by formula, {shortened(line)}."
    for source in each["sources"][1:]:
        yield f"Also from {shortened(source)}"


def _skew(skew: Json) -> str:
    behind, cluster = skew["behind"], skew["cluster"]
    if not behind:
        return f" of Kubernetes {cluster}"
    if behind < 0:
        return f" of Kubernetes {cluster}: a kubelet must not be newer than its API server"
    told = f" of Kubernetes {cluster}: the kubelet is {counted(behind, 'minor version')} older"
    return told if skew["supported"] else f"{told}, and Kubernetes supports 3 at most"


def _derivation(resource: Json) -> Iterator[str]:
    name = shortened(resource["resource"])
    start = {"capacity": "capacity", "default": "the kubelet's default"}.get(
        resource["by"], resource["by"]
    )
    rows = [("", resource["capacity"], start + _source(resource["at"]))]
    for term in resource["withheld"]:
        unset = " (default)" if term["because"] == "default" else ""
        rows.append(("-", term["quantity"], term["by"] + (_source(term["at"]) or unset)))
    rows.append(("=", resource["allocatable"], "allocatable"))
    most = max(len(quantity) for _, quantity, _ in rows)
    for index, (sign, quantity, what) in enumerate(rows):
        head = name if not index else ""
        yield f"  {head:<18} {sign:1} {quantity:>{most}}  {what}"


def _source(at: Json) -> str:
    return f" ({_place(at)})" if at else ""


def _place(at: Json) -> str:
    return f"{shortened(at['file'])}:{at['line']}"


def _unknown(each: Json) -> Iterator[str]:
    if each["unknown"]:
        yield (
            f"  The profile does not state {listing(each['unknown'])}: what is reserved of it, and "
            "thresholds that are a share of it, have no value here."
        )


def _threshold(threshold: Json, each: Json) -> tuple[str, str, str]:
    value, resolved = threshold["value"], threshold["resolved"]
    told = value if resolved in (None, value) else f"{value} = {resolved}"
    if threshold["kind"] == "soft":
        told += f" for {threshold['gracePeriod']}"
    because = {
        "default": f"default of Kubernetes {each['version']} on {each['os']}",
        "merged": "default, kept by mergeDefaultEvictionSettings",
        "set": "set",
    }[threshold["because"]]
    why = [threshold["kind"], f"{because}{_source(threshold['at'])}"]
    if threshold["copyOf"]:
        why.append(f"follows {threshold['copyOf']}")
    if threshold["minimumReclaim"]:
        why.append(f"reclaims {shortened(threshold['minimumReclaim'])} more")
    return threshold["signal"], told, ", ".join(why)


def _unwatched(each: Json) -> Iterator[str]:
    if each["unwatched"]:
        yield (
            f"  Without threshold: {listing(each['unwatched'])}. A kubelet that is given any "
            "evictionHard has no other hard thresholds, unless mergeDefaultEvictionSettings is "
            "true (since 1.33)."
        )
    if "memory.available" in each["unwatched"]:
        yield (
            "  It never evicts for memory: when memory runs out, the kernel kills by oom_score_adj "
            "and usage."
        )


def _daemons(each: Json) -> str:
    """What the pods do not use, which is not withheld from them: that are the reservations."""
    if used := each["daemons"]:
        told = listing(f"{name} {amount}" for name, amount in used.items())
        return f"  `daemons`: {told} is used outside of pods, in `rank` and `simulate`."
    return (
        "  The profile states no `daemons`, what is used outside of pods: `rank` takes it as "
        "anything, `simulate` as 0."
    )


def _kubepods(each: Json) -> Iterator[str]:
    cgroup = each["kubepods"]
    if cgroup is None:
        yield "  Windows has no cgroup of all pods."
        return
    parts = []
    if cgroup["memory.max"] is not None:
        parts.append(f"{size(cgroup['memory.max'])} at most")
    if cgroup["pids.max"] is not None:
        parts.append(f"{cgroup['pids.max']} processes at most")
    key = "cpu.weight" if each["cgroup"] == "v2" else "cpu.shares"
    if cgroup[key] is not None:
        parts.append(f"{key} {cgroup[key]}")
    why = "capacity less what is reserved" if cgroup["enforced"] else "not enforced: the capacity"
    yield f"  cgroup of all pods: {', '.join(parts)} ({why})."

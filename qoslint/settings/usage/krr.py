"""KRR's recommendations (`krr simple -f json`), of which some bound what was measured.

KRR does not print what it measured. Its memory recommendation is the highest usage of any pod in
its history, a percentage added, rounded up and raised to a minimum (`strategies/simple.py
calculate_memory_proposal`, `core/runner.py _round_value`): no pod used more. Its recommendation
for CPU is a percentile, which bounds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import ObjectId, Place
from qoslint.model.measured.record import MeasuredUsage, Resource, Unused
from qoslint.schema import Json
from qoslint.settings.file import SettingsFile
from qoslint.settings.usage.amounts import AmountError, amount
from qoslint.span import Path

_STRATEGIES = ("simple", "simple_limit")
_MEMORY: Path = ("recommended", "requests", "memory")
_NO_WORKLOAD = "GroupedJob"
"""Jobs that share a label, under the label's value."""


def read(file: SettingsFile) -> Iterator[MeasuredUsage | Unused]:
    """The most memory of each container; raise SettingsError, at its line, for what is wrong."""
    _check_strategy(file)
    clusters: dict[str, None] = {}
    unmeasured: list[Path] = []
    for index, scan in enumerate(_list(file, ("scans",))):
        path: Path = ("scans", index)
        about = _mapping(file, (*path, "object")) if isinstance(scan, dict) else {}
        namespace, kind, name, container = (
            _text(file, (*path, "object"), key)
            for key in ("namespace", "kind", "name", "container")
        )
        clusters[str(about.get("cluster"))] = None
        if len(clusters) > 1:
            first, second = (each[:253] for each in clusters)
            raise file.error(
                (*path, "object"),
                f"the scans are of several clusters, {first!r} and {second!r}: "
                "run krr for one at a time",
            )
        at, value = _recommended(file, path)
        place = Place(ObjectId(file.name, 0, ()), at)
        if kind == _NO_WORKLOAD:
            message = f"KRR's scan of {kind} {namespace[:253]}/{name[:253]} is not used: it is of "
            yield Unused(f"{message}several Jobs together.", place)
        elif value in (None, "?"):
            unmeasured.append(at)
        else:
            try:
                most = amount(_number(value), Resource.MEMORY)
            except AmountError as error:
                raise file.wrong(at, str(error)) from error
            yield MeasuredUsage(namespace, kind, name, container, Resource.MEMORY, 0, most, place)
    if unmeasured:
        yield Unused(
            f"KRR recommends no memory for {len(unmeasured)} of its scans, for want of data: "
            "of those containers nothing is known but their limits.",
            Place(ObjectId(file.name, 0, ()), unmeasured[0]),
        )


def _check_strategy(file: SettingsFile) -> None:
    strategy = file.data.get("strategy")
    if not isinstance(strategy, dict):
        raise file.error((), "the file has `scans`, as those of KRR, and no strategy")
    name = strategy.get("name")
    if not isinstance(name, str) or name.lower() not in _STRATEGIES:
        raise file.wrong(
            ("strategy", "name"),
            f"is {str(name)[:100]!r}: only the memory that {' and '.join(_STRATEGIES)} recommend "
            "is known to bound what was measured",
        )


def _recommended(file: SettingsFile, path: Path) -> tuple[Path, Json]:
    """The recommended memory; older versions of KRR write it without its severity."""
    at: Path = path
    for step in _MEMORY[:-1]:
        at = (*at, step)
        _mapping(file, at)
    value = file.value(at).get(_MEMORY[-1])
    at = (*at, _MEMORY[-1])
    return ((*at, "value"), value.get("value")) if isinstance(value, dict) else (at, value)


def _number(value: Json) -> Json:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise AmountError("must be a number of bytes, '?' or null")
    return value


def _list(file: SettingsFile, path: Path) -> Json:
    value = file.value(path)
    if not isinstance(value, list):
        raise file.wrong(path, "must be a list, as KRR writes it")
    return value


def _mapping(file: SettingsFile, path: Path) -> Json:
    parent = file.value(path[:-1])
    value = parent.get(path[-1]) if isinstance(parent, dict) else None
    if not isinstance(value, dict):
        raise file.wrong(path, "must be a mapping, as KRR writes it")
    return value


def _text(file: SettingsFile, path: Path, key: str) -> str:
    value = _mapping(file, path).get(key)
    if not isinstance(value, str) or not value:
        raise file.wrong((*path, key), "must be a name, as KRR writes it")
    return value

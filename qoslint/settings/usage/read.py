"""A file of measured usage, in whichever of the known formats it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from qoslint.errors import SettingsError, question
from qoslint.finding import Notice
from qoslint.model.measured.record import MeasuredUsage, Resource, Unused
from qoslint.schema import Json
from qoslint.settings.file import SettingsFile, parsed, read_text
from qoslint.settings.usage import krr, own, prometheus, top
from qoslint.span import Path as FieldPath


class UsageFile(NamedTuple):
    """What one file states, and the line of anything in it."""

    name: str
    usages: tuple[MeasuredUsage, ...]
    unused: tuple[Unused, ...]
    """What the file holds that is no usage of a pod."""
    line: Callable[[FieldPath], int]

    def notice(self, unused: Unused) -> Notice:
        """What is not used, at its line of this file."""
        return Notice(unused.message, self.name, self.line(unused.place.path))


class _Format(NamedTuple):
    """A format of YAML or JSON."""

    key: str
    """The key at the top that only this format has."""
    called: str
    read: Callable[[SettingsFile, Resource | None], Iterable[MeasuredUsage | Unused]]


_FORMATS = (
    _Format("usage", "a usage file of qoslint (YAML with `usage`)", lambda file, _: own.read(file)),
    _Format("data", "an answer of Prometheus' query API", prometheus.read),
    _Format("status", "an answer of Prometheus' query API", prometheus.read),
    _Format("scans", "KRR's JSON (krr simple -f json)", lambda file, _: krr.read(file)),
)
_TOP = "what `kubectl top pod --containers` prints"


def read_usage(path: Path, name: str, unnamed: Resource | None = None) -> UsageFile:
    """The usage that a file states, of at most 20 MiB; messages call the file by `name`.

    `unnamed` is what a result of Prometheus measures that names no metric. Raises SettingsError,
    at its line, for what cannot be read.
    """
    return usage_of(read_text(path, name), name, unnamed)


def usage_of(text: str, name: str, unnamed: Resource | None = None) -> UsageFile:
    """As `read_usage`, for a text that was read."""
    if top.recognised(text):
        usages = tuple(top.read(name, text))
        return UsageFile(name, usages, (), _line_of_table)
    file = parsed(text, Path(), name, "")
    found = tuple(_format(file).read(file, unnamed))
    return UsageFile(
        name,
        tuple(each for each in found if isinstance(each, MeasuredUsage)),
        tuple(each for each in found if isinstance(each, Unused)),
        file.line if file.document is not None else _line_of_table,
    )


def _format(file: SettingsFile) -> _Format:
    data: Json = file.data
    keys = data if isinstance(data, dict) else {}
    for format in _FORMATS:
        if format.key in keys:
            return format
    known = list(dict.fromkeys([*(format.called for format in _FORMATS), _TOP]))
    near = (question(key, ["usage", "scans", "data"]) for key in list(keys)[:10])
    raise SettingsError(
        f"{file.name}:1: the file holds no measured usage that is known: "
        f"{', '.join(known[:-1])} or {known[-1]}.{next(filter(None, near), '')}"
    )


def _line_of_table(path: FieldPath) -> int:
    return int(path[0]) + 1 if path else 1

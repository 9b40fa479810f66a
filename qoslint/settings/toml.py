"""`[tool.qoslint]` of a pyproject.toml: its data, and the lines of its keys."""

from __future__ import annotations

import datetime
import itertools
import re
from collections.abc import Mapping

from qoslint.errors import SettingsError
from qoslint.schema import Json
from qoslint.span import Path

_MAX_LENGTH = 1_000_000
_MAX_DEPTH = 100
# tomllib takes time in the square of the parts of a dotted key, which end with the line.
_MAX_SQUARED_DOTS = 10_000_000
# What TOML promises of whole numbers. Python would not even print much larger ones.
_MIN_INT64, _MAX_INT64 = -(2**63), 2**63 - 1
_TABLE = re.compile(r"\s*(?P<open>\[\[?)(?P<name>[^\[\]]+)\]\]?\s*(?:#.*)?")
_ERROR_LINE = re.compile(
    r"(?P<message>.*) \(at (?:line (?P<line>\d+), column \d+|end of document)\)"
)


def settings_of(name: str, text: str) -> Mapping[str, Json] | None:
    """The settings in the text of a pyproject.toml, as JSON data; None if it holds none.

    Raises SettingsError if the file speaks of qoslint and cannot be read.
    """
    if "qoslint" not in text:
        return None
    squared_dots = sum(line.count(".") ** 2 for line in text.split("\n"))
    if len(text) > _MAX_LENGTH or squared_dots > _MAX_SQUARED_DOTS:
        raise SettingsError(f"{name}: the file is too long, or a line of it has too many dots")
    tool = _parsed(name, text).get("tool")
    if not isinstance(tool, dict) or "qoslint" not in tool:
        return None
    try:
        data: Mapping[str, Json] = _json(tool["qoslint"], _MAX_DEPTH)
    except RecursionError:
        where = f"{name}:{line_of(text, ())}"
        raise SettingsError(f"{where}: the settings are nested too deeply") from None
    except OverflowError:
        where = f"{name}:{line_of(text, ())}"
        raise SettingsError(f"{where}: the settings hold a number beyond 64 bits") from None
    return data


def _parsed(name: str, text: str) -> dict[str, Json]:
    # Most runs have no settings in a pyproject.toml.
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError:
        raise SettingsError(f"{name}:1: the file is nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        found = _ERROR_LINE.fullmatch(str(error))
        message, line = (found["message"], found["line"]) if found else (str(error), None)
        raise SettingsError(f"{name}:{line or text.count(chr(10)) + 1}: {message}") from error
    except ValueError:
        raise SettingsError(f"{name}: the file holds a number of too many digits") from None


def _json(value: Json, depth: int) -> Json:
    """TOML's values as JSON knows them: a date is its text."""
    if depth == 0:
        raise RecursionError
    if isinstance(value, dict):
        return {key: _json(item, depth - 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_json(item, depth - 1) for item in value]
    if isinstance(value, int) and not _MIN_INT64 <= value <= _MAX_INT64:
        raise OverflowError
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return value


def line_of(text: str, path: Path) -> int:
    """The line of a setting, or of its nearest parent that is found.

    TOML data has no positions, so the text is searched: for the header of the table of each key,
    else for the first line behind it that assigns the key or holds it inline.
    """
    lines = text.split("\n")
    table: tuple[str, ...] = ("tool", "qoslint")
    at = _header(lines, table, 0) or 0
    for step, index in itertools.zip_longest(path, path[1:]):
        if isinstance(step, int):
            continue
        table = (*table, step)
        number = index if isinstance(index, int) else 0
        found = _header(lines, table, number, at)
        at = _assignment(lines, step, at) if found is None else found
    return at + 1


def _header(lines: list[str], table: tuple[str, ...], number: int, start: int = 0) -> int | None:
    """The index of the header that opens a table for the `number`th time from `start` on."""
    for at in range(start, len(lines)):
        match = _TABLE.fullmatch(lines[at])
        if match and tuple(_parts(match["name"])) == table:
            if number == 0:
                return at
            number -= 1
    return None


def _parts(dotted: str) -> list[str]:
    return [part.strip().strip("\"'") for part in dotted.split(".")]


def _assignment(lines: list[str], key: str, start: int) -> int:
    """The index of the first line from `start` on that assigns the key; `start` if none does."""
    assigns = re.compile(rf"""(?:^|[\s{{,."']){re.escape(key)}["']?\s*(?:=|\.)""")
    for at in range(start, len(lines)):
        if assigns.search(lines[at]):
            return at
    return start

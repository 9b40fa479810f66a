"""The parts of sentences in texts for people, and their lines."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from qoslint.report.visible import shortened
from qoslint.schema import Json

Naming: TypeAlias = Callable[[str], str]
"""From the name of a container to what people call it: `init container 'setup'`."""

_MARK = re.compile(r" *(?:[-*] |[0-9]+\. )?")
"""What stands before the text of a line: blanks and the mark of a list item."""


def harmless(value: Json) -> Json:
    """The JSON value with each of its texts visible, and none longer than anybody reads."""
    if isinstance(value, str):
        return shortened(value)
    if isinstance(value, list):
        return [harmless(item) for item in value]
    if isinstance(value, dict):
        return {shortened(key): harmless(item) for key, item in value.items()}
    return value


def wrapped(lines: Iterable[str], width: int) -> Iterator[str]:
    """The lines in at most `width` columns, as far as their words allow; the rest is indented."""
    for line in lines:
        if len(line) <= width:
            yield line.rstrip(" ")
            continue
        mark = _MARK.match(line)
        yield from textwrap.wrap(
            line,
            width,
            subsequent_indent=" " * (mark.end() if mark else 0),
            break_long_words=False,
            break_on_hyphens=False,
        ) or [""]


def place(at: Json) -> str:
    """A place in a sentence: `apps/api.yaml:12`."""
    return f"{at['file']}:{at['line']}"


def placed(parts: Iterable[tuple[str, Json | None]]) -> Iterator[str]:
    """Each part with its place behind it; the file is only named where it is another one."""
    file = None
    for text, at in parts:
        if at is None:
            yield text
        else:
            where = place(at) if at["file"] != file else f"line {at['line']}"
            yield in_parentheses(text, where)
            file = at["file"]


def in_parentheses(text: str, more: str) -> str:
    """The text with more in parentheses, in those that it ends with if it does."""
    if text.endswith(")") and " (" in text:
        return f"{text[:-1]}; {more})"
    return f"{text} ({more})"


def workload_name(pod: Json) -> str:
    """The workload of an explanation as people name it: `Deployment shop/api`."""
    return f"{pod['kind']} {pod['namespace']}/{pod['name']}"


def container_name(name: str, type: str) -> str:
    """A container in a sentence: `sidecar 'proxy'`, `init container 'setup'`."""
    kind = {"init": "init container", "sidecar": "sidecar"}.get(type, "container")
    return f"{kind} '{name}'"


def naming(pod: Json) -> Naming:
    """What names a container of the pod as what it is: `init container 'setup'`."""
    verdict, authored = pod["result"]["verdict"], pod["authored"]
    stated = authored["containers"] if authored else []
    types = {
        each["name"]: each["type"]
        for each in (*(verdict["containers"] if verdict else ()), *stated)
    }
    return lambda name: container_name(name, types.get(name, ""))

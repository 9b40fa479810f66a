"""Where a rendered field most likely stands in its template, told without rendering again."""

from __future__ import annotations

import re

from qoslint.span import Path, Position, Span

_MOST_READ = 1_000_000
_FIELD = re.compile(r"[ \t]*(?:-[ \t]+)*([\w.-]+):(?:[ \t]+(\S.*?))?[ \t]*")
_COMMENT = re.compile(r"[ \t]+#.*")


def likely_span(template: str, path: Path, value: object) -> Span | None:
    """The only line of the field's key, or of its key and value; else that of its parent's key.

    None where no key on the path stands in just one line.
    """
    lines: dict[str, list[tuple[Span, str]]] = {}
    for number, line in enumerate(template[:_MOST_READ].split("\n"), start=1):
        found = _FIELD.fullmatch(line.rstrip("\r"))
        if found is not None:
            end = found.end(2) if found[2] else found.end(1) + 1
            span = Span(Position(number, found.start(1) + 1), Position(number, end + 1))
            lines.setdefault(found[1], []).append((span, found[2] or ""))
    keys = [step for step in path if isinstance(step, str)]
    if path and keys[-1:] == [path[-1]] and isinstance(value, str):
        same = [span for span, said in lines.get(keys[-1], ()) if _plain(said) == value]
        if len(same) == 1:
            return same[0]
    for key in reversed(keys):
        if len(lines.get(key, ())) == 1:
            return lines[key][0][0]
    return None


def _plain(said: str) -> str:
    return _COMMENT.sub("", said).strip("\"'")

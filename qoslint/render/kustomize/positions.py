"""Where the fields of authored texts stand in their files, also of texts within a scalar."""

from __future__ import annotations

from qoslint.finding import Location, Part
from qoslint.render.kustomize.leaves import Text
from qoslint.source.locate import locate
from qoslint.span import Lines, Path, Position, Span


def location(text: Text, path: Path, part: Part) -> Location:
    """The place of a field of a text, in its file."""
    span, exact = locate(text.document, path, part)
    return _placed(text, span, exact)


def _placed(text: Text, span: Span, exact: bool) -> Location:
    """The place in the file of a stretch of a text."""
    if text.outer is None:
        return Location(text.file, span, exact)
    outer, at = text.outer
    whole, _ = locate(outer.document, at, Part.VALUE)
    indent = _indent(outer.document.source.text, whole, text.document.source.text)
    if indent is None:
        return _placed(outer, whole, exact)
    moved = Span(_moved(span.start, whole, indent), _moved(span.end, whole, indent))
    return _placed(outer, moved, exact)


def _moved(inner: Position, block: Span, indent: int) -> Position:
    return Position(block.start.line + inner.line, inner.column + indent)


def _indent(outer: str, whole: Span, inner: str) -> int | None:
    """How far a literal block is indented whose lines are the lines of `inner`; None if none is."""
    lines = Lines(outer)
    if not outer[lines.index(whole.start) :].startswith("|"):
        return None
    wanted = inner.rstrip("\n").split("\n")
    found = [lines.line(whole.start.line + 1 + number) for number in range(len(wanted))]
    indent = len(found[0]) - len(wanted[0])
    same = all(
        line[indent:].rstrip() == text.rstrip() and not line[:indent].strip()
        for line, text in zip(found, wanted, strict=True)
    )
    return indent if same and indent > 0 else None

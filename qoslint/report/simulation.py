"""A played node for people: each moment in which something happens, and why it happens to whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qoslint.report import simulation_outcome as outcome
from qoslint.report import simulation_words as words
from qoslint.report.amounts import memory
from qoslint.report.prose import harmless, wrapped
from qoslint.report.style import Style
from qoslint.report.visible import width
from qoslint.schema import Json

_INDENT = "      "


def render(document: Json, style: Style) -> str:
    """The document of `qoslint simulate` as text, ending with a line end."""
    return "\n".join(_page(harmless(document), style)) + "\n"


def _page(document: Json, style: Style) -> Iterator[str]:
    palette = style.palette
    yield palette.paint(palette.strong, words.heading(document))
    yield from wrapped(words.frame(document), style.width)
    for step in document["steps"]:
        yield ""
        body = _kernel if step["by"] == "kernel" else _kubelet
        yield from body(step, document, style)
    yield ""
    yield palette.paint(palette.strong, "What came of it")
    yield from _indented(outcome.ending(document), style)
    yield ""
    yield palette.paint(palette.strong, "Assumed")
    yield from wrapped((f"  - {each}" for each in document["assumptions"]), style.width)


def _kubelet(step: Json, document: Json, style: Style) -> Iterator[str]:
    palette = style.palette
    yield from _wrapped_behind(f"{step['second']} s", words.saw(step), style)
    yield from _indented(words.waits(step), style)
    yield from _table(words.RANKING, words.ranking_rows(step, document))
    yield from _indented(words.more_rows(step["ranking"]), style)
    yield from _indented(words.refused(step, document), style)
    for line, message in words.evicted(step, document):
        first, *rest = _indented([line], style)
        yield palette.paint(palette.error, first)
        yield from (palette.paint(palette.error, each) for each in rest)
        yield f"{_INDENT}Its status says:"
        yield from _indented([f"  {message}"], style)


def _kernel(step: Json, document: Json, style: Style) -> Iterator[str]:
    palette = style.palette
    because, *killed = outcome.killed(step, document)
    yield from _wrapped_behind(
        f"{step['second']} s", f"daemons {memory(step['daemons'])}: {because}", style
    )
    yield from _table(outcome.SUSPECTS, outcome.suspect_rows(step, document))
    yield from _indented(words.more_rows(step["suspects"]), style)
    for line in _indented(killed, style):
        yield palette.paint(palette.error, line)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Aligned columns: the first two to the left, numbers to the right."""
    if not rows:
        return
    table = [head, *rows]
    widths = [max(width(row[column]) for row in table) for column in range(len(head))]
    for row in table:
        cells = []
        for column, cell in enumerate(row):
            blanks = " " * (widths[column] - width(cell))
            cells.append(cell + blanks if column < 2 else blanks + cell)
        yield f"{_INDENT}{'  '.join(cells)}".rstrip()


def _wrapped_behind(label: str, line: str, style: Style) -> Iterator[str]:
    palette = style.palette
    lines = list(wrapped([line], style.width - len(_INDENT)))
    start = f"{label:<{len(_INDENT) - 1}} "
    yield palette.paint(palette.strong, start) + lines[0]
    yield from (f"{_INDENT}{each}" for each in lines[1:])


def _indented(lines: Iterator[str] | Sequence[str], style: Style) -> Iterator[str]:
    for each in wrapped(lines, style.width - len(_INDENT)):
        yield f"{_INDENT}{each}"

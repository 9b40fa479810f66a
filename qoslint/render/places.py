"""Lines that are told later: to find one, the whole document is read, so all are found at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from qoslint.finding import Notice, Part
from qoslint.render.helm.records import Chart
from qoslint.render.target import Missing, Target
from qoslint.source.document import Document
from qoslint.source.locate import locate_all
from qoslint.span import Path

Answer: TypeAlias = Target | Missing | Notice


class Places:
    """Collects fields whose lines are wanted. Until `told`, a negative number stands for a line."""

    def __init__(self) -> None:
        """Nothing is wanted yet."""
        self._wanted: dict[tuple[Document, Path], int] = {}

    def later(self, document: Document, path: Path) -> int:
        """What stands for the line of a field."""
        return self._wanted.setdefault((document, path), -len(self._wanted) - 1)

    def told(self, answers: Iterable[Answer]) -> Iterator[Answer]:
        """The answers with their lines."""
        waiting = list(answers)
        lines = self._lines()
        for answer in waiting:
            if answer.line in lines:
                answer = answer._replace(line=lines[answer.line])
            if isinstance(answer, Target) and isinstance(answer.what, Chart):
                answer = answer._replace(what=_with_lines(answer.what, lines))
            yield answer

    def _lines(self) -> Mapping[int | None, int]:
        by_document: defaultdict[Document, list[tuple[Path, int]]] = defaultdict(list)
        for (document, path), stand_in in self._wanted.items():
            by_document[document].append((path, stand_in))
        lines: dict[int | None, int] = {}
        for document, wanted in by_document.items():
            spans = locate_all(document, [(path, Part.ENTRY) for path, _ in wanted])
            for (_, stand_in), (span, _) in zip(wanted, spans, strict=True):
                lines[stand_in] = span.start.line
        return lines


def _with_lines(chart: Chart, lines: Mapping[int | None, int]) -> Chart:
    if all(layer.line not in lines for layer in chart.layers):
        return chart
    layers = (layer._replace(line=lines.get(layer.line, layer.line)) for layer in chart.layers)
    return chart._replace(layers=tuple(layers))

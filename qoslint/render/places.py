"""Lines that are told later: to find one, the whole document is read, so all are found at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from qoslint.finding import Notice, Part
from qoslint.render.failure import Spot
from qoslint.render.helm.records import Chart, Layer
from qoslint.render.target import Missing, Target, What
from qoslint.source.document import Document, Wanted
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
        """The answers with their lines; what is missing with the file of the line, too."""
        waiting = list(answers)
        spots = self._spots()
        doubts = {stand_in: _doubt(document) for (document, _), stand_in in self._wanted.items()}
        for answer in waiting:
            spot = spots.get(answer.line)
            if isinstance(answer, Target):
                yield answer._replace(
                    # What has it rendered may be another file, of which no line is known.
                    line=1 if spot is None or spot.file != answer.file else spot.line,
                    what=_with_lines(answer.what, spots),
                    doubt=doubts.get(answer.line, ""),
                )
                continue
            if isinstance(answer, Missing):
                asked_by = "" if spot is None or spot.file == answer.file else answer.file
                layers = _told(answer.layers, spots)
                answer = answer._replace(layers=layers, asked_by=asked_by)
                if doubts.get(answer.line) and not answer.remote:
                    answer = answer._replace(message=f"{answer.message}. {doubts[answer.line]}")
            yield answer if spot is None else answer._replace(file=spot.file, line=spot.line)

    def _spots(self) -> Mapping[int | None, Spot]:
        by_document: defaultdict[Document, list[tuple[Path, int]]] = defaultdict(list)
        for (document, path), stand_in in self._wanted.items():
            by_document[document].append((path, stand_in))
        spots: dict[int | None, Spot] = {}
        for document, wanted in by_document.items():
            found = _located(document, [path for path, _ in wanted])
            spots.update(zip((stand_in for _, stand_in in wanted), found, strict=True))
        return spots


def _located(document: Document, paths: Sequence[Path]) -> Iterator[Spot]:
    rendered = document.source.rendered
    if rendered is None:
        for span, _ in locate_all(document, [(path, Part.ENTRY) for path in paths]):
            yield Spot(document.source.path, span.start.line)
        return
    for path in paths:
        found = rendered.origin.likely(Wanted(document, path, Part.ENTRY))
        yield Spot(found.file, found.span.start.line)


def _doubt(document: Document) -> str:
    rendered = document.source.rendered
    return rendered.doubt if rendered else ""


def _with_lines(what: What, spots: Mapping[int | None, Spot]) -> What:
    if not isinstance(what, Chart):
        return what
    return what._replace(layers=_told(what.layers, spots))


def _told(layers: tuple[Layer, ...], spots: Mapping[int | None, Spot]) -> tuple[Layer, ...]:
    return tuple(
        layer._replace(line=spots[layer.line].line) if layer.line in spots else layer
        for layer in layers
    )

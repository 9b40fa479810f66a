"""Origins: what leads the fields of rendered documents back to the authored lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qoslint.finding import Location
from qoslint.render.checkout import Checkout
from qoslint.render.helm.records import Chart, Engine, Rendered
from qoslint.render.kustomize.engine import Engine as KustomizeEngine
from qoslint.render.kustomize.files import parsed, text
from qoslint.render.kustomize.overlay import Built, Overlay
from qoslint.source.document import Wanted
from qoslint.source.locate import locate
from qoslint.span import Position, Span

_START = Span(Position(1, 1), Position(1, 1))


@dataclass(frozen=True, slots=True, eq=False)
class ChartOrigin:
    """Where what a chart renders to is authored: in its templates, or in values."""

    checkout: Checkout
    chart: Chart
    rendered: Rendered
    engine: Engine

    def locate(self, wanted: Sequence[Wanted]) -> Sequence[Location]:
        """The line of each field, or of what a person would edit to have it."""
        files = {template.name: template.file for template in self.rendered.templates}
        return [
            Location(files[each.document.source.id.rpartition(": ")[2]], _START, exact=False)
            for each in wanted
        ]


@dataclass(frozen=True, slots=True, eq=False)
class OverlayOrigin:
    """Where what a kustomization builds to is authored: in resources, patches or generators."""

    checkout: Checkout
    overlay: Overlay
    built: Built
    engine: KustomizeEngine

    def locate(self, wanted: Sequence[Wanted]) -> Sequence[Location]:
        """The line of each field, or of what a person would edit to have it."""
        return list(self._located(wanted))

    def _located(self, wanted: Sequence[Wanted]) -> Iterator[Location]:
        for each in wanted:
            origin = self.built.origins[each.document.number]
            content = text(self.checkout.folder, origin.file)
            if origin.number is None or content is None:
                yield Location(origin.file, _START, exact=False)
                continue
            document = next(
                item for item in parsed(origin.file, content) if item.number == origin.number
            )
            span, _ = locate(document, origin.root)
            yield Location(origin.file, span, exact=False)

"""Origins: what leads the fields of rendered documents back to the authored lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from qoslint.finding import Location
from qoslint.render.checkout import Checkout
from qoslint.render.helm import origin as templates
from qoslint.render.helm.records import Chart, Engine, Rendered
from qoslint.render.kustomize import locate as fields
from qoslint.render.kustomize.engine import Engine as KustomizeEngine
from qoslint.render.kustomize.overlay import Built, Overlay
from qoslint.source.document import Broken, Document, Wanted
from qoslint.span import Position, Span

_START = Span(Position(1, 1), Position(1, 1))


@dataclass(frozen=True, slots=True, eq=False)
class ChartOrigin:
    """Where what a chart renders to is authored: in its templates, or in values."""

    checkout: Checkout
    chart: Chart
    rendered: Rendered
    engine: Engine
    names: Mapping[str, str]
    """By the id of a source the name of its template."""

    def locate(self, wanted: Sequence[Wanted]) -> Sequence[Location]:
        """The line of each field, or of what a person would edit to have it."""
        asked = [
            templates.Wanted(self.names[document.source.id], document, path, part)
            for document, path, part in wanted
            if isinstance(document, Document)
        ]
        found = iter(
            templates.locate(self.checkout.folder, self.chart, self.rendered, asked, self.engine)
        )
        return [
            self._of_template(each.document) if isinstance(each.document, Broken) else next(found)
            for each in wanted
        ]

    def _of_template(self, broken: Broken) -> Location:
        name = self.names[broken.source.id]
        file = next(each.file for each in self.rendered.templates if each.name == name)
        return Location(file, _START, exact=False)


@dataclass(frozen=True, slots=True, eq=False)
class OverlayOrigin:
    """Where what a kustomization builds to is authored: in resources, patches or generators."""

    checkout: Checkout
    overlay: Overlay
    built: Built
    engine: KustomizeEngine

    def locate(self, wanted: Sequence[Wanted]) -> Sequence[Location]:
        """The line of each field, or of what a person would edit to have it."""
        asked = [fields.Wanted(each.document.number, each.path, each.part) for each in wanted]
        folder = self.checkout.folder
        return fields.locate(folder, self.overlay, self.built, asked, self.engine)

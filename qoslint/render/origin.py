"""Origins: what leads the fields of rendered documents back to the authored lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from qoslint.finding import Location, Part
from qoslint.render.checkout import Checkout
from qoslint.render.helm import origin as helm
from qoslint.render.helm.records import Chart, Engine, Rendered, Template
from qoslint.render.kustomize import locate as kustomize
from qoslint.render.kustomize.engine import Engine as KustomizeEngine
from qoslint.render.kustomize.overlay import Built, Overlay
from qoslint.source.document import Broken, Document, Wanted
from qoslint.source.locate import locate
from qoslint.span import Path, Position, Span

_START = Span(Position(1, 1), Position(1, 1))


@dataclass(frozen=True, slots=True, eq=False)
class ChartOrigin:
    """Where what a chart renders to is authored: in its templates, or in values."""

    checkout: Checkout
    chart: Chart
    rendered: Rendered
    engine: Engine
    templates: Mapping[str, Template]
    """By the id of a source the template that it was rendered from."""

    def locate(self, wanted: Sequence[Wanted]) -> Sequence[Location]:
        """The line of each field, or of what a person would edit to have it."""
        asked = [
            helm.Wanted(self.templates[document.source.id].name, document, path, part)
            for document, path, part in wanted
            if isinstance(document, Document)
        ]
        found = iter(
            helm.locate(self.checkout.folder, self.chart, self.rendered, asked, self.engine)
        )
        return [
            self._of_template(each.document) if isinstance(each.document, Broken) else next(found)
            for each in wanted
        ]

    def _of_template(self, broken: Broken) -> Location:
        return Location(self.templates[broken.source.id].file, _START, exact=False)


@dataclass(frozen=True, slots=True, eq=False)
class OverlayOrigin:
    """Where what a kustomization builds to is authored: in resources, patches or generators."""

    checkout: Checkout
    overlay: Overlay
    built: Built
    engine: KustomizeEngine

    def locate(self, wanted: Sequence[Wanted]) -> Sequence[Location]:
        """The line of each field, or of what a person would edit to have it."""
        asked = [kustomize.Wanted(each.document.number, each.path, each.part) for each in wanted]
        folder = self.checkout.folder
        return kustomize.locate(folder, self.overlay, self.built, asked, self.engine)


@dataclass(frozen=True, slots=True, eq=False)
class FileOrigin:
    """Where what was read from files stands: there."""

    files: Mapping[str, str]
    """By the id of a source the file that it is the text of."""

    def locate(self, wanted: Sequence[Wanted]) -> Sequence[Location]:
        """The line of each field, or of its nearest parent that exists."""
        return [self._located(*each) for each in wanted]

    def _located(self, document: Document | Broken, path: Path, part: Part) -> Location:
        file = self.files[document.source.id]
        if isinstance(document, Broken):
            return Location(file, document.span)
        return Location(file, *locate(document, path, part))

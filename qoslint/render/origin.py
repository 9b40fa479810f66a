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
from qoslint.render.kustomize.files import parsed, text
from qoslint.render.kustomize.overlay import Built, Overlay
from qoslint.source.document import Broken, Document, Wanted
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
    templates: Mapping[str, Template]
    """By the id of a source the template that it was rendered from."""

    def locate(self, wanted: Sequence[Wanted]) -> Sequence[Location]:
        """The line of each field, or of what a person would edit to have it."""
        asked = [
            helm.Wanted(self.templates[document.source.id].name, document, path, part)
            for document, path, part in wanted
            if isinstance(document, Document)
        ]
        folder = self.checkout.folder
        found = iter(
            helm.trace(folder, self.chart, self.rendered, asked, self.engine).origins
            if asked
            else ()
        )
        return [
            self.likely(each) if isinstance(each.document, Broken) else self._authored(next(found))
            for each in wanted
        ]

    def likely(self, wanted: Wanted) -> Location:
        """The template."""
        return Location(self.templates[wanted.document.source.id].file, _START, exact=False)

    def _authored(self, found: helm.Origin) -> Location:
        """The place itself, or where the object was written whose values it is in."""
        for layer in self.chart.layers:
            if layer.document is not None and layer.file == found.location.file:
                rendered = layer.document.source.rendered
                assert rendered is not None, "only of what was rendered it is kept"
                field = Wanted(layer.document, (*layer.path, *(found.key or ())), Part.ENTRY)
                return rendered.origin.likely(field)
        return found.location


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

    def likely(self, wanted: Wanted) -> Location:
        """The same field of the object as it is written in its resource."""
        origin = self.built.origins[wanted.document.number]
        content = text(self.checkout.folder, origin.file)
        if origin.number is None or content is None:
            return Location(origin.file, _START, exact=False)
        authored = next(
            each for each in parsed(origin.file, content) if each.number == origin.number
        )
        return Location(origin.file, *locate(authored, (*origin.root, *wanted.path), wanted.part))


@dataclass(frozen=True, slots=True, eq=False)
class FileOrigin:
    """Where what was read from files stands: there."""

    files: Mapping[str, str]
    """By the id of a source the file that it is the text of."""

    def locate(self, wanted: Sequence[Wanted]) -> Sequence[Location]:
        """The line of each field, or of its nearest parent that exists."""
        return [self.likely(each) for each in wanted]

    def likely(self, wanted: Wanted) -> Location:
        """The line of a field."""
        document, path, part = wanted
        file = self.files[document.source.id]
        if isinstance(document, Broken):
            return Location(file, document.span)
        return Location(file, *locate(document, path, part))

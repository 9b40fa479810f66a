"""Origins: what leads the fields of rendered documents back to the authored lines."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

from qoslint.finding import Location, Part
from qoslint.render.checkout import Checkout
from qoslint.render.helm import origin as helm
from qoslint.render.helm.likely import likely_span
from qoslint.render.helm.records import Chart, Engine, Rendered, Template
from qoslint.render.kustomize import locate as kustomize
from qoslint.render.kustomize.engine import Engine as KustomizeEngine
from qoslint.render.kustomize.files import parsed, text
from qoslint.render.kustomize.overlay import Built, Overlay
from qoslint.source.document import Broken, Document, Wanted
from qoslint.source.locate import locate
from qoslint.span import START, value_at

PROCESSES = 2
"""How many kustomizations are built at a time."""


class Made(NamedTuple):
    """A text that one template of a chart rendered to."""

    chart: Chart
    rendered: Rendered
    template: Template


@dataclass(frozen=True, slots=True, eq=False)
class ChartOrigin:
    """Where what charts render to is authored: in their templates, or in values."""

    checkout: Checkout
    engine: Engine
    made: dict[str, Made]
    """By the id of a source; all charts that are rendered together are asked together."""

    def locate(self, wanted: Sequence[Wanted]) -> Sequence[Location]:
        """The line of each field, or of what a person would edit to have it."""
        charts: dict[int, helm.Asked] = {}
        for document, path, part in wanted:
            if isinstance(document, Document):
                chart, rendered, template = self.made[document.source.id]
                asked = charts.setdefault(id(rendered), helm.Asked(chart, rendered, []))
                asked.wanted.append(helm.Wanted(template.name, document, path, part))
        traced = helm.trace_all(self.checkout.folder, list(charts.values()), self.engine)
        found = {key: iter(each.origins) for key, each in zip(charts, traced, strict=True)}
        return [
            self.likely(each)
            if isinstance(each.document, Broken)
            else self._authored(each, next(found[id(self._made(each).rendered)]))
            for each in wanted
        ]

    def likely(self, wanted: Wanted) -> Location:
        """The line of the template that seems to write the field, else its first."""
        document, path, _ = wanted
        template = self._made(wanted).template
        span = None
        if isinstance(document, Document) and not template.inside:
            value = value_at(document.data, path)
            span = likely_span(self.checkout.text(template.file) or "", path, value)
        return Location(template.file, span or START, exact=False)

    def _made(self, wanted: Wanted) -> Made:
        return self.made[wanted.document.source.id]

    def _authored(self, wanted: Wanted, found: helm.Origin) -> Location:
        """The place itself, or where the object was written whose values it is in."""
        for layer in self._made(wanted).chart.layers:
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
    engine: KustomizeEngine
    built: dict[str, tuple[Overlay, Built]]
    """By the id of a source."""

    def locate(self, wanted: Sequence[Wanted]) -> Sequence[Location]:
        """The line of each field, or of what a person would edit to have it."""
        asked: dict[str, list[kustomize.Wanted]] = {}
        for document, path, part in wanted:
            fields = asked.setdefault(document.source.id, [])
            fields.append(kustomize.Wanted(document.number, path, part))
        with ThreadPoolExecutor(PROCESSES) as pool:
            located = pool.map(self._located, asked, asked.values())
            found = {key: iter(places) for key, places in zip(asked, located, strict=True)}
        return [next(found[each.document.source.id]) for each in wanted]

    def _located(self, source: str, fields: Sequence[kustomize.Wanted]) -> Sequence[Location]:
        overlay, built = self.built[source]
        return kustomize.locate(self.checkout.folder, overlay, built, fields, self.engine)

    def likely(self, wanted: Wanted) -> Location:
        """The same field of the object as it is written in its resource."""
        _, built = self.built[wanted.document.source.id]
        origin = built.origins[wanted.document.number]
        content = text(self.checkout.folder, origin.file)
        if origin.number is None or content is None:
            return Location(origin.file, START, exact=False)
        authored = next(
            each for each in parsed(origin.file, content) if each.number == origin.number
        )
        return Location(origin.file, *locate(authored, (*origin.root, *wanted.path), wanted.part))

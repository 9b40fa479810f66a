"""The values of charts that are not in the repository, as documents like any other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from qoslint.finding import Location
from qoslint.render.failure import RenderError
from qoslint.render.helm.keys import locate_given
from qoslint.render.helm.records import Layer
from qoslint.render.helm.values import of_layers
from qoslint.render.target import Missing
from qoslint.source.document import Document, Rendered, Source, Wanted


@dataclass(frozen=True, slots=True, eq=False)
class ValuesOrigin:
    """Where values are authored that several layers state together."""

    layers: Sequence[Layer]

    def locate(self, wanted: Sequence[Wanted]) -> Sequence[Location]:
        """The line of each key, in the last layer that states it."""
        return [self.likely(each) for each in wanted]

    def likely(self, wanted: Wanted) -> Location:
        """The line of a key."""
        layer, found = locate_given(self.layers, wanted.path, wanted.part)
        if layer.document is None or layer.document.source.rendered is None:
            return found
        stated = Wanted(layer.document, (*layer.path, *wanted.path), wanted.part)
        return layer.document.source.rendered.origin.likely(stated)


def given_values(missing: Iterable[Missing]) -> Iterator[Document]:
    """What each states of the values of its chart, named as its `Rendered.target`."""
    for each in missing:
        try:
            values = of_layers(each.layers)
        except RenderError:
            continue
        if values:
            files = (layer.file for layer in each.layers if layer.document is None)
            how = Rendered(each.name, ValuesOrigin(each.layers), (*each.files, *files))
            key = f"{each.name}: values, {each.file}:{each.line}"
            yield Document(Source(key, each.files[0], "", how), 0, 1, "", values)

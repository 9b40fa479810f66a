"""Passes: kustomizations that a rendered output still goes through, as Flux's post renderers."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from qoslint.finding import Location
from qoslint.render.kustomize.build import build
from qoslint.render.kustomize.engine import Engine
from qoslint.render.kustomize.overlay import Built, Overlay
from qoslint.render.target import Pass
from qoslint.source.document import Broken, Document, Origin, Wanted
from qoslint.span import value_at

_STREAM = "stream.yaml"


@dataclass(frozen=True, slots=True, eq=False)
class PassedOrigin:
    """Where a field was written that went through a pass: as before, unless the pass set it."""

    before: Sequence[Document]
    """The documents that went in, in the order of the stream."""
    origin: Origin
    built: Built
    setter: Location
    """The line of what asks for the pass."""

    def locate(self, wanted: Sequence[Wanted]) -> Sequence[Location]:
        """The line of each field, or of what a person would edit to have it."""
        inner = [self._before(each) for each in wanted]
        asked = [each for each in inner if each is not None]
        found = iter(self.origin.locate(asked) if asked else ())
        return [self.setter if each is None else next(found) for each in inner]

    def likely(self, wanted: Wanted) -> Location:
        """Where the field most likely stands."""
        before = self._before(wanted)
        return self.setter if before is None else self.origin.likely(before)

    def _before(self, wanted: Wanted) -> Wanted | None:
        """The same field in what went in; None where the pass made it."""
        document, path, part = wanted
        number = self.built.origins[document.number].number
        if number is None or isinstance(document, Broken):
            return None
        before = self.before[number]
        same = value_at(before.data, path) == value_at(document.data, path)
        return Wanted(before, path, part) if same else None


def through(stream: Sequence[Document], kustomization: Pass, engine: Engine) -> Built:
    """What comes of documents in a pass; raise RenderError."""
    with tempfile.TemporaryDirectory(prefix="qoslint-") as name:
        folder = Path(name).resolve()
        texts = (json.dumps(document.data) for document in stream)
        (folder / _STREAM).write_text("\n---\n".join(texts), "utf-8")
        content = json.dumps({**kustomization, "resources": [_STREAM]})
        (folder / "kustomization.yaml").write_text(content, "utf-8")
        return build(folder, Overlay(""), engine)

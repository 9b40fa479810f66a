"""Passes: kustomizations that a rendered output still goes through, as Flux's post renderers."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from qoslint.finding import Location
from qoslint.render.bench import Bench, whole_line
from qoslint.render.failure import RenderError
from qoslint.render.kustomize.build import build
from qoslint.render.kustomize.engine import Engine
from qoslint.render.kustomize.files import parsed
from qoslint.render.kustomize.overlay import Built, Overlay
from qoslint.render.target import Outcome, Pass, Target, Text
from qoslint.render.text import held_by
from qoslint.source.document import Broken, Document, Origin, Wanted
from qoslint.span import value_at

_STREAM = "stream.yaml"


def read_texts(
    target: Target,
    inputs: tuple[str, ...],
    texts: Sequence[Text],
    origin: Origin,
    bench: Bench,
    guessed: frozenset[int] = frozenset(),
) -> Outcome:
    """What the texts hold that a target was rendered to, behind its passes.

    `guessed` are numbers of documents.
    """
    try:
        for kustomization in target.passes:
            texts, origin = _passed(target, texts, origin, kustomization, bench)
    except RenderError as error:
        return bench.failed(target, error)
    return held_by(target, inputs, texts, bench, guessed)._replace(origin=origin)


def _passed(
    target: Target, texts: Sequence[Text], origin: Origin, kustomization: Pass, bench: Bench
) -> tuple[Sequence[Text], Origin]:
    """The texts after a kustomization over all of them."""
    engine = bench.engines.kustomize
    if isinstance(engine, str):
        raise RenderError(engine, target.file, target.line)
    stream = [document for key, text in texts for document in parsed(key, text)]
    try:
        built = through(stream, kustomization, engine)
    except RenderError as error:
        message = f"what comes of it cannot be post-rendered: {error.message}"
        raise RenderError(message, target.file, target.line) from error
    line = whole_line(bench.checkout.text(target.file) or "", target.line)
    setter = Location(target.file, line)
    return [Text(target.id, built.text)], PassedOrigin(stream, origin, built, setter)


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

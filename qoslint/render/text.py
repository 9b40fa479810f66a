"""Rendered texts: what controllers still change in them, and what they hold then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from qoslint.finding import Location
from qoslint.render.bench import Bench, whole_line
from qoslint.render.failure import RenderError
from qoslint.render.flux.substitution import SubstitutionError, is_disabled, substituted
from qoslint.render.kustomize import annotated
from qoslint.render.kustomize.files import parsed
from qoslint.render.passes import PassedOrigin, through
from qoslint.render.plain import read_source
from qoslint.render.target import Outcome, Pass, Target
from qoslint.source.document import Origin, Rendered, Source, YamlError, load


class Text(NamedTuple):
    """One text that was rendered; its `id` tells it from all others of a run."""

    id: str
    text: str


def read_texts(
    target: Target,
    inputs: tuple[str, ...],
    texts: Sequence[Text],
    origin: Origin,
    bench: Bench,
    guessed: frozenset[int] = frozenset(),
) -> Outcome:
    """What the texts hold that a target was rendered to; `guessed` are numbers of documents."""
    try:
        for kustomization in target.passes:
            texts, origin = _passed(target, texts, origin, kustomization, bench)
        filled_in = [Text(key, _filled_in(text, target)) for key, text in texts]
    except RenderError as error:
        return bench.failed(target, error)
    except SubstitutionError as error:
        return bench.failed(target, RenderError(str(error), target.file, target.line))
    how = Rendered(target.name, origin, inputs, target.namespace, target.variant, guessed)
    sources = tuple(Source(key, target.file, text, how) for key, text in filled_in)
    readings = (read_source(source, bench.kinds, bench.allowance) for source in sources)
    return Outcome(target, inputs, tuple(readings), sources=sources)


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


def _filled_in(text: str, target: Target) -> str:
    """The text with Flux's variables, object by object: each may ask to be left as it is."""
    if target.variables is None or "$" not in text:
        return text
    variables = target.variables
    return annotated.SEPARATOR.join(
        each.text
        if _is_left(each.text)
        else substituted(each.text, variables, all_known=target.knows_variables)
        for each in annotated.documents(text)
    )


def _is_left(text: str) -> bool:
    if "disabled" not in text:
        return False
    try:
        return is_disabled(load(text))
    except YamlError:
        return False

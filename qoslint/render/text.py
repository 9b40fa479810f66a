"""Rendered texts: what Flux still changes in them, and what they hold then."""

from __future__ import annotations

from collections.abc import Sequence

from qoslint.render.bench import Bench
from qoslint.render.failure import RenderError
from qoslint.render.flux.substitution import SubstitutionError, is_disabled, substituted
from qoslint.render.kustomize import annotated
from qoslint.render.plain import read_source
from qoslint.render.target import Outcome, Target, Text
from qoslint.source.document import Rendered, Source, YamlError, load


def held_by(
    target: Target,
    inputs: tuple[str, ...],
    texts: Sequence[Text],
    bench: Bench,
    guessed: frozenset[int] = frozenset(),
) -> Outcome:
    """What the texts hold when Flux's variables are filled in; see `read_texts`."""
    try:
        filled_in = [Text(key, _filled_in(text, target)) for key, text in texts]
    except SubstitutionError as error:
        return bench.failed(target, RenderError(str(error), target.file, target.line))
    how = Rendered(target.name, bench.places, inputs, target.namespace, target.variant, guessed)
    how = how._replace(doubt=target.doubt_of_objects)
    sources = tuple(Source(key, target.file, text, how) for key, text in filled_in)
    readings = (read_source(source, bench.sought, bench.allowance) for source in sources)
    return Outcome(target, inputs, tuple(readings), sources=sources, texts=tuple(texts))


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

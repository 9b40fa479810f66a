"""Rendered texts: what controllers still change in them, and what they hold then."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from qoslint.render.bench import Bench
from qoslint.render.failure import RenderError
from qoslint.render.flux.substitution import SubstitutionError, is_disabled, substituted
from qoslint.render.kustomize import annotated
from qoslint.render.plain import read_source
from qoslint.render.target import Outcome, Target
from qoslint.source.document import Origin, Rendered, Source, YamlError, load


class Text(NamedTuple):
    """One text that was rendered; its `id` tells it from all others of a run."""

    id: str
    text: str


def read_texts(
    target: Target, inputs: tuple[str, ...], texts: Iterable[Text], origin: Origin, bench: Bench
) -> Outcome:
    """What the texts hold that a target was rendered to."""
    how = Rendered(target.name, origin, inputs, target.namespace, target.variant)
    try:
        sources = [Source(key, target.file, _filled_in(text, target), how) for key, text in texts]
    except SubstitutionError as error:
        return bench.failed(target, RenderError(str(error), target.file, target.line))
    readings = (read_source(source, bench.kinds, bench.allowance) for source in sources)
    return Outcome(target, inputs, tuple(readings), sources=tuple(sources))


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

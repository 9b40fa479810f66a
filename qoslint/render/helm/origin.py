"""Where a rendered field is authored: the key of the values that drives it, else the template.

Both are found by rendering again: with markers in the templates, and with a value that nobody
writes at each key that may drive the field. A key drives what the value arrives at.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path as FilePath
from typing import NamedTuple

from qoslint.finding import Location, Part
from qoslint.render.failure import RenderError
from qoslint.render.helm import markers
from qoslint.render.helm.attempt import Attempt, Wanted
from qoslint.render.helm.copies import copied
from qoslint.render.helm.keys import locate_key
from qoslint.render.helm.lines import Lines
from qoslint.render.helm.prepare import Prepared, prepare
from qoslint.render.helm.records import Chart, Engine, Rendered
from qoslint.render.helm.rerender import Budget, Trial, Trying, rerender, together
from qoslint.render.helm.sentinels import Candidate, Leaf
from qoslint.render.helm.tree import read_tree
from qoslint.span import START, Path, value_at

__all__ = ["Asked", "Ineffective", "Origin", "Traced", "Wanted", "locate", "trace", "trace_all"]


class Asked(NamedTuple):
    """Fields of what a chart rendered to."""

    chart: Chart
    rendered: Rendered
    wanted: list[Wanted]


class Origin(NamedTuple):
    """Where a field is authored."""

    location: Location
    """What to edit: the key that drives the field, else the line of the template."""
    template: Location
    key: Path | None = None
    """The key in the release's values, subchart names first; None where no key drives it."""
    others: tuple[Path, ...] = ()
    """Further keys that drive it."""


class Ineffective(NamedTuple):
    """A key of resources that is given, and rendered where Kubernetes reads none."""

    key: Path
    location: Location
    template: Location
    """The line that renders it."""


class Traced(NamedTuple):
    """What rendering again told."""

    origins: tuple[Origin, ...]
    ineffective: tuple[Ineffective, ...]


def locate(
    checkout: FilePath, chart: Chart, rendered: Rendered, wanted: Sequence[Wanted], engine: Engine
) -> Sequence[Location]:
    """Where each wanted field is to be edited."""
    if not wanted:
        return []
    return [origin.location for origin in trace(checkout, chart, rendered, wanted, engine).origins]


def trace(
    checkout: FilePath, chart: Chart, rendered: Rendered, wanted: Sequence[Wanted], engine: Engine
) -> Traced:
    """The origin of each wanted field, and the keys of resources that take no effect."""
    [traced] = trace_all(checkout, [Asked(chart, rendered, list(wanted))], engine)
    return traced


def trace_all(checkout: FilePath, asked: Sequence[Asked], engine: Engine) -> Sequence[Traced]:
    """The same of several charts, in fewer processes than one by one."""
    return together([_tracing(checkout, *each) for each in asked], checkout, engine)


def _tracing(
    checkout: FilePath, chart: Chart, rendered: Rendered, wanted: Sequence[Wanted]
) -> Trying[Traced]:
    try:
        prepared = prepare(read_tree(checkout, chart.folder), chart)
        return (yield from _traced(prepared, rendered, wanted, Budget()))
    except RenderError:
        return Traced(tuple(_of_file(rendered, each) for each in wanted), ())


def _traced(
    prepared: Prepared, rendered: Rendered, wanted: Sequence[Wanted], budget: Budget
) -> Trying[Traced]:
    # To a copy all numbers are as files give them, so that one can be replaced.
    prepared = prepared._replace(values=json.loads(json.dumps(prepared.values)))
    sources = markers.sources(prepared.tree)
    marked = markers.marked(sources)
    with (
        copied(prepared, marked, schema=False) as with_markers,
        copied(prepared, {}, schema=False) as plain,
    ):
        attempt = Attempt(prepared, rendered, wanted, plain, budget)
        first = [Trial(with_markers, prepared.values), *attempt.together()]
        answers = yield from rerender(attempt.budget, prepared, first)
        lines = Lines(rendered, sources)
        yield from lines.find(prepared, answers[0], attempt.budget)
        driven = yield from attempt.drive(answers[1:])
    written = [
        lines.of_field(each.template, each.document, each.path, each.part) for each in wanted
    ]
    return Traced(
        tuple(
            _origin(prepared, each, place, leaves, guessed=number in driven.guessed)
            for number, (each, place, leaves) in enumerate(
                zip(wanted, written, driven.leaves, strict=True)
            )
        ),
        tuple(_ineffective(prepared, lines, driven.misplaced)),
    )


def _of_file(rendered: Rendered, wanted: Wanted) -> Origin:
    file = next(each.file for each in rendered.templates if each.name == wanted.template)
    location = Location(file, START, exact=False)
    return Origin(location, location)


def _origin(
    prepared: Prepared,
    wanted: Wanted,
    template: Location,
    leaves: Sequence[Leaf],
    *,
    guessed: bool,
) -> Origin:
    if not leaves:
        return Origin(template, template)
    now = value_at(wanted.document.data, wanted.path)
    keys = list(dict.fromkeys(leaf.key for leaf in leaves))
    if isinstance(now, dict | list) or (now is None and len(keys) > 1):
        keys = list(dict.fromkeys(key[:-2] for key in keys))
    location = locate_key(prepared, keys[0], wanted.part, str(leaves[0].before or ""))
    if guessed:
        location = location._replace(exact=False)
    elif not location.exact and now is not None and template.exact:
        # The template itself says what the key may replace.
        location = template
    return Origin(location, template, keys[0], tuple(keys[1:]))


def _ineffective(
    prepared: Prepared, lines: Lines, found: Iterable[tuple[Candidate, str, int]]
) -> Iterable[Ineffective]:
    for candidate, name, line in found:
        location = locate_key(prepared, candidate.key, Part.KEY)
        yield Ineffective(candidate.key, location, lines.of_line(name, line))

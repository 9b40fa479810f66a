"""Where a rendered field is authored: the key of the values that drives it, else the template.

Both are found by rendering again: with markers in the templates, and with a value that nobody
writes at each key that may drive the field. A key drives what the value arrives at.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path as FilePath
from typing import NamedTuple

from qoslint.finding import Location, Part
from qoslint.render.failure import RenderError
from qoslint.render.helm import markers, sentinels, values
from qoslint.render.helm.arrivals import Arrivals, arrived, misplaced, value_at
from qoslint.render.helm.copies import copied
from qoslint.render.helm.keys import locate_key
from qoslint.render.helm.markers import Written
from qoslint.render.helm.prepare import Prepared, prepare
from qoslint.render.helm.records import Chart, Engine, Rendered, Template
from qoslint.render.helm.rerender import Budget, rerender
from qoslint.render.helm.sentinels import Candidate, Leaf
from qoslint.source.document import Document
from qoslint.source.locate import locate_all
from qoslint.span import Path, Position, Span


class Wanted(NamedTuple):
    """A field of a document that one template rendered to; `template` is its `Template.name`."""

    template: str
    document: Document
    path: Path
    part: Part = Part.ENTRY


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
    return [origin.location for origin in trace(checkout, chart, rendered, wanted, engine).origins]


def trace(
    checkout: FilePath, chart: Chart, rendered: Rendered, wanted: Sequence[Wanted], engine: Engine
) -> Traced:
    """The origin of each wanted field, and the keys of resources that take no effect."""
    try:
        prepared = prepare(checkout, chart)
    except RenderError:
        return Traced(tuple(_of_file(rendered, each) for each in wanted), ())
    # To a copy all numbers are as files give them, so that one can be replaced.
    given = json.loads(json.dumps(prepared.values))
    prepared = prepared._replace(values=given)
    budget = Budget(engine, checkout)
    lines = _Lines(prepared, rendered, budget)
    written = _written(lines, wanted)
    driven = _driven(prepared, rendered, wanted, budget)
    return Traced(
        tuple(
            _origin(prepared, each, place, found)
            for each, place, found in zip(wanted, written, driven.hits, strict=True)
        ),
        tuple(_ineffective(prepared, lines, driven.misplaced)),
    )


class _Lines:
    """Where the lines of each template were written, by up to two marked renders."""

    def __init__(self, prepared: Prepared, rendered: Rendered, budget: Budget) -> None:
        self._templates = {template.name: template for template in rendered.templates}
        self._sources = markers.sources(prepared.tree)
        self._found: dict[str, Sequence[Written | None]] = {}
        for careful in (False, True):
            waiting = [each for each in rendered.templates if each.name not in self._found]
            if waiting:
                self._render(prepared, waiting, budget, careful=careful)

    def _render(
        self, prepared: Prepared, waiting: Iterable[Template], budget: Budget, *, careful: bool
    ) -> None:
        changed = markers.marked(self._sources, careful=careful)
        with copied(prepared, changed, schema=False) as folder:
            [answer] = rerender(budget, prepared, folder, [prepared.values]) or [{}]
        for template in waiting:
            text = answer.get(template.name)
            lines = None if text is None else markers.lines(template.text, text, self._sources)
            if lines is not None:
                self._found[template.name] = lines

    def location(self, name: str, line: int) -> Location:
        """The authored line of a rendered one, which counts from 1."""
        template = self._templates[name]
        place = (template.file, template.inside)
        if name not in self._found:
            by_place = dict(zip(*self._sources, strict=True))
            text = by_place.get(place, template.text)
            self._found[name] = markers.by_likeness(template.text, text, place)
        lines = self._found[name]
        written = lines[line - 1] if line <= len(lines) else None
        if written is None or written.inside:
            return Location(template.file, _line(1, ""), exact=False)
        by_place = dict(zip(*self._sources, strict=True))
        text = by_place[written.file, written.inside].split("\n")[written.line - 1]
        return Location(written.file, _line(written.line, text))


def _line(number: int, text: str) -> Span:
    """The text of a line without what is around it."""
    start = len(text) - len(text.lstrip()) + 1
    return Span(Position(number, start), Position(number, start + len(text.strip())))


def _of_file(rendered: Rendered, wanted: Wanted) -> Origin:
    file = next(each.file for each in rendered.templates if each.name == wanted.template)
    location = Location(file, _line(1, ""), exact=False)
    return Origin(location, location)


def _written(lines: _Lines, wanted: Sequence[Wanted]) -> list[Location]:
    """The line of a template for each wanted field, or for its nearest parent."""
    found = []
    for each in wanted:
        [(span, exact)] = locate_all(each.document, [(each.path, each.part)])
        location = lines.location(each.template, span.start.line)
        found.append(location._replace(exact=location.exact and exact))
    return found


class _Driven(NamedTuple):
    """For each wanted field the leaves that drive it, best first, and what arrives elsewhere."""

    hits: list[list[Leaf]]
    misplaced: list[tuple[Candidate, str, int]]


def _driven(
    prepared: Prepared, rendered: Rendered, wanted: Sequence[Wanted], budget: Budget
) -> _Driven:
    merged = values.merged(prepared.tree, prepared.values)
    now = [(each.path, value_at(each.document.data, each.path)) for each in wanted]
    found = sentinels.candidates(prepared, merged, now)
    with copied(prepared, {}, schema=False) as folder:

        def rendered_with(chosen: Sequence[Sequence[Candidate]]) -> list[Mapping[str, str]]:
            given = [
                sentinels.put(prepared.values, merged, (leaf for c in each for leaf in c.leaves))
                for each in chosen
            ]
            return rerender(budget, prepared, folder, given)

        trials = _Trials(rendered, wanted, now)
        [together] = rendered_with([found]) or [{}]
        first = trials.arrivals(together, found)
        likely = [each for each in found if trials.may_drive(each, first)]
        trials.take(likely, rendered_with([[each] for each in likely]))
        if trials.unexplained():
            rest = [each for each in found if each not in likely]
            trials.take(rest, rendered_with([[each] for each in rest]))
        if trials.unexplained():
            more = list(sentinels.unset(prepared, merged))[: sentinels.MOST_KEYS]
            [together] = (rendered_with([more]) if more else []) or [{}]
            arriving = trials.arrivals(together, more) if together else set()
            likely = [
                e for e in more if not together or arriving & {leaf.token for leaf in e.leaves}
            ]
            trials.take(likely, rendered_with([[each] for each in likely]))
    return _Driven(trials.hits(), trials.misplaced)


class _Trials:
    """What arrived where in the renders with one candidate each."""

    def __init__(
        self,
        rendered: Rendered,
        wanted: Sequence[Wanted],
        now: Sequence[tuple[Path, object]],
    ) -> None:
        self._wanted = wanted
        self._now = [value for _, value in now]
        self._hits: list[list[tuple[Candidate, list[Leaf]]]] = [[] for _ in wanted]
        self._names = {template.name for template in rendered.templates}
        self.misplaced: list[tuple[Candidate, str, int]] = []

    def arrivals(self, answer: Mapping[str, str], found: Sequence[Candidate]) -> set[str]:
        """The tokens that arrive at any wanted field."""
        tokens = {leaf.token for each in found for leaf in each.leaves}
        texts = Arrivals(answer)
        return {
            token
            for each in self._wanted
            for token in arrived(texts, each.template, each.document, each.path, tokens)
        }

    def may_drive(self, candidate: Candidate, first: set[str]) -> bool:
        """Whether it arrived, or states what a wanted field says, so that it must be tried."""
        return any(
            leaf.token in first or (leaf.before is not None and leaf.before in self._scalars())
            for leaf in candidate.leaves
        )

    def take(self, tried: Sequence[Candidate], answers: Sequence[Mapping[str, str]]) -> None:
        """Note where each candidate arrives in the render that it is alone in."""
        for candidate, answer in zip(tried, answers, strict=False):
            by_token = {leaf.token: leaf for leaf in candidate.leaves}
            texts = Arrivals(answer)
            for number, each in enumerate(self._wanted):
                tokens = arrived(texts, each.template, each.document, each.path, set(by_token))
                if tokens:
                    leaves = [by_token[token] for token in by_token if token in tokens]
                    self._hits[number].append((candidate, leaves))
            if candidate.exists and len(candidate.leaves) > 1:
                place = misplaced(texts, set(by_token))
                if place is not None and place[0] in self._names:
                    self.misplaced.append((candidate, *place))

    def unexplained(self) -> bool:
        """Whether a field of resources has no key yet."""
        pairs = zip(self._wanted, self._hits, strict=True)
        return any("resources" in each.path and not hits for each, hits in pairs)

    def hits(self) -> list[list[Leaf]]:
        """The leaves that drive each wanted field, best first."""
        return [
            [leaf for _, leaves in sorted(each, key=partial(_rank, now)) for leaf in leaves]
            for each, now in zip(self._hits, self._now, strict=True)
        ]

    def _scalars(self) -> list[object]:
        return [value for value in self._now if not isinstance(value, dict | list)]


def _rank(now: object, hit: tuple[Candidate, list[Leaf]]) -> tuple[bool, bool, int]:
    """What sorts first: a key that says what the field says, that exists, that is short."""
    candidate, leaves = hit
    same = any(leaf.before is not None and leaf.before == now for leaf in leaves)
    return (not same, not candidate.exists, len(candidate.key))


def _origin(
    prepared: Prepared, wanted: Wanted, template: Location, leaves: Sequence[Leaf]
) -> Origin:
    if not leaves:
        return Origin(template, template)
    now = value_at(wanted.document.data, wanted.path)
    keys = list(dict.fromkeys(leaf.key for leaf in leaves))
    if isinstance(now, dict | list) or (now is None and len(keys) > 1):
        keys = list(dict.fromkeys(key[:-2] for key in keys))
    location = locate_key(prepared, keys[0], wanted.part)
    if not location.exact and now is not None and template.exact:
        # The template itself says what the key may replace.
        location = template
    return Origin(location, template, keys[0], tuple(keys[1:]))


def _ineffective(
    prepared: Prepared, lines: _Lines, found: Iterable[tuple[Candidate, str, int]]
) -> Iterable[Ineffective]:
    for candidate, name, line in found:
        location = locate_key(prepared, candidate.key, Part.KEY)
        yield Ineffective(candidate.key, location, lines.location(name, line))

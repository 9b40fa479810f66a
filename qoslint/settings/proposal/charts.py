"""The environments of charts that nothing deploys: by the names of their files of values."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from qoslint.render.discovery import Discovery
from qoslint.render.surroundings import CHART
from qoslint.settings.annotated import Line, commented_out, is_writable
from qoslint.settings.proposal.evidence import Evidence
from qoslint.source.writing import scalar

_WORDS = re.compile(
    r"acc|acceptance|alpha|beta|canary|demo|dev|develop|development|int|integration|live|perf|"
    r"performance|pre|preprod|preproduction|preview|prd|prod|production|qa|sandbox|stage|staging|"
    r"stg|test|testing|tst|uat"
)
"""What environments are called."""
_OTHERS = re.compile(r"enc|encrypted|images?|schema|secrets?|sops|tags?")
"""What values of an environment are called that are not all of them."""
_PLACES = (
    re.compile(r"()values[-._]([^/]+)\.ya?ml"),
    re.compile(r"()([^/]+)[-._]values\.ya?ml"),
    re.compile(r"((?:env|envs|environments|values)/)(?:values[-._])?([^/]+)\.ya?ml"),
    re.compile(r"((?:(?:env|envs|environments|values)/)?)([^/]+)/values\.ya?ml"),
)
"""Where in a chart such files lie, and which part of the name is that of the environment."""
_MANY = 2
"""One file of values may be an example; several are a choice that somebody makes."""


class Environments(NamedTuple):
    """The environments of one chart."""

    folder: str
    files: Mapping[str, str]
    """By the name of the environment the file with its values, relative to the chart."""
    pattern: str
    """What matches these files and no others; empty if nothing does."""
    why_not: str = ""
    """Why it cannot be rendered for them; empty if nothing is known against it."""

    @property
    def holds(self) -> bool:
        """Whether it is sure enough that it is meant to be rendered for them."""
        return len(self.files) >= _MANY and not self.why_not


def chart_environments(evidence: Evidence) -> Iterator[Environments]:
    """The environments of each chart that is rendered for itself, sorted by folder."""
    for folder in sorted(set(_standing(evidence))):
        start = f"{folder}/" if folder else ""
        inner = [path[len(start) :] for path in evidence.files if path.startswith(start)]
        for place in _PLACES:
            matches = [match for path in inner if (match := place.fullmatch(path))]
            found = {match[2]: match[0] for match in matches if _is_environment(match[2])}
            if found and is_writable(folder, *found, *found.values()):
                yield Environments(folder, dict(sorted(found.items())), _pattern(found, inner))
                break


def chart_lines(environments: Iterable[Environments]) -> Iterator[Line]:
    """The list `charts`; of charts with a single environment what could be said."""
    stated = list(environments)
    if not stated:
        return
    head = Line("charts:", "nothing here deploys these charts, whose values tell what for")
    if any(each.holds for each in stated):
        yield head
        for each in stated:
            yield from _chart(each) if each.holds else commented_out(_chart(each))
    else:
        yield from commented_out([head, *(line for each in stated for line in _chart(each))])


def without_failing(
    environments: Iterable[Environments], discovery: Discovery
) -> Iterator[Environments]:
    """The same, where that is known to fail by a discovery which rendered the charts for them."""
    failing = {each.name for each in discovery.unrendered}
    for each in environments:
        names = (name for name in each.files if f"{each.folder or '.'} ({name})" in failing)
        failed = next(names, "")
        why = f"; but with those for {failed} it does not render here" if failed else ""
        yield each._replace(why_not=each.why_not or why)


def _chart(chart: Environments) -> Iterator[Line]:
    names = ", ".join(posixpath.join(chart.folder, file) for file in chart.files.values())
    path = scalar(chart.folder or ".")
    why = f"{names}: values for {' and '.join(chart.files)}{chart.why_not}"
    if len(chart.files) < _MANY:
        why += "; if nothing but that is deployed, say so"
    yield Line(f"  - path: {path}", why)
    if chart.pattern:
        why = "the * is the name of the environment"
        yield Line(f"    valuesPattern: {scalar(chart.pattern)}", why)
        return
    yield Line("    environments:", "each is rendered and checked")
    for name, file in chart.files.items():
        why = f"{posixpath.join(chart.folder, file)} is called so"
        yield Line(f"      {scalar(name)}: {{values: [{scalar(file)}]}}", why)


def _standing(evidence: Evidence) -> Iterator[str]:
    """The folders of the charts that nothing deploys, whether they could be rendered or not."""
    discovery = evidence.discovery
    asking = (
        *(files[0] for files in discovery.rendered),
        *(each.files[-1] for each in discovery.unrendered),
    )
    for file in asking:
        if posixpath.basename(file) == CHART:
            yield posixpath.dirname(file)


def _is_environment(name: str) -> bool:
    words = re.split(r"[-._]", name.lower())
    return any(map(_WORDS.fullmatch, words)) and not any(map(_OTHERS.fullmatch, words))


def _pattern(found: Mapping[str, str], inner: Iterable[str]) -> str:
    """The path with one star that matches these files and no other of the chart."""
    patterns = {_starred(file, name) for name, file in found.items()}
    if len(patterns) != 1:
        return ""
    (pattern,) = patterns
    before, _, after = pattern.partition("*")
    matcher = re.compile(f"{re.escape(before)}[^/]+{re.escape(after)}")
    matched = {path for path in inner if matcher.fullmatch(path)}
    return pattern if matched == {*found.values()} and before + after else ""


def _starred(file: str, name: str) -> str:
    start, _, end = file.rpartition(name)
    return f"{start}*{end}"

"""Renders charts: what is asked for, what is answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from qoslint.render.failure import RenderError
from qoslint.render.helm import embedded, program
from qoslint.render.helm.asking import Answer, Ask, Request, request
from qoslint.render.helm.complaints import render_error
from qoslint.render.helm.copies import copied, needs_copy
from qoslint.render.helm.hooks import without_tests
from qoslint.render.helm.prepare import Prepared, prepare
from qoslint.render.helm.records import Chart, Engine, Rendered, Template
from qoslint.render.helm.tree import every
from qoslint.workers import LIMITS, Limits


def render_charts(
    checkout: Path, charts: Sequence[Chart], engine: Engine, limits: Limits = LIMITS
) -> Sequence[Rendered | RenderError]:
    """What each chart renders to, or why it does not; one that fails costs no other."""
    prepared = [_prepared(checkout, chart) for chart in charts]
    ready = [each for each in prepared if isinstance(each, Prepared)]
    with ExitStack() as stack:
        requests = [_request(each, stack) for each in ready]
        answers = iter(list(ask(engine)(engine.command, checkout, requests, limits)))
    return [
        rendered(each, next(answers)) if isinstance(each, Prepared) else each for each in prepared
    ]


def ask(engine: Engine) -> Ask:
    """How an engine is asked."""
    return embedded.ask if engine.name == "embedded" else program.ask


def rendered(prepared: Prepared, answer: Answer) -> Rendered | RenderError:
    """What an answer says of a chart, with the files where its templates are authored."""
    if answer.error:
        return render_error(prepared, answer.error)
    return Rendered(tuple(_templates(prepared, answer)), (*prepared.warnings, *answer.warnings))


def _prepared(checkout: Path, chart: Chart) -> Prepared | RenderError:
    try:
        return prepare(checkout, chart)
    except RenderError as error:
        return error


def _request(prepared: Prepared, stack: ExitStack) -> Request:
    folder = prepared.chart.folder or "."
    if needs_copy(prepared):
        schema = not prepared.chart.skip_schema
        folder = str(stack.enter_context(copied(prepared, {}, schema=schema)))
    return request(prepared, folder, prepared.values)


def _templates(prepared: Prepared, answer: Answer) -> Iterator[Template]:
    nodes = {node.path: node for node in every(prepared.tree)}
    for name, text in sorted(answer.templates.items()):
        path, file = _owner(name)
        kept = without_tests(text) if prepared.chart.skip_tests else text
        if kept.strip() and not name.endswith("NOTES.txt") and path in nodes:
            authored, inside = nodes[path].authored(file)
            yield Template(name, authored, inside, kept)


def _owner(name: str) -> tuple[str, str]:
    """The chart and the file in it: the last `charts/NAME/` ends the path of the chart."""
    steps = name.split("/")
    end = 1
    while end + 1 < len(steps) and steps[end] == "charts":
        end += 2
    return "/".join(steps[:end]), "/".join(steps[end:])

"""Renders charts: what is asked for, what is answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
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
from qoslint.render.helm.tree import Node, every, read_tree
from qoslint.workers import LIMITS, MIB, Limits

_LARGEST_PORTION = 64 * MIB
_LONGEST_PORTION = 200
"""Charts; a process takes no more."""

_FEW = 8
"""A process costs as much as some charts."""


def render_charts(
    checkout: Path, charts: Iterable[Chart], engine: Engine, limits: Limits = LIMITS
) -> Iterator[Rendered | RenderError]:
    """What each chart renders to, or why it does not; one that fails costs no other.

    They are rendered in portions, so that thousands of releases never lie in memory at once.
    """
    for portion in _portions(checkout, charts):
        with ExitStack() as stack:
            asked = [_request(each, stack) for each in portion]
            requests = [each for each in asked if isinstance(each, Request)]
            answers = iter(_answers(checkout, requests, engine, limits))
            for each, request in zip(portion, asked, strict=True):
                if isinstance(request, RenderError):
                    yield request
                elif isinstance(each, Prepared):
                    yield rendered(each, next(answers))


def _portions(
    checkout: Path, charts: Iterable[Chart]
) -> Iterator[Sequence[Prepared | RenderError]]:
    """The charts, prepared: so many at a time as together are of a bearable size."""
    portion: list[Prepared | RenderError] = []
    trees: dict[str, Node | RenderError] = {}
    size = 0
    for chart in charts:
        if chart.folder not in trees:
            trees[chart.folder] = _tree(checkout, chart.folder)
            size += _size(trees[chart.folder])
        each = _prepared(trees[chart.folder], chart)
        portion.append(each)
        size += sum(len(layer.text) for layer in chart.layers)
        if isinstance(each, Prepared) and needs_copy(each):
            size += _size(each.tree)
        if size >= _LARGEST_PORTION or len(portion) >= _LONGEST_PORTION:
            yield portion
            portion, trees, size = [], {}, 0
    yield portion


def _tree(checkout: Path, folder: str) -> Node | RenderError:
    try:
        return read_tree(checkout, folder)
    except RenderError as error:
        return error


def _size(tree: Node | RenderError) -> int:
    """Bytes of all its files."""
    if isinstance(tree, RenderError):
        return 0
    return sum(len(content) for node in every(tree) for content in node.files.values())


def _answers(
    checkout: Path, requests: Sequence[Request], engine: Engine, limits: Limits
) -> Sequence[Answer]:
    """What each request is answered; where many are, two processes share them."""
    half = len(requests) // 2 if len(requests) >= _FEW else 0
    parts = [part for part in (requests[:half], requests[half:]) if part]
    with ThreadPoolExecutor(2) as pool:
        answers = pool.map(
            lambda part: list(ask(engine)(engine.command, checkout, part, limits)), parts
        )
        return [answer for part in answers for answer in part]


def ask(engine: Engine) -> Ask:
    """How an engine is asked."""
    return embedded.ask if engine.name == "embedded" else program.ask


def rendered(prepared: Prepared, answer: Answer) -> Rendered | RenderError:
    """What an answer says of a chart, with the files where its templates are authored."""
    if answer.error:
        return render_error(prepared, answer)
    return Rendered(tuple(_templates(prepared, answer)), (*prepared.warnings, *answer.warnings))


def _prepared(tree: Node | RenderError, chart: Chart) -> Prepared | RenderError:
    if isinstance(tree, RenderError):
        return tree
    try:
        return prepare(tree, chart)
    except RenderError as error:
        return error


def _request(prepared: Prepared | RenderError, stack: ExitStack) -> Request | RenderError:
    if isinstance(prepared, RenderError):
        return prepared
    folder = prepared.chart.folder or "."
    if needs_copy(prepared):
        schema = not prepared.chart.skip_schema
        try:
            folder = str(stack.enter_context(copied(prepared, {}, schema=schema)))
        except RenderError as error:
            return error
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

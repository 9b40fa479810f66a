"""Rendering: targets become documents, each render in a process of its own with limits."""

from __future__ import annotations

import posixpath
from collections.abc import Container, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from qoslint.render.checkout import Checkout, TooMuchError
from qoslint.render.engines import Engines
from qoslint.render.failure import RenderError
from qoslint.render.helm.records import Chart, Template
from qoslint.render.helm.records import Engine as Helm
from qoslint.render.helm.records import Rendered as RenderedChart
from qoslint.render.helm.render import render_charts
from qoslint.render.kustomization import NAMES
from qoslint.render.kustomize.build import build
from qoslint.render.kustomize.engine import NoEngine
from qoslint.render.kustomize.overlay import Built, Overlay
from qoslint.render.origin import ChartOrigin, OverlayOrigin
from qoslint.render.plain import Why, read_source
from qoslint.render.target import Outcome, Target
from qoslint.source.allowance import Allowance
from qoslint.source.document import Broken, Rendered, Source, YamlError, load
from qoslint.source.text import NotTextError, decode
from qoslint.source.tree import UnreadableError, WorkTree
from qoslint.span import Position, Span

_PROCESSES = 2


class Bench(NamedTuple):
    """What all renders of a run have in common."""

    tree: WorkTree
    checkout: Checkout
    engines: Engines
    kinds: Container[str]
    allowance: Allowance


class _Prepared(NamedTuple):
    """A target whose files are in the checkout."""

    target: Target
    inputs: tuple[str, ...]


class _Chart(NamedTuple):
    """A chart whose files are in the checkout."""

    target: Target
    chart: Chart
    inputs: tuple[str, ...]


def render(targets: Iterable[Target], bench: Bench) -> Iterator[Outcome]:
    """What becomes of each target: of charts first, then of kustomizations."""
    targets = tuple(targets)
    yield from _charts([target for target in targets if isinstance(target.what, Chart)], bench)
    yield from _overlays([target for target in targets if isinstance(target.what, Overlay)], bench)


def _charts(targets: Sequence[Target], bench: Bench) -> Iterator[Outcome]:
    if not targets:
        return
    engine = bench.engines.helm
    if isinstance(engine, NoEngine):
        yield from (_failed(each, _no_engine(each, engine), bench.tree) for each in targets)
        return
    prepared = []
    for target in targets:
        assert isinstance(target.what, Chart)
        try:
            inputs = bench.checkout.add_folder(target.folder)
            layers = tuple(layer.file for layer in target.what.layers)
            bench.checkout.add(layers)
        except TooMuchError:
            yield _failed(target, _too_much(target), bench.tree)
            continue
        prepared.append(_Chart(target, target.what, (*inputs, *layers)))
    charts = [each.chart for each in prepared]
    answers = render_charts(bench.checkout.folder, charts, engine)
    for each, answer in zip(prepared, answers, strict=True):
        if isinstance(answer, RenderError):
            yield _failed(each.target, answer, bench.tree)
        else:
            yield _chart(each, answer, engine, bench)


def _chart(prepared: _Chart, rendered: RenderedChart, engine: Helm, bench: Bench) -> Outcome:
    target = prepared.target
    origin = ChartOrigin(bench.checkout, prepared.chart, rendered, engine)
    how = Rendered(target.name, origin, prepared.inputs, target.namespace, target.variant)
    return Outcome(
        target,
        prepared.inputs,
        tuple(
            read_source(_template(target, each, how), bench.kinds, bench.allowance)
            for each in rendered.templates
        ),
    )


def _template(target: Target, template: Template, how: Rendered) -> Source:
    return Source(f"{target.name}: {template.name}", target.file, template.text, how)


def _overlays(targets: Sequence[Target], bench: Bench) -> Iterator[Outcome]:
    if not targets:
        return
    engine = bench.engines.kustomize
    if isinstance(engine, NoEngine):
        yield from (_failed(each, _no_engine(each, engine), bench.tree) for each in targets)
        return
    prepared = []
    for target in targets:
        try:
            prepared.append(_Prepared(target, tuple(_inputs(target.folder, bench))))
        except TooMuchError:
            yield _failed(target, _too_much(target), bench.tree)
    with ThreadPoolExecutor(_PROCESSES) as pool:
        overlays = (each.target.what for each in prepared)
        answers = pool.map(lambda overlay: _built(overlay, bench), overlays)
        for (target, inputs), answer in zip(prepared, answers, strict=True):
            if isinstance(answer, RenderError):
                yield _failed(target, answer, bench.tree)
            else:
                yield _overlay(target, inputs, answer, bench)


def _built(overlay: Overlay, bench: Bench) -> Built | RenderError:
    assert not isinstance(bench.engines.kustomize, NoEngine)
    try:
        return build(bench.checkout.folder, overlay, bench.engines.kustomize)
    except RenderError as error:
        return error


def _overlay(target: Target, inputs: tuple[str, ...], built: Built, bench: Bench) -> Outcome:
    assert isinstance(target.what, Overlay)
    assert not isinstance(bench.engines.kustomize, NoEngine)
    origin = OverlayOrigin(bench.checkout, target.what, built, bench.engines.kustomize)
    how = Rendered(target.name, origin, inputs, target.namespace, target.variant)
    source = Source(target.name, target.file, built.text, how)
    return Outcome(target, inputs, (read_source(source, bench.kinds, bench.allowance),))


def _inputs(folder: str, bench: Bench) -> Iterator[str]:
    waiting, seen = [folder], {folder}
    while waiting:
        each = waiting.pop()
        yield from bench.checkout.add_folder(each)
        for path in _named(each, bench.tree):
            if path not in seen:
                seen.add(path)
                if (bench.tree.root / path).is_dir():
                    waiting.append(path)
                elif (bench.tree.root / path).is_file():
                    bench.checkout.add([path])
                    yield path


def _named(folder: str, tree: WorkTree) -> Iterator[str]:
    for name in NAMES:
        try:
            data = load(decode(tree.read(posixpath.join(folder, name))))
        except (UnreadableError, NotTextError, YamlError):
            continue
        stack = [data]
        while stack:
            value = stack.pop()
            if isinstance(value, dict):
                stack.extend(value.values())
            elif isinstance(value, list):
                stack.extend(value)
            elif isinstance(value, str) and "\n" not in value and ":" not in value:
                path = posixpath.normpath(posixpath.join(folder, value))
                if not path.startswith("../") and path not in ("..", "."):
                    yield path


def _no_engine(target: Target, engine: NoEngine) -> RenderError:
    return RenderError(engine.reason, target.file, target.line)


def _too_much(target: Target) -> RenderError:
    return RenderError("its files are more than may be copied", target.file, target.line)


def _failed(target: Target, error: RenderError, tree: WorkTree) -> Outcome:
    """A failed render as something that cannot be read, at the line that is to blame."""
    try:
        text = decode(tree.read(error.file))
    except (UnreadableError, NotTextError):
        text = ""
    start = Position(error.line, 1)
    broken = Broken(
        Source(f"{target.name}, not rendered", error.file, text),
        0,
        Span(start, start),
        f"{target.name} is not rendered: {error.message}",
        reason=Why.UNRENDERED,
    )
    return Outcome(target, failures=(broken,))

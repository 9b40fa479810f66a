"""Rendering: targets become documents, each render in a process of its own with limits."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from qoslint.render.checkout import Checkout, TooMuchError
from qoslint.render.engines import Engines
from qoslint.render.failure import RenderError
from qoslint.render.helm.records import Chart
from qoslint.render.helm.records import Engine as Helm
from qoslint.render.helm.records import Rendered as RenderedChart
from qoslint.render.helm.render import render_charts
from qoslint.render.kustomize.build import build
from qoslint.render.kustomize.engine import Engine as Kustomize
from qoslint.render.kustomize.inputs import Inputs, inputs
from qoslint.render.kustomize.overlay import Built, Overlay
from qoslint.render.origin import ChartOrigin, OverlayOrigin
from qoslint.render.plain import Why, read_source
from qoslint.render.target import Outcome, Target
from qoslint.source.allowance import Allowance
from qoslint.source.document import Broken, Rendered, Source
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


class _Overlay(NamedTuple):
    """A kustomization whose files are in the checkout."""

    target: Target
    overlay: Overlay
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
    if isinstance(engine, str):
        yield from (_failed(each, [_no_engine(each, engine)], bench.tree) for each in targets)
        return
    prepared = []
    for target in targets:
        assert isinstance(target.what, Chart)
        try:
            inputs = bench.checkout.add_folder(target.folder)
            layers = tuple(layer.file for layer in target.what.layers)
            bench.checkout.add(layers)
        except TooMuchError:
            yield _failed(target, [_too_much(target)], bench.tree)
            continue
        prepared.append(_Chart(target, target.what, (*inputs, *layers)))
    charts = [each.chart for each in prepared]
    answers = render_charts(bench.checkout.folder, charts, engine)
    for each, answer in zip(prepared, answers, strict=True):
        if isinstance(answer, RenderError):
            yield _failed(each.target, [answer], bench.tree)
        else:
            yield _chart(each, answer, engine, bench)


def _chart(prepared: _Chart, rendered: RenderedChart, engine: Helm, bench: Bench) -> Outcome:
    target = prepared.target
    ids = {f"{target.name}: {each.name}": each for each in rendered.templates}
    names = {key: each.name for key, each in ids.items()}
    origin = ChartOrigin(bench.checkout, prepared.chart, rendered, engine, names)
    how = Rendered(target.name, origin, prepared.inputs, target.namespace, target.variant)
    sources = (Source(key, target.file, each.text, how) for key, each in ids.items())
    return Outcome(
        target,
        prepared.inputs,
        tuple(read_source(source, bench.kinds, bench.allowance) for source in sources),
    )


def _overlays(targets: Sequence[Target], bench: Bench) -> Iterator[Outcome]:
    if not targets:
        return
    engine = bench.engines.kustomize
    if isinstance(engine, str):
        yield from (_failed(each, [_no_engine(each, engine)], bench.tree) for each in targets)
        return
    prepared = []
    for target in targets:
        assert isinstance(target.what, Overlay)
        needed = inputs(target.folder, bench.checkout.text, target.what.additions)
        try:
            files = _add(needed, bench.checkout)
        except TooMuchError:
            yield _failed(target, [_too_much(target)], bench.tree)
            continue
        helm = bench.engines.helm_command if needed.charts else None
        if needed.errors:
            yield _failed(target, needed.errors, bench.tree)
        elif isinstance(helm, str):
            yield _failed(target, [_no_engine(target, helm)], bench.tree)
        else:
            prepared.append(_Overlay(target, target.what._replace(helm_command=helm), files))
    with ThreadPoolExecutor(_PROCESSES) as pool:
        answers = pool.map(lambda each: _built(each.overlay, engine, bench), prepared)
        for each, answer in zip(prepared, answers, strict=True):
            if isinstance(answer, RenderError):
                yield _failed(each.target, [answer], bench.tree)
            else:
                yield _overlay(each, answer, engine, bench)


def _built(overlay: Overlay, engine: Kustomize, bench: Bench) -> Built | RenderError:
    try:
        return build(bench.checkout.folder, overlay, engine)
    except RenderError as error:
        return error


def _overlay(prepared: _Overlay, built: Built, engine: Kustomize, bench: Bench) -> Outcome:
    target = prepared.target
    origin = OverlayOrigin(bench.checkout, prepared.overlay, built, engine)
    how = Rendered(target.name, origin, prepared.inputs, target.namespace, target.variant)
    source = Source(target.name, target.file, built.text, how)
    return Outcome(target, prepared.inputs, (read_source(source, bench.kinds, bench.allowance),))


def _add(needed: Inputs, checkout: Checkout) -> tuple[str, ...]:
    """Copy what a build reads; the files of it that are there, sorted."""
    folders = [checkout.add_folder(folder) for folder in needed.charts]
    checkout.add(needed.files)
    return tuple(sorted({*checkout.held(needed.files), *(f for files in folders for f in files)}))


def _no_engine(target: Target, reason: str) -> RenderError:
    return RenderError(reason, target.file, target.line)


def _too_much(target: Target) -> RenderError:
    return RenderError("its files are more than may be copied", target.file, target.line)


def _failed(target: Target, errors: Iterable[RenderError], tree: WorkTree) -> Outcome:
    return Outcome(target, failures=tuple(_failure(target, error, tree) for error in errors))


def _failure(target: Target, error: RenderError, tree: WorkTree) -> Broken:
    """Why it is not rendered as something that cannot be read, at the line that is to blame."""
    try:
        text = decode(tree.read(error.file))
    except (UnreadableError, NotTextError):
        text = ""
    start = Position(error.line, 1)
    return Broken(
        Source(f"{target.name}, not rendered: {error.file}:{error.line}", error.file, text),
        0,
        Span(start, start._replace(column=2)),
        f"{target.name} is not rendered: {error.message}",
        reason=Why.REMOTE if error.remote else Why.UNRENDERED,
    )

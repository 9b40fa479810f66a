"""Charts become documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from qoslint.render.bench import Bench
from qoslint.render.checkout import TooMuchError
from qoslint.render.failure import RenderError
from qoslint.render.helm.records import Chart, Rendered
from qoslint.render.helm.render import render_charts
from qoslint.render.origin import ChartOrigin, Made
from qoslint.render.passes import read_texts
from qoslint.render.target import Outcome, Target, Text


class _Copied(NamedTuple):
    """A chart whose files are in the checkout."""

    target: Target
    chart: Chart
    inputs: tuple[str, ...]


def charts(targets: Sequence[Target], bench: Bench) -> Iterator[Outcome]:
    """What becomes of each target that is a chart; all of them are rendered together."""
    engine = bench.engines.helm
    if isinstance(engine, str):
        yield from (bench.no_engine(each, engine) for each in targets)
        return
    copied = []
    for target in targets:
        assert isinstance(target.what, Chart)
        try:
            copied.append(_Copied(target, target.what, _copy(target.what, bench)))
        except TooMuchError:
            yield bench.too_much(target)
    origin = ChartOrigin(bench.checkout, engine, {})
    answers = render_charts(bench.checkout.folder, [each.chart for each in copied], engine)
    for each, answer in zip(copied, answers, strict=True):
        if isinstance(answer, RenderError):
            yield bench.failed(each.target, answer)
        else:
            yield _rendered(each, answer, origin, bench)


def _copy(chart: Chart, bench: Bench) -> tuple[str, ...]:
    files = bench.checkout.add_chart(chart.folder)
    bench.checkout.add(layer.file for layer in chart.layers)
    # A file that holds values among other things is more than an input.
    layers = (layer.file for layer in chart.layers if not layer.path)
    return tuple(sorted({*files, *bench.checkout.held(layers)}))


def _rendered(copied: _Copied, rendered: Rendered, origin: ChartOrigin, bench: Bench) -> Outcome:
    names = {f"{copied.target.id}: {each.name}": each for each in rendered.templates}
    origin.made.update({key: Made(copied.chart, rendered, each) for key, each in names.items()})
    texts = [Text(key, each.text) for key, each in names.items()]
    return read_texts(copied.target, copied.inputs, texts, origin, bench)

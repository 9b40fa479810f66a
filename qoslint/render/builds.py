"""Kustomizations that may be built become documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from qoslint.render.bench import Bench
from qoslint.render.checkout import Checkout, TooMuchError
from qoslint.render.failure import RenderError
from qoslint.render.kustomize.absent import Absent, absent
from qoslint.render.kustomize.build import build
from qoslint.render.kustomize.engine import Engine
from qoslint.render.kustomize.inputs import Inputs
from qoslint.render.kustomize.named import As
from qoslint.render.kustomize.overlay import Built, Overlay
from qoslint.render.origin import PROCESSES, OverlayOrigin
from qoslint.render.passes import read_texts
from qoslint.render.target import Emptied, Outcome, Target, Text


class _Copied(NamedTuple):
    """A kustomization whose files are in the checkout."""

    target: Target
    overlay: Overlay
    inputs: tuple[str, ...]
    absent: Absent | None


def builds(targets: Sequence[Target], engine: Engine, bench: Bench) -> Iterator[Outcome]:
    """What becomes of each target that is a kustomization; two are built at a time."""
    copied = []
    for target in targets:
        ready = _prepared(target, bench)
        if isinstance(ready, Outcome):
            yield ready
        else:
            copied.append(ready)
    origin = OverlayOrigin(bench.checkout, engine, {})
    with ThreadPoolExecutor(PROCESSES) as pool:
        answers = pool.map(lambda each: _built(each.overlay, engine, bench), copied)
        for each, answer in zip(copied, answers, strict=True):
            if isinstance(answer, RenderError):
                yield bench.failed(each.target, answer)
            else:
                yield _rendered(each, answer, origin, bench)


def _prepared(target: Target, bench: Bench) -> _Copied | Outcome:
    assert isinstance(target.what, Overlay)
    reads = bench.checkout.needed(target.what)
    helm = bench.engines.helm_command if reads.charts else None
    if isinstance(helm, str):
        return bench.no_engine(target, helm)
    try:
        files = _copy(reads, bench.checkout)
        bench.checkout.add(origin.file for origin in target.what.authored.values())
    except TooMuchError:
        return bench.too_much(target)
    missing = _missing(reads, bench)
    gone = absent(reads, missing, bench.checkout.text) if missing else None
    empty = gone.files if gone else frozenset()
    return _Copied(target, target.what._replace(helm_command=helm, empty=empty), files, gone)


def _missing(reads: Inputs, bench: Bench) -> list[str]:
    """The files of generators that are not in the repository."""
    data = [file for file, what in reads.files.items() if what is As.DATA]
    held = set(bench.checkout.held(data))
    return [file for file in data if file not in held and not bench.tree.is_folder(file)]


def _copy(reads: Inputs, checkout: Checkout) -> tuple[str, ...]:
    folders = [checkout.add_chart(folder) for folder in reads.charts]
    checkout.add(reads.files)
    return tuple(sorted({*checkout.held(reads.files), *(f for files in folders for f in files)}))


def _built(overlay: Overlay, engine: Engine, bench: Bench) -> Built | RenderError:
    try:
        return build(bench.checkout.folder, overlay, engine)
    except RenderError as error:
        return error


def _rendered(copied: _Copied, built: Built, origin: OverlayOrigin, bench: Bench) -> Outcome:
    text = Text(copied.target.id, built.text)
    origin.built[text.id] = copied.overlay, built
    if copied.absent is None:
        return read_texts(copied.target, copied.inputs, [text], origin, bench)
    emptied = Emptied(len(copied.absent.files), copied.absent.holders(built.text))
    found = read_texts(copied.target, copied.inputs, [text], origin, bench, emptied.holders)
    return found._replace(emptied=emptied)

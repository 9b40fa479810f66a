"""Kustomizations: which of them may be built, and why the others are not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qoslint.render.bench import Bench
from qoslint.render.kustomize.overlay import Overlay
from qoslint.render.target import Outcome, Target


def overlays(targets: Sequence[Target], bench: Bench) -> Iterator[Outcome]:
    """What becomes of each target that is a kustomization."""
    engine = bench.engines.kustomize
    if isinstance(engine, str):
        yield from (bench.no_engine(each, engine) for each in targets)
        return
    ready = []
    for target in targets:
        assert isinstance(target.what, Overlay)
        errors = bench.checkout.needed(target.what).errors
        if errors:
            yield bench.failed(target, *errors)
        else:
            ready.append(target)
    if ready:
        # Imported here: most runs find in the cache what was built.
        from qoslint.render.builds import builds

        yield from builds(ready, engine, bench)

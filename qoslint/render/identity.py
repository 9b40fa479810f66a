"""What tells two renders apart: a key of all that decides what comes out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path

from qoslint.render.bench import Bench
from qoslint.render.checkout import TooMuchError
from qoslint.render.helm.records import Chart, Layer
from qoslint.render.kustomize.overlay import Overlay
from qoslint.render.plain import Sought
from qoslint.render.target import Target
from qoslint.source.document import Document

_PACKAGE = Path(__file__).parent.parent
_PACKAGES = ("kernel", "render", "source")
_MODULES = ("__init__", "cache", "errors", "finding", "span", "workers")
"""With these all of qoslint that rendering imports."""

Identify = Callable[[Document], str]
"""What tells a rendered document from all others, whatever run it is of."""


def identity(target: Target, bench: Bench, identify: Identify) -> str | None:
    """The same text for equal renders of equal inputs, in any run; None if there is none.

    Neither the name of a target nor who asks for it counts, as long as it cannot be seen in the
    output, so that many may ask for one render.
    """
    what = target.what
    try:
        match what:
            case Chart():
                said = [
                    "chart",
                    what._replace(layers=()),
                    [_layer(each, identify) for each in what.layers],
                    bench.engines.identity_of_helm,
                    _digests((*bench.checkout.listed(what.folder), *_files(what)), bench),
                ]
            case Overlay():
                reads = bench.checkout.needed(what)
                if reads.errors:
                    return None
                inside = (file for each in reads.charts for file in bench.checkout.listed(each))
                authored = (each.file for each in what.authored.values())
                said = [
                    "overlay",
                    what._replace(additions=dict(what.additions), authored=dict(what.authored)),
                    bench.engines.identity_of_kustomize,
                    bench.engines.identity_of_helm if reads.charts else "",
                    bench.engines.kubernetes if reads.charts else "",
                    _digests((*inside, *reads.files, *authored), bench),
                ]
            case _:
                return None
    except TooMuchError:
        return None
    # What a pass changes is told by the line that asks for it.
    passed = [target.id, target.passes] if target.passes else []
    engine = bench.engines.identity_of_kustomize if target.passes else ""
    variables = None if target.variables is None else dict(target.variables)
    whole = [
        _own(),
        _of_kinds(bench.sought),
        said,
        [passed, engine],
        [variables, target.knows_variables],
    ]
    return hashlib.sha256(json.dumps(whole, default=dict).encode()).hexdigest()


def _files(chart: Chart) -> Iterable[str]:
    return (layer.file for layer in chart.layers if layer.document is None)


def _layer(layer: Layer, identify: Identify) -> object:
    if layer.document is None:
        return layer
    # Its line is that in a text which may be kept without what stands above.
    return layer._replace(file="", line=0, document=None), identify(layer.document)


def _digests(files: Iterable[str], bench: Bench) -> Mapping[str, str | bool]:
    """What tells the contents; of what is no file whether it is a folder, as an engine tells."""
    return {
        file: bench.checkout.digest(file) or bench.tree.is_folder(file) for file in sorted({*files})
    }


@lru_cache(maxsize=4)
def _of_kinds(sought: Sought) -> str:
    """What tells these kinds from others."""
    return hashlib.sha256(json.dumps([*map(sorted, sought)]).encode()).hexdigest()


@cache
def _own() -> str:
    """What tells this qoslint from others, in development too, where the version stays."""
    hashed = hashlib.sha256()
    modules = (_PACKAGE / f"{name}.py" for name in _MODULES)
    inner = (file for name in _PACKAGES for file in sorted((_PACKAGE / name).rglob("*.py")))
    for file in (*modules, *inner):
        hashed.update(file.read_bytes())
    return hashed.hexdigest()

"""What there is to render with: what would be used, and every program that could be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from qoslint.render.engines import Engines
from qoslint.render.helm import engine as helm
from qoslint.render.helm.records import Engine as Helm
from qoslint.render.kustomize import engine as kustomize
from qoslint.render.programs import Refused
from qoslint.render.renderspec import Renderer


class Use(NamedTuple):
    """What would render one kind of target; `problem` says why nothing would, else it is empty."""

    what: str
    """`charts` or `kustomizations`."""
    engine: str = ""
    """`embedded` for what is installed with qoslint, `path` for a program on the PATH."""
    program: str = ""
    version: str = ""
    at: str = ""
    """Where it is."""
    problem: str = ""


class Program(NamedTuple):
    """A program on the PATH; `problem` says why it could not render, else it is empty."""

    path: str
    version: str
    problem: str


def uses(renderer: Renderer, root: Path, kubernetes: str) -> Iterator[Use]:
    """What would render charts, and what kustomizations; `root` is what is linted."""
    if renderer == "none":
        problem = "nothing shall be rendered: the renderer is 'none'"
        yield from (Use("charts", problem=problem), Use("kustomizations", problem=problem))
        return
    engines = Engines(renderer, root, kubernetes)
    charts, built = engines.helm, engines.kustomize
    if isinstance(charts, str):
        yield Use("charts", problem=charts)
    else:
        # The embedded one is a library; its child is told last in which folder that lies.
        yield Use("charts", charts.name, "helm", charts.version, charts.command[-1])
    if isinstance(built, str):
        yield Use("kustomizations", problem=built)
    else:
        at = built.command[0]
        yield Use("kustomizations", built.name, built.program, built.version, at)


def programs(root: Path) -> Iterator[Program]:
    """The programs on the PATH that render, or would if they were others."""
    for charts in helm.programs(root):
        yield _program(charts, charts.path if isinstance(charts, Refused) else charts.command[0])
    for built in kustomize.programs(root):
        yield _program(built, built.path if isinstance(built, Refused) else built.command[0])


def _program(found: Helm | kustomize.Engine | Refused, path: str) -> Program:
    return Program(path, found.version, found.reason if isinstance(found, Refused) else "")

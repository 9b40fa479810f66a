"""A program that answers Kustomize as `helm` does, with the engine that renders all charts.

Kustomize starts `helm` itself to inflate charts: `version`, `template`, and `pull` for a chart that
is not vendored, which is never fetched (api/internal/builtins HelmChartInflationGenerator.go).
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import NamedTuple

from qoslint.render.helm.records import Engine
from qoslint.source.document import YamlError, load

RECORD = "QOSLINT_HELM_RECORD"
"""Names the folder in which the program tells what came from which template."""

_PACKAGES = Path(__file__).resolve().parents[3]
_START = "import sys; sys.path.insert(0, sys.argv[1]); from {} import main; main(sys.argv[2:])"


class Inflated(NamedTuple):
    """What one template of a chart rendered to; `file` is relative to the folder of the chart."""

    chart: Path
    file: str
    text: str


def write_helm_command(folder: Path, engine: Engine, kubernetes: str, seconds: int = 20) -> Path:
    """Write the program into a folder of the run; what comes of it is what Overlay takes.

    `kubernetes` is what charts are told unless a kustomization says another version. `seconds` must
    be less than the whole build may take, so that the renderer never outlives it.
    """
    settings = folder / "helm.json"
    settings.write_text(
        json.dumps({"engine": engine, "kubernetes": kubernetes, "seconds": seconds}), "utf-8"
    )
    module = f"{__package__}.helm_child"
    command = [sys.executable, "-I", "-c", _START.format(module), str(_PACKAGES), str(settings)]
    script = folder / "helm"
    script.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n', "utf-8")
    script.chmod(0o700)
    return script


def recorded(folder: Path) -> list[Inflated]:
    """What the program told of one build."""
    found: list[Inflated] = []
    for path in sorted(folder.iterdir()):
        try:
            said = load(path.read_text("utf-8"))
        except (OSError, YamlError):
            continue
        if isinstance(said, dict):
            chart = Path(str(said.get("chart")))
            found += [Inflated(chart, *each) for each in said.get("templates", ())]
    return found

"""Renders charts: what is asked for, what is answered."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from qoslint.render.failure import RenderError
from qoslint.render.helm import embedded, values
from qoslint.render.helm.records import Chart, Engine, Rendered, Template
from qoslint.workers import LIMITS, Limits


def render_charts(
    checkout: Path, charts: Sequence[Chart], engine: Engine, limits: Limits = LIMITS
) -> Sequence[Rendered | RenderError]:
    """What each chart renders to, or why it does not; one that fails costs no other."""
    found = list(embedded.answers(engine.command, checkout, [_request(c) for c in charts], limits))
    return [_rendered(chart, answer) for chart, answer in zip(charts, found, strict=True)]


def _request(chart: Chart) -> dict[str, object]:
    return {
        "folder": chart.folder or ".",
        "values": json.dumps(values.of_layers(chart.layers)),
        "options": {
            "name": chart.release,
            "namespace": chart.namespace,
            "kube_version": chart.kubernetes,
            "api_versions": chart.api_versions,
        },
        "crds": not chart.skip_crds,
        "patches": {},
        "without": [],
    }


def _rendered(chart: Chart, answer: embedded.Answer) -> Rendered | RenderError:
    if answer.error:
        return RenderError(answer.error, f"{chart.folder}/Chart.yaml")
    return Rendered(
        tuple(
            Template(name, name, "", text)
            for name, text in sorted(answer.templates.items())
            if text.strip() and not name.endswith("NOTES.txt")
        ),
        answer.warnings,
    )

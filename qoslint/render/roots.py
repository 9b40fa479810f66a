"""Roots: the charts and kustomizations that nothing else renders."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Container, Iterator, Mapping

from qoslint.render.helm.records import Chart, Layer
from qoslint.render.kustomization import NAMES
from qoslint.render.kustomize.inputs import roots
from qoslint.render.kustomize.overlay import Overlay
from qoslint.render.reach import Kustomizations
from qoslint.render.renderspec import Environment, RenderSpec
from qoslint.render.surroundings import CHART
from qoslint.render.target import Missing, Target


def overlays(contents: Kustomizations, files: Container[str]) -> Iterator[Target]:
    """A target for each kustomization that no other includes and that can be built alone."""
    for folder in roots(contents):
        name = next(name for name in sorted(NAMES) if posixpath.join(folder, name) in files)
        yield Target(folder or ".", posixpath.join(folder, name), Overlay(folder))


def charts(
    charts: Mapping[str, Mapping[str, object]],
    spec: RenderSpec,
    read: Callable[[str], str | None],
) -> Iterator[Target | Missing]:
    """A target for each environment of each chart that is no library.

    What has no environments is rendered with the values of the chart, if it is no part of another.
    """
    for folder, content in charts.items():
        if content.get("type") == "library":
            continue
        environments = spec.charts.get(folder, ())
        file, name = posixpath.join(folder, CHART), str(content["name"])
        chart = Chart(folder, name, "default", spec.kubernetes(file))
        for environment in environments:
            yield _of_environment(environment, chart, file, read)
        if not environments and not _is_inside(folder, charts):
            yield Target(folder or ".", file, chart)


def _of_environment(
    environment: Environment, chart: Chart, file: str, read: Callable[[str], str | None]
) -> Target | Missing:
    name = f"{chart.folder or '.'} ({environment.name})"
    layers = []
    for values in environment.values:
        text = read(values)
        if text is None:
            return Missing(name, values, 1, "its values cannot be read as text")
        layers.append(Layer(values, text))
    what = chart._replace(
        release=environment.release or chart.release,
        namespace=environment.namespace or chart.namespace,
        kubernetes=environment.kubernetes or chart.kubernetes,
        layers=tuple(layers),
        parameters=environment.parameters,
    )
    return Target(name, file, what, namespace=environment.namespace, variant=environment.name)


def _is_inside(folder: str, charts: Container[str]) -> bool:
    """Whether another chart holds it as one of its own, at whatever depth."""
    while folder:
        folder, name = posixpath.split(folder)
        if name == "charts" and folder in charts:
            return True
    return False

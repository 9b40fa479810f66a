"""Roots: the charts and kustomizations that nothing else renders."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Container, Iterator, Mapping

from qoslint.render.helm.records import Chart
from qoslint.render.kustomization import NAMES
from qoslint.render.kustomize.inputs import roots
from qoslint.render.kustomize.overlay import Overlay
from qoslint.render.reach import Kustomizations
from qoslint.render.surroundings import CHART
from qoslint.render.target import Target


def overlays(contents: Kustomizations, files: Container[str]) -> Iterator[Target]:
    """A target for each kustomization that no other includes and that can be built alone."""
    for folder in roots(contents):
        name = next(name for name in sorted(NAMES) if posixpath.join(folder, name) in files)
        yield Target(folder or ".", posixpath.join(folder, name), Overlay(folder))


def charts(
    charts: Mapping[str, Mapping[str, object]], kubernetes: Callable[[str], str]
) -> Iterator[Target]:
    """A target for each chart that is no library and no part of another, with its own values."""
    for folder, content in charts.items():
        if content.get("type") != "library" and not _is_inside(folder, charts):
            file = posixpath.join(folder, CHART)
            name = str(content["name"])
            yield Target(folder or ".", file, Chart(folder, name, "default", kubernetes(file)))


def _is_inside(folder: str, charts: Container[str]) -> bool:
    """Whether another chart holds it as one of its own, at whatever depth."""
    while folder:
        folder, name = posixpath.split(folder)
        if name == "charts" and folder in charts:
            return True
    return False

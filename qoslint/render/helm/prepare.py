"""What is checked before Helm is started, since its SDK renders without a word."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import NamedTuple

from qoslint.render.failure import RenderError
from qoslint.render.helm import values
from qoslint.render.helm.records import Chart
from qoslint.render.helm.semver import satisfies
from qoslint.render.helm.tree import Dependency, Node, dependencies, fits
from qoslint.render.sources import published
from qoslint.source.document import Document, Remote, Source, load
from qoslint.source.locate import locate
from qoslint.span import Path as FieldPath


class Prepared(NamedTuple):
    """A chart that Helm can be asked to render."""

    chart: Chart
    tree: Node
    values: values.Values
    """What the release is given, without the chart's own."""
    absent: tuple[str, ...] = ()
    """Names of subcharts that are not there and not needed either, being switched off."""
    warnings: tuple[str, ...] = ()


def prepare(tree: Node, chart: Chart) -> Prepared:
    """Check a chart that was read, and read its values; raise RenderError."""
    if tree.metadata.get("type") == "library":
        raise _at(tree, f"{tree.name} is a library, which no release can install", ("type",))
    _check_kubernetes(tree, chart)
    given = values.of_release(chart.layers, chart.parameters, chart.folder)
    missing = list(_missing(tree))
    needed = [each for each in missing if values.is_enabled(each[1], values.merged(tree, given))]
    if needed:
        raise _missing_error(tree, *needed[0])
    return Prepared(
        chart, tree, given, tuple(each.name for _, each in missing), tuple(_misfits(tree))
    )


def _check_kubernetes(tree: Node, chart: Chart) -> None:
    wanted = tree.metadata.get("kubeVersion")
    if not isinstance(wanted, str) or not wanted:
        return
    answer = satisfies(chart.kubernetes, wanted)
    if answer is None:
        raise _at(tree, f"kubeVersion {wanted!r} is no range of versions", ("kubeVersion",))
    if not answer:
        message = (
            f"{tree.name} is made for Kubernetes {wanted}, and cannot be installed on"
            f" {chart.kubernetes}"
        )
        raise _at(tree, message, ("kubeVersion",))


def _missing(tree: Node) -> Iterator[tuple[int, Dependency]]:
    """What Helm calls missing, by its index: no subchart has the name (`CheckDependencies`)."""
    present = {node.metadata.get("name") for node in tree.subcharts}
    for index, dependency in enumerate(dependencies(tree.metadata)):
        if dependency.name not in present:
            yield index, dependency


def _missing_error(tree: Node, index: int, missing: Dependency) -> RenderError:
    version = f" {missing.version}" if missing.version else ""
    source = f" from {missing.repository}" if missing.repository else ""
    return _at(
        tree,
        f"{tree.name} needs the subchart {missing.name}{version}{source}, which is not vendored:"
        " commit what `helm dependency build` puts into charts/",
        ("dependencies", index),
        remote=published(missing.repository, missing.name),
    )


def _misfits(tree: Node) -> Iterator[str]:
    for dependency in dependencies(tree.metadata):
        named = [n.metadata for n in tree.subcharts if n.metadata.get("name") == dependency.name]
        if named and not any(fits(dependency, metadata) for metadata in named):
            found = named[0].get("version")
            yield (
                f"the subchart {dependency.name} {found} in charts/ is not the version"
                f" {dependency.version} that {tree.name} asks for"
            )


def _at(tree: Node, message: str, path: FieldPath, *, remote: Remote | None = None) -> RenderError:
    """An error at a field of Chart.yaml."""
    file = posixpath.join(tree.file, "Chart.yaml")
    text = tree.files["Chart.yaml"].decode(errors="replace")
    document = Document(Source(file, file, text), 0, 1, text, load(text))
    return RenderError(message, file, locate(document, path)[0].start.line, remote=remote)

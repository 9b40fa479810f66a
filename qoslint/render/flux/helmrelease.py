"""Flux's HelmReleases: the chart that each names, and what it renders it with."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

from qoslint.finding import Notice
from qoslint.render import vendored
from qoslint.render.fields import Fields, at, is_set, mapping, mappings, text, texts
from qoslint.render.flux import artifacts
from qoslint.render.flux.context import Context, Reference, reference, refuse, url
from qoslint.render.flux.metadata import common_metadata
from qoslint.render.flux.releasevalues import Given, given
from qoslint.render.helm.records import Chart, Layer
from qoslint.render.objects import Object, key
from qoslint.render.sources import Named, NotRenderedError, published
from qoslint.render.target import Pass, Target
from qoslint.span import Path

GROUP = "helm.toolkit.fluxcd.io"

_LONGEST_NAME = 53
_POST_RENDERED = ("patches", "patchesStrategicMerge", "patchesJson6902", "images")


class Asked(NamedTuple):
    """The chart that a release asks for, and where it says so."""

    source: Reference
    chart: str
    """A path in a source of files, a name in a chart repository, "" if the source is a chart."""
    version: str
    owner: Object
    """What names the source: the release, or a HelmChart."""
    where: Path
    values_files: tuple[str, ...] = ()


def named(object_: Object, context: Context) -> Iterator[Named]:
    """The paths that it names in sources."""
    asked = _asked(object_, context)
    if asked is not None:
        yield from artifacts.named_paths(asked.source, asked.chart, asked.owner, context)


def resolved(object_: Object, context: Context) -> Iterator[Target | Notice]:
    """What a HelmRelease deploys; raise NotRenderedError."""
    try:
        yield from _resolved(object_, context)
    except NotRenderedError as error:
        layers = _layers_at_hand(object_, context) if error.missing.remote else ()
        raise NotRenderedError(error.missing._replace(layers=layers)) from error


def _layers_at_hand(object_: Object, context: Context) -> tuple[Layer, ...]:
    """The values of a release, whatever becomes of its chart."""
    try:
        return given(object_, context).layers
    except NotRenderedError:
        return ()


def _resolved(object_: Object, context: Context) -> Iterator[Target | Notice]:
    spec = mapping(at(object_.data, "spec"))
    asked = _asked(object_, context)
    if asked is None:
        refuse(object_, "it names no chart that is stated in the repository", "spec")
    folder = _folder(object_, asked, context)
    below = tuple(_values_files(object_, asked, folder, context))
    values = given(object_, context)
    yield from values.notices
    values = values._replace(layers=(*below, *values.layers))
    release = _chart(object_, spec, folder, values, context)
    line = object_.line(*asked.where) if asked.owner is object_ else object_.line("spec")
    yield Target(
        object_.title,
        object_.file,
        release,
        line,
        release.namespace,
        passes=tuple(_passes(spec)),
        has_foreign_values=bool(spec.get("valuesFrom")),
    )


def _chart(object_: Object, spec: Fields, folder: str, values: Given, context: Context) -> Chart:
    install = mapping(spec.get("install"))
    target = text(spec, "targetNamespace")
    default = f"{target}-{object_.name}" if target else object_.name
    return Chart(
        folder=folder,
        release=shortened(text(spec, "releaseName") or default),
        namespace=target or object_.namespace or "default",
        kubernetes=context.repository.kubernetes,
        layers=values.layers,
        parameters=values.parameters,
        skip_crds=text(install, "crds") == "Skip" or is_set(install, "skipCRDs"),
        # Flux applies them only if it is told to run the tests.
        skip_tests=not is_set(spec, "test", "enable"),
        skip_schema=is_set(install, "disableSchemaValidation"),
    )


def shortened(name: str) -> str:
    """The name of a release, with a hash in place of its end if it is too long (ShortenName)."""
    if len(name) <= _LONGEST_NAME:
        return name
    return f"{name[:40]}-{hashlib.sha256(name.encode()).hexdigest()[:12]}"


def _passes(spec: Fields) -> Iterator[Pass]:
    """The kustomizations that the output goes through (internal/postrender BuildPostRenderers)."""
    for each in mappings(spec.get("postRenderers")):
        options = mapping(each.get("kustomize"))
        found = {name: list(mappings(options.get(name))) for name in _POST_RENDERED}
        kept = {name: value for name, value in found.items() if value}
        if kept:
            yield kept
    metadata = common_metadata(spec.get("commonMetadata"))
    if metadata:
        yield metadata


def _asked(object_: Object, context: Context) -> Asked | None:
    spec = mapping(at(object_.data, "spec"))
    inline = at(spec, "chart", "spec")
    if inline is not None:
        where: Path = ("spec", "chart", "spec")
        return _of_spec(mapping(inline), object_, (*where, "chart"))
    wanted = reference(object_, spec.get("chartRef"))
    if not wanted.name:
        return None
    if wanted.kind != "HelmChart":
        return Asked(wanted, "", "", object_, ("spec", "chartRef"))
    chart = context.objects.find(key("HelmChart", wanted.name), wanted.namespace, object_)
    if chart is None:
        return None
    return _of_spec(mapping(at(chart.data, "spec")), chart, ("spec", "chart"))


def _of_spec(spec: Fields, owner: Object, where: Path) -> Asked:
    return Asked(
        reference(owner, spec.get("sourceRef")),
        text(spec, "chart"),
        text(spec, "version"),
        owner,
        where,
        tuple(texts(spec.get("valuesFiles"))),
    )


def _folder(object_: Object, asked: Asked, context: Context) -> str:
    """The folder that holds the chart; raise NotRenderedError."""
    where = asked.where if asked.owner is object_ else ("spec", "chartRef")
    if asked.source.kind in ("HelmRepository", "OCIRepository"):
        return _of_registry(object_, asked, context, where)
    folder = artifacts.place(asked.source, asked.chart, object_, context, *where)
    if not context.repository.is_file(f"{folder}/Chart.yaml" if folder else "Chart.yaml"):
        refuse(object_, f"there is no chart at '{asked.chart}' in the repository", *where)
    return folder


def _values_files(object_: Object, asked: Asked, folder: str, context: Context) -> Iterator[Layer]:
    """The files that take the place of the chart's own values.

    If those come first, the others lie over them, else the chart would have to be changed.
    """
    own = f"{folder}/values.yaml".removeprefix("/")
    where = asked.where if asked.owner is object_ else ("spec", "chartRef")
    for number, file in enumerate(asked.values_files):
        path = artifacts.place(asked.source, file, object_, context, *where)
        content = context.repository.read(path)
        if content is None:
            refuse(object_, f"its values file '{file}' is not in the repository", *where)
        if number:
            yield Layer(path, content)
        elif path != own:
            refuse(
                object_,
                f"its valuesFiles put '{file}' in the place of the chart's own values, which "
                "qoslint does not; name them under `valuesFrom` instead, or pipe the rendered "
                "chart into `qoslint check -`",
                *where,
            )


def _of_registry(object_: Object, asked: Asked, context: Context, where: Path) -> str:
    address = url(asked.source, asked.owner, context.objects)
    name = asked.chart or address.removesuffix("/").rpartition("/")[2]
    version = asked.version or _version(asked, context)
    known = address if address != asked.source.title else ""
    wanted = vendored.Wanted(known, name, version)
    folder = vendored.folder(wanted, context.repository, context.sources)
    if folder is None:
        shown = f", version {version}" if version else ""
        title = f"{asked.source.title}, {known}" if known else asked.source.title
        refuse(
            object_,
            f"the chart {name} ({title}{shown}) is not in the repository; "
            f"{vendored.advice(wanted)}",
            *where,
            remote=published(wanted.url, name),
        )
    return folder


def _version(asked: Asked, context: Context) -> str:
    found = context.objects.find(
        key(asked.source.kind, asked.source.name), asked.source.namespace, asked.owner
    )
    ref = at(found.data, "spec", "ref") if found else None
    return text(ref, "tag") or text(ref, "semver")

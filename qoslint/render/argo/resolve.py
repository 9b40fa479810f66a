"""From a source of an Application to what is rendered, with the tool that Argo CD takes for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qoslint.finding import Notice
from qoslint.render import vendored
from qoslint.render.argo import charts, folders, kustomizations
from qoslint.render.argo.application import Application, Context, Source, references, sources_of
from qoslint.render.argo.overrides import Overrides, overridden
from qoslint.render.fields import at, text, under_root
from qoslint.render.helm.records import Chart
from qoslint.render.kustomization import NAMES
from qoslint.render.kustomize.overlay import Overlay
from qoslint.render.sources import (
    NotRenderedError,
    TooManyError,
    address,
    other_revision,
    published,
)
from qoslint.render.target import Folder, Missing, Target
from qoslint.source.document import Remote

_TOOLS = ("kustomize", "helm", "directory", "plugin")


def resolved(application: Application, context: Context) -> Iterator[Target | Missing | Notice]:
    """What an Application deploys, a target for each of its sources."""
    found = list(sources_of(application))
    if not found:
        line = application.line("spec")
        message = "it names no source, so there is nothing that it deploys"
        yield Missing(application.title, application.object.file, line, message)
    named = references(application)
    namespace = text(application.data, "spec", "destination", "namespace") or None
    for source in found:
        if text(source.data, "ref") and not (source.data.keys() & {"chart", "path"}):
            # It only holds files for others.
            continue
        try:
            what = _what(source, named, context)
        except NotRenderedError as error:
            is_chart = error.missing.remote and text(source.data, "chart")
            layers = tuple(charts.layers_at_hand(source, named, context)) if is_chart else ()
            yield error.missing._replace(layers=layers)
            continue
        except TooManyError:
            yield source.missing(
                "the Applications together name more files than qoslint looks through, so what "
                "this one deploys is not checked"
            )
            continue
        line = source.line("chart" if text(source.data, "chart") else "path")
        yield Target(source.title, application.object.file, what, line, namespace)
        if context.sources.root(text(source.data, "repoURL")) == "":
            revision = source.expanded(text(source.data, "targetRevision"))
            line = source.line("targetRevision")
            file = application.object.file
            yield from other_revision(source.title, revision, file, line, context.repository)


def _what(
    source: Source, named: Mapping[str, Source], context: Context
) -> Chart | Overlay | Folder:
    root, folder = _place(source, context)
    overrides = overridden(source, folder, context.repository)
    tool = _tool(source, overrides, folder, context)
    if tool == "helm":
        return charts.chart(source, overrides, folder, root, named, context)
    if tool == "kustomize":
        return kustomizations.overlay(source, overrides.data, folder, context)
    if tool == "plugin":
        source.refuse(
            "it is rendered by a plugin of Argo CD, which qoslint does not run; pipe what it "
            "yields into `qoslint check -`",
            "plugin",
        )
    return folders.plain(source, overrides.data, folder, context)


def _place(source: Source, context: Context) -> tuple[str, str]:
    """The folder of the root of the source, and that of what is deployed."""
    url = text(source.data, "repoURL")
    name = text(source.data, "chart")
    if name:
        version = text(source.data, "targetRevision")
        wanted = vendored.Wanted(url, name, version)
        folder = vendored.folder(wanted, context.repository, context.sources)
        if folder is None:
            shown = f", version {version}" if version else ""
            source.refuse(
                f"the chart {name} of {url}{shown} is not in the repository; "
                f"{vendored.advice(wanted)}",
                "chart",
                remote=published(url, name),
            )
        return folder, folder
    if not url:
        source.refuse("the source names no repository (`repoURL`)")
    root = context.sources.root(url)
    if root is None:
        source.refuse(
            f"its files are in the repository {url}, which is not this one, so what it deploys is "
            "not checked; if it is this one or a copy is here, say so under `remotes`",
            "repoURL",
            remote=Remote(address(url)),
        )
    path = text(source.data, "path")
    inner = under_root(path)
    if not path or inner is None:
        source.refuse(f"its path '{path}' is none inside of the repository", "path")
    folder = under_root(root, inner) or ""
    if not context.repository.is_folder(folder):
        source.refuse(f"there is no folder '{path}' in the repository", "path")
    return root, folder


def _tool(source: Source, overrides: Overrides, folder: str, context: Context) -> str:
    """What is stated, else what the names of the files say; the last name in order counts.

    Argo CD reposerver/repository GetAppSourceType, util/app/discovery Discover.
    """
    stated = [tool for tool in _TOOLS if _is_stated(at(overrides.data, tool))]
    if len(stated) > 1:
        source.refuse(
            f"it states options of {' and of '.join(stated)}, of which Argo CD takes only one",
            stated[1],
        )
    if stated:
        return stated[0]
    if text(source.data, "chart"):
        return "helm"
    tool = "directory"
    context.effort.spend(len(context.repository.below(folder)))
    for name in context.repository.names(folder):
        if name.endswith("Chart.yaml"):
            tool = "helm"
        if name in NAMES:
            tool = "kustomize"
    return tool


def _is_stated(options: object) -> bool:
    """Whether any option is set: Argo CD drops empty ones (util/argo NormalizeSource)."""
    return isinstance(options, Mapping) and any(map(bool, options.values()))

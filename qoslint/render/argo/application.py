"""Applications: what each names, and where that stands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, NoReturn

from qoslint.render.fields import Fields, at, mapping, text, texts
from qoslint.render.globs import has_wildcard
from qoslint.render.helm.records import Layer
from qoslint.render.objects import Object
from qoslint.render.reach import items
from qoslint.render.sources import Effort, Named, NotRenderedError, Repository, Sources
from qoslint.render.target import Missing
from qoslint.source.document import Remote
from qoslint.span import Path, value_at

GROUP = "argoproj.io"

# A commit that nobody names: what reads it wants a tag, not a pod.
_REVISION = "0" * 40
_VARIABLE = re.compile(r"\$(?:\{([^}]*)\}|([*#$@!?\-0-9])|([A-Za-z_][A-Za-z0-9_]*))")


class Context(NamedTuple):
    """What Applications are resolved against."""

    repository: Repository
    sources: Sources
    effort: Effort


class Application(NamedTuple):
    """An Application: an object, or what an ApplicationSet makes of its template."""

    object: Object
    """What states it, so the ApplicationSet of one that was generated."""
    data: Fields
    below: Path = ()
    """Where its fields stand in the object."""

    @property
    def name(self) -> str:
        """Its name."""
        return text(self.data, "metadata", "name")

    @property
    def title(self) -> str:
        """As people name it: `Application argocd/web`."""
        space = self.object.namespace
        return f"Application {space}/{self.name}" if space else f"Application {self.name}"

    def line(self, *path: str | int) -> int:
        """The line of a field."""
        return self.object.line(*self.below, *path)

    def layer(self, *path: str | int) -> Layer:
        """The values in a field, as they are once parameters are filled in."""
        if not self.below:
            return self.object.layer(*path)
        value = value_at(self.data, path)
        content = value if isinstance(value, str) else json.dumps(value)
        return Layer(self.object.file, content, (), self.line(*path))


class Source(NamedTuple):
    """One source of an Application."""

    application: Application
    where: Path
    """Where it stands in the Application."""
    data: Fields
    number: int = 0
    """Counts the sources from 1; 0 if there is only one."""

    @property
    def title(self) -> str:
        """As people name it."""
        title = self.application.title
        return f"{title}, source {self.number}" if self.number else title

    def line(self, *path: str | int) -> int:
        """The line of a field."""
        return self.application.line(*self.where, *path)

    def missing(self, message: str, *path: str | int, remote: Remote | None = None) -> Missing:
        """What to tell if it is not rendered, at one of its fields."""
        return Missing(self.title, self.application.object.file, self.line(*path), message, remote)

    def refuse(self, message: str, *path: str | int, remote: Remote | None = None) -> NoReturn:
        """Raise what to tell if it is not rendered."""
        raise NotRenderedError(self.missing(message, *path, remote=remote))

    def expanded(self, value: str) -> str:
        """The text with Argo CD's variables filled in (reposerver/repository newEnv, os.Expand)."""
        if "$" not in value:
            return value
        spec = at(self.application.data, "spec")
        variables = {
            "$": "$",
            "ARGOCD_APP_NAME": self.application.name,
            "ARGOCD_APP_NAMESPACE": text(spec, "destination", "namespace"),
            "ARGOCD_APP_PROJECT_NAME": text(spec, "project"),
            "ARGOCD_APP_REVISION": _REVISION,
            "ARGOCD_APP_REVISION_SHORT": _REVISION[:7],
            "ARGOCD_APP_REVISION_SHORT_8": _REVISION[:8],
            "ARGOCD_APP_SOURCE_REPO_URL": text(self.data, "repoURL"),
            "ARGOCD_APP_SOURCE_PATH": text(self.data, "path"),
            "ARGOCD_APP_SOURCE_TARGET_REVISION": text(self.data, "targetRevision"),
        }
        return _VARIABLE.sub(
            lambda found: variables.get(next(filter(None, found.groups()), ""), ""), value
        )


def sources_of(application: Application) -> Iterator[Source]:
    """Its sources; several count more than one, and what is hydrated is the dry source."""
    spec = at(application.data, "spec")
    several = list(items(at(spec, "sources")))
    if several:
        for number, data in enumerate(several):
            shown = number + 1 if len(several) > 1 else 0
            yield Source(application, ("spec", "sources", number), mapping(data), shown)
        return
    dry = at(spec, "sourceHydrator", "drySource")
    if isinstance(dry, Mapping):
        yield Source(application, ("spec", "sourceHydrator", "drySource"), dry)
    elif isinstance(at(spec, "source"), Mapping):
        yield Source(application, ("spec", "source"), mapping(at(spec, "source")))


def references(application: Application) -> Mapping[str, Source]:
    """The sources that others name with `$`, by that name with the `$`."""
    return {
        f"${text(source.data, 'ref')}": source
        for source in sources_of(application)
        if text(source.data, "ref")
    }


def named(application: Application) -> Iterator[Named]:
    """The paths that it names in its sources, as far as they stand there."""
    references_ = references(application)
    for source in sources_of(application):
        url, path = text(source.data, "repoURL"), text(source.data, "path")
        if url and path and not text(source.data, "chart") and "{{" not in url + path:
            yield Named(url, path)
        if at(source.data, "helm", "ignoreMissingValueFiles") is True:
            continue
        for file in texts(at(source.data, "helm", "valueFiles")):
            name, _, inner = file.partition("/")
            if name in references_ and not has_wildcard(inner) and "{{" not in inner + url:
                yield Named(text(references_[name].data, "repoURL"), source.expanded(inner))

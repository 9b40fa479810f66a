"""Targets: what renders to documents, who asks for it, and how that went."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from qoslint.finding import Notice
from qoslint.render.failure import RenderError
from qoslint.render.helm.records import Chart, Layer
from qoslint.render.kustomize.overlay import Overlay
from qoslint.render.plain import Reading, Why
from qoslint.source.document import Broken, Origin, Remote, Source


class Folder(NamedTuple):
    """Plain files that are deployed as they are, as far as the patterns name them."""

    folder: str
    recurse: bool = False
    include: str = "*"
    exclude: str = ""


What: TypeAlias = Chart | Overlay | Folder

Pass: TypeAlias = Mapping[str, object]
"""A kustomization over what was rendered, without its `resources`."""


class Target(NamedTuple):
    """Something that renders to documents.

    It belongs where the file is that has it rendered: its own Chart.yaml or kustomization, or that
    of the object that deploys it.
    """

    name: str
    """As people name it: `overlays/prod`, `Application argocd/web`."""
    file: str
    what: What
    line: int = 1
    namespace: str | None = None
    """That of objects which name none."""
    variant: str = ""
    """The environment, where one chart is rendered for several."""
    passes: tuple[Pass, ...] = ()
    """Kustomizations that the output goes through, the first first."""
    variables: Mapping[str, str] | None = None
    """What Flux puts in place of `${NAME}` in the output; None if it replaces nothing."""
    knows_variables: bool = True
    """Whether these are all; else a name that is not among them stays as it is."""
    has_foreign_values: bool = False
    """Whether values of it stand in ConfigMaps or Secrets."""
    doubt: str = ""
    """Why no cluster may have what asks for it: one sentence without a full stop."""

    @property
    def id(self) -> str:
        """Tells it from the others of a run: clusters may deploy different things by one name."""
        return f"{self.name}, {self.file}:{self.line}"

    @property
    def doubt_of_objects(self) -> str:
        """Why no cluster may have the objects that it renders to."""
        is_own = self.file == posixpath.join(self.folder, "Chart.yaml")
        if self.doubt or self.variant or not is_own or not isinstance(self.what, Chart):
            return self.doubt
        return (
            f"{self.name}, the chart that this comes from, is rendered with nothing but its own "
            "values; name those of its environments under `charts` in the settings"
        )

    @property
    def folder(self) -> str:
        """What is rendered, the root being empty."""
        return self.what.folder


class Missing(NamedTuple):
    """What an object wants deployed and is not rendered: one sentence without a full stop."""

    name: str
    file: str
    line: int
    message: str
    remote: Remote | None = None
    """What of it is not in the repository; else it is, and nothing here renders it."""
    layers: tuple[Layer, ...] = ()
    """The values at hand that a chart would be rendered with."""
    asked_by: str = ""
    """The file that has the object rendered, if that does not stand in `file` as it is."""

    @property
    def files(self) -> tuple[str, ...]:
        """The files that it concerns."""
        return (self.asked_by, self.file) if self.asked_by else (self.file,)

    @property
    def why(self) -> Why:
        """The reason, as what cannot be read has one."""
        return Why.REMOTE if self.remote else Why.UNSUPPORTED


class Text(NamedTuple):
    """One text that was rendered; its `id` tells it from all others of a run."""

    id: str
    text: str


class Emptied(NamedTuple):
    """Files that generators name and the repository does not hold, each taken for an empty one."""

    files: int
    holders: frozenset[int]
    """The documents of the rendered text, by number, that hold what would be in them."""


class Outcome(NamedTuple):
    """What became of a target: what it holds, or why that is not known."""

    target: Target
    inputs: tuple[str, ...] = ()
    """The files that it was rendered from; none if it was not."""
    readings: tuple[Reading, ...] = ()
    failures: tuple[Broken, ...] = ()
    sources: tuple[Source, ...] = ()
    """The rendered texts, for what else is looked for in them than pods."""
    errors: tuple[RenderError, ...] = ()
    """The same as `failures`, whoever asks for the target."""
    emptied: Emptied | None = None
    unread: Mapping[str, StrEnum] = MappingProxyType({})
    """Why files that are deployed as they are cannot be (wholly) read."""
    texts: tuple[Text, ...] = ()
    """The same as `sources` before Flux's variables are filled in."""
    origin: Origin | None = None
    """What knows where they were written."""
    withheld: frozenset[tuple[str, str]] = frozenset()
    """Kind and name of ConfigMaps and Secrets that are without their data."""

    @property
    def notices(self) -> Iterator[Notice]:
        """What was assumed."""
        if self.emptied is not None:
            number = self.emptied.files
            files = "A file" if number == 1 else f"{number} files"
            are, ones = ("is", "an empty one was") if number == 1 else ("are", "empty ones were")
            yield Notice(
                f"{files} that generators of {self.target.name} name {are} not in the repository; "
                f"{ones} taken: the data of a ConfigMap or Secret decides nothing about pods.",
                self.target.file,
                self.target.line,
            )

"""What a proposal is made from: the files, the objects in them, and where each of them stands."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cached_property

from qoslint.finding import Part
from qoslint.model.inventory import Inventory
from qoslint.model.members import Members
from qoslint.model.objects import KubeObject, objects, sequence, text
from qoslint.render.discovery import DEPLOYING_KINDS, Discovery
from qoslint.render.plain import Why, kind_of
from qoslint.render.policytests import is_testdata
from qoslint.settings.annotated import spot
from qoslint.source.document import Document, Source, Wanted, documents
from qoslint.source.locate import locate
from qoslint.source.text import NotTextError, decode
from qoslint.source.tree import UnreadableError, WorkTree
from qoslint.span import Path, value_at


class _EveryKind:
    def __contains__(self, kind: object) -> bool:
        return True


@dataclass(frozen=True, eq=False)
class Evidence:
    """What was read of a repository without any settings."""

    tree: WorkTree
    discovery: Discovery
    inventory: Inventory
    members: tuple[Members, ...]
    """The clusters that the files are taken for as long as no settings name any."""

    @cached_property
    def telling(self) -> tuple[KubeObject, ...]:
        """The objects of kinds that proposals are made from and that can hold no pods, by file."""
        passed, parsed = self.discovery.passed, self.discovery.documents
        sources = dict.fromkeys(
            (
                *(item.source for item in passed if item.kind in _TELLING_KINDS),
                *(item.source for item in parsed if kind_of(item.data) in DEPLOYING_KINDS),
            )
        )
        found = (
            *(thing for source in sources for thing in _objects(source, _TELLING_KINDS)),
            *(thing for thing in self.inventory.podless if thing.kind == "ClusterConfig"),
        )
        return tuple(
            sorted(
                (thing for thing in found if not is_testdata(thing.file)),
                key=lambda thing: (thing.file, thing.document.number),
            )
        )

    @cached_property
    def kindless(self) -> tuple[Document, ...]:
        """The documents without a kind that may tell of nodes."""
        paths = self.discovery.skipped.get(Why.NO_KIND, ())
        sources = (self._source(path) for path in paths if not is_testdata(path))
        telling = (each for each in sources if any(word in each.text for word in _TELLING_WORDS))
        return tuple(document for source in telling for document in _documents(source))

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The paths of all files that may hold YAML or JSON, sorted."""
        groups = (*self.discovery.skipped.values(), *self.discovery.not_understood.values())
        return tuple(sorted({*self.discovery.read, *(path for paths in groups for path in paths)}))

    def _source(self, path: str) -> Source:
        try:
            return Source(path, path, decode(self.tree.read(path)))
        except (UnreadableError, NotTextError):
            return Source(path, path, "")


_TELLING_WORDS = ("capacity", "kubelet", "kubernetesVersion")
_TELLING_KINDS = frozenset(
    {
        "Application",
        "ApplicationSet",
        "Cluster",
        "ClusterConfiguration",
        "FluxInstance",
        "GitRepository",
        "HelmRelease",
        "Kustomization",
        "Node",
        "Plan",
    }
)


def title(thing: KubeObject) -> str:
    """An object as people name it: `Application argocd/web`."""
    name = f"{thing.namespace}/{thing.name}" if thing.namespace else thing.name
    return f"{thing.kind} {name}".strip()


def at(thing: KubeObject, path: Path = ()) -> str:
    """The place of a field, of what was rendered where it most likely stands."""
    document, whole = thing.document, (*thing.id.root, *path)
    rendered = document.source.rendered
    if rendered is not None:
        likely = rendered.origin.likely(Wanted(document, whole, Part.ENTRY))
        return spot(likely.file, likely.span.start.line)
    return spot(thing.file, locate(document, whole)[0].start.line)


def holding(thing: KubeObject) -> str:
    """What holds an object: the line of the file, or the file that has it rendered."""
    return (
        f"{thing.file} makes {title(thing)}"
        if thing.is_rendered
        else f"{at(thing)}: {title(thing)}"
    )


def field(thing: KubeObject, *path: str) -> str:
    """The text of a field, empty if there is none."""
    return text(value_at(thing.data, path))


def items(thing: KubeObject, *path: str) -> list[object]:
    """The list in a field, an empty one if there is none."""
    return sequence(value_at(thing.data, path))


def _objects(source: Source, kinds: Container[str]) -> Iterator[KubeObject]:
    for item in documents(source, kinds):
        if isinstance(item, Document):
            yield from (thing for thing in objects(item) if thing.kind in kinds)


def _documents(source: Source) -> Iterator[Document]:
    return (item for item in documents(source, _EveryKind()) if isinstance(item, Document))

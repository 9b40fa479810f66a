"""What GitOps objects ask for: those of Argo CD and of Flux, wherever they stand or come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from qoslint.finding import Notice
from qoslint.render.checkout import Checkout
from qoslint.render.discovery import DEPLOYING_KINDS
from qoslint.render.plain import Reading, holds_any, kind_of
from qoslint.render.renderspec import RenderSpec
from qoslint.render.sources import Repository, origin_urls
from qoslint.render.target import Missing, Target
from qoslint.source.document import Document, Source, documents
from qoslint.source.tree import WorkTree

DATA_KINDS = frozenset({"ConfigMap", "Secret"})

NAMED_KINDS = frozenset(
    {
        *DEPLOYING_KINDS,
        *DATA_KINDS,
        "ArtifactGenerator",
        "Bucket",
        "ExternalArtifact",
        "GitRepository",
        "HelmChart",
        "HelmRepository",
        "OCIRepository",
    }
)
"""What those name, too."""


class Gitops:
    """The GitOps objects of a run; whatever they name is looked for in the whole repository."""

    def __init__(self, tree: WorkTree, checkout: Checkout, spec: RenderSpec) -> None:
        """Look at nothing yet: most repositories have no such objects."""
        self._tree = tree
        self._checkout = checkout
        self._spec = spec
        self._parsed: dict[Source, tuple[Document, ...]] = {}

    def asked(self, sources: Sequence[Source]) -> Iterator[Target | Missing | Notice]:
        """What the objects in the texts ask for, if there are any that ask."""
        found = [document for source in sources for document in self._documents(source)]
        if any(kind_of(document.data) not in DATA_KINDS for document in found):
            # Imported here: most repositories have no such objects.
            from qoslint.render.argo.asked import asked as asked_of_argo
            from qoslint.render.flux.asked import asked as asked_of_flux

            yield from asked_of_argo(found, self.repository)
            yield from asked_of_flux(found, self.repository)

    def names_of_data(self, sources: Sequence[Source]) -> frozenset[tuple[str, str]]:
        """Kind and name of the ConfigMaps and Secrets that objects in the texts read."""
        from qoslint.render.flux.context import names_of_data

        found = (document for source in sources for document in self._documents(source))
        return frozenset(name for document in found for name in names_of_data(document.data))

    def _documents(self, source: Source) -> tuple[Document, ...]:
        if source not in self._parsed:
            guessed = source.rendered.guessed if source.rendered else frozenset()
            self._parsed[source] = tuple(
                item
                for item in documents(source, NAMED_KINDS)
                if isinstance(item, Document) and kind_of(item.data) in NAMED_KINDS
                # What is not known counts as what is not here.
                if item.number not in guessed
            )
        return self._parsed[source]

    @cached_property
    def repository(self) -> Repository:
        """The whole repository, whatever part of it is checked."""
        return Repository(
            files=sorted(item.path for item in self._tree.walk(["."]) if not _is_folder(item.path)),
            read=self._checkout.text,
            kubernetes=self._spec.kubernetes("."),
            remotes=self._spec.remotes,
            origins=origin_urls(self._checkout.text(".git/config") or ""),
        )


def asks(reading: Reading) -> bool:
    """Whether a text holds an object that asks for more, or one that such an object may name."""
    return holds_any(reading, NAMED_KINDS)


def _is_folder(path: str) -> bool:
    return path.endswith("/")

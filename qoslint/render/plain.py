"""Plain files: what the bytes of one file hold, or why nothing of it can be used."""

from __future__ import annotations

import re
from collections.abc import Container
from enum import StrEnum
from typing import NamedTuple

from qoslint.source.allowance import Allowance
from qoslint.source.document import Broken, Document, Passed, Source, documents
from qoslint.source.text import NotTextError, decode, is_sops
from qoslint.source.tree import Skip


class Why(StrEnum):
    """Why a file was not read, beside the reasons of the tree; printed behind a count like them."""

    EMPTY = "empty"
    NO_KIND = "without a Kubernetes kind"
    SETTINGS = "settings of qoslint"
    CHART = "Helm chart metadata"
    VALUES = "Helm values"
    KUSTOMIZATION = "kustomization that is not built"
    GENERATOR_DATA = "content of a generated ConfigMap or Secret"
    CHART_TEMPLATE = "template of a chart that is not rendered"
    PATCH = "patch of a kustomization that is not built"
    TEST_INPUT = "input of a test"
    UNNAMED = "not named by the kustomization around it"
    BROKEN = "does not parse"
    UNRENDERED = "for an error in rendering"
    REMOTE = "for a source that is not in the repository"
    UNSUPPORTED = "that nothing here renders as it stands"


_BY_NATURE = frozenset(
    {
        Skip.NOT_YAML,
        Skip.GIT,
        Why.EMPTY,
        Why.NO_KIND,
        Why.SETTINGS,
        Why.CHART,
        Why.VALUES,
        Why.GENERATOR_DATA,
        Why.TEST_INPUT,
    }
)


class Sought(NamedTuple):
    """Names of the kinds that are looked for."""

    counting: frozenset[str]
    """Those of objects that count in a cluster."""
    parsed: frozenset[str]
    """All whose documents are parsed, whatever they say."""


class Reading(NamedTuple):
    """What one file holds. With a reason it is not (wholly) read, yet may have documents."""

    documents: tuple[Document, ...] = ()
    broken: tuple[Broken, ...] = ()
    passed: tuple[Passed, ...] = ()
    reason: StrEnum | None = None

    @property
    def is_understood(self) -> bool:
        """Whether nothing in the file should have been read and was not."""
        return self.reason is None or self.reason in _BY_NATURE


# Ends of kinds that hold other objects: lists, and the templates of OpenShift.
_HOLDERS = ("List", "Template")
_FIELDS = frozenset({"apiVersion", "metadata", "spec", "items"})

# A text that does not parse and has neither was never meant for Kubernetes: a values file, a
# workflow of a CI system, a configuration with tags of its own.
# Other files have a `kind` too, but further in. It must not look over line ends: each line is the
# start of another look.
_KUBERNETES = re.compile(
    r"""^(?:[ \t{-]*+(?:["']?apiVersion|["']kind)|(?:[ \t-]*+\{[ \t{]*+)?kind)["']?[ \t]*:""",
    re.MULTILINE,
)


def read_bytes(
    path: str, content: bytes, sought: Sought, allowance: Allowance | None = None
) -> Reading:
    """The documents of a file by its bytes; see `read_source`."""
    try:
        return read_text(path, decode(content), sought, allowance)
    except NotTextError as error:
        return Reading(reason=error.reason)


def read_text(path: str, text: str, sought: Sought, allowance: Allowance | None = None) -> Reading:
    """The documents of the text of a file; see `read_source`."""
    return read_source(Source(path, path, text), sought, allowance)


def read_source(source: Source, sought: Sought, allowance: Allowance | None = None) -> Reading:
    """The documents of a text. What can be no Kubernetes object is left out."""
    text = source.text
    if "kind" not in text:
        return Reading(reason=Why.NO_KIND if text.strip() else Why.EMPTY)
    found = list(documents(source, sought.parsed, allowance))
    parsed = tuple(item for item in found if isinstance(item, Document) and _is_object(item.data))
    passed = tuple(item for item in found if isinstance(item, Passed))
    broken = tuple(item for item in found if isinstance(item, Broken))
    if not found:
        return Reading(reason=Why.EMPTY)
    if is_sops(text):
        # A kustomization may put one that is encrypted among others that are not.
        counting = sought.counting
        plain = tuple(i for i in parsed if kind_of(i.data) not in counting or not is_sops(i.text))
        if plain != parsed:
            return Reading(plain, broken, passed, Skip.SOPS)
    if broken and (parsed or passed or _KUBERNETES.search(text)):
        return Reading(parsed, broken, passed, broken[0].reason or Why.BROKEN)
    if parsed or passed:
        return Reading(parsed, passed=passed)
    return Reading(reason=Why.NO_KIND)


def holds_any(reading: Reading, kinds: Container[str]) -> bool:
    """Whether one of its documents, parsed or not, is of one of the kinds."""
    return any(passed.kind in kinds for passed in reading.passed) or any(
        kind_of(document.data) in kinds for document in reading.documents
    )


def kind_of(data: object) -> str:
    """The kind of a document, empty if it has none."""
    kind = data.get("kind") if isinstance(data, dict) else None
    return kind if isinstance(kind, str) else ""


def holds_workloads(reading: Reading, kinds: Container[str]) -> bool:
    """Whether an object that matters is there or cannot be seen, whatever else the file is for.

    Values of charts have a kind too, but no apiVersion, without which no cluster takes an object.
    """
    if reading.reason is Skip.SOPS or any(item.kind in kinds for item in reading.broken):
        return True
    return any(
        isinstance(document.data, dict)
        and isinstance(document.data.get("apiVersion"), str)
        and (kind_of(document.data) in kinds or kind_of(document.data).endswith(_HOLDERS))
        for document in reading.documents
    )


def _is_object(data: object) -> bool:
    """Whether a value can be meant as an object: a kind alone also stands in values files."""
    return isinstance(data, dict) and kind_of(data) != "" and not _FIELDS.isdisjoint(data)

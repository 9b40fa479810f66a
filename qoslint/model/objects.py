"""Kubernetes objects: what one document holds, with the place of each.

Documents are hostile input: nothing here trusts the type of any field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from qoslint.finding import ObjectId, Part, Place
from qoslint.source.document import Document, lies_under
from qoslint.source.paths import Paths
from qoslint.span import Path

Fields: TypeAlias = Mapping[str, object]
"""A JSON object."""

_MAX_NESTING = 20
"""Lists in lists that kubectl would flatten; more is no honest input."""

_LONGEST_LABEL = 600
"""A kind, a namespace and a name, each of the 253 characters that it may have at most."""

_TEMPLATE_GROUPS = ("template.openshift.io", "")


@dataclass(frozen=True, slots=True, eq=False)
class KubeObject:
    """One object of a document; two are equal only if they are the same one.

    `namespace` is None where the manifest names none (the target or the cluster then decides),
    `name` is empty where it has none; a `generateName` stands for it where there is one.
    """

    id: ObjectId
    document: Document
    api_version: str
    kind: str
    namespace: str | None
    name: str
    data: Fields
    in_template: bool = False
    """An item of an OpenShift Template: `${PARAMETER}`s stand where values will be."""

    @property
    def group(self) -> str:
        """The API group, empty for the core group."""
        return self.api_version.rpartition("/")[0]

    @property
    def version(self) -> str:
        """The version in the API group: `v1`."""
        return self.api_version.rpartition("/")[2]

    @property
    def file(self) -> str:
        """The path of the file that holds the object, relative to the root."""
        return self.document.source.path

    @property
    def is_rendered(self) -> bool:
        """Whether its file has it rendered, and does not hold it."""
        return self.document.source.rendered is not None

    @property
    def variant(self) -> str:
        """The environment that its chart was rendered for; empty where there is but one."""
        rendered = self.document.source.rendered
        return rendered.variant if rendered else ""

    def lies_under(self, paths: Paths) -> bool:
        """Whether the paths hold its file, or one that it was rendered from."""
        return lies_under(self.document.source, paths)

    @property
    def labels(self) -> dict[str, str]:
        """The object's own labels; entries that are not text are left out."""
        return text_map(self.metadata.get("labels"))

    @property
    def annotations(self) -> dict[str, str]:
        """The object's own annotations; entries that are not text are left out."""
        return text_map(self.metadata.get("annotations"))

    @property
    def metadata(self) -> Fields:
        """The object's metadata, empty when it is missing or no mapping."""
        return mapping(self.data.get("metadata"))

    def at(self, path: Path = (), part: Part = Part.ENTRY) -> Place:
        """The place of a field of the object."""
        return Place(self.id, path, part)


def objects(document: Document) -> Iterator[KubeObject]:
    """Each object of a document: itself, or the items of a List or OpenShift Template."""
    yield from _objects(document, document.data, (), ("", ""), in_template=False)


def mapping(value: object) -> Fields:
    """The value if it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else {}


def sequence(value: object) -> list[object]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def text(value: object) -> str:
    """The value if it is text, else nothing."""
    return value if isinstance(value, str) else ""


def text_map(value: object) -> dict[str, str]:
    """The entries of a mapping that are text to text, as labels and annotations must be."""
    return {
        key: entry
        for key, entry in mapping(value).items()
        if isinstance(key, str) and isinstance(entry, str)
    }


def _objects(
    document: Document, data: object, root: Path, listed_as: tuple[str, str], *, in_template: bool
) -> Iterator[KubeObject]:
    if not isinstance(data, dict):
        return
    # Items of a typed list, as the API returns them, carry no kind and apiVersion of their own.
    api_version = text(data.get("apiVersion")) or listed_as[0]
    kind = text(data.get("kind")) or listed_as[1]
    if not kind:
        return
    field = _item_field(api_version, kind, data)
    if field and len(root) < 2 * _MAX_NESTING:
        of_items = ("", "") if kind in ("List", "Template") else (api_version, kind[: -len("List")])
        for index, item in enumerate(data[field]):
            yield from _objects(
                document,
                item,
                (*root, field, index),
                of_items,
                in_template=in_template or field == "objects",
            )
        return
    metadata = mapping(data.get("metadata"))
    yield KubeObject(
        id=ObjectId(document.source.id, document.number, root),
        document=document,
        api_version=api_version,
        kind=kind,
        namespace=text(metadata.get("namespace")) or _given_namespace(document),
        name=text(metadata.get("name")) or text(metadata.get("generateName")),
        data=data,
        in_template=in_template,
    )


def _given_namespace(document: Document) -> str | None:
    """What objects of a rendered document get that name none themselves."""
    rendered = document.source.rendered
    return None if rendered is None else rendered.namespace


def _item_field(api_version: str, kind: str, data: Fields) -> str:
    """The field that holds other objects, empty for an object that stands for itself."""
    if kind.endswith("List") and isinstance(data.get("items"), list):
        return "items"
    group = api_version.rpartition("/")[0]
    if kind == "Template" and group in _TEMPLATE_GROUPS and isinstance(data.get("objects"), list):
        return "objects"
    return ""


def shortened(label: str) -> str:
    """A label of at most 600 characters: more is no name that Kubernetes accepts."""
    return label if len(label) <= _LONGEST_LABEL else f"{label[: _LONGEST_LABEL - 1]}…"

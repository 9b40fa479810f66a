"""The objects among documents that GitOps controllers read, found by kind and name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from qoslint.render.fields import Fields, mapping, text
from qoslint.render.helm.records import Layer
from qoslint.render.places import Places
from qoslint.source.document import Document
from qoslint.span import Path

_DEEPEST_LIST = 4
_DEEPEST_FOLDER = 16
_ANYWHERE = "*"

_Item = TypeVar("_Item")


class Object(NamedTuple):
    """An object in a document; `root` leads to it, through the items of a List."""

    document: Document
    data: Fields
    root: Path
    places: Places
    """Where lines are asked for."""

    @property
    def kind(self) -> str:
        """Its kind, "" if it states none."""
        return text(self.data, "kind")

    @property
    def group(self) -> str:
        """The API group, "" for the core."""
        return text(self.data, "apiVersion").rpartition("/")[0]

    @property
    def name(self) -> str:
        """Its name, "" if it states none."""
        return text(self.data, "metadata", "name")

    @property
    def namespace(self) -> str | None:
        """The namespace that it states, or that what had it rendered gives it."""
        own = text(self.data, "metadata", "namespace")
        rendered = self.document.source.rendered
        return own or (rendered.namespace if rendered else None) or None

    @property
    def title(self) -> str:
        """As people name it: `Application argocd/web`."""
        space = self.namespace
        return f"{self.kind} {space}/{self.name}" if space else f"{self.kind} {self.name}"

    @property
    def file(self) -> str:
        """The file that it stands in, or that has it rendered."""
        return self.document.source.path

    def line(self, *path: str | int) -> int:
        """What stands for the line of a field."""
        return self.places.later(self.document, (*self.root, *path))

    def layer(self, *path: str | int) -> Layer:
        """The values that stand in a field."""
        document, where = self.document, (*self.root, *path)
        if document.source.rendered is not None:
            return Layer(document.source.id, document.text, where, document.line, document)
        return Layer(self.file, document.text, where, document.line)


class Nearby(Generic[_Item]):
    """Things by a name and the namespace of the object that states them.

    Several clusters may state the same name: the nearest counts. Rendered by the same is nearest,
    then what stands in the same file, then in the same folder, and so on up.
    """

    def __init__(self, found: Iterable[tuple[str, Object, _Item]]) -> None:
        """Index them once, each by its name and the object that states it."""
        self._found: dict[tuple[str, str | None, str], _Item] = {}
        for name, stated_by, item in found:
            for spot in _spots(stated_by):
                for space in (stated_by.namespace, _ANYWHERE):
                    self._found.setdefault((name, space, spot), item)

    def find(self, name: str, namespace: str | None, near: Object) -> _Item | None:
        """What has the name in the namespace, or in any if that is not known."""
        spaces = (_ANYWHERE,) if namespace is None else (namespace, None)
        for spot in _spots(near):
            for space in spaces:
                if (name, space, spot) in self._found:
                    return self._found[name, space, spot]
        return None


Objects: TypeAlias = Nearby[Object]
"""Objects by their kind and name, as `key` writes them."""


def key(kind: str, name: str) -> str:
    """The name of an object among `Objects`."""
    return f"{kind}/{name}"


def _spots(each: Object) -> Iterator[str]:
    """Where it is, from the closest on."""
    source = each.document.source
    if source.rendered is not None:
        yield f"//{source.id}"
    yield source.path
    names = source.path.split("/")[:-1][:_DEEPEST_FOLDER]
    for depth in range(len(names), -1, -1):
        yield "/".join(names[:depth]) + "/"


def objects(documents: Sequence[Document], places: Places) -> Iterator[Object]:
    """The objects that documents hold, items of Lists too."""
    for document in documents:
        yield from _inside(Object(document, mapping(document.data), (), places), 0)


def _inside(object_: Object, depth: int) -> Iterator[Object]:
    inner = object_.data.get("items")
    if object_.kind.endswith("List") and isinstance(inner, list) and depth < _DEEPEST_LIST:
        for number, item in enumerate(inner):
            root = (*object_.root, "items", number)
            yield from _inside(object_._replace(data=mapping(item), root=root), depth + 1)
    elif object_.kind:
        yield object_

"""From fields of a built stream to the places where a human would edit them.

A scalar is where a change makes exactly the built field change: that is tried in a copy. A mapping
or list is where its scalars are. What does not exist is shown by the nearest thing around it that
does, in the document that the object comes from or in the patch that brought it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from qoslint.finding import Json, Location, Part
from qoslint.render.failure import RenderError
from qoslint.render.kustomize import annotated
from qoslint.render.kustomize.build import inputs_of, stream
from qoslint.render.kustomize.copying import Copy
from qoslint.render.kustomize.engine import Engine
from qoslint.render.kustomize.files import parsed, text
from qoslint.render.kustomize.inputs import Inputs
from qoslint.render.kustomize.leaves import ADDITIONS, Leaf, Text, below, leaves
from qoslint.render.kustomize.overlay import Built, DocumentOrigin, Overlay
from qoslint.render.kustomize.positions import location
from qoslint.render.kustomize.probe import changed
from qoslint.render.kustomize.search import Search, Target
from qoslint.render.kustomize.translate import item_name, translated
from qoslint.source.document import Document, YamlError, load
from qoslint.span import START, value_at
from qoslint.span import Path as FieldPath
from qoslint.workers import LIMITS, Limits

_MOST_SCALARS = 40
"""Of a mapping or list whose place is asked for."""

_IDENTITY = frozenset({("metadata", "name"), ("kind",), ("apiVersion",)})


class Wanted(NamedTuple):
    """A field of a built stream: the number of its document in the stream, and the path there."""

    document: int
    path: FieldPath
    part: Part = Part.ENTRY


def locate(
    checkout: Path,
    overlay: Overlay,
    built: Built,
    wanted: Sequence[Wanted],
    engine: Engine,
    limits: Limits = LIMITS,
) -> Sequence[Location]:
    """The place of each wanted field, relative to the checkout.

    All are looked for together, so that one more build is mostly enough for all of them.
    """
    inputs = inputs_of(checkout, overlay)
    documents = [each.text for each in annotated.documents(built.text)]
    authored = _Authored(checkout, overlay, inputs, built, documents)
    targets = {target: value for each in wanted for target, value in authored.targets(each)}
    with Copy(checkout, overlay, inputs) as copy:
        search = Search(
            authored.leaves,
            documents,
            lambda leaves: _rebuilt(copy, authored, leaves, engine, limits),
        )
        search.search(targets)
    return [authored.place(each, search.found) for each in wanted]


def _rebuilt(
    copy: Copy,
    authored: _Authored,
    sentinels: Mapping[Leaf, Json],
    engine: Engine,
    limits: Limits,
) -> list[str] | None:
    texts = changed(authored.texts, sentinels)
    additions = texts.pop(ADDITIONS, None)
    copy.write(texts, authored.overlay.additions if additions is None else json.loads(additions))
    try:
        told = stream(copy.root, authored.overlay, engine, limits)
    except RenderError:
        return None
    return [each.text for each in annotated.documents(told.text)]


class _Authored:
    """What a build came from, read once."""

    def __init__(
        self,
        checkout: Path,
        overlay: Overlay,
        inputs: Inputs,
        built: Built,
        documents: Sequence[str],
    ) -> None:
        self.overlay = overlay
        self.leaves = leaves(checkout, inputs, overlay.additions)
        self.texts = {
            each.text.file: each.text.document.source.text
            for each in self.leaves
            if each.text.outer is None
        }
        self._checkout = checkout
        self._inputs = inputs
        self._built = built
        self._documents = documents
        self._values: dict[int, object] = {}
        self._parsed: dict[str, tuple[Document, ...]] = {}

    def value(self, document: int) -> object:
        """What a built document holds."""
        if document not in self._values:
            try:
                self._values[document] = load(self._documents[document])
            except YamlError:
                self._values[document] = None
        return self._values[document]

    def targets(self, wanted: Wanted) -> Iterator[tuple[Target, object]]:
        """The scalars to look for: the field itself, or those that it holds."""
        if wanted.path in _IDENTITY or _is_item_name(self.value(wanted.document), wanted.path):
            return  # Patches meet objects by these: no change of one says anything.
        value = value_at(self.value(wanted.document), wanted.path)
        is_item = wanted.path != () and isinstance(wanted.path[-1], int)
        if value is None or (is_item and item_name(value) is not None):
            return  # An item of a list is found by its name.
        for number, (path, each) in enumerate(below(wanted.path, value)):
            if number >= _MOST_SCALARS:
                return
            if not _is_item_name(self.value(wanted.document), path):
                yield Target(wanted.document, path), each

    def place(self, wanted: Wanted, found: Mapping[Target, Leaf]) -> Location:
        """Where a field is, by what was found of it or what it holds."""
        proven = [
            (target.path, found[target]) for target, _ in self.targets(wanted) if target in found
        ]
        own = self._own(wanted.document)
        if not proven:
            return self._unproven(wanted)
        path, leaf = next(
            (each for each in proven if own is not None and _is_same(each[1].text, own)), proven[0]
        )
        return self._leaf_place(leaf, path[len(wanted.path) :], wanted.part)

    def _leaf_place(self, leaf: Leaf, inner: FieldPath, part: Part) -> Location:
        """The place of a leaf, or of what is around it as far as `inner` leads back."""
        if leaf.span is not None:
            return Location(leaf.text.file, leaf.span, exact=not inner)
        is_there = leaf.path[len(leaf.path) - len(inner) :] == inner
        path = leaf.path[: len(leaf.path) - len(inner)] if is_there else leaf.path
        place = self._place(leaf.text, path, part)
        return place if is_there else place._replace(exact=False)

    def _place(self, text: Text, path: FieldPath, part: Part) -> Location:
        return (
            location(text, path, part) if text.file != ADDITIONS else self._added(text, path, part)
        )

    def _added(self, text: Text, path: FieldPath, part: Part) -> Location:
        """The place of what a GitOps controller adds, where that was told."""
        at = path if text.outer is None else text.outer[1]
        origin = self.overlay.authored.get(str(at[0]))
        document = None if origin is None else self._document(origin)
        if origin is None or document is None:
            return Location(self._kustomization(), START, exact=False)
        whole = (*origin.root, *at[1:])
        if text.outer is None:
            return location(Text(document), whole, part)
        outer, _ = text.outer
        is_copy = value_at(document.data, whole) == value_at(outer.document.data, at)
        if not is_copy or outer.outer is not None:
            return location(Text(document), whole, part)._replace(exact=False)
        inner = parsed(origin.file, text.document.source.text)[text.document.number]
        return location(Text(inner, (Text(document), whole)), path, part)

    def _unproven(self, wanted: Wanted) -> Location:
        """The place of what no change proved: a name, or what does not exist."""
        value = self.value(wanted.document)
        own = self._own(wanted.document)
        root = self._built.origins[wanted.document].root
        if own is None:
            return self._generated(wanted)
        inside = translated(value, wanted.path, value_at(own.document.data, root))
        if len(inside) < len(wanted.path):
            brought = self._brought(value, wanted.path, len(inside))
            if brought is not None:
                text, path, rest = brought
                return self._place(text, (*path, *rest), wanted.part)
        at = (*root, *inside, *wanted.path[len(inside) :])
        here, there = value_at(own.document.data, at), value_at(value, wanted.path)
        both = isinstance(here, dict | list) and isinstance(there, type(here))
        is_same = here == there or both or wanted.path in _IDENTITY
        place = self._place(own, at, wanted.part)
        return place if is_same else place._replace(exact=False)

    def _brought(
        self, built: object, path: FieldPath, known: int
    ) -> tuple[Text, FieldPath, FieldPath] | None:
        """The item of a list on the path that no own document has, in what brought it."""
        for end in range(len(path), known, -1):
            if not isinstance(path[end - 1], int):
                continue
            name = item_name(value_at(built, path[:end]))
            if not isinstance(name, tuple):
                continue
            for leaf in self.leaves:
                same = leaf.path[-1:] == name[:1] and leaf.value == name[1]
                if same and leaf.path[-3:-2] == path[end - 2 : end - 1]:
                    return leaf.text, leaf.path[:-1], path[end:]
        return None

    def _generated(self, wanted: Wanted) -> Location:
        """The entry of a generator, by the name that it gives."""
        file = self._built.origins[wanted.document].file
        item = self._template_item(wanted, file)
        if item is not None:
            return item
        name = str(value_at(self.value(wanted.document), ("metadata", "name")) or "")
        named = [
            leaf
            for leaf in self.leaves
            if leaf.text.file == file
            and leaf.path[-1:] == ("name",)
            and isinstance(leaf.value, str)
            and leaf.value in name
        ]
        if not named:
            return Location(file, START, exact=False)
        best = max(named, key=lambda leaf: len(str(leaf.value)))
        is_name = wanted.path == ("metadata", "name")
        return self._place(best.text, best.path, wanted.part)._replace(exact=is_name)

    def _template_item(self, wanted: Wanted, file: str) -> Location | None:
        """The innermost item of a list on the path, by the line of a template that names it."""
        value = self.value(wanted.document)
        for end in range(len(wanted.path), 0, -1):
            name = item_name(value_at(value, wanted.path[:end]))
            if not isinstance(name, tuple):
                continue
            for leaf in self.leaves:
                same = leaf.path == name[:1] and leaf.value == name[1]
                if same and leaf.span is not None and leaf.text.file == file:
                    return Location(file, leaf.span, exact=False)
        return None

    def _own(self, document: int) -> Text | None:
        origin = self._built.origins[document]
        found = self._document(origin)
        return None if found is None else Text(found)

    def _document(self, origin: DocumentOrigin) -> Document | None:
        if origin.number is None:
            return None
        if origin.file not in self._parsed:
            content = text(self._checkout, origin.file)
            self._parsed[origin.file] = parsed(origin.file, content or "")
        return next(
            (each for each in self._parsed[origin.file] if each.number == origin.number), None
        )

    def _kustomization(self) -> str:
        found = self._inputs.kustomizations.get(self.overlay.folder)
        return found.source.path if found is not None else self.overlay.folder


def _is_same(text: Text, own: Text) -> bool:
    return text.outer is None and (text.file, text.document.number) == (
        own.file,
        own.document.number,
    )


def _is_item_name(built: object, path: FieldPath) -> bool:
    """Whether a path leads to what tells an item of a list from the others."""
    if len(path) < 2 or not isinstance(path[-2], int):
        return False
    name = item_name(value_at(built, path[:-1]))
    return isinstance(name, tuple) and name[0] == path[-1]

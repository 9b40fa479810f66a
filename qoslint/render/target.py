"""Targets: what renders to documents."""

from __future__ import annotations

from typing import Literal, NamedTuple

from qoslint.source.document import Document


class Target(NamedTuple):
    """A set of documents that belong together. For plain files it is what one folder holds.

    `root` is the folder relative to the root of the tree, "." for the root itself, and for plain
    files the `id` too.
    """

    id: str
    kind: Literal["plain"]
    root: str
    documents: tuple[Document, ...]

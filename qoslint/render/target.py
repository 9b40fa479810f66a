"""Targets: what renders to documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from qoslint.source.document import Document


@dataclass(frozen=True, slots=True)
class Target:
    """A set of documents that belong together. For plain files it is what one folder holds.

    `root` is the folder relative to the root of the tree, "." for the root itself, and for plain
    files the `id` too.
    """

    id: str
    kind: Literal["plain"]
    root: str
    documents: tuple[Document, ...]

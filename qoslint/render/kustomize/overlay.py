"""The records of a build: what is asked for, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from qoslint.span import Path as FieldPath


class DocumentOrigin(NamedTuple):
    """Where a built object is authored: a file relative to the checkout, and its document there.

    `number` counts the documents of the file from 0; `root` leads to the object in it, for items of
    a List. Without a number the object was generated, and `file` is what says so: a kustomization
    or the file of a generator.
    """

    file: str
    number: int | None = None
    root: FieldPath = ()


class Overlay(NamedTuple):
    """A kustomization to build, by its folder in the checkout; "" is the root."""

    folder: str
    additions: Mapping[str, object] = MappingProxyType({})
    """Fields that a GitOps controller writes into the kustomization before it builds it."""
    authored: Mapping[str, DocumentOrigin] = MappingProxyType({})
    """Where each of the additions stands: `root` leads to its value."""
    load_restrictor_none: bool = False
    """Whether files outside of the folder of a kustomization may be named, yet in the checkout."""
    helm_command: Path | None = None
    """A program that answers as `helm` does; without one, no chart is inflated."""
    empty: frozenset[str] = frozenset()
    """Files that are not in the checkout, and are taken as empty."""


class Built(NamedTuple):
    """A rendered stream, and per document of it where it comes from."""

    text: str
    origins: tuple[DocumentOrigin, ...]

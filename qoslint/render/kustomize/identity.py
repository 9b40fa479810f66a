"""What tells objects apart."""

from __future__ import annotations

import re
from typing import NamedTuple

from qoslint.source.stream import kind_of

_VALUE = r"""(["']?)([\w.:/-]+)\1[ \t]*(?:#.*)?$"""
_API_VERSION = re.compile(rf"^apiVersion:[ \t]+{_VALUE}", re.MULTILINE)
_METADATA = re.compile(r"^metadata:[ \t]*(?:#.*)?\n((?:[ #].*\n|\n)*)", re.MULTILINE)
_FIRST = re.compile(r"^( +)[^ #\n]", re.MULTILINE)


class Identity(NamedTuple):
    """What tells an object: its group and kind, namespace and name; empty where it says none."""

    group: str
    kind: str
    namespace: str
    name: str


def identity(data: object) -> Identity:
    """What tells an object."""
    mapping = data if isinstance(data, dict) else {}
    metadata = mapping.get("metadata")
    named = metadata if isinstance(metadata, dict) else {}
    return Identity(
        str(mapping.get("apiVersion", "")).rpartition("/")[0],
        str(mapping.get("kind", "")),
        str(named.get("namespace") or ""),
        str(named.get("name") or ""),
    )


def plain_identity(text: str) -> Identity | None:
    """What tells the object of a document in plain block style; None if it takes more to see."""
    kind = kind_of(text)
    metadata = _METADATA.findall(text)
    api_versions = _API_VERSION.findall(text)
    first = _FIRST.search(metadata[0]) if len(metadata) == 1 else None
    if kind is None or kind.endswith("List") or first is None or len(api_versions) != 1:
        return None
    names = {
        key: re.findall(rf"^{first[1]}{key}:[ \t]+{_VALUE}", metadata[0], re.MULTILINE)
        for key in ("name", "namespace")
    }
    if len(names["name"]) != 1 or len(names["namespace"]) > 1:
        return None
    namespace = names["namespace"][0][1] if names["namespace"] else ""
    return Identity(api_versions[0][1].rpartition("/")[0], kind, namespace, names["name"][0][1])

"""What tells objects apart."""

from __future__ import annotations

from typing import NamedTuple


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

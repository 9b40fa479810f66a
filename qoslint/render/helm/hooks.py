"""Hooks: what Helm runs at a moment of a release instead of installing it."""

from __future__ import annotations

import re

from qoslint.source.document import YamlError, load

_ANNOTATION = "helm.sh/hook"
_TESTS = frozenset({"test", "test-success"})
_MARKER = re.compile(r"^---[ \t]*$", re.MULTILINE)


def events(data: object) -> frozenset[str]:
    """The moments at which an object is a hook; empty for what is none."""
    metadata = data.get("metadata") if isinstance(data, dict) else None
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    value = annotations.get(_ANNOTATION) if isinstance(annotations, dict) else None
    if not isinstance(value, str):
        return frozenset()
    return frozenset(each.strip().lower() for each in value.split(","))


def is_test(data: object) -> bool:
    """Whether `helm template --skip-tests` leaves the object out."""
    return not _TESTS.isdisjoint(events(data))


def without_tests(text: str) -> str:
    """The text with its tests blank, every other line at its place."""
    if _ANNOTATION not in text:
        return text
    start, kept = 0, []
    for marker in [*_MARKER.finditer(text), None]:
        end = len(text) if marker is None else marker.start()
        kept.append(_kept(text[start:end]))
        if marker is not None:
            kept.append(marker[0])
            start = marker.end()
    return "".join(kept)


def _kept(piece: str) -> str:
    try:
        test = is_test(load(piece))
    except YamlError:
        test = False
    return "\n" * piece.count("\n") if test else piece

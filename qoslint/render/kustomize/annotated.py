"""A stream that was built with annotations of origin: without them again, and what they say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from qoslint.render.kustomize.identity import Identity
from qoslint.source.document import YamlError, load

_ORIGIN = re.compile(
    r"^    config\.kubernetes\.io/origin: \|-?\n((?:      [^\n]*\n|\n)*)", re.MULTILINE
)
_METADATA = re.compile(r"^metadata:\n(?:[ ][^\n]*\n|\n)*", re.MULTILINE)
_NO_ANNOTATION = re.compile(r"^  annotations:\n(?!    )", re.MULTILINE)
_API_VERSION = re.compile(r"^apiVersion: (.*)", re.MULTILINE)
_KIND = re.compile(r"^kind: (.*)", re.MULTILINE)
_NAME = re.compile(r"^  name: (.*)", re.MULTILINE)
_NAMESPACE = re.compile(r"^  namespace: (.*)", re.MULTILINE)
_INDENT = re.compile(r"^      ", re.MULTILINE)
SEPARATOR = "---\n"


class Annotated(NamedTuple):
    """One document of the stream, and the paths that the annotation names.

    `configured_in` is set instead of `path` where the object was generated, by a `generator`.
    """

    text: str
    path: str = ""
    configured_in: str = ""
    generator: str = ""


def documents(stream: str) -> Iterator[Annotated]:
    """The documents in order. Kustomize writes them in one style, so lines are enough to see."""
    if not stream.strip():
        return
    for piece in stream.removesuffix("\n").split(f"\n{SEPARATOR}"):
        yield _document(f"{piece}\n")


def identity(text: str) -> Identity:
    """What tells the object that a document of the stream holds."""
    metadata = _METADATA.search(text)
    api_version, kind = _scalar(_API_VERSION, text), _scalar(_KIND, text)
    inside = metadata[0] if metadata else ""
    return Identity(
        api_version.rpartition("/")[0],
        kind,
        _scalar(_NAMESPACE, inside),
        _scalar(_NAME, inside),
    )


def _scalar(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    if found is None:
        return ""
    # Names that look like numbers are quoted.
    return found[1].strip("\"'")


def _document(text: str) -> Annotated:
    metadata = _METADATA.search(text)
    found = metadata and _ORIGIN.search(text, metadata.start(), metadata.end())
    if not metadata or not found:
        return Annotated(text)
    kept = metadata[0][: found.start() - metadata.start()]
    kept += metadata[0][found.end() - metadata.start() :]
    kept = _NO_ANNOTATION.sub("", kept)
    said = _said(_INDENT.sub("", found[1]))
    by = said.get("configuredBy")
    return Annotated(
        text[: metadata.start()] + kept + text[metadata.end() :],
        str(said.get("path", "")),
        str(said.get("configuredIn", "")),
        str(by.get("kind", "")) if isinstance(by, dict) else "",
    )


def _said(text: str) -> Mapping[str, object]:
    try:
        said = load(text)
    except YamlError:
        return {}
    return said if isinstance(said, dict) else {}

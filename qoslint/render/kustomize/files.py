"""The files of a checkout: their texts and documents."""

from __future__ import annotations

from pathlib import Path

from qoslint.source.document import Document, Source, documents
from qoslint.source.text import NotTextError, decode


class _Kinds:
    """All kinds but that of large documents of which no field is ever asked for."""

    def __contains__(self, kind: object) -> bool:
        return kind != "CustomResourceDefinition"


def text(checkout: Path, file: str) -> str | None:
    """The text of a file, None if there is none to be read."""
    try:
        return decode((checkout / file).read_bytes())
    except (OSError, ValueError, NotTextError):
        # ValueError: no file has a zero byte in its name.
        return None


def parsed(file: str, content: str) -> tuple[Document, ...]:
    """The documents of a file that can be read."""
    found = documents(Source(file, file, content), _Kinds())
    return tuple(each for each in found if isinstance(each, Document))

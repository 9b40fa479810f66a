"""What a problem is recognised by when lines, files and the order of lists have changed."""

from __future__ import annotations

from qoslint.engine.run import Raised
from qoslint.finding import Sign
from qoslint.source.document import Document
from qoslint.source.places import Documents
from qoslint.span import Path, field_path, value_at


def sign(raised: Raised, documents: Documents) -> Sign:
    """The sign of a problem: rule, object as people name it, and field in it."""
    place = raised.place
    document = documents.get((place.object.source, place.object.document))
    data = value_at(document.data, place.object.root) if isinstance(document, Document) else None
    return Sign(raised.rule.page.code, raised.bearer.label, _named(data, place.path))


def _named(data: object, path: Path) -> str:
    """The path with the name of each item of a list that has one, in place of its number."""
    text = ""
    for end, step in enumerate(path, start=1):
        name = value_at(data, (*path[:end], "name")) if isinstance(step, int) else None
        part = f"[{name}]" if isinstance(name, str) and name else field_path((step,))
        text += part if part.startswith("[") or not text else f".{part}"
    return text

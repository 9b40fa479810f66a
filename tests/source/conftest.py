"""Fixtures of the reader's tests: documents, and answers of Kubernetes' own YAML reader."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from qoslint.source.change import Value
from qoslint.source.document import Document, Source, documents
from qoslint.source.edits import replaced, replacements
from qoslint.source.event_values import load_events
from qoslint.source.removal import Cut
from qoslint.span import Lines
from qoslint.span import Path as FieldPath

TESTS = Path(__file__).parents[1]
FULL_SET = TESTS.parents[1] / "shared" / "vectors"


def agrees_with_events(value: object, text: str) -> bool:
    """Whether a reader read the text; fail if the events read anything else."""
    if value is None:
        return False
    by_events = load_events(text)
    assert by_events.complaints == ()
    assert json.dumps(value) == json.dumps(by_events.value)
    return True


@pytest.fixture
def document() -> Callable[..., Document]:
    """The only document of a text."""

    def parsed(text: str, path: str = "a.yaml") -> Document:
        (found,) = documents(Source(path, path, text), kinds=())
        assert isinstance(found, Document), found
        return found

    return parsed


@pytest.fixture(scope="session")
def vector_lines() -> Callable[[str], Iterator[str]]:
    """The rows of a kind, as JSON text; from QOSLINT_VECTORS, a full set, or the tests' copies."""
    full_set = FULL_SET if FULL_SET.is_dir() else TESTS / "kernel" / "vectors"
    directory = Path(os.environ.get("QOSLINT_VECTORS") or full_set)

    def lines(kind: str) -> Iterator[str]:
        files = sorted(directory.glob(f"[0-9]*/{kind}.jsonl.gz"))
        if not files:
            pytest.skip(f"no {kind} vectors under {directory}")
        for file in files:
            with gzip.open(file, "rt", encoding="utf-8") as rows:
                yield from rows

    return lines


@pytest.fixture(scope="session")
def edited() -> Callable[..., str | None]:
    """The text with the edits made to its last document; None if there is no sure way."""

    def edit(text: str, *edits: tuple[FieldPath, Value]) -> str | None:
        *_, document = documents(Source("a.yaml", "a.yaml", text), kinds=())
        assert isinstance(document, Document), document
        (found,) = replacements(document, [edits])
        lines = Lines(text)
        cuts = [Cut(*map(lines.index, it.span), it.text) for it in found]
        return replaced(text, cuts) if cuts else None

    return edit

"""Runs the examples of rule pages: small repositories that say what must be found in them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from qoslint import api
from qoslint.engine.page import Example, Page
from qoslint.settings.load import find, load


class Outcome(NamedTuple):
    """What an example must show and what it shows: file, line and code of each finding."""

    expected: frozenset[tuple[str, int, str]]
    found: frozenset[tuple[str, int, str]]


def run_examples(page: Page) -> Iterator[tuple[str, Outcome]]:
    """Each example of the page, by title, checked with its own settings or the default rules."""
    for example in page.examples():
        yield example.title, run_example(example)


def run_example(example: Example) -> Outcome:
    """Write the example's files to a folder of their own and check that."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in example.files.items():
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        found = find([folder])
        report, _ = api.check(found.paths, load(found))
    return Outcome(
        frozenset(example.expected()),
        frozenset(
            (finding.location.file, finding.location.span.start.line, finding.rule)
            for finding in report.findings
        ),
    )

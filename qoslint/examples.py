"""Runs the examples of rule pages: small repositories that say what must be found in them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeAlias

from qoslint import api
from qoslint.engine.page import Example, Page
from qoslint.finding import Finding
from qoslint.settings.load import Found, find, load

Sign: TypeAlias = tuple[str, str, str, tuple[str, ...]]
"""What a finding is known by when lines have moved: rule, file, field, objects."""


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
    with _written(example.files) as found:
        report, _ = api.check(found.paths, load(found))
    return Outcome(
        frozenset(example.expected()),
        frozenset(
            (finding.location.file, finding.location.span.start.line, finding.rule)
            for finding in report.findings
        ),
    )


class Repair(NamedTuple):
    """What fixing an example makes of its files, and of its findings, known by what they say."""

    files: Mapping[str, str]
    found: frozenset[Sign]
    fixed: frozenset[Sign]
    left: frozenset[Sign]


def run_fix(example: Example) -> Repair:
    """Fix all that can be fixed in the example, whose findings are no longer marked."""
    files = example.unmarked()
    with _written(files) as found:
        result = api.fix(found.paths, load(found))
    return Repair(
        {**files, **{made.path: made.after.decode("utf-8") for made in result.rewrites}},
        frozenset(map(_sign, result.found.report.findings)),
        frozenset(map(_sign, result.fixed)),
        frozenset(map(_sign, result.left.report.findings)),
    )


def _sign(finding: Finding) -> Sign:
    return finding.rule, finding.location.file, finding.field, finding.objects


@contextmanager
def _written(files: Mapping[str, str]) -> Iterator[Found]:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        yield find([folder])

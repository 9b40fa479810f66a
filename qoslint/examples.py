"""Runs the examples of rule pages: small repositories that say what must be found in them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import NamedTuple

from qoslint import api
from qoslint.engine.page import Example
from qoslint.errors import PluginError
from qoslint.plugins.collect import Plugins
from qoslint.settings.load import find, load


class Outcome(NamedTuple):
    """What an example must show and what it shows: file, line and code of each finding."""

    expected: frozenset[tuple[str, int, str]]
    found: frozenset[tuple[str, int, str]]
    failed: tuple[str, ...] = ()
    """Checks that raised, so that their findings are missing."""


def run_example(example: Example, plugins: Plugins) -> Outcome:
    """Write the example's files to a folder of their own and check that.

    Its own settings count, else the default rules. Raises PluginError for a file that would lie
    elsewhere.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for name, text in example.files.items():
            file = Path(root, name).resolve()
            if not file.is_relative_to(root):
                raise PluginError(f"the file {name!r} is outside of its example")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        found = find([folder])
        report, _ = api.check(found.paths, load(found, plugins))
    return Outcome(
        frozenset(example.expected()),
        frozenset(
            (finding.location.file, finding.location.span.start.line, finding.rule)
            for finding in report.findings
        ),
        report.failed_checks,
    )

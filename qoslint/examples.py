"""Runs the examples of rule pages: small repositories that say what must be found in them."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from qoslint import api
from qoslint.engine.page import Example, Page
from qoslint.errors import PluginError, QoslintError, nearest
from qoslint.plugins.collect import Plugins
from qoslint.settings.load import find, load
from qoslint.source.document import Broken, Source, documents


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


def proof(page: Page, codes: Collection[str], plugins: Plugins) -> Iterator[tuple[str, list[str]]]:
    """Each example of a page, by title, with what speaks against it: `page:line: sentence`.

    `codes` are those of the rules that run. An example without markers must be silent for all.
    Raises PluginError, which names page and line, for an example that cannot be run.
    """
    shown = False
    for example in page.examples():
        markers = set(example.expected())
        _check_markers(page, example, codes)
        _check_texts(page, example, plugins)
        try:
            outcome = run_example(example, plugins)
        except QoslintError as error:
            line = min(example.lines.values(), default=page.line)
            raise PluginError(f"{page.file}:{line}: {example.title}: {error}") from error
        yield example.title, list(_differences(page, example, outcome))
        shown = shown or page.code in {code for *_, code in markers}
    if not shown:
        yield "all of them", [f"{page.file}:{page.line}: no example shows what {page.code} finds"]


def _check_markers(page: Page, example: Example, known: Collection[str]) -> None:
    for file, line, code in example.expected():
        if code not in known:
            place = f"{page.file}:{example.lines[file] + line - 1}"
            raise PluginError(f"{place}: there is no rule {code!r}{nearest(code, known)}")


def _check_texts(page: Page, example: Example, plugins: Plugins) -> None:
    """A fence that cannot be read must be meant so: a marker stands where the reader gives up."""
    meant = {(file, line) for file, line, _ in example.expected()}
    for file, text in example.files.items():
        if not file.endswith((".yaml", ".yml", ".json")):
            continue
        for item in documents(Source(file, file, text), plugins.kinds.names):
            if not isinstance(item, Broken) or item.reason:
                continue
            line = item.span.start.line
            if (file, line) not in meant:
                place = f"{page.file}:{example.lines[file] + line - 1}"
                raise PluginError(f"{place}: the fence is no YAML: {item.message}")


def _differences(page: Page, example: Example, outcome: Outcome) -> Iterator[str]:
    def place(file: str, line: int) -> str:
        return f"{page.file}:{example.lines[file] + line - 1}"

    for file, line, code in sorted(outcome.expected - outcome.found):
        yield f"{place(file, line)}: {code} was expected here, and not found"
    for file, line, code in sorted(outcome.found - outcome.expected):
        yield f"{place(file, line)}: {code} was found here, and not expected"
    for failure in outcome.failed:
        yield f"{page.file}: a check failed: {failure}"

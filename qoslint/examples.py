"""Runs the examples of rule pages: small repositories that say what must be found in them."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeAlias

from qoslint import api
from qoslint.engine.page import AFTER, BEFORE, Example, Page
from qoslint.errors import PluginError, QoslintError, nearest
from qoslint.finding import Finding, Report
from qoslint.plugins.collect import Plugins
from qoslint.settings.load import Found, find, load
from qoslint.source.document import Broken, Source, documents
from qoslint.source.tree import SUFFIXES

Sign: TypeAlias = tuple[str, str, str, tuple[str, ...]]
"""What a finding is known by when lines have moved: rule, file, field, objects."""


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
    if example.is_change:
        report = _of_change(example, plugins)
    else:
        with _written(example.files) as found:
            report, _ = api.check(found.paths, load(found, plugins))
    return Outcome(
        frozenset(example.expected()),
        frozenset(
            (
                example.title_of(finding.location.file),
                finding.location.span.start.line,
                finding.rule,
            )
            for finding in report.findings
        ),
        report.failed_checks,
    )


def _of_change(example: Example, plugins: Plugins) -> Report:
    """What the rules find of the change from one revision of the example to the other."""
    from qoslint.comparison import Revised, check_since
    from qoslint.model.change.document import WORK_TREE, Revision

    names = (Revision("the older revision", None), WORK_TREE)
    with _written(example.revision(BEFORE)) as base, _written(example.revision(AFTER)) as head:
        older, newer = (
            Revised(name, load(found, plugins), found.paths)
            for name, found in zip(names, (base, head), strict=True)
        )
        return check_since(older, newer).checked.report


class Repair(NamedTuple):
    """What fixing an example makes of its files, and of its findings."""

    files: Mapping[str, str]
    found: frozenset[Sign]
    fixed: frozenset[Sign]
    left: frozenset[Sign]


def run_fix(example: Example, plugins: Plugins) -> Repair:
    """Fix all that can be fixed in the example, without its markers; raises as `run_example`."""
    files = example.unmarked()
    if example.is_change:
        return Repair(files, frozenset(), frozenset(), frozenset())
    with _written(files) as found:
        result = api.fix(found.paths, load(found, plugins))
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
    """The files in a folder of their own."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for name, text in files.items():
            try:
                _write(root, name, text)
            except (OSError, ValueError) as error:
                why = getattr(error, "strerror", None) or error
                raise PluginError(f"the file {name[:99]!r} cannot be written: {why}") from error
        yield find([folder])


def _write(root: Path, name: str, text: str) -> None:
    file = root / name
    if str(file.resolve()) != f"{root}/{name}":
        raise PluginError(
            f"the file {name!r} is outside of its example, or its name is no plain path"
        )
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


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
            repair = run_fix(example, plugins)
            complaints = [
                *_differences(page, example, outcome),
                *_wrong_fixes(page, example, repair),
            ]
        except QoslintError as error:
            line = min(example.lines.values(), default=page.line)
            raise PluginError(f"{page.file}:{line}: {example.title}: {error}") from error
        yield example.title, complaints
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
        if not file.endswith(SUFFIXES):
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


def _wrong_fixes(page: Page, example: Example, repair: Repair) -> Iterator[str]:
    wanted = example.fixed()
    for file, text in repair.files.items():
        if text != wanted[file]:
            yield f"{page.file}:{example.lines[file]}: --fix does not make what the diff shows"
    for code, file, field, _ in sorted(repair.left & repair.fixed):
        yield f"{page.file}:{example.lines[file]}: {code} at {field} stays although it is fixed"
    for code, file, field, _ in sorted(repair.left - repair.found):
        yield f"{page.file}:{example.lines[file]}: the fix makes {code} at {field} appear"

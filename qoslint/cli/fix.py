"""`qoslint check --fix`: the files changed, or with `--dry-run` the diff of what would be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qoslint import api
from qoslint.cli.options import say, write
from qoslint.finding import Finding
from qoslint.model.wording import counted
from qoslint.report.difference import unified
from qoslint.report.visible import shortened
from qoslint.settings.settings import Settings
from qoslint.source import rewrite
from qoslint.source.text import decode
from qoslint.source.tree import WorkTree


def shown(paths: Sequence[str], settings: Settings) -> api.Checked:
    """Print the diff of what fixing would change; the findings stay as they are."""
    result = api.fix(paths, settings)
    for made in result.rewrites:
        lines = unified(made.path, decode(made.before), decode(made.after))
        write("".join(f"{line}\n" for line in lines))
    return result.found


def fixed(paths: Sequence[str], settings: Settings) -> api.Checked:
    """Change the files and say so on the standard error; what is left is the result."""
    result = api.fix(paths, settings)
    tree = WorkTree(settings.root)
    for made in result.rewrites:
        rewrite.write(tree, made)
    for line in _account(result.fixed, len(result.rewrites)):
        say(line)
    return result.left


def _account(findings: Sequence[Finding], files: int) -> Iterator[str]:
    for finding in findings:
        line, column = finding.location.span.start
        place = f"{finding.location.file}:{line}:{column}"
        yield shortened(f"fixed {place}: {finding.rule} {finding.field}")
    yield f"{counted(len(findings), 'finding')} fixed in {counted(files, 'file')}."

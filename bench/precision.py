"""Draws findings at random, with the lines around them, for a person to judge.

`python bench/precision.py --seed 1 FOLDER`: 100 findings of the default rules in the repositories
that are the folders of FOLDER, each checked by itself. What was judged so far, and what it changed,
stands in `docs/precision.md`.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from qoslint import api
from qoslint.finding import Finding
from qoslint.plugins.load import shipped
from qoslint.settings.load import find, load

_AROUND = 6


def folders(parent: Path) -> list[Path]:
    """The repositories, by name."""
    return sorted(path for path in parent.iterdir() if path.is_dir())


def checked(root: Path) -> Iterator[tuple[str, Finding, Mapping[str, str]]]:
    """The findings of a repository, each with its name and the texts of its files."""
    found = find([str(root)])
    report, texts = api.check(found.paths, load(found, shipped()))
    for finding in report.findings:
        yield root.name, finding, texts


def shown(number: int, repository: str, finding: Finding, texts: Mapping[str, str]) -> str:
    """A finding with its message and the lines around it, the marked one with an arrow."""
    location = finding.location
    line = location.span.start.line
    lines = texts[location.file].split("\n")
    first = max(0, line - 1 - _AROUND)
    around = (
        f"{'->' if index + 1 == line else '  '} {index + 1:5} {lines[index]}"
        for index in range(first, min(len(lines), line + _AROUND))
    )
    related = (f"   see {r.location.file}:{r.location.span.start.line} {r.message}"
               for r in finding.related)  # fmt: skip
    head = f"[{number}] {finding.rule} {finding.severity} {repository} {location.file}:{line}"
    return "\n".join((head, f"   {finding.message}", *related, *around, ""))


def main() -> None:
    """Print the drawn findings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=100)
    arguments = parser.parse_args()
    findings = [item for root in folders(Path(arguments.folder)) for item in checked(root)]
    count = min(arguments.count, len(findings))
    drawn = random.Random(arguments.seed).sample(range(len(findings)), count)
    for number, index in enumerate(sorted(drawn), start=1):
        print(shown(number, *findings[index]))


if __name__ == "__main__":
    main()

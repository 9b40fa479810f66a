"""From pages to rules: which pages there are, which are selected, which code checks them."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from qoslint.engine.page import Page, read_page
from qoslint.engine.selection import Selection
from qoslint.errors import UsageError, nearest
from qoslint.finding import Problem, RuleInfo, Severity
from qoslint.package_data import data

_SENTENCE_END = re.compile(r"[.!?] (?=[A-Z])")
_PRESETS = {"default": 1, "pedantic": 2, "strict": 3, "opt-in": 4}

SUBJECTS = ("check_document", "check_object", "check_workload", "check_pod")
"""The names that say what a check looks at; each check module defines exactly one."""


@dataclass(frozen=True)
class Rule:
    """A selected rule: its page and the severity that the settings leave it with."""

    page: Page
    severity: Severity

    @cached_property
    def check(self) -> tuple[str, Callable[[Any], Iterable[Problem]]]:
        """The subject's name and the generator; the module is imported on first use."""
        module = importlib.import_module(f"qoslint.checks.{self.page.check}")
        (subject,) = (name for name in SUBJECTS if hasattr(module, name))
        return subject, getattr(module, subject)

    def info(self) -> RuleInfo:
        """What reports say of the rule."""
        page = self.page
        return RuleInfo(
            code=page.code,
            name=page.name,
            summary=page.summary,
            help=first_sentence(page.section("What to do")),
            severity=self.severity,
            confidence=page.confidence,
            tags=("kubernetes", "reliability"),
        )


def pages() -> Iterator[Page]:
    """Every page that qoslint ships, by code."""
    for file in sorted(data("rules").glob("*.md")):
        yield read_page(file)


def select(selection: Selection) -> tuple[Rule, ...]:
    """The rules that a run checks, sorted by code.

    Codes may be prefixes (`QOS1`). Raises UsageError for one that matches no rule.
    """
    known = list(pages())
    codes = [page.code for page in known]
    for wanted in (*selection.select, *selection.ignore, *selection.severity):
        if not any(code.startswith(wanted) for code in codes):
            raise UsageError(f"there is no rule {wanted!r}{nearest(wanted, codes)}")
    level = _PRESETS[selection.preset]
    return tuple(
        Rule(page, _severity(page, selection))
        for page in known
        if (
            _PRESETS[page.preset] <= level
            if not selection.select
            else page.code.startswith(selection.select)
        )
        and not page.code.startswith(selection.ignore)
    )


def _severity(page: Page, selection: Selection) -> Severity:
    matching = [code for code in selection.severity if page.code.startswith(code)]
    return selection.severity[max(matching, key=len)] if matching else page.severity


def first_sentence(prose: str) -> str:
    """The first sentence of a section, on one line."""
    line = " ".join(prose.split())
    end = _SENTENCE_END.search(line)
    return line[: end.start() + 1] if end else line

"""From pages to rules: which pages there are, which are selected, which code checks them."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from qoslint.engine.options import option_errors, resolved
from qoslint.engine.page import Page, read_page
from qoslint.engine.selection import Selection
from qoslint.engine.subjects import SUBJECTS
from qoslint.errors import UsageError, nearest
from qoslint.finding import Problem, RuleInfo, Severity
from qoslint.model.subject import Options
from qoslint.package_data import data
from qoslint.span import Path

_SENTENCE_END = re.compile(r"[.!?] (?=[A-Z])")
_PRESETS = {"default": 1, "pedantic": 2, "strict": 3, "opt-in": 4}


@dataclass(frozen=True)
class Rule:
    """A selected rule: its page and the severity that the settings leave it with."""

    page: Page
    severity: Severity
    options: Options

    @cached_property
    def check(self) -> tuple[str, Callable[[Any], Iterable[Problem]]]:
        """The subject's name and the generator; the module is imported on first use.

        The check of a rule that has options is given them behind its subject.
        """
        module = importlib.import_module(f"qoslint.checks.{self.page.check}")
        (subject,) = (name for name in SUBJECTS if hasattr(module, name))
        check = getattr(module, subject)
        return subject, partial(check, options=self.options) if self.options else check

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
        Rule(page, _severity(page, selection), _options(page, selection))
        for page in known
        if (
            _PRESETS[page.preset] <= level
            if not selection.select
            else page.code.startswith(selection.select)
        )
        and not page.code.startswith(selection.ignore)
    )


def option_problems(options: Mapping[str, Options]) -> Iterator[tuple[Path, str]]:
    """What is wrong with options by rule code: where in them, and a clause about it."""
    known = {page.code: page for page in pages()} if options else {}
    for code, given in options.items():
        if code not in known:
            yield (code,), f"is no rule{nearest(code, known)}"
        elif not known[code].options:
            yield (code,), "has no options"
        else:
            for error in option_errors(known[code].options, given):
                yield (code, error.name), error.message


def _options(page: Page, selection: Selection) -> Options:
    return resolved(page.options, selection.options.get(page.code, {}))


def _severity(page: Page, selection: Selection) -> Severity:
    matching = [code for code in selection.severity if page.code.startswith(code)]
    return selection.severity[max(matching, key=len)] if matching else page.severity


def first_sentence(prose: str) -> str:
    """The first sentence of a section, on one line."""
    line = " ".join(prose.split())
    end = _SENTENCE_END.search(line)
    return line[: end.start() + 1] if end else line

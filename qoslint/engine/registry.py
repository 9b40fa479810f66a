"""From pages to rules: which pages there are, which are selected, which code checks them."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeAlias

from qoslint.engine.options import option_errors, resolved
from qoslint.engine.page import Page, RulePack
from qoslint.engine.protocols import PROTOCOLS
from qoslint.engine.selection import Selection
from qoslint.errors import PluginError, UsageError, nearest
from qoslint.finding import Problem, RuleInfo, Severity
from qoslint.model.subject import Options
from qoslint.span import Path

_SENTENCE_END = re.compile(r"[.!?] (?=[A-Z])")
Check: TypeAlias = Callable[[Any], Iterable[Problem]]
"""A rule's code: it takes the subject that its name says."""

_PRESETS = {"default": 1, "pedantic": 2, "strict": 3, "opt-in": 4}


@dataclass(frozen=True)
class Rule:
    """A selected rule: its page and the severity that the settings leave it with."""

    page: Page
    severity: Severity
    options: Options

    @cached_property
    def check(self) -> tuple[str, Check]:
        """The subject's name and the generator; the module is imported on first use.

        The check of a rule that has options is given them behind its subject.
        """
        subject, check = check_of(self.page)
        return subject, partial(check, options=self.options) if self.options else check

    def info(self) -> RuleInfo:
        """What reports say of the rule."""
        page = self.page
        sections = page.sections()
        return RuleInfo(
            code=page.code,
            name=page.name,
            summary=page.summary,
            help=first_sentence(sections.get("What to do", "")),
            severity=self.severity,
            confidence=page.confidence,
            tags=("kubernetes", "reliability"),
            guide="\n\n".join(
                f"## {title}\n\n{text}" for title, text in sections.items() if title != "Examples"
            ),
        )


def check_of(page: Page) -> tuple[str, Callable[..., Iterable[Problem]]]:
    """The subject's name and the generator in the page's check module.

    Raises PluginError for a module that cannot be imported or has another number of subjects.
    """
    if not page.check:
        raise PluginError(f"{page.file}: names no `check`, and its pack has no package of checks")
    try:
        module = importlib.import_module(page.check)
    except (Exception, SystemExit) as error:
        raise PluginError(
            f"{page.file}: its check {page.check} cannot be imported: "
            f"{type(error).__name__}: {error}"
        ) from error
    subjects = [name for name in PROTOCOLS if hasattr(module, name)]
    if len(subjects) != 1:
        raise PluginError(
            f"{page.file}: its check {page.check} must define one of {', '.join(PROTOCOLS)}, "
            f"and defines {' and '.join(subjects) or 'none'}"
        )
    return subjects[0], getattr(module, subjects[0])


def pages(packs: Iterable[RulePack]) -> Iterator[Page]:
    """Every page of the packs, by code. Raises PluginError for two pages of one code."""
    found: dict[str, tuple[Page, RulePack]] = {}
    for pack in packs:
        for page in pack.read():
            if page.code in found:
                other, before = found[page.code]
                raise PluginError(
                    f"the rule packs {before.name!r} and {pack.name!r} both have a rule "
                    f"{page.code}: {other.file} and {page.file}"
                )
            found[page.code] = page, pack
    yield from (page for _, (page, _) in sorted(found.items()))


def select(selection: Selection, packs: Iterable[RulePack]) -> tuple[Rule, ...]:
    """The rules of the packs that a run checks, sorted by code.

    Codes may be prefixes (`QOS1`). Raises UsageError for one that matches no rule, and for a
    strict rule that is to be ignored.
    """
    known = list(pages(packs))
    codes = [page.code for page in known]
    named = (*selection.select, *selection.extend, *selection.ignore, *selection.severity)
    for wanted in named:
        if not any(code.startswith(wanted) for code in codes):
            raise UsageError(f"there is no rule {wanted!r}{nearest(wanted, codes)}")
    for code in codes:
        if code.startswith(selection.strict) and code.startswith(selection.ignore):
            raise UsageError(f"the settings make {code} strict, so that it cannot be ignored")
    return tuple(
        Rule(page, _severity(page, selection), _options(page, selection))
        for page in known
        if _is_selected(page, selection) and not page.code.startswith(selection.ignore)
    )


def _is_selected(page: Page, selection: Selection) -> bool:
    if page.code.startswith(selection.extend):
        return True
    if selection.select:
        return page.code.startswith(selection.select)
    return _PRESETS[page.preset] <= _PRESETS[selection.preset]


def option_problems(
    options: Mapping[str, Options], packs: Iterable[RulePack]
) -> Iterator[tuple[Path, str]]:
    """What is wrong with options by rule code: where in them, and a clause about it."""
    known = {page.code: page for page in pages(packs)} if options else {}
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

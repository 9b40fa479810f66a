"""Rules for people and scripts: the table of all of them, and the page of one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from qoslint.engine.page import Page
from qoslint.finding import Severity
from qoslint.report.prose import harmless, wrapped
from qoslint.report.style import Style
from qoslint.report.visible import visible, width
from qoslint.schema import Json

SCHEMA_VERSION = 1
"""Raised when a reader of the document would have to change."""

_COLUMNS = ("code", "name", "severity", "preset", "confidence", "summary")
_GAP = "  "
_EXAMPLES = "\n## Examples\n\n"
_LIST_ITEM = re.compile(r"(?:[-*]|[0-9]{1,2}[.])[ ]")


def rules_document(pages: Iterable[Page]) -> Json:
    """What `schemas/rules.schema.json` describes: the rules by code."""
    return {"schemaVersion": SCHEMA_VERSION, "rules": [_rule(page) for page in pages]}


def page_document(page: Page) -> Json:
    """The same for one rule, with the text of its page."""
    return {"schemaVersion": SCHEMA_VERSION, "rules": [{**_rule(page), "text": page.text}]}


def _rule(page: Page) -> Json:
    return {
        "code": page.code,
        "name": page.name,
        "severity": str(page.severity),
        "preset": page.preset,
        "confidence": page.confidence,
        "summary": page.summary,
        "cites": list(page.cites),
    }


def render_table(document: Json, style: Style) -> str:
    """The rules in aligned columns, and what the presets mean."""
    return "\n".join(_table(harmless(document)["rules"], style)) + "\n"


def _table(rules: Sequence[Json], style: Style) -> Iterator[str]:
    palette = style.palette
    rows = [_COLUMNS, *(tuple(rule[column] for column in _COLUMNS) for rule in rules)]
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        cells = [cell + " " * (room - width(cell)) for cell, room in zip(row, widths, strict=True)]
        if number == 0:
            yield palette.paint(palette.strong, _GAP.join(cells).rstrip())
            continue
        cells[2] = palette.paint(palette.severity(Severity[row[2].upper()]), cells[2])
        cells[3] = palette.paint(palette.good if row[3] == "default" else palette.faint, cells[3])
        yield _GAP.join(cells).rstrip()
    yield ""
    yield (
        "A run checks the rules of preset default; --preset pedantic and --preset strict add "
        "more, opt-in rules"
    )
    yield "run when they are selected. `qoslint explain CODE` prints a rule's page."


def render_page(document: Json, style: Style) -> str:
    """The page of the document's one rule, for a terminal."""
    (rule,) = document["rules"]
    return "\n".join(_page(rule, style)) + "\n"


def _page(rule: Json, style: Style) -> Iterator[str]:
    palette = style.palette
    severity = Severity[rule["severity"].upper()]
    name = palette.paint(palette.strong, visible(f"{rule['code']} {rule['name']}"))
    yield (
        f"{name}: {palette.paint(palette.severity(severity), rule['severity'])}, "
        f"preset {visible(rule['preset'])}, confidence {visible(rule['confidence'])}"
    )
    yield ""
    yield from _markdown(_with_key(rule["text"], rule["code"]), style)
    if rule["cites"]:
        yield ""
        yield palette.paint(palette.strong, "Kubernetes source")
        yield ""
        yield from (f"  {visible(cited)}" for cited in rule["cites"])


def _with_key(text: str, code: str) -> str:
    """The text with what the marks in its examples mean in front of them."""
    key = f"`# ~ {code}` marks the line where the finding stands."
    return text.replace(_EXAMPLES, f"{_EXAMPLES}{key}\n\n", 1)


def _markdown(text: str, style: Style) -> Iterator[str]:
    """Headings, paragraphs, lists and fences of a rule page, as lines."""
    palette = style.palette
    paragraph: list[str] = []
    fenced = False
    for line in [*map(visible, text.strip().splitlines()), ""]:
        is_fence = line.startswith("```")
        if not fenced and (not line or is_fence or line[0] in "#|" or _LIST_ITEM.match(line)):
            yield from wrapped([" ".join(paragraph)] if paragraph else [], style.width)
            paragraph = []
        if is_fence:
            fenced = not fenced
            title = re.search('title="([^"]*)"', line)
            if fenced and title:
                yield palette.paint(palette.faint, f"    # {title[1]}")
        elif fenced:
            yield palette.paint(palette.faint, f"    {line}".rstrip())
        elif line.startswith("#"):
            yield palette.paint(palette.strong, line.lstrip("# "))
        elif not line or line.startswith("|"):
            yield line
        else:
            paragraph.append(line.strip())

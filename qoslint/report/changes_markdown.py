"""What a change changes of pods, as Markdown for a pull request or a job summary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from qoslint.model.wording import counted
from qoslint.report import changes_words as words
from qoslint.report.escape import MOST_ROWS, markdown, within
from qoslint.report.visible import shortened
from qoslint.schema import Json

_FOR_ROWS = 40_000
_FOR_CAUSES = 15_000
_FOR_CELL = 4000
"""What changes of one workload shall not hide the others."""


def render_markdown(document: Json) -> str:
    """The document as Markdown, in which no name of a manifest is markup or calls anybody."""
    return "\n".join(_lines(words.told(document))).rstrip("\n") + "\n"


def _lines(document: Json) -> Iterator[str]:
    yield "<!-- qoslint diff -->"
    yield f"### {_escaped(words.revisions(document))}"
    yield ""
    yield f"**{words.total(document)}**"
    yield ""
    yield from _table(document["workloads"])
    yield from _causes(document)


def _table(workloads: Sequence[Json]) -> Iterator[str]:
    if not workloads:
        return
    yield "| workload | what changes | where |"
    yield "|---|---|---|"
    rows = [*within(_FOR_ROWS, (_row(each) for each in islice(workloads, MOST_ROWS)))]
    yield from rows
    yield ""
    if more := len(workloads) - len(rows):
        yield f"{counted(more, 'more workload')} not shown here."
        yield ""


def _row(each: Json) -> str:
    title, where = words.workload_title(each), words.place(each["at"])
    return f"| {_escaped(title)} | {_what(each)} | {_escaped(where)} |"


def _what(each: Json) -> str:
    lines = [*map(_escaped, words.workload_lines(each))]
    if each["fate"] in ("added", "removed"):
        lines.insert(0, _escaped(f"{each['fate']}{words.summary_phrase(each)}"))
    shown = [*within(_FOR_CELL, lines)]
    if more := len(lines) - len(shown):
        shown.append(f"and {counted(more, 'more change')}")
    return "<br>".join(shown) or str(each["fate"])


def _causes(document: Json) -> Iterator[str]:
    lines = [*map(_cause, document["causes"]), *map(_node, document["nodes"])]
    if not lines:
        return
    yield "**Causes**"
    yield ""
    items = (f"- {_escaped(line)}" for line in islice(lines, MOST_ROWS))
    shown = [*within(_FOR_CAUSES, items)]
    yield from shown
    if more := len(lines) - len(shown):
        yield f"- and {more} more"


def _cause(cause: Json) -> str:
    title = words.cause_title(cause, len(cause["workloads"]))
    return _joined([title, *words.edit_lines(cause["edits"])])


def _node(node: Json) -> str:
    return _joined(words.node_lines(node))


def _joined(lines: Iterable[str]) -> str:
    """A heading and what stands below it on one line."""
    return "; ".join(" ".join(line.split()) for line in lines)


def _escaped(text: str) -> str:
    return markdown(shortened(text))

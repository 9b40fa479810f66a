"""What a change changes of pods, as Markdown for a pull request or a job summary."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.model.wording import counted
from qoslint.report.changes_words import (
    cause_title,
    difference_lines,
    expectation_lines,
    fate_phrase,
    node_lines,
    place,
    rank_line,
    resize_line,
    revisions,
    summary_phrase,
    told,
    workload_title,
)
from qoslint.schema import Json

_MOST = 100


def render_markdown(document: Json) -> str:
    """The document as Markdown, in which no name of a manifest is markup."""
    return "\n".join(_lines(told(document))).rstrip("\n") + "\n"


def _lines(document: Json) -> Iterator[str]:
    yield "<!-- qoslint diff -->"
    yield f"### {_escaped(revisions(document))}"
    yield ""
    changed, same = len(document["workloads"]), document["unchanged"]
    yield f"**{counted(changed, 'workload')} changed**, {same} unchanged."
    yield ""
    if not changed and not document["nodes"]:
        return
    yield "| workload | what changes | where |"
    yield "|---|---|---|"
    for each in document["workloads"][:_MOST]:
        where = f"`{place(each['at']).replace('`', '')}`"
        yield f"| {_escaped(workload_title(each))} | {_what(each)} | {where} |"
    if changed > _MOST:
        yield f"| and {changed - _MOST} more | | |"
    yield ""
    yield from _causes(document)


def _what(each: Json) -> str:
    lines = [
        *difference_lines(each),
        *expectation_lines(each),
        *resize_line(each),
        *map(rank_line, each["ranks"]),
    ]
    if each["fate"] in ("added", "removed"):
        lines.insert(0, f"{each['fate']}{summary_phrase(each)}")
    return "<br>".join(map(_escaped, lines)) or fate_phrase(each["fate"], 1)


def _causes(document: Json) -> Iterator[str]:
    lines = [
        f"{cause_title(cause, len(cause['workloads']))}{_edits(cause)}"
        for cause in document["causes"]
    ]
    lines += ["; ".join(line.strip() for line in node_lines(node)) for node in document["nodes"]]
    if lines:
        yield "**Causes**"
        yield ""
    yield from (f"- {_escaped(line)}" for line in lines[:_MOST])
    if len(lines) > _MOST:
        yield f"- and {len(lines) - _MOST} more"


def _edits(cause: Json) -> str:
    found = [
        f"{edit['field']}: {edit['before'] or 'none'} → {edit['after'] or 'none'}"
        for edit in cause["edits"]
        if edit["field"]
    ]
    return f": {'; '.join(found)}" if found else ""


def _escaped(text: str) -> str:
    for sign in "\\`*_|[]":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("<", "&lt;").replace(">", "&gt;").replace("@", "&#64;")

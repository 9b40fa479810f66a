"""What a change changes of pods, as text: cause by cause, the one of most workloads first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
from qoslint.report.prose import wrapped
from qoslint.report.style import Style
from qoslint.schema import Json

_MOST = 50
_WITHOUT_CAUSE = "Other changes"


def render(document: Json, style: Style) -> str:
    """The document as text for people; what does not change is only counted."""
    lines = wrapped(_lines(told(document), style), style.width)
    return "\n".join(lines).rstrip("\n") + "\n"


def _lines(document: Json, style: Style) -> Iterator[str]:
    palette = style.palette
    yield palette.paint(palette.strong, revisions(document))
    yield ""
    done: set[int] = set()
    workloads = document["workloads"]
    for number, cause in enumerate(document["causes"]):
        own = [(index, each) for index, each in enumerate(workloads) if number in each["causes"]]
        yield palette.paint(palette.strong, cause_title(cause, len(own)))
        yield from _edits(cause)
        fresh = [(index, each) for index, each in own if index not in done]
        for index, each in fresh[:_MOST]:
            done.add(index)
            yield from _workload(each)
        if len(fresh) > _MOST:
            done.update(index for index, _ in fresh)
            yield f"  and {len(fresh) - _MOST} more"
        for _, each in (item for item in own if item not in fresh):
            yield f"  {workload_title(each)}: see above"
        yield ""
    for node in document["nodes"]:
        yield from node_lines(node)
        yield ""
    rest = [each for index, each in enumerate(workloads) if index not in done]
    yield from _rest(rest, style)
    yield _total(document)


def _edits(cause: Json) -> Iterator[str]:
    for edit in cause["edits"]:
        if edit["field"] and (edit["before"], edit["after"]) != (None, None):
            before, after = edit["before"] or "none", edit["after"] or "none"
            yield f"  {edit['field']}: {before} → {after}  ({place(edit['at'])})"


def _workload(each: Json) -> Iterator[str]:
    yield f"  {workload_title(each)}  {place(each['at'])}"
    lines: Iterable[str] = (
        *difference_lines(each),
        *expectation_lines(each),
        *resize_line(each),
        *map(rank_line, each["ranks"]),
    )
    yield from (f"    {line}" for line in lines)


def _rest(rest: list[Json], style: Style) -> Iterator[str]:
    palette = style.palette
    for fate in ("added", "removed", "renamed", "moved", "kept"):
        own = [each for each in rest if each["fate"] == fate]
        if own:
            yield palette.paint(palette.strong, fate_phrase(fate, len(own)))
        for each in own[:_MOST]:
            yield f"  {workload_title(each)}  {place(each['at'])}{summary_phrase(each)}"
            lines = (*expectation_lines(each), *map(rank_line, each["ranks"]))
            yield from (f"    {line}" for line in lines)
        if len(own) > _MOST:
            yield f"  and {len(own) - _MOST} more"
        if own:
            yield ""


def _total(document: Json) -> str:
    changed = len(document["workloads"])
    same = counted(document["unchanged"], "workload")
    if not changed and not document["nodes"]:
        return f"Nothing changes of {same}."
    return f"{counted(changed, 'workload')} changed, {document['unchanged']} unchanged."

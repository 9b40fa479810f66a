"""What a change changes of pods, as text: cause by cause, the one of most workloads first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qoslint.report import changes_words as words
from qoslint.report.prose import wrapped
from qoslint.report.style import Palette, Style
from qoslint.schema import Json

_MOST = 50
"""Of a cause, or of those that none explains."""


def render(document: Json, style: Style) -> str:
    """The document as text for people; what does not change is only counted."""
    lines = wrapped(_lines(words.told(document), style.palette), style.width)
    return "\n".join(lines).rstrip("\n") + "\n"


def _lines(document: Json, palette: Palette) -> Iterator[str]:
    yield palette.paint(palette.strong, words.revisions(document))
    yield ""
    workloads = document["workloads"]
    changed: list[list[int]] = [[] for _ in document["causes"]]
    for index, each in enumerate(workloads):
        for number in each["causes"]:
            changed[number].append(index)
    told: set[int] = set()
    for cause, own in zip(document["causes"], changed, strict=True):
        yield palette.paint(palette.strong, words.cause_title(cause, len(own)))
        yield from (f"  {line}" for line in words.edit_lines(cause["edits"]))
        fresh = [index for index in own if index not in told]
        above = [workloads[index] for index in own if index in told]
        for index in fresh[:_MOST]:
            yield from _workload(workloads[index], "")
        yield from _more(fresh, "")
        yield from (f"  {words.workload_title(each)}: see above" for each in above[:_MOST])
        yield from _more(above, ": see above")
        yield ""
        told.update(fresh[:_MOST])
    for node in document["nodes"]:
        yield from words.node_lines(node)
        yield ""
    yield from _without_cause([each for each in workloads if not each["causes"]], palette)
    yield words.total(document)


def _workload(each: Json, remark: str) -> Iterator[str]:
    yield f"  {words.workload_title(each)}  {words.place(each['at'])}{remark}"
    yield from (f"    {line}" for line in words.workload_lines(each))


def _more(workloads: Sequence[object], remark: str) -> Iterator[str]:
    if len(workloads) > _MOST:
        yield f"  and {len(workloads) - _MOST} more{remark}"


def _without_cause(workloads: Sequence[Json], palette: Palette) -> Iterator[str]:
    for fate in ("added", "removed", "renamed", "moved", "kept"):
        own = [each for each in workloads if each["fate"] == fate]
        if own:
            yield palette.paint(palette.strong, words.fate_phrase(fate, len(own)))
            for each in own[:_MOST]:
                yield from _workload(each, words.summary_phrase(each))
            yield from _more(own, "")
            yield ""

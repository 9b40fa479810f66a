"""A played node as Markdown, for an incident review or a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from qoslint.report import simulation_outcome as outcome
from qoslint.report import simulation_words as words
from qoslint.report.amounts import memory
from qoslint.report.escape import markdown
from qoslint.report.prose import harmless
from qoslint.schema import Json


def render_markdown(document: Json) -> str:
    """The document of `qoslint simulate` as Markdown, ending with a line end."""
    return "\n".join(_page(harmless(document))) + "\n"


def _page(document: Json) -> Iterator[str]:
    yield f"### {markdown(words.heading(document))}"
    yield ""
    yield from _paragraphs(words.frame(document))
    for step in document["steps"]:
        yield from _kernel(step, document) if step["by"] == "kernel" else _kubelet(step, document)
    yield "#### What came of it"
    yield ""
    yield from _paragraphs(outcome.ending(document))
    yield "#### Assumed"
    yield ""
    yield from (f"- {markdown(each)}" for each in document["assumptions"])


def _kubelet(step: Json, document: Json) -> Iterator[str]:
    yield f"#### {step['second']} s: {markdown(words.saw(step))}"
    yield ""
    yield from _paragraphs(words.waits(step))
    yield from _table(words.RANKING, words.ranking_rows(step, document))
    yield from _paragraphs(words.more_rows(step["ranking"]))
    yield from _paragraphs(words.refused(step, document))
    for line, message in words.evicted(step, document):
        yield f"**{markdown(line)}** Its status says:"
        yield ""
        yield f"> {markdown(message)}"
        yield ""


def _kernel(step: Json, document: Json) -> Iterator[str]:
    because, *killed = outcome.killed(step, document)
    yield f"#### {step['second']} s: daemons {memory(step['daemons'])}, the kernel acts"
    yield ""
    yield from _paragraphs([because])
    yield from _table(outcome.SUSPECTS, outcome.suspect_rows(step, document))
    yield from _paragraphs(words.more_rows(step["suspects"]))
    for line in killed:
        yield f"**{markdown(line)}**"
        yield ""


def _paragraphs(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield markdown(line)
        yield ""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table whose first two columns stand to the left, and numbers to the right."""
    if not rows:
        return
    yield _row(head)
    yield _row([":---", ":---", *["---:"] * (len(head) - 2)])
    yield from (_row([markdown(cell) for cell in row]) for row in rows)
    yield ""


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"

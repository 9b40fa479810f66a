"""The documents of a source: parsed, passed by, or broken."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, Protocol, TypeAlias

from qoslint.finding import Location, Part
from qoslint.source import loading
from qoslint.source.allowance import Allowance
from qoslint.source.loading import YamlError
from qoslint.source.paths import Paths
from qoslint.source.stream import Piece, holds_no_pods, kind_of, pieces
from qoslint.source.tree import Skip
from qoslint.span import START, Path, Position, Span

__all__ = [
    "Broken",
    "Complaint",
    "Document",
    "Origin",
    "Passed",
    "Remote",
    "Rendered",
    "Source",
    "Wanted",
    "YamlError",
    "documents",
    "lies_under",
    "load",
]

MAX_MARKERS = 250_000


class Wanted(NamedTuple):
    """A field of a rendered document whose authored line is wanted."""

    document: Document | Broken
    path: Path
    part: Part


class Origin(Protocol):
    """What knows where rendered fields were written: by more renders, so many are asked at once."""

    def locate(self, wanted: Sequence[Wanted]) -> Sequence[Location]:
        """The authored place of each field, or of what a person would edit to have it."""
        ...

    def likely(self, wanted: Wanted) -> Location:
        """Where a field most likely stands, told without rendering again."""
        ...


class Rendered(NamedTuple):
    """How a text came to be that no file holds."""

    target: str
    """What was rendered, as people name it: `overlays/prod`, `Application argocd/web`."""
    origin: Origin
    inputs: tuple[str, ...] = ()
    """The files that it was rendered from."""
    namespace: str | None = None
    """That of objects which name none."""
    variant: str = ""
    """The environment, where one chart is rendered for several."""
    guessed: frozenset[int] = frozenset()
    """The documents whose data is not what a cluster has, by number."""
    doubt: str = ""
    """Why no cluster may have them: one sentence without a full stop."""


class Source(NamedTuple):
    """One text that was read or rendered. `id` tells apart the renders of one path.

    The path of a rendered text is the file that has it rendered: its kustomization, its chart, or
    the object that deploys it.
    """

    id: str
    path: str
    text: str
    rendered: Rendered | None = None


def lies_under(source: Source, paths: Paths) -> bool:
    """Whether the paths hold a text, or a file that it was rendered from."""
    if paths.hold(source.path):
        return True
    rendered = source.rendered
    return rendered is not None and any(map(paths.hold, rendered.inputs))


class Complaint(NamedTuple):
    """What a strict reader refuses in a document that is accepted all the same."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A parsed document. `line` is the line of the source, from 1, where its `text` starts."""

    source: Source
    number: int
    line: int
    text: str
    data: object
    """JSON value: str, int, float, bool, None, list, dict with str keys. Parts may be shared."""
    notices: tuple[Complaint, ...] = ()
    plain_block: bool = False
    """Whether its lines alone tell the positions of its fields."""


class Remote(NamedTuple):
    """What something is rendered from and the repository does not hold."""

    address: str
    """Equal for what one copy in the repository would answer for."""
    is_chart: bool = False
    """Whether it is a chart that some registry or chart repository publishes."""


class Broken(NamedTuple):
    """A document that cannot be read, and where; `kind` as far as it can be seen.

    `reason` is set where the text was never meant to be plain YAML. In the message, `OBJECT` stands
    for what was to be rendered.
    """

    source: Source
    number: int
    span: Span
    message: str
    kind: str | None = None
    reason: StrEnum | None = None
    remote: Remote | None = None


class Passed(NamedTuple):
    """A document that was not parsed, since its kind cannot hold pods."""

    source: Source
    number: int
    kind: str


Item: TypeAlias = Document | Broken | Passed


def load(text: str) -> object:
    """The JSON value that the API server would receive for the first document; raise YamlError."""
    return loading.load(text).value


def documents(
    source: Source, kinds: Container[str], allowance: Allowance | None = None
) -> Iterator[Item]:
    """The documents of a source in order, numbered from 0; those without content do not count.

    A document is parsed unless its column-1 `kind` is neither in `kinds` nor a list and its text
    mentions neither a pod template nor resources. `allowance` bounds the aliases of all sources
    that it is given with.
    """
    allowance = Allowance() if allowance is None else allowance
    allowance.earn(source.text)
    if source.text.count("\n---") + source.text.count("\n...") > MAX_MARKERS:
        yield Broken(source, 0, START, f"more than {MAX_MARKERS:,} document markers in one file")
        return
    for number, (piece, kind) in enumerate(_cut(source.text)):
        if kind is not None and holds_no_pods(piece.text, kind, kinds):
            yield Passed(source, number, kind)
        else:
            yield _parsed(source, number, piece, kind, allowance)


def _parsed(
    source: Source, number: int, piece: Piece, kind: str | None, allowance: Allowance
) -> Document | Broken:
    try:
        loaded = _loaded(piece.text, allowance.share(piece.text))
    except YamlError as error:
        span = _character(piece, error.position)
        if "{{" in piece.text or "{%" in piece.text:
            message = f"a template, not plain YAML: {error.message}"
            return Broken(source, number, span, message, kind, Skip.TEMPLATE)
        return Broken(source, number, span, error.message, kind)
    allowance.spend(loaded.aliased)
    notices = tuple(
        Complaint(_character(piece, position), message) for position, message in loaded.complaints
    )
    return Document(
        source, number, piece.line, piece.text, loaded.value, notices, loaded.plain_block
    )


# Two revisions hold the same texts, and so do the places where a chart is deployed.
_loaded = lru_cache(maxsize=10_000)(loading.load)


@lru_cache(maxsize=10_000)
def _cut(text: str) -> tuple[tuple[Piece, str | None], ...]:
    """The documents of a text, each with its kind as far as that can be seen."""
    return tuple((piece, kind_of(piece.text)) for piece in pieces(text))


def _character(piece: Piece, position: Position) -> Span:
    """The one character at a position of the piece, as a span of the source."""
    start = Position(position.line + piece.line - 1, position.column)
    return Span(start, start._replace(column=start.column + 1))

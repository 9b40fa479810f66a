"""The lines that a change touched, file by file as they are asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from qoslint.source.lines import changed_lines
from qoslint.span import Span, split_lines

_MOST = 50
"""Files that a new one is compared with, those that share its rarest lines first."""
_MOST_GONE = 2_000_000
"""Lines of files that are gone, among which older texts are looked for; each takes 200 bytes."""
_MOST_OLDER = 10_000_000
"""Lines of older texts that renamed files are compared with, in all; the others count as new."""


class Texts(NamedTuple):
    """The texts of a revision."""

    read: Callable[[str], str | None]
    """By file; None if there is none that can be read."""
    plain: Mapping[str, str]
    """Those of manifests by file, of which one may be another one's older text."""


class Touched:
    """What a change touched. Files are compared when they are asked for, and once."""

    def __init__(self, before: Texts, after: Texts) -> None:
        """Compare nothing yet."""
        self._before = before
        self._after = after
        self._lines: dict[str, frozenset[int] | None] = {}
        self._left = _MOST_OLDER

    def touches(self, file: str, span: Span) -> bool:
        """Whether a span has a line that the change touched; every line of a new file is."""
        if file not in self._lines:
            self._lines[file] = self._changed(file)
        lines = self._lines[file]
        start, end = span
        last = end.line - (end.column == 1 and end.line > start.line)
        return lines is None or any(each in lines for each in range(start.line, last + 1))

    def _changed(self, file: str) -> frozenset[int] | None:
        """None for a new file."""
        new, old = self._after.read(file), self._before.read(file)
        if old is None and new is not None:
            old = self._renamed(new)
        return None if old is None or new is None else changed_lines(old, new)

    def _renamed(self, new: str) -> str | None:
        """The older text of a renamed file: of one that is gone, half of whose lines are the same.

        Of several it is the one that is most like it.
        """
        lines = Counter(split_lines(new))
        alike = {file: (lines & self._gone.lines[file]).total() for file in self._gone.near(lines)}
        best = max(alike, key=alike.__getitem__, default=None)
        if best is None or 2 * alike[best] < lines.total():
            return None
        # One large file can be the older text of thousands that are small.
        self._left -= self._gone.lines[best].total()
        return self._before.plain[best] if self._left >= 0 else None

    @cached_property
    def _gone(self) -> _Gone:
        plain = self._before.plain
        texts = {}
        left = _MOST_GONE
        for file in sorted(plain.keys() - self._after.plain):
            count = plain[file].count("\n") + 1
            if count <= left:
                left -= count
                texts[file] = plain[file]
        return _Gone(texts)


class _Gone:
    """The lines of the files that are gone, and which of them have a line."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.lines = {file: Counter(split_lines(text)) for file, text in texts.items()}
        self._having: dict[str, list[str]] = {}
        for file, lines in self.lines.items():
            for line in lines:
                self._having.setdefault(line, []).append(file)

    def near(self, lines: Iterable[str]) -> list[str]:
        """The files, in order, that share the rarest lines: some, however many are gone."""
        found: set[str] = set()
        having = (self._having[line] for line in lines if line in self._having)
        for files in sorted(having, key=len):
            found.update(islice(files, _MOST))
            if len(found) >= _MOST:
                break
        return sorted(found)

"""Text as Markdown that shows it and does not act on it, and no more of it than a page takes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

MOST_ROWS = 100

MOST_CHARACTERS = 60_000
"""A comment on GitHub may have 65,536; a job's summary 1 MiB."""

_ACTIVE = re.compile(r"([\\`*_{}\[\]<>|#~$&!])")
# GitHub and GitLab look for these in what is left when the Markdown is gone: a person would be
# called, or an issue told that it is spoken of.
_CALLS = re.compile(r"(?:@|\\#)(?=\w)")
_LINKS = re.compile(r"(?i):(?=//)|(?<=\bwww)\.")


def markdown(text: str) -> str:
    """The visible text, on one line, with what Markdown or HTML would act upon spelled out."""
    plain = _ACTIVE.sub(r"\\\1", text)
    unlinked = _LINKS.sub(r"\\\g<0>", plain)
    return _CALLS.sub(lambda match: f"<span>{match[0]}</span>", unlinked)


def within(room: int, lines: Iterable[str]) -> Iterator[str]:
    """The first lines that fit into so many characters."""
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            return
        yield line

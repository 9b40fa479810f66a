"""Suppressions: what somebody writes so that findings are suppressed, and what has become of it."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from qoslint.errors import closest
from qoslint.finding import Finding

MARK = "qoslint:"
"""The first word of a comment that says something to qoslint."""

IGNORE = "qoslint.dev/ignore"
"""The annotation of an object or of its pods; with `.NAME` behind it that of one container."""

_VERBS = ("ignore", "disable", "suppress", "noqa", "skip")
_IGNORE = re.compile(r"ignore[ \t]*\[([^\]]*)\](.*)")
_WORD = re.compile(r"[A-Za-z]*")
_CODE = re.compile(r"[ \t]*([A-Za-z0-9_-]+)")
_NEXT_CODE = re.compile(r"[ \t]*,[ \t]*([A-Za-z0-9_-]+)|[ \t]+([A-Z]+[0-9]{3})(?![A-Za-z0-9_-])")
_UNTIL = re.compile(r"until[ \t]+([^\s:;,]+)[:;,]?(.*)")
_OTHER_COMMENT = re.compile(r"\s#.*")
_MOST_CODES = 50
_LONGEST = 500


def is_ignore(key: str) -> bool:
    """Whether an annotation accepts findings."""
    return key == IGNORE or key.startswith(f"{IGNORE}.")


class Form(StrEnum):
    """How a suppression is written."""

    COMMENT = "comment"
    ANNOTATION = "annotation"
    EXCEPTION = "exception"


class Suppression(NamedTuple):
    """What a suppression says: a code or the start of some, why, and up to which day."""

    code: str
    """Empty if it names none."""
    reason: str
    until: str = ""
    """The last day on which it counts, as it is written; empty without one."""

    @property
    def last_day(self) -> datetime.date | None:
        """The last day, which is that of the calendar if it names none; None for what is no day."""
        if not self.until:
            return datetime.date.max
        try:
            return datetime.date.fromisoformat(self.until)
        except ValueError:
            return None

    def counts_on(self, day: datetime.date) -> bool:
        """Whether it accepts anything on that day."""
        last = self.last_day
        return last is not None and day <= last


class JudgedSuppression(NamedTuple):
    """A suppression, with what is known of it after a run."""

    form: Form
    suppression: Suppression
    nearest: str | None = None
    """Set if there is no rule of that code: the hint at the code that is meant, or nothing."""
    strict: bool = False
    """Whether the settings let nothing accept what the rule finds."""
    final: bool = False
    """Whether nothing accepts what the rule finds, whatever the settings say."""
    expired: bool = False
    used: bool | None = None
    """Whether it accepts anything; None if not everything was seen that it may be about."""


class NewSuppression(NamedTuple):
    """What a change suppresses, by something written, by the baseline or by other settings."""

    by: str
    """What does it, as a clause: `this comment accepts`."""
    findings: tuple[Finding, ...]
    """At least one, the most severe first."""
    base: str
    """The older revision, as people name it."""
    suppression: Suppression | None = None
    """What is said of it, where something is written."""


def in_comment(text: str) -> Iterator[Suppression]:
    """What a comment says behind `qoslint:`, one suppression a code: `ignore[QOS103] the reason`.

    A comment that begins with a word of another meaning says nothing; one that seems to be meant
    so and names no code is a suppression without one.
    """
    text = text[:_LONGEST]
    if found := _IGNORE.fullmatch(text):
        codes = [code.strip().upper() for code in re.split(r"[,\s]+", found[1]) if code.strip()]
        yield from _suppressions(codes, _OTHER_COMMENT.sub("", found[2]))
        return
    word = _WORD.match(text)
    if word and closest(word[0].lower(), _VERBS):
        yield Suppression("", text)


def in_annotation(value: str) -> Iterator[Suppression]:
    """What the value of the annotation says, line by line: `QOS103, QOS405 the reason`."""
    for line in value.splitlines()[:_MOST_CODES]:
        text = line.strip()[:_LONGEST]
        found = _CODE.match(text)
        codes: list[str] = []
        end = 0
        while found and len(codes) < _MOST_CODES:
            codes.append(next(filter(None, found.groups())).upper())
            end = found.end()
            found = _NEXT_CODE.match(text, end)
        if text:
            yield from _suppressions(codes, text[end:])


def _suppressions(codes: list[str], rest: str) -> Iterator[Suppression]:
    until = ""
    said = rest.strip(" \t:;,-")
    if found := _UNTIL.fullmatch(said):
        until, said = found[1], found[2].strip(" \t:;,-")
    for code in list(dict.fromkeys(codes))[:_MOST_CODES] or [""]:
        yield Suppression(code, said, until)

"""What ends a run: errors of the user's input to the tool itself, each with exit status 2.

What is wrong with a manifest is never one of these; it is a finding at its line.
"""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST_WORD = 64
_COMPARED = 50


class QoslintError(Exception):
    """The job could not be done; the message is one sentence for the user."""


class UsageError(QoslintError):
    """A wrong option, argument or path."""


class SettingsError(QoslintError):
    """Settings or a node profile that cannot be used; the message starts with `file:line:`."""


class PluginError(QoslintError):
    """A plugin or rule pack that cannot be loaded, by name."""


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word that a misspelt one most likely means, if there is any like it.

    Comparing two words is quadratic in their length, so no text of a stranger's may be long, nor
    compared with everything: only the words nearest in length are.
    """
    import difflib

    if len(word) > _LONGEST_WORD:
        return None
    near = sorted(known, key=lambda each: abs(len(each) - len(word)))[:_COMPARED]
    close = difflib.get_close_matches(word, near, n=1)
    return close[0] if close else None


def nearest(word: str, known: Iterable[str]) -> str:
    """A closing hint ", did you mean 'x'?" for a misspelt word, or nothing."""
    close = closest(word, known)
    return f", did you mean {close!r}?" if close else ""

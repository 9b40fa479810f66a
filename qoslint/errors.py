"""What ends a run: errors of the user's input to the tool itself, each with exit status 2.

What is wrong with a manifest is never one of these; it is a finding at its line.
"""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST_WORD = 64
_COMPARED = 200
_SHORTEST_PART = 4


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


def mistyped(word: str, known: Iterable[str]) -> str | None:
    """The one known name that differs from the word by a single slip in one of its parts.

    A slip is a letter too many, too few, wrong, or swapped with the next, in a part of at least
    four characters: `team-hihg` is `team-high`. Names that differ in a digit are two names.
    """
    found = [name for name in known if abs(len(name) - len(word)) <= 1 and _slipped(word, name)]
    return found[0] if len(found) == 1 else None


def _slipped(word: str, name: str) -> bool:
    ours, theirs = _parts(word), _parts(name)
    wrong = [(one, other) for one, other in zip(ours, theirs, strict=False) if one != other]
    if len(ours) != len(theirs) or len(wrong) != 1:
        return False
    one, other = wrong[0]
    if max(len(one), len(other)) < _SHORTEST_PART or _digits(one) != _digits(other):
        return False
    at = 0
    while one[at : at + 1] == other[at : at + 1]:
        at += 1
    rest, of_other = one[at:], other[at:]
    wrong_letter = rest[1:] == of_other[1:]
    one_more_or_less = rest[1:] == of_other or rest == of_other[1:]
    return wrong_letter or one_more_or_less or rest == of_other[1::-1] + of_other[2:]


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _parts(name: str) -> list[str]:
    return name.replace(".", "-").split("-")


def nearest(word: str, known: Iterable[str]) -> str:
    """A closing hint ", did you mean 'x'?" for a misspelt word, or nothing."""
    close = closest(word, known)
    return f", did you mean {close!r}?" if close else ""


def question(word: str, known: Iterable[str]) -> str:
    """The same hint as a sentence behind another: " Did you mean 'x'?", or nothing."""
    close = closest(word, known)
    return f" Did you mean {close!r}?" if close else ""

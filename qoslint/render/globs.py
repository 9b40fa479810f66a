"""The globs of GitOps tools, as Go's libraries match them.

A star takes the shortest stretch behind which the rest up to the next star fits, and never another
(atomic groups), so that no pattern takes long.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

Matches: TypeAlias = Callable[[str], bool]

_LONGEST = 1000
_MOST_ALTERNATIVES = 200


class _BadPatternError(Exception):
    """No pattern at all; it matches nothing."""


def has_wildcard(pattern: str) -> bool:
    """Whether it is a pattern (Argo CD reposerver/repository isGlobPath)."""
    return any(sign in pattern for sign in "*?[")


@lru_cache(maxsize=256)
def go_path(pattern: str) -> Matches:
    """Go's `path.Match`: a star stays in its folder, there are no alternatives."""
    return _any_of([pattern], "/", negation="^")


@lru_cache(maxsize=256)
def gobwas(pattern: str) -> Matches:
    """`gobwas/glob` without separators, as Argo CD's include and exclude: a star takes all."""
    return _any_of(_alternatives(pattern), "", negation="!")


@lru_cache(maxsize=256)
def pathspec(pattern: str) -> Matches:
    """What `git ls-files -- PATTERN` lists: a star takes all, a folder is all that it holds."""
    pattern = pattern.removeprefix("./")
    if has_wildcard(pattern):
        return _any_of([pattern], "", negation="!^")
    folder = pattern.rstrip("/")
    return lambda path: path == pattern or not folder or path.startswith(f"{folder}/")


@lru_cache(maxsize=256)
def shell(pattern: str) -> Matches:
    """What `${NAME#PATTERN}` takes: a star takes all, there are no alternatives."""
    return _any_of([pattern], "", negation="^")


@lru_cache(maxsize=256)
def doublestar(pattern: str) -> Matches:
    """`bmatcuk/doublestar`: `**` as a whole name takes any number of folders."""
    found = [one for each in _alternatives(pattern) if (one := _segments(each)) is not None]
    return lambda path: any(_match_segments(each, path.split("/")) for each in found)


def _any_of(patterns: Sequence[str], separator: str, negation: str) -> Matches:
    compiled = []
    for pattern in patterns:
        try:
            compiled.append(re.compile(_expression(pattern, separator, negation), re.DOTALL))
        except (_BadPatternError, re.error):
            continue
    return lambda path: any(each.match(path) for each in compiled)


_Segments: TypeAlias = list[re.Pattern[str] | None]


def _segments(pattern: str) -> _Segments | None:
    """An expression per name of the path, None for `**`."""
    found: _Segments = []
    for name in pattern.split("/"):
        if name == "**":
            if not found or found[-1] is not None:
                found.append(None)
            continue
        try:
            found.append(re.compile(_expression(name, "/", "!^"), re.DOTALL))
        except (_BadPatternError, re.error):
            return None
    return found


def _match_segments(pattern: _Segments, names: list[str]) -> bool:
    at, back = 0, -1
    number = 0
    after_star = -1
    while number < len(names):
        if at < len(pattern) and pattern[at] is None:
            after_star, back = at + 1, number
            at += 1
            continue
        if at < len(pattern) and (each := pattern[at]) is not None and each.match(names[number]):
            at += 1
            number += 1
            continue
        if after_star < 0:
            return False
        back += 1
        at, number = after_star, back
    return all(each is None for each in pattern[at:])


def _alternatives(pattern: str) -> list[str]:
    """The patterns that `{a,b}` stands for."""
    waiting = [pattern[:_LONGEST]]
    done: list[str] = []
    while waiting and len(waiting) + len(done) < _MOST_ALTERNATIVES:
        each = waiting.pop()
        braces = _braces(each)
        if braces is None:
            done.append(each)
            continue
        start, commas, end = braces
        bounds = [start, *commas, end]
        waiting.extend(
            each[:start] + each[left + 1 : right] + each[end + 1 :]
            for left, right in itertools.pairwise(bounds)
        )
    return done


def _braces(pattern: str) -> tuple[int, list[int], int] | None:
    """Where the first pair of outer braces opens, parts and closes."""
    depth, start = 0, 0
    commas: list[int] = []
    number = 0
    while number < len(pattern):
        sign = pattern[number]
        if sign == "\\":
            number += 1
        elif sign == "{":
            depth += 1
            start = number if depth == 1 else start
        elif sign == "," and depth == 1:
            commas.append(number)
        elif sign == "}" and depth:
            depth -= 1
            if not depth:
                return start, commas, number
        number += 1
    return None


def _expression(pattern: str, separator: str, negation: str) -> str:
    if len(pattern) > _LONGEST:
        raise _BadPatternError
    one = f"[^{separator}]" if separator else "."
    chunks = [""]
    number = 0
    while number < len(pattern):
        sign = pattern[number]
        number += 1
        if sign == "*":
            if chunks[-1] or len(chunks) == 1:
                chunks.append("")
        elif sign == "?":
            chunks[-1] += one
        elif sign == "[":
            end, part = _class(pattern, number, negation)
            chunks[-1] += f"(?!{separator}){part}" if separator else part
            number = end
        else:
            if sign == "\\":
                if number == len(pattern):
                    raise _BadPatternError
                sign = pattern[number]
                number += 1
            chunks[-1] += re.escape(sign)
    first, *others = chunks
    if not others:
        return f"{first}\\Z"
    middle = "".join(f"(?>{one}*?{each})" for each in others[:-1])
    return f"{first}{middle}{one}*{others[-1]}\\Z"


def _class(pattern: str, start: int, negation: str) -> tuple[int, str]:
    """The set of characters that begins there, and where it ends."""
    number = start
    negated = pattern[number : number + 1] != "" and pattern[number] in negation
    number += negated
    content = ""
    while True:
        sign = pattern[number : number + 1]
        if sign == "" or (sign == "]" and not content):
            raise _BadPatternError
        if sign == "]":
            break
        if sign == "\\":
            number += 1
            sign = pattern[number : number + 1]
            if sign == "":
                raise _BadPatternError
            content += re.escape(sign)
        else:
            content += sign if sign == "-" and content else re.escape(sign)
        number += 1
    return number + 1, f"[{'^' if negated else ''}{content}]"

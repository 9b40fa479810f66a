"""Ranges of versions, as Helm reads those of `kubeVersion` and of dependencies.

The grammar and the answers are those of `github.com/Masterminds/semver/v3`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_NUMBER = r"(?:0|[1-9][0-9]*)"
_REST = r"(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?"
_VERSION = re.compile(rf"v?({_NUMBER})(?:\.({_NUMBER}))?(?:\.({_NUMBER}))?{_REST}")
_PART = r"([0-9]+|[xX*])"
_ONE = re.compile(
    rf"\s*(=|!=|>|<|>=|=>|<=|=<|~|~>|\^|)\s*(v?{_PART}(?:\.{_PART})?(?:\.{_PART})?{_REST})"
    r"(?:\s*,(?=.)|\s|$)"
)
_HYPHEN = re.compile(r"\s*(\S+)\s+-\s+(\S+)\s*")

_LONGEST = 256


class Version(NamedTuple):
    """A version; one with a pre-release is below the same without."""

    major: int
    minor: int
    patch: int
    pre: str = ""

    @property
    def order(self) -> tuple[object, ...]:
        """What versions are compared by."""
        identifiers = tuple(
            (0, int(each), "") if each.isdigit() else (1, 0, each) for each in self.pre.split(".")
        )
        return (self.major, self.minor, self.patch, not self.pre, identifiers)


class _Constraint(NamedTuple):
    operator: str
    version: Version
    given: int
    """How many of major, minor and patch are stated."""


def parse_version(text: str) -> Version | None:
    """The version that a text states, missing parts 0; None for what is none."""
    match = _VERSION.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if match is None:
        return None
    major, minor, patch, pre = match.groups()
    return Version(int(major), int(minor or 0), int(patch or 0), pre or "")


def satisfies(version: str, ranges: str) -> bool | None:
    """Whether a version is in the ranges; None if either of them cannot be read."""
    read = parse_version(version)
    alternatives = [_all_of(part) for part in ranges[:_LONGEST].split("||")]
    if read is None or any(each is None for each in alternatives):
        return None
    return any(all(_holds(one, read) for one in each or ()) for each in alternatives)


def _all_of(text: str) -> list[_Constraint] | None:
    between = _HYPHEN.fullmatch(text)
    if between is not None:
        text = f">={between[1]} <={between[2]}"
    found: list[_Constraint] = []
    position = 0
    while match := _ONE.match(text, position):
        found.append(_constraint(match))
        position = match.end()
    return found if found and position == len(text) else None


def _constraint(match: re.Match[str]) -> _Constraint:
    operator, _, *parts, pre = match.groups()
    stated: list[int] = []
    for part in parts:
        if part is None or not part.isdigit():
            break
        stated.append(int(part))
    major, minor, patch = (*stated, 0, 0, 0)[:3]
    version = Version(major, minor, patch, (pre or "") if len(stated) == len(parts) else "")
    return _Constraint(operator, version, len(stated))


def _holds(constraint: _Constraint, version: Version) -> bool:
    operator, bound, given = constraint
    if version.pre and not bound.pre:
        # A pre-release is only meant by a range that names one.
        return False
    below = version.order < bound.order
    match operator:
        case "!=":
            return version[:given] != bound[:given] if given < 3 else version != bound
        case ">":
            return version.order > bound.order if given == 3 else version[:given] > bound[:given]
        case "<":
            return below
        case ">=" | "=>":
            return not below
        case "<=" | "=<":
            return version.order <= bound.order if given == 3 else version[:given] <= bound[:given]
        case "^":
            return given > 0 and not below and _same_caret(bound, given, version)
        case "~" | "~>":
            return not below and version[: min(given, 2)] == bound[: min(given, 2)]
        case _:
            return version[:given] == bound[:given] and (given < 3 or version == bound)


def _same_caret(bound: Version, given: int, version: Version) -> bool:
    """Whether all up to the first stated number that is not 0 is the same."""
    numbers = bound[:3]
    fixed = next((at for at in range(given) if numbers[at]), given - 1) + 1
    return version[:fixed] == numbers[:fixed]

"""Whether a wish holds: kept, with the argument; broken, with what shows it; or not known."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Kept(NamedTuple):
    """The wish holds."""

    because: str
    """The argument, as a clause."""


class Broken(NamedTuple):
    """The wish does not hold."""

    because: str
    """What shows it, as a sentence with `OBJECT` for the workload."""


class Doubt(NamedTuple):
    """Whether the wish holds is not known."""

    because: str
    """What is not known, as a clause."""


Answer: TypeAlias = Kept | Broken | Doubt

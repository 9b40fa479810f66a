"""What two revisions have in common: most of both is the same, and found out once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qoslint.finding import Location
    from qoslint.render.kept import Kept
    from qoslint.render.target import Outcome


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """What is known of the revisions that were looked at, whichever of them it was found in.

    The key of an outcome tells all that decides about it.
    """

    whole: dict[str, Outcome] = field(default_factory=dict)
    """What was rendered, by key."""
    kept: dict[str, Kept | None] = field(default_factory=dict)
    """What earlier runs kept of that, by key; None if there is nothing."""
    places: dict[str, dict[str, Location]] = field(default_factory=dict)
    """Where it was written, by key and there by field."""
    numbers: Iterator[int] = field(default_factory=count)
    """They make keys of what is rendered anew each time."""

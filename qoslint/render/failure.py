"""What a user is told of a target that cannot be rendered."""

from __future__ import annotations

from typing import NamedTuple

from qoslint.source.document import Remote


class Spot(NamedTuple):
    """A line of a file."""

    file: str
    line: int


class RenderError(Exception):
    """Why something is not rendered: one sentence without a full stop, and where it stands."""

    def __init__(
        self,
        message: str,
        file: str,
        line: int = 1,
        *,
        remote: Remote | None = None,
        lasting: bool = False,
    ) -> None:
        """`file` is relative to the root; `line` counts from 1.

        `remote` is what is named and the repository does not hold. `lasting` is what an engine says
        of equal inputs each time, unless they ask for the time or for chance.
        """
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.remote = remote
        self.lasting = lasting

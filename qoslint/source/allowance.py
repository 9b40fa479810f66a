"""How much the aliases of a run may expand to.

What they stand for costs as much as if it were written out, and a few kilobytes of them can stand
for hundreds of thousands of values, which each reader bounds for one document only.
"""

from __future__ import annotations

OF_DOCUMENT = 10_000
OF_RUN = 100_000


class Allowance:
    """The values that aliases may still add: one for each character read, and some more.

    A document may add as many as it has characters and 10,000 more; all of a run together as many
    as they have characters and 100,000 more. In real repositories it is one in a hundred.
    """

    __slots__ = ("_left",)

    def __init__(self) -> None:
        """Start with what a run has without any text."""
        self._left = OF_RUN

    def earn(self, text: str) -> None:
        """Count the text of a source that is read."""
        self._left += len(text)

    def share(self, text: str) -> int:
        """How many values the aliases of a document with this text may add."""
        return min(OF_DOCUMENT + len(text), self._left)

    def spend(self, values: int) -> None:
        """Count the values that the aliases of a document added."""
        self._left -= values


def kubernetes_share(nodes: int) -> float:
    """The share of nodes that aliases may add (goyaml.v2/decode.go: allowedAliasRatio)."""
    if nodes <= 1000:
        return 1.0
    if nodes <= 400_000:
        return 0.99
    return max(0.10, 0.99 - 0.89 * (nodes - 400_000) / 3_600_000)

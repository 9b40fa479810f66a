"""Sameness of JSON values, in time that does not grow with what aliases make of them."""

from __future__ import annotations


class Numbering:
    """Gives equal values equal numbers, and different values different ones.

    A list or mapping that many values share, as YAML aliases make them, is looked at once. So the
    values must live as long as the numbering.
    """

    def __init__(self) -> None:
        """Start with no values seen."""
        self._numbers: dict[object, int] = {}
        self._seen: dict[int, int] = {}

    def number(self, value: object) -> int:
        """The number of the value."""
        if not isinstance(value, dict | list):
            # True and 1 are equal to Python, and not to Kubernetes.
            return self._number((type(value), value))
        known = self._seen.get(id(value))
        if known is None:
            known = self._seen[id(value)] = self._number(self._parts(value))
        return known

    def _parts(self, value: dict[str, object] | list[object]) -> object:
        if isinstance(value, dict):
            return frozenset((key, self.number(item)) for key, item in value.items())
        return tuple(self.number(item) for item in value)

    def _number(self, parts: object) -> int:
        return self._numbers.setdefault(parts, len(self._numbers))

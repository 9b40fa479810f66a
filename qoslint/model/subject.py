"""What a check of single objects looks at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from qoslint.kernel.quantity import QuantityError, from_json
from qoslint.kernel.scope import ObjectError
from qoslint.model.objects import KubeObject
from qoslint.model.placeholders import holding
from qoslint.model.quantities import Authored


@dataclass(frozen=True, slots=True, eq=False)
class Stated:
    """An object, whatever cluster it is in, with every entry of its resource lists.

    `errors` says why an object that decides about pods cannot exist.
    """

    object: KubeObject
    quantities: tuple[Authored, ...]
    errors: tuple[ObjectError, ...] = ()

    @property
    def unreadable(self) -> Iterator[Authored]:
        """The entries that are no quantities, placeholders aside."""
        for authored in self.quantities:
            try:
                from_json(authored.value)
            except QuantityError:
                if next(holding(authored.value), None) is None:
                    yield authored

"""Plain keys and values, as the readers of plain style take them: surely, or not at all."""

from __future__ import annotations

import math
from functools import lru_cache
from sys import intern

from qoslint.source.scalars import Scalar, plain


class GiveUpError(ValueError):
    """A text that the events of a parser must decide about."""


@lru_cache(maxsize=4096)
def plain_key(text: str) -> str:
    """The key of a mapping; raise GiveUpError for what is no string, such as `yes`."""
    if not isinstance(plain(text), str):
        raise GiveUpError
    return intern(text)


def plain_value(text: str) -> Scalar:
    """The value of a plain scalar; raise GiveUpError for what JSON cannot hold, such as `.inf`."""
    value = plain(text)
    if type(value) is float and not math.isfinite(value):
        raise GiveUpError
    return value

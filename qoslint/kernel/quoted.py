"""Strings as Go quotes them in messages."""

from __future__ import annotations

import json


def quoted(text: str) -> str:
    """A string as Go's `%q` prints it, for all but unprintable characters beyond ASCII."""
    return json.dumps(text, ensure_ascii=False)

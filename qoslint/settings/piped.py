"""What is piped into a command."""

from __future__ import annotations

import sys

from qoslint.errors import UsageError
from qoslint.source.tree import MAX_FILE_BYTES


def standard_input() -> bytes:
    """All that standard input holds; raise UsageError if that is more than a file may hold."""
    content = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise UsageError(f"standard input is larger than {MAX_FILE_BYTES >> 20} MiB")
    return content

"""What `kubectl` prints of nodes, read from files or from standard input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from qoslint.errors import SettingsError
from qoslint.model.seennodes import SeenNodes, seen_nodes
from qoslint.schema import Json
from qoslint.settings.file import parsed, read_text
from qoslint.settings.piped import standard_input
from qoslint.source.text import NotTextError, decode

_STDIN = "-"


def read_seen_nodes(files: Iterable[str]) -> SeenNodes:
    """The profiles of the nodes in the files; `-` is standard input.

    Raises SettingsError for what cannot be read, SeenNodesError for what describes no nodes.
    """
    return seen_nodes(_documents(files))


def _documents(files: Iterable[str]) -> Iterator[Json]:
    for name in dict.fromkeys(files):
        text = _standard_input() if name == _STDIN else read_text(Path(name), name)
        yield parsed(text, Path(), name, "").data


def _standard_input() -> str:
    try:
        return decode(standard_input())
    except NotTextError as error:
        raise SettingsError(f"standard input is {error.reason}") from error

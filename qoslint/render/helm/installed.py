"""Which Helm there is, told without starting any."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from qoslint.render.programs import told


def identity(renderer: str, root: Path) -> str:
    """What tells the Helm that would be used from others."""
    return f"{renderer}: {_package()}, {told('helm', root)}"


def _package() -> str:
    """What is installed of the SDK, by the names of its metadata; empty where nothing is."""
    found = find_spec("helm_python")
    if found is None or found.origin is None:
        return ""
    folder = Path(found.origin).parent.parent
    return " ".join(sorted(path.name for path in folder.glob("helm_python*-info"))) or found.origin

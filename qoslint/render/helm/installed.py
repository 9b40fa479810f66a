"""Which Helm there is, told without starting any."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from qoslint.render.programs import told


def identity(renderer: str, root: Path) -> str:
    """What tells the Helm that would be used from others."""
    return f"{renderer}: {_package()}, {told('helm', root)}"


def _package() -> str:
    """What is installed of the SDK; empty where nothing is.

    The names of its metadata tell its version. Its library may be gone nevertheless.
    """
    found = find_spec("helm_python")
    if found is None or found.origin is None:
        return ""
    package = Path(found.origin).parent
    names = [path.name for path in package.parent.glob("helm_python*-info")] or [found.origin]
    libraries = [f"{path.name} {path.stat().st_size}" for path in package.glob("lib/*")]
    return " ".join(sorted((*names, *libraries)))

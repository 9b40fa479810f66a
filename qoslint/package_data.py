"""The data that qoslint ships: kinds, rule pages and schemas, in a wheel or in a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
# A wheel holds rules and schemas under `_data`. A checkout has them beside the package; it is
# asked last, because a stray top-level `rules` folder in site-packages must not win.
_PLACES = (_PACKAGE / "data", _PACKAGE / "_data", _PACKAGE.parent)


def data(name: str) -> Path:
    """The folder `kinds`, `rules` or `schemas`."""
    for place in _PLACES:
        if (place / name).is_dir():
            return place / name
    raise FileNotFoundError(f"qoslint was installed without its {name}/ folder")

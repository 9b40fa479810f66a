"""The data that qoslint ships: rule pages and schemas, in a wheel or in a checkout."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def data(name: str) -> Traversable:
    """The folder `rules` or `schemas`.

    A wheel holds them under `qoslint/_data`. A checkout has them beside the package; it is asked
    second, because a stray top-level `rules` folder in site-packages must not win.
    """
    packaged = files("qoslint") / "_data" / name
    if packaged.is_dir():
        return packaged
    checkout = Path(__file__).resolve().parent.parent / name
    if checkout.is_dir():
        return checkout
    raise FileNotFoundError(f"qoslint was installed without its {name}/ folder")

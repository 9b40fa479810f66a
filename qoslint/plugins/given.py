"""What one plugin gives: the answers to the hooks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from qoslint.engine.page import RulePack
from qoslint.schema import Json

GROUP = "qoslint"
"""The group of entry points that name plugins."""


class Given(NamedTuple):
    """The answers of one plugin; a hook is named as its field, behind `qoslint_`."""

    plugin: str
    """How messages name the plugin."""
    rule_packs: tuple[RulePack, ...] = ()
    workload_kinds: tuple[Json, ...] = ()
    node_profiles: tuple[Json, ...] = ()
    injectors: tuple[Json, ...] = ()
    reporters: Mapping[str, str] = MappingProxyType({})


HOOKS = Given._fields[1:]

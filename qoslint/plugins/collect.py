"""From what each plugin gives to what a run has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from qoslint.engine.page import RulePack
from qoslint.errors import PluginError
from qoslint.model.kinds import Kinds, known_kinds, workload_kinds
from qoslint.plugins.given import Given
from qoslint.schema import Json

_T = TypeVar("_T")


class Plugins(NamedTuple):
    """What there is in a run, of all plugins together, the built-in one included."""

    rule_packs: tuple[RulePack, ...]
    kinds: Kinds
    node_profiles: Mapping[str, Json]
    """By the name that settings use."""
    injectors: tuple[Json, ...]
    """Profiles; one counts instead of the shipped one of its name."""
    formats: Mapping[str, str]
    """By name, the dotted name of the function that reports in it."""


def collect(given: Sequence[Given]) -> Plugins:
    """Put together what the plugins give, the built-in one first.

    Raises PluginError for a name that two of them give; only a shipped kind may be given anew.
    """
    _by_name("the kind", _kinds(given[1:]))
    profiles = ((each.plugin, item["name"], item) for each in given for item in each.node_profiles)
    injectors = ((each.plugin, item["name"], item) for each in given for item in each.injectors)
    formats = ((each.plugin, *item) for each in given for item in each.reporters.items())
    return Plugins(
        rule_packs=tuple(pack for each in given for pack in each.rule_packs),
        kinds=known_kinds(table for each in given for table in each.workload_kinds),
        node_profiles=_by_name("the node profile", profiles),
        injectors=tuple(_by_name("the injector", injectors).values()),
        formats=_by_name("the format", formats),
    )


def _kinds(given: Iterable[Given]) -> Iterator[tuple[str, str, None]]:
    for each in given:
        for table in each.workload_kinds:
            for kind in workload_kinds(table):
                yield each.plugin, f"{kind.kind}.{kind.group}", None


def _by_name(what: str, named: Iterable[tuple[str, str, _T]]) -> Mapping[str, _T]:
    owners: dict[str, str] = {}
    found: dict[str, _T] = {}
    for plugin, name, value in named:
        if name in found:
            raise PluginError(f"{owners[name]} and {plugin} both give {what} {name!r}")
        owners[name], found[name] = plugin, value
    return MappingProxyType(found)

"""The hooks of a plugin: functions that return data, all of them optional.

A plugin is a module that an entry point of the group `qoslint` names. It marks the hooks that it
implements with `hookimpl`. It is asked once, at the start of a run, and whatever is wrong with it
ends the run by its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pluggy

from qoslint.engine.page import RulePack

__all__ = ["RulePack", "hookimpl"]

hookimpl = pluggy.HookimplMarker("qoslint")
# Of a hookspec pluggy reads the name and the arguments; its body never runs.
hookspec = pluggy.HookspecMarker("qoslint")


@hookspec
def qoslint_rule_packs() -> Iterable[RulePack]:
    """Rule packs: folders of rule pages, each with the package of their checks."""
    raise NotImplementedError


@hookspec
def qoslint_workload_kinds() -> Iterable[Mapping[str, Any]]:
    """Tables of kinds that make pods, as `schemas/kinds.schema.json` describes them.

    An entry counts instead of the shipped one of its kind.
    """
    raise NotImplementedError


@hookspec
def qoslint_node_profiles() -> Iterable[Mapping[str, Any]]:
    """Node profiles that settings may name, as `schemas/node-profile.schema.json` describes them.

    They have no `kubeletConfig`, for no file of a plugin is in the repository. One counts
    instead of the shipped one of its name.
    """
    raise NotImplementedError


@hookspec
def qoslint_injectors() -> Iterable[Mapping[str, Any]]:
    """Profiles of what adds containers to pods, as `schemas/injector.schema.json` describes them.

    Settings name them under `injectors`; one counts instead of the shipped one of its name.
    """
    raise NotImplementedError


@hookspec
def qoslint_reporters() -> Mapping[str, str]:
    """By the name of a format, the dotted name of a `qoslint.report.Reporter`.

    Its module is imported only when somebody asks for the format.
    """
    raise NotImplementedError

"""Asking a plugin for what it gives, by pluggy."""

from __future__ import annotations

from collections.abc import Mapping

import pluggy

from qoslint.errors import PluginError, nearest
from qoslint.plugins import hooks
from qoslint.plugins.given import GROUP, HOOKS, Given
from qoslint.schema import Json


def ask(plugin: object, name: str) -> Given:
    """The answers of one plugin, not yet validated.

    Each plugin has a manager of its own: whatever goes wrong has its name. Raises PluginError.
    """
    manager = pluggy.PluginManager(GROUP)
    manager.add_hookspecs(hooks)
    try:
        manager.register(plugin, name)
    except pluggy.PluginValidationError as error:
        raise PluginError(" ".join(str(error).split())) from error
    implemented = manager.get_hookcallers(plugin) or ()
    if not implemented:
        raise PluginError("it implements no hook; each needs qoslint.plugins.hooks.hookimpl")
    for hook in implemented:
        if not hook.has_spec():
            known = [f"{GROUP}_{each}" for each in HOOKS]
            raise PluginError(f"there is no hook {hook.name!r}{nearest(hook.name, known)}")
    return Given(name, **{each: _answer(manager, f"{GROUP}_{each}") for each in HOOKS})


def _answer(manager: pluggy.PluginManager, hook: str) -> Json:
    """What the plugin answers to one hook: a mapping, or a tuple of what it iterates over."""
    answers: list[Json] = getattr(manager.hook, hook)()
    if hook == f"{GROUP}_reporters":
        return answers[0] if answers else {}
    if answers and isinstance(answers[0], Mapping | str | hooks.RulePack):
        raise PluginError(f"{hook} must return several, not {type(answers[0]).__name__}")
    return tuple(answers[0]) if answers else ()

"""The plugins of a run: the built-in one, and those that are installed beside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from qoslint.errors import PluginError
from qoslint.plugins import builtin
from qoslint.plugins.collect import Plugins, collect
from qoslint.plugins.given import GROUP, Given
from qoslint.plugins.scan import plugin_folders

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def shipped() -> Plugins:
    """What qoslint has without any plugin."""
    return collect([builtin.given()])


def installed() -> Plugins:
    """What qoslint has, and what every installed plugin adds.

    Raises PluginError, which names the plugin, for the first one that cannot be used.
    """
    return collect([builtin.given(), *_given_by_others()])


def _given_by_others() -> Iterator[Given]:
    """What each installed plugin gives, valid on its own, by the names of their distributions."""
    for folder in plugin_folders():
        from importlib.metadata import Distribution

        distribution = Distribution.at(folder)
        name = f"{distribution.metadata['Name']} {distribution.version}"
        for entry in distribution.entry_points.select(group=GROUP):
            yield _given(entry, name)


def _given(entry: EntryPoint, name: str) -> Given:
    """Raise PluginError for whatever a plugin may do wrong: it has no other way to end a run."""
    from qoslint.plugins.ask import ask
    from qoslint.plugins.validate import validated

    try:
        return validated(ask(entry.load(), name))
    except PluginError as error:
        raise PluginError(f"plugin {name}: {error}") from error
    except (Exception, SystemExit) as error:
        raise PluginError(
            f"plugin {name} ({entry.value}) cannot be loaded: {type(error).__name__}: {error}"
        ) from error

"""The plugins of a run: the built-in one, and those that are installed beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from qoslint.errors import PluginError
from qoslint.plugins import builtin
from qoslint.plugins.collect import Plugins, collect
from qoslint.plugins.given import GROUP, Given
from qoslint.plugins.scan import plugin_folders


def shipped() -> Plugins:
    """What qoslint has without any plugin."""
    return collect([builtin.given()])


def installed() -> Plugins:
    """What qoslint has, and what every installed plugin adds, by the names of their distributions.

    Raises PluginError, which names the plugin, for the first one that cannot be used.
    """
    others = (given for folder in plugin_folders() for given in _given_by(folder))
    return collect([builtin.given(), *others])


def examined() -> Iterator[tuple[str, str]]:
    """Every installed plugin by name and version, and why it cannot be used; empty if it can."""
    for folder in plugin_folders():
        try:
            _given_by(folder)
        except PluginError as error:
            yield _name(folder), str(error)
        else:
            yield _name(folder), ""


def _name(folder: Path) -> str:
    return folder.stem.replace("-", " ", 1)


def _given_by(folder: Path) -> list[Given]:
    """What the plugins of a distribution give, each valid on its own.

    Nothing that they do may end the run in another way than by a PluginError.
    """
    from importlib.metadata import Distribution

    from qoslint.plugins.ask import ask
    from qoslint.plugins.validate import validated

    name = _name(folder)
    try:
        entries = Distribution.at(folder).entry_points.select(group=GROUP)
        return [validated(ask(entry.load(), name)) for entry in entries]
    except PluginError as error:
        raise PluginError(f"plugin {name}: {error}") from error
    except (Exception, SystemExit) as error:
        raise PluginError(
            f"plugin {name} cannot be loaded: {type(error).__name__}: {error}"
        ) from error

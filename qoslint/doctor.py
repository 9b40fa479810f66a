"""What a run would work with on this machine: engines, settings, plugins and versions."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from pathlib import Path

from qoslint import __version__
from qoslint.errors import PluginError, SettingsError
from qoslint.kernel.features import CHECKED, DEFAULT, SUPPORTED
from qoslint.plugins.load import examined, installed
from qoslint.render.renderspec import Renderer
from qoslint.render.survey import programs, uses
from qoslint.schema import Json
from qoslint.settings.load import find, load
from qoslint.settings.settings import Settings

SCHEMA_VERSION = 1


def doctor(
    paths: Sequence[str],
    config: str | None,
    renderer: Renderer | None,
    cache_folder: Callable[[Path], Path | None],
) -> Json:
    """What there is, as one document; `schemas/doctor.schema.json` describes it.

    `cache_folder` tells where a run in a root keeps its renders. What is wrong with settings or
    plugins is part of the document. Raises UsageError for a path that does not exist, and for a
    cache folder that may not be used.
    """
    settings = _settings(paths, config)
    root, kubernetes, wanted = Path.cwd(), str(DEFAULT), renderer or "auto"
    if isinstance(settings, Settings):
        root, kubernetes = settings.root, settings.rendering.kubernetes(".")
        wanted = renderer or settings.rendering.renderer
    cache = cache_folder(root)
    used = [use._asdict() for use in uses(wanted, root, kubernetes)]
    return {
        "schemaVersion": SCHEMA_VERSION,
        "version": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": platform.platform(),
        "renderer": wanted,
        "engines": used,
        "cache": None if cache is None else str(cache),
        "programs": [program._asdict() for program in programs(root)],
        "kubernetes": {
            "supported": list(map(str, SUPPORTED)),
            "checked": list(map(str, CHECKED)),
            "default": str(DEFAULT),
        },
        "root": str(root),
        "settings": _settings_file(settings),
        "plugins": [{"name": name, "problem": problem} for name, problem in examined()],
    }


def is_able(document: Json) -> bool:
    """Whether a run could do its job: something renders, and nothing ends it at once."""
    return any(not use["problem"] for use in document["engines"]) and not any(
        each["problem"] for each in (document["settings"], *document["plugins"])
    )


def _settings(paths: Sequence[str], config: str | None) -> Settings | SettingsError | PluginError:
    try:
        return load(find(paths, config), installed())
    except (SettingsError, PluginError) as error:
        return error


def _settings_file(settings: Settings | SettingsError | PluginError) -> Json:
    if isinstance(settings, Settings):
        return {"file": settings.file.name if settings.file else None, "problem": ""}
    return {"file": None, "problem": str(settings)}

"""The injectors that settings list: by name, or with a profile of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from qoslint.errors import nearest
from qoslint.model.injector import Injector, InjectorError, read_injector
from qoslint.settings.file import SettingsFile
from qoslint.span import Path

InjectorsAt = Callable[[Path], tuple[Injector, ...]]
"""The injectors of the `injectors` list at a path."""


def injector_reader(file: SettingsFile, known: Callable[[], Mapping[str, Injector]]) -> InjectorsAt:
    """What reads lists of injectors; each list is read once.

    It raises SettingsError, at its line, for an injector that cannot be used.
    """

    @cache
    def injectors_at(path: Path) -> tuple[Injector, ...]:
        return tuple(_distinct(file, path, injectors(path)))

    def injectors(path: Path) -> Iterator[Injector]:
        for index, entry in enumerate(file.value(path)):
            at = (*path, index)
            if isinstance(entry, dict):
                yield _own(file, at)
            elif entry in known():
                yield known()[entry]
            else:
                hint = nearest(entry, known())
                raise file.wrong(at, f"names the injector {entry!r}, which is not known{hint}")

    return injectors_at


def _own(file: SettingsFile, at: Path) -> Injector:
    try:
        return read_injector(file.value(at))
    except InjectorError as error:
        raise file.wrong((*at, *error.path), error.message) from error


def _distinct(file: SettingsFile, path: Path, injectors: Iterator[Injector]) -> Iterator[Injector]:
    names: set[str] = set()
    for index, injector in enumerate(injectors):
        if injector.name in names:
            raise file.wrong((*path, index), f"is a second injector named {injector.name!r}")
        names.add(injector.name)
        yield injector

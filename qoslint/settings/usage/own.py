"""qoslint's own usage file: by namespace, kind and name, as `schemas/usage.schema.json` says."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import ObjectId, Place
from qoslint.model.measured.record import MeasuredUsage, Resource
from qoslint.settings.file import SettingsFile, check_bytes, check_values
from qoslint.settings.usage.amounts import AmountError, amount
from qoslint.span import Path


def read(file: SettingsFile) -> Iterator[MeasuredUsage]:
    """What the file states; raise SettingsError, at its line, for what is wrong."""
    check_bytes(file.name, file.text)
    check_values(file.name, file.data)
    file.check("usage")
    for key, pod in file.data["usage"].items():
        path: Path = ("usage", key)
        yield from _amounts(file, path, key, None)
        for container in pod.get("containers", ()):
            yield from _amounts(file, (*path, "containers", container), key, container)


def _amounts(
    file: SettingsFile, path: Path, key: str, container: str | None
) -> Iterator[MeasuredUsage]:
    namespace, kind, name = key.split("/")
    stated = file.value(path)
    for resource in Resource:
        if resource not in stated:
            continue
        at = (*path, resource.value)
        value = stated[resource]
        if isinstance(value, dict):
            lo = _amount(file, (*at, "min"), resource) if "min" in value else 0
            hi = _amount(file, (*at, "max"), resource) if "max" in value else None
        else:
            lo = hi = _amount(file, at, resource)
        if hi is not None and lo > hi:
            message = f"has a min of {value['min']!r}, which is above its max of {value['max']!r}"
            raise file.wrong(at, message)
        place = Place(ObjectId(file.name, 0, ()), at)
        yield MeasuredUsage(namespace, kind, name, container, resource, lo, hi, place)


def _amount(file: SettingsFile, path: Path, resource: Resource) -> int:
    try:
        return amount(file.value(path), resource)
    except AmountError as error:
        raise file.wrong(path, str(error)) from error

"""From a path in a built object to the same field in a document that it was built from."""

from __future__ import annotations

from qoslint.span import Path

# What tells the items of lists apart when they are merged, most telling first.
_ITEM_KEYS = ("name", "containerPort", "mountPath", "devicePath", "port", "key")


def translated(built: object, path: Path, authored: object) -> Path:
    """As much of the path as the authored value has, with the indexes that it has there.

    Items of lists are found by their names; without names, by their place.
    """
    found: list[str | int] = []
    for step in path:
        if isinstance(built, dict) and isinstance(authored, dict) and isinstance(step, str):
            if step not in authored:
                break
            built, authored = built.get(step), authored[step]
            found.append(step)
        elif isinstance(built, list) and isinstance(authored, list) and isinstance(step, int):
            index = _index(built, step, authored)
            if index is None:
                break
            built, authored = built[step], authored[index]
            found.append(index)
        else:
            break
    return tuple(found)


def item_name(item: object) -> object:
    """What tells an item of a list from others, None if nothing does."""
    if not isinstance(item, dict):
        return None
    return next(((key, item[key]) for key in _ITEM_KEYS if key in item), None)


def _index(built: list[object], step: int, authored: list[object]) -> int | None:
    if step >= len(built):
        return None
    name = item_name(built[step])
    if name is not None:
        same = (index for index, item in enumerate(authored) if item_name(item) == name)
        return next(same, None)
    if built[step] in authored:
        return authored.index(built[step])
    return step if step < len(authored) else None

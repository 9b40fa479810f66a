"""Values that nobody writes, put at the keys that may drive a field, to see where they arrive."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from qoslint.kernel import quantity
from qoslint.render.helm.prepare import Prepared
from qoslint.render.helm.tree import Node
from qoslint.render.helm.values import Values, over
from qoslint.span import Path, value_at

MOST_KEYS = 200
_FIRST_NUMBER = 70_001
_KINDS = ("limits", "requests")
_UNITS = {"cpu": "m", "memory": "Ki", "ephemeral-storage": "Ki"}
_REFERENCES = re.compile(
    r"\.Values((?:\.\w+)+)|index\s+(?:\$|\.)?\.?Values((?:\s+\"[^\"]+\")+)\)?((?:\.\w+)*)"
)
_RELATIVE = re.compile(r"(?<![\w)])(?:\$\w+)?\.((?:\w+\.)*\w*[rR]esources)\b")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_SIZE = re.compile(r"cpu|memory|storage|limit|request|heap|size", re.IGNORECASE)


class Leaf(NamedTuple):
    """One value to put at a key; `token` is what of it can be found again."""

    key: Path
    value: object
    token: str
    before: object


class Candidate(NamedTuple):
    """A key that may drive fields: a mapping of resources with its leaves, or a single value."""

    key: Path
    leaves: tuple[Leaf, ...]
    exists: bool


class _Numbers:
    """Gives each leaf a number of its own."""

    def __init__(self) -> None:
        self._next = itertools.count(_FIRST_NUMBER)

    def leaf(self, key: Path, before: object, name: str) -> Leaf | None:
        """A value as like the one before as can be; None where none is known."""
        token = str(next(self._next))
        value: object
        if isinstance(before, bool):
            return None
        if isinstance(before, int | float):
            value = int(token)
        elif isinstance(before, str) and _NUMBER.search(before):
            value = _NUMBER.sub(token, before, count=1)
        elif isinstance(before, str) and before:
            value = f"{before}-{token}"
        else:
            value = f"{token}{_UNITS.get(name, '')}"
        return Leaf(key, value, token, before)


def candidates(
    prepared: Prepared, merged: Values, wanted: Iterable[tuple[Path, object]]
) -> list[Candidate]:
    """The keys that may drive the wanted fields, given with the values that they have now."""
    numbers = _Numbers()
    wanted = list(wanted)
    found: dict[Path, Candidate] = {}
    absent = list(itertools.islice(_absent(prepared.tree, merged, ()), MOST_KEYS))
    for key, value in itertools.islice(_resources(merged, ()), MOST_KEYS):
        found[key] = _mapping(key, value, numbers)
    for key in absent:
        if str(key[-1]).lower().endswith("resources"):
            found.setdefault(key, _mapping(key, None, numbers))
    scalars = [value for _, value in wanted if not isinstance(value, dict | list)]
    shown = {_shown(value) for value in scalars} - {""}
    texts = {str(value) for value in scalars if _NUMBER.search(str(value))}
    names = {str(path[-1]).lower() for path, _ in wanted if path}
    for key, value in _scalars(merged, ()):
        if key not in found and not any(key[:end] in found for end in range(len(key))):
            for leaf in _leaf(key, value, shown, texts, numbers):
                found[key] = Candidate(key, (leaf,), exists=True)
    for key in absent:
        name = str(key[-1])
        if name.lower() in names or _SIZE.search(name):
            single = numbers.leaf(key, None, name)
            if single is not None and key not in found:
                found[key] = Candidate(key, (single,), exists=False)
    return list(found.values())[:MOST_KEYS]


def unset(prepared: Prepared, merged: Values, stated: Iterable[Candidate]) -> list[Candidate]:
    """Mappings of resources that nothing states, below any mapping that templates may be given.

    A template that says `.resources` within `with` or `range` does not tell where that stands.
    """
    numbers = _Numbers()
    names = sorted(tuple(name.split(".")) for name in _relative(prepared.tree))
    known = {each.key for each in stated}
    found = (
        _mapping((*key, *name), None, numbers)
        for key, value in _mappings(merged, ())
        if not any(key[:end] in known for end in range(len(key) + 1))
        for name in names
        if name[0] not in value and (*key, *name) not in known
    )
    return list(itertools.islice(found, MOST_KEYS))


def put(given: Values, merged: Values, leaves: Iterable[Leaf]) -> Values:
    """What the release is given, with the values of the leaves at their keys."""
    sparse: object = {}
    for leaf in leaves:
        sparse = _with(sparse, merged, leaf.key, leaf.value)
    assert isinstance(sparse, dict), "the first step of a key is a name"
    return over(given, sparse)


def _with(sparse: object, merged: object, key: Path, value: object) -> object:
    """The same with a key set; a list on the way is taken whole, since lists are not merged."""
    if not key:
        return value
    step, rest = key[0], key[1:]
    if isinstance(step, int) and not isinstance(sparse, list):
        sparse = merged
    inner = _with(value_at(sparse, (step,)), value_at(merged, (step,)), rest, value)
    if isinstance(step, int):
        assert isinstance(sparse, list), "keys lead through what the values hold"
        return [*sparse[:step], inner, *sparse[step + 1 :]]
    return {**(sparse if isinstance(sparse, dict) else {}), step: inner}


def _mapping(key: Path, value: object, numbers: _Numbers) -> Candidate:
    leaves = []
    for kind in _KINDS:
        stated = value_at(value, (kind,))
        given: Mapping[str, object] = stated if isinstance(stated, dict) else {}
        for name in dict.fromkeys([*given, *_UNITS]):
            leaf = numbers.leaf((*key, kind, name), given.get(name), name)
            if leaf is not None:
                leaves.append(leaf)
    return Candidate(key, tuple(leaves), exists=value is not None)


def _resources(value: object, path: Path) -> Iterator[tuple[Path, object]]:
    """The mappings of resources, by their name or by what they hold."""
    if isinstance(value, dict):
        named = path and str(path[-1]).lower().endswith("resources")
        if _states(value) or (named and not any(map(_states, value.values()))):
            yield path, value
            return
    for key, inner in _children(value):
        if inner is None and isinstance(key, str) and key.lower().endswith("resources"):
            yield (*path, key), None
        yield from _resources(inner, (*path, key))


def _states(value: object) -> bool:
    return isinstance(value, dict) and any(isinstance(value.get(kind), dict) for kind in _KINDS)


def _mappings(value: object, path: Path) -> Iterator[tuple[Path, Mapping[str, object]]]:
    if isinstance(value, dict) and path:
        yield path, value
    for key, inner in _children(value):
        yield from _mappings(inner, (*path, key))


def _scalars(value: object, path: Path) -> Iterator[tuple[Path, object]]:
    if not isinstance(value, dict | list) and path:
        yield path, value
    for key, inner in _children(value):
        yield from _scalars(inner, (*path, key))


def _children(value: object) -> Iterable[tuple[str | int, object]]:
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


def _leaf(
    key: Path, value: object, shown: set[str], texts: set[str], numbers: _Numbers
) -> Iterator[Leaf]:
    """A leaf where a value may be what a field shows, be it within a text that is YAML itself."""
    if isinstance(value, str) and "\n" in value:
        for text in sorted(texts):
            if re.search(rf"(?<!\w){re.escape(text)}(?!\w)", value):
                inner = numbers.leaf(key, text, "")
                if inner is not None:
                    yield inner._replace(value=value.replace(text, str(inner.value)), before=text)
                return
    elif _shown(value) in shown:
        leaf = numbers.leaf(key, value, str(key[-1]))
        if leaf is not None:
            yield leaf


def _shown(value: object) -> str:
    """A scalar so that `1Gi`, `1024Mi` and what a template makes of it are one text."""
    if value is None or isinstance(value, bool):
        return ""
    try:
        return str(quantity.parse(str(value)).nanos)
    except ValueError:
        return str(value)


def _absent(node: Node, merged: object, path: Path) -> Iterator[Path]:
    """The keys that templates name and nothing states."""
    seen: dict[tuple[str, ...], None] = {}
    for text in _templates(node):
        for dotted, indexed, more in _REFERENCES.findall(text):
            steps = (*re.findall(r'"([^"]+)"', indexed), *(dotted + more).strip(".").split("."))
            seen[tuple(step for step in steps if step)] = None
    for key in seen:
        if key and _is_absent(merged, key):
            yield (*path, *key)
    for subchart in node.subcharts:
        yield from _absent(subchart, value_at(merged, (subchart.name,)), (*path, subchart.name))


def _is_absent(value: object, key: Sequence[str]) -> bool:
    """Whether nothing stands at a key, but a mapping or nothing above it."""
    for step in key:
        if value is None:
            return True
        if not isinstance(value, dict):
            return False
        value = value.get(step)
    return value is None


def _relative(node: Node) -> set[str]:
    found = {name for text in _templates(node) for name in _RELATIVE.findall(text)}
    return {each for each in found if not each.startswith("Values.")}.union(
        *map(_relative, node.subcharts)
    )


def _templates(node: Node) -> Iterator[str]:
    for name, content in node.files.items():
        if name.startswith("templates/") and name.endswith((".yaml", ".yml", ".tpl")):
            yield content.decode(errors="replace")

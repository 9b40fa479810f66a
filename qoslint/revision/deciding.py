"""Which files can decide about pods, told from their names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from qoslint.render.kustomization import NAMES

_SUFFIXES = (
    *(".yaml", ".yml", ".json", ".toml", ".tpl", ".tgz", ".lock"),
    *(".env", ".properties", ".conf", ".ini", ".sh", ".txt"),
)
"""What manifests, charts, kustomizations, settings, usages and configurations of nodes end in."""
_RENDERED = NAMES | {"Chart.yaml"}


def rendered_folders(every: Iterable[str]) -> frozenset[str]:
    """The folders of charts and kustomizations; the top one is the empty text."""
    split = (name.rpartition("/") for name in every)
    return frozenset(folder for folder, _, name in split if name in _RENDERED)


def deciding(names: Iterable[str], every: Iterable[str]) -> tuple[str, ...]:
    """Those of the files that can decide about pods: manifests, and what goes into renders.

    All that lies beside or below a chart or kustomization, which are among `every` file, can be an
    input of it, whatever its name.
    """
    rendered = rendered_folders(every)
    return tuple(
        name
        for name in names
        if name.lower().endswith(_SUFFIXES) or not rendered.isdisjoint(_folders(name))
    )


def readable(paths: Collection[str]) -> Collection[str]:
    """Those that a run may read: any file where something is rendered, which may name it."""
    return paths if rendered_folders(paths) else deciding(paths, ())


def _folders(name: str) -> Iterator[str]:
    while name:
        name = name.rpartition("/")[0]
        yield name

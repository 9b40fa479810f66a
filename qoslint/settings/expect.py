"""The expectations that settings state, in the terms of the model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from qoslint.errors import nearest
from qoslint.model.clusterspec import ClusterSpec
from qoslint.model.expect.annotations import comparison
from qoslint.model.expect.intent import (
    Expected,
    Fits,
    Intent,
    KilledAfter,
    OfClass,
    Outlives,
    Protected,
    Wish,
)
from qoslint.model.podselector import pod_selector
from qoslint.settings.file import SettingsFile
from qoslint.span import Path, field_path


def expected(file: SettingsFile, clusters: Iterable[ClusterSpec]) -> tuple[Expected, ...]:
    """What settings that are valid by their schema expect of the pods of any cluster.

    Raises SettingsError, at its line, for a node profile that no cluster has.
    """
    nodes = {node.name for spec in clusters for node in spec.nodes}
    return tuple(
        Expected(
            pod_selector(entry["pods"]),
            tuple(
                Intent(wish, None, f"{field_path(at)} of {file.name}")
                for wish in _wishes(file, at, nodes)
            ),
        )
        for index, entry in enumerate(file.data.get("expect", ()))
        for at in [("expect", index)]
    )


def _wishes(file: SettingsFile, at: Path, nodes: set[str]) -> Iterator[Wish]:
    entry = file.value(at)
    if "signals" in entry and "outlives" not in entry:
        raise file.wrong((*at, "signals"), "has no meaning without outlives")
    if "qos" in entry:
        yield OfClass(entry["qos"])
    if "priority" in entry:
        try:
            yield comparison(entry["priority"])
        except ValueError as error:
            raise file.wrong((*at, "priority"), str(error)) from error
    for index, name in enumerate(entry.get("fits", ())):
        if name not in nodes:
            other = nearest(name, nodes) or "; list it in nodes"
            path = (*at, "fits", index)
            raise file.wrong(path, f"names the node profile {name!r}, which is unknown{other}")
    if "fits" in entry:
        yield Fits(tuple(entry["fits"]))
    if "outlives" in entry:
        resources = tuple(entry.get("signals", Outlives._field_defaults["resources"]))
        yield Outlives(pod_selector(entry["outlives"]), resources)
    if "killedAfter" in entry:
        yield KilledAfter(pod_selector(entry["killedAfter"]))
    if entry.get("protected"):
        yield Protected()

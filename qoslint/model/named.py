"""Workloads by the names that people give them on a command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from qoslint.errors import UsageError, closest
from qoslint.model.effective import Admitted
from qoslint.model.judged import JudgedCluster
from qoslint.model.objects import shortened

_SHOWN = 10


def named(
    name: str, clusters: Iterable[JudgedCluster]
) -> tuple[tuple[Admitted, JudgedCluster], ...]:
    """Each pod template of the one workload of that name, with its cluster.

    `api`, `shop/api`, `Deployment/api`, `Deployment/shop/api` and `shop/Deployment/api` all mean
    the same; the kind may be in any case. A workload of several clusters or templates is found
    several times. Raises UsageError if there is none, or if the name means several workloads.
    """
    every = [(item, cluster) for cluster in clusters for item in cluster.admitted]
    found = [(item, cluster) for item, cluster in every if _means(name, item)]
    full = list(dict.fromkeys(full_name(item) for item, _ in found))
    if len(full) > 1:
        raise UsageError(f"{name!r} means {len(full)} workloads: {_listed(full)}")
    if not found:
        raise UsageError(f"there is no workload {name!r}{_hint(name, [item for item, _ in every])}")
    return tuple(found)


def full_name(admitted: Admitted) -> str:
    """The name that means this workload alone: `Deployment/shop/api`."""
    thing = admitted.workload.object
    return shortened(f"{thing.kind}/{admitted.namespace}/{thing.name}")


def _means(name: str, admitted: Admitted) -> bool:
    thing = admitted.workload.object
    *where, last = name.replace(" ", "/").split("/")
    if last != thing.name:
        return False
    kind = thing.kind.lower()
    match where:
        case []:
            return True
        case [one]:
            return one == admitted.namespace or one.lower() == kind
        case [one, two]:
            return (one.lower(), two) == (kind, admitted.namespace) or (
                one == admitted.namespace and two.lower() == kind
            )
    return False


def _hint(name: str, every: Iterable[Admitted]) -> str:
    """Which workload is most likely meant, if any is like it."""
    names: dict[str, str] = {}
    for admitted in every:
        for alias in _aliases(admitted):
            names.setdefault(alias, full_name(admitted))
    close = closest(name, names)
    return "" if close is None else f", did you mean {names[close]!r}?"


def _aliases(admitted: Admitted) -> Iterator[str]:
    thing = admitted.workload.object
    yield thing.name
    yield f"{admitted.namespace}/{thing.name}"
    yield f"{thing.kind}/{thing.name}"
    yield f"{thing.kind}/{admitted.namespace}/{thing.name}"


def _listed(names: list[str]) -> str:
    more = len(names) - _SHOWN
    rest = f" and {more} more" if more > 0 else ""
    return f"{', '.join(names[:_SHOWN])}{rest}"

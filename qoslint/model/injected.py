"""Injected containers that take a pod out of the class that it has without them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from qoslint.kernel.guaranteed import Obstacle, obstacles
from qoslint.kernel.pod import Container
from qoslint.kernel.qos import QOSClass
from qoslint.model.effective import Admitted, Effective, without_injectors
from qoslint.model.injection import Acting


class Breaking(NamedTuple):
    """An injected container that keeps the pod from being Guaranteed.

    `annotations` are those that would set what is missing or unequal, and `unset` is what of it no
    annotation sets: resources by name.
    """

    acting: Acting
    container: Container
    obstacles: tuple[Obstacle, ...]
    annotations: tuple[str, ...]
    unset: tuple[str, ...]


def breaking(admitted: Admitted) -> tuple[Breaking, ...]:
    """The injected containers that alone make a pod Burstable which is Guaranteed without them."""
    effective = admitted.effective
    if effective is None or not effective.injection.acting:
        return ()
    if effective.classes != (QOSClass.BURSTABLE,):
        return ()
    bare = {each.qos for each in without_injectors(effective) if each.admitted is not False}
    return tuple(_breaking(effective)) if bare == {QOSClass.GUARANTEED} else ()


def _breaking(effective: Effective) -> Iterator[Breaking]:
    acting = {each.injector.name: each for each in effective.injection.acting}
    found = obstacles(effective.pod, effective.given.scope.features)
    for path, group in groupby(found, key=lambda obstacle: obstacle.path):
        mine = tuple(group)
        origin = effective.shown.origin(path)
        container = mine[0].container
        if container is not None and origin is not None and origin.by in acting:
            yield _described(acting[origin.by], container, mine)


def _described(acting: Acting, container: Container, mine: tuple[Obstacle, ...]) -> Breaking:
    profiles = [each for each in acting.injector.containers if each.name == container.name]
    keys: dict[str, None] = {}
    unset = []
    for obstacle in mine:
        fields = (("requests", obstacle.resource), ("limits", obstacle.resource))
        own = [key for each in profiles for field in fields if (key := each.annotation(field))]
        keys.update(dict.fromkeys(own))
        if not own:
            unset.append(obstacle.resource)
    return Breaking(acting, container, mine, tuple(keys), tuple(unset))

"""The PriorityClasses of a cluster beside the objects that state them, and who uses each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from qoslint.finding import Place
from qoslint.kernel.priority import BUILT_IN, PriorityClass, default_classes
from qoslint.model.cluster import Cluster
from qoslint.model.objects import KubeObject
from qoslint.model.scopes import NamespaceScope


class StatedClass(NamedTuple):
    """A valid PriorityClass and the object that states it."""

    record: PriorityClass
    object: KubeObject


def stated_classes(cluster: Cluster) -> tuple[StatedClass, ...]:
    """The cluster's own classes, of its context too; the built-in ones need no object."""
    given = cluster.cluster_wide
    return tuple(map(StatedClass, given.scope.priority_classes, given.priority_classes))


def known_classes(given: NamespaceScope) -> tuple[str, ...]:
    """The names of all classes that a pod can name."""
    return (*BUILT_IN, *(item.name for item in given.priority_classes))


@lru_cache(maxsize=16)
def default_priority(given: NamespaceScope) -> int:
    """The priority of a pod that names no class (`admission.go getDefaultPriority`)."""
    classes = given.scope.priority_classes
    return next((classes[index].value for index in default_classes(classes)), 0)


def class_places(cluster: Cluster) -> Mapping[str, Place]:
    """The value of each class, by name, that findings may be about; not of those in the context."""
    checked = frozenset(cluster.objects)
    return {
        each.record.name: each.object.at(("value",))
        for each in stated_classes(cluster)
        if each.object in checked
    }

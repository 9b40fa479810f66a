"""Members of a cluster: of several definitions of one object, which the cluster has."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from qoslint.finding import Notice
from qoslint.model.clusterspec import ClusterSpec
from qoslint.model.inventory import Inventory, Item, Key
from qoslint.model.objects import KubeObject
from qoslint.source.paths import Paths
from qoslint.source.tree import STDIN

_SHOWN = 3


class Members(NamedTuple):
    """What is in one cluster: items whose workloads are judged, and items that decide about pods.

    `context` decides too, and is not itself checked.
    """

    name: str
    judged: tuple[Item, ...]
    deciding: tuple[Item, ...]
    context: tuple[Item, ...] = ()
    notices: tuple[Notice, ...] = ()
    contradictory: tuple[tuple[Item, ...], ...] = ()
    """The different definitions of each object that decides about pods and has several here."""
    environment: bool = True
    """Whether it is all that one API server has; else a part of a collection, such as examples."""


def declared_members(spec: ClusterSpec, inventory: Inventory) -> Iterator[Members]:
    """The members of a cluster that the settings declare: all below its paths and its context.

    What the paths define wins over the same object in the context, which may be an export of the
    running cluster. Two definitions in the paths both are judged, but only the last can decide:
    `kubectl apply` of the files in order leaves that one.
    """
    context = [
        item
        for item in inventory.under(spec.context)
        if item.object.file != STDIN and not _is_of_another(spec, item.object)
    ]
    only_context = set(context)
    own = [item for item in _own(spec, inventory) if item not in only_context]
    named = by_key(own, spec.namespace)
    distinct = {key: different(items) for key, items in named.items() if len(items) > 1}
    repeated = {item for key in distinct for item in named[key]}
    repeated -= {item for items in distinct.values() for item in items}
    overruled = {item for items in distinct.values() for item in items[:-1]}
    kept = [item for item in own if item not in repeated]
    deciding = [item for item in kept if item.decides and item not in overruled]
    exported = [
        different(items)[-1]
        for key, items in by_key(context, spec.namespace).items()
        if key not in named
    ]
    yield Members(
        name=spec.name,
        judged=tuple(item for item in kept if not item.decides),
        deciding=tuple(deciding),
        context=tuple(item for item in exported if item.decides),
        notices=tuple(_conflicts(spec.name, distinct)),
        contradictory=tuple(
            tuple(items)
            for items in distinct.values()
            if len(items) > 1 and items[0].decides and not items[0].is_namespace
        ),
    )


def applied(spec: ClusterSpec, obj: KubeObject) -> bool:
    """Whether an object is applied to the cluster, as far as its place tells.

    What is piped in may be meant for any cluster. Of the environments of a chart a declared cluster
    has the one of its name, if there is one.
    """
    if _has_environment(spec, obj):
        return obj.variant == spec.name
    return obj.lies_under(Paths.of((*spec.paths, STDIN)))


def _is_of_another(spec: ClusterSpec, obj: KubeObject) -> bool:
    """Whether a chart was rendered to it for another environment than the cluster has."""
    return _has_environment(spec, obj) and obj.variant != spec.name


def _has_environment(spec: ClusterSpec, obj: KubeObject) -> bool:
    """Whether it is of a chart that has an environment of the cluster's name."""
    return bool(obj.variant) and (posixpath.dirname(obj.file) or ".") in spec.charts


def _own(spec: ClusterSpec, inventory: Inventory) -> Iterable[Item]:
    """The items that are applied to a declared cluster, in order."""
    found = list(inventory.under((*spec.paths, *spec.charts, STDIN)))
    if spec.charts:
        found = [item for item in found if applied(spec, item.object)]
    return without_replaced(found, spec.namespace)


def without_replaced(items: Sequence[Item], default_namespace: str) -> Sequence[Item]:
    """The items without those that are piped in, too: what is piped in is about to be applied."""
    given = {item.key(default_namespace) for item in items if item.object.file == STDIN}
    given.discard(None)
    if not given:
        return items
    return [
        item
        for item in items
        if item.object.file == STDIN or item.key(default_namespace) not in given
    ]


def by_key(items: Iterable[Item], default_namespace: str) -> Mapping[Key, list[Item]]:
    """The items of each key, in order; those that get a name when they are made are left out."""
    grouped: dict[Key, list[Item]] = {}
    for item in items:
        key = item.key(default_namespace)
        if key is not None:
            grouped.setdefault(key, []).append(item)
    return grouped


def different(items: list[Item]) -> list[Item]:
    """The first item of each content; last the content of the last item."""
    if len(items) == 1:
        return items
    # Of equal contents a dict keeps the place of the first it sees and the item of the last.
    contents = {item.content(): item for item in reversed(items)}
    return list(reversed(contents.values()))


def name_of(key: Key) -> str:
    """An object as people name it: `Deployment shop/api`."""
    _, kind, namespace, name = key
    return f"{kind} {namespace}/{name}" if namespace else f"{kind} {name}"


def places(items: Iterable[Item]) -> str:
    """The files of the items as a phrase, the first few by name."""
    files = list(dict.fromkeys(map(_file, items)))
    named = " and ".join(files) if len(files) < _SHOWN else ", ".join(files[:_SHOWN])
    more = len(files) - _SHOWN
    return f"{named} and {more} more" if more > 0 else named


def _file(item: Item) -> str:
    variant = item.object.variant
    return f"{item.object.file} ({variant})" if variant else item.object.file


def notice_at(obj: KubeObject, message: str) -> Notice:
    """A notice at the document that holds the object."""
    # The lines of what was rendered are not those of the file that has it rendered.
    line = None if obj.document.source.rendered else obj.document.line
    return Notice(message, obj.file, line)


def _conflicts(cluster: str, distinct: Mapping[Key, list[Item]]) -> Iterator[Notice]:
    for key, items in distinct.items():
        if len(items) > 1 and not items[0].is_namespace:
            which = "the last one counts" if items[0].decides else "each is judged"
            yield notice_at(
                items[0].object,
                f"{name_of(key)} is defined {len(items)} times in cluster {cluster}, "
                f"in {places(items)}; {which}.",
            )

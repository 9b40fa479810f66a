"""Injection: what a mutating webhook adds to a pod, such as the proxy of a service mesh.

The webhooks run behind the mutating plugins (`pkg/kubeapiserver/options/plugins.go
AllOrderedPlugins`). What they add is given here; which pods they act upon is not Kubernetes' to
say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from qoslint.kernel.outcome import Change, Origin, Outcome, Stage
from qoslint.kernel.pod import Container, ContainerType, Path, ResourceList, Resources

_LISTS = ("initContainers", "containers")


class Added(NamedTuple):
    """A container that an injector adds, in front of the others of its list or behind them.

    With `merges`, a container of that name in the pod stays what it is, at the new place, and only
    gets the resources that it does not state itself.
    """

    container: Container
    first: bool = False
    merges: bool = False


class Injection(NamedTuple):
    """What one injector does to a pod; `by` is its name. An empty class name sets no class."""

    by: str
    containers: tuple[Added, ...] = ()
    priority_class_name: str = ""


class _Placed(NamedTuple):
    """A container on its way, and what an injector set in it: path in the container, and text."""

    container: Container
    origin: Origin
    injected: tuple[tuple[Path, str], ...] = ()


def inject(outcome: Outcome, injections: Sequence[Injection]) -> Outcome:
    """The pod after the injectors, which act in the order given.

    The paths of earlier changes follow their containers to their new places.
    """
    lists: dict[str, list[_Placed]] = {name: [] for name in _LISTS}
    for path, container in outcome.pod.containers_with_paths():
        lists[str(path[0])].append(_Placed(container, Origin(path)))
    for injection in injections:
        _add(lists, injection)
    placed = {(name, i): each for name, items in lists.items() for i, each in enumerate(items)}
    moved = {each.origin.authored: path for path, each in placed.items() if each.origin.authored}
    pod = outcome.pod._replace(
        init_containers=tuple(each.container for each in lists["initContainers"]),
        containers=tuple(each.container for each in lists["containers"]),
    )
    changes = [
        change._replace(path=(*moved.get(change.path[:2], change.path[:2]), *change.path[2:]))
        for change in outcome.changes
    ]
    for injection in injections:
        for path, each in placed.items():
            if each.origin.by == injection.by:
                changes.extend(
                    Change(Stage.INJECTOR, (*path, *inside), None, text, by=injection.by)
                    for inside, text in each.injected
                )
        if (name := injection.priority_class_name) not in ("", pod.priority_class_name):
            before = pod.priority_class_name or None
            changes.append(
                Change(Stage.INJECTOR, ("priorityClassName",), before, name, by=injection.by)
            )
            pod = pod._replace(priority_class_name=name)
    origins = tuple(each.origin for each in placed.values())
    return outcome._replace(pod=pod, changes=tuple(changes), origins=origins)


def _add(lists: dict[str, list[_Placed]], injection: Injection) -> None:
    front: dict[str, list[_Placed]] = {name: [] for name in _LISTS}
    for added in injection.containers:
        regular = added.container.type is ContainerType.CONTAINER
        name = "containers" if regular else "initContainers"
        (front if added.first else lists)[name].append(_placed(added, lists, injection.by))
    for name, items in front.items():
        lists[name][:0] = items


def _placed(added: Added, lists: dict[str, list[_Placed]], by: str) -> _Placed:
    new = added.container
    own = _take(new.name, lists) if added.merges else None
    if own is None:
        injected = ((("name",), new.name), *_values(new.resources, Resources()))
        return _Placed(new, Origin(None, by), injected)
    stated = own.container.resources
    merged = Resources(
        new.resources.requests.with_items(stated.requests),
        new.resources.limits.with_items(stated.limits),
        stated.claims,
    )
    container = own.container._replace(
        type=new.type,
        restart_policy=new.restart_policy,
        resources=merged,
        image=own.container.image or new.image,
    )
    return _Placed(container, own.origin._replace(by=by), tuple(_values(new.resources, stated)))


def _take(name: str, lists: dict[str, list[_Placed]]) -> _Placed | None:
    for items in lists.values():
        for index, each in enumerate(items):
            if each.container.name == name:
                return items.pop(index)
    return None


def _values(new: Resources, stated: Resources) -> Iterator[tuple[Path, str]]:
    """Each quantity that is not stated yet, by its path in the container."""
    pairs: tuple[tuple[str, ResourceList, ResourceList], ...] = (
        ("requests", new.requests, stated.requests),
        ("limits", new.limits, stated.limits),
    )
    for key, quantities, known in pairs:
        for name, quantity in quantities.items():
            if name not in known:
                yield ("resources", key, name), str(quantity)

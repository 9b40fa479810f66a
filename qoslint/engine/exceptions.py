"""Exceptions: problems that the settings accept, with a reason and up to a day."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator

from qoslint.engine.run import Raised
from qoslint.engine.selection import RuleException
from qoslint.finding import Place
from qoslint.model.pattern import fits
from qoslint.source.document import Document
from qoslint.source.places import Documents
from qoslint.span import value_at

_ANY = "*"
_CONTAINERS = ("containers", "initContainers", "ephemeralContainers")


def without_excepted(
    raised: Iterable[Raised],
    exceptions: Iterable[RuleException],
    documents: Documents,
    today: datetime.date,
) -> Iterator[Raised]:
    """The problems that no exception accepts which still counts on the day."""
    # Most name one object: thousands of them must not be compared with thousands of problems.
    valid: dict[str, list[RuleException]] = {}
    for each in exceptions:
        if each.expires is None or today <= each.expires:
            name = each.object.rpartition("/")[2]
            valid.setdefault(_ANY if _ANY in name else name, []).append(each)
    for item in raised:
        name = _qualified(item.bearer.label).rpartition("/")[2]
        likely = (*valid.get(name, ()), *valid.get(_ANY, ()))
        if not any(_accepts(each, item, documents) for each in likely):
            yield item


def _accepts(exception: RuleException, item: Raised, documents: Documents) -> bool:
    if not item.rule.page.code.startswith(exception.rule):
        return False
    if not _fits(exception.object, _qualified(item.bearer.label)):
        return False
    return exception.container in (None, _container(item.place, documents))


def _qualified(label: str) -> str:
    """`shop/Deployment/api` for the label `Deployment shop/api`; `PriorityClass/high`."""
    kind, _, name = label.partition(" ")
    namespace, slash, name = name.rpartition("/")
    return f"{namespace}{slash}{kind}/{name}"


def _fits(pattern: str, name: str) -> bool:
    """Whether the pattern fits the whole name; a star stands for any characters but a slash."""
    patterns, names = pattern.split("/"), name.split("/")
    return len(patterns) == len(names) and all(map(fits, names, patterns))


def _container(place: Place, documents: Documents) -> object:
    """The name of the container that the place lies in, None outside of containers."""
    document = documents[place.object.source, place.object.document]
    path = (*place.object.root, *place.path)
    for index, step in enumerate(path[:-1]):
        if step in _CONTAINERS and isinstance(path[index + 1], int):
            data = document.data if isinstance(document, Document) else None
            return value_at(data, (*path[: index + 2], "name"))
    return None

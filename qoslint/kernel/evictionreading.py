"""What a kubelet's message says of an eviction: the inverse of the kernel's `evictionmessage`.

The formats are those of `pkg/kubelet/eviction/helpers.go`: nodeLowMessageFmt,
thresholdMetMessageFmt, containerMessageFmt (in another wording before v1.27) and podMessageFmt
(since v1.34) for a node that was low, nodeConditionMessageFmt for a pod that was not admitted, and
emptyDirMessageFmt, podEphemeralStorageMessageFmt and containerEphemeralStorageMessageFmt for a pod
above a limit of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from qoslint.kernel.quantity import Quantity, QuantityError, parse
from qoslint.kernel.signals import StarvedResource

_LONGEST = 100_000
_QUANTITY = r"([+-]?[0-9][0-9A-Za-z]{0,40}(?:\.[0-9A-Za-z]{1,40})?)"
_NAME = r"([-.a-z0-9]{1,253})"
_HEAD = re.compile(r"The node was low on resource: ([-a-z]{1,63})\.")
_MET = re.compile(rf" Threshold quantity: {_QUANTITY}, available: {_QUANTITY}\.")
_USED = re.compile(
    rf" (Container|Pod) {_NAME} was using {_QUANTITY}, "
    rf"(?:request is {_QUANTITY}, has larger consumption of [-a-z]{{1,63}}"
    rf"|which exceeds its request of {_QUANTITY})\."
)
_CUT = re.compile(
    r" (?:Threshold|Container|Pod)\b(?:[^.]{0,300}\.{0,3}$| quantity: | \S+ was using )"
)
_REFUSED = re.compile(r"The node had condition: \[([A-Za-z ]{1,200})\]\.")
_VOLUME = re.compile(rf'Usage of EmptyDir volume "{_NAME}" exceeds the limit "{_QUANTITY}"\.')
_POD = re.compile(
    "Pod ephemeral local storage usage exceeds the total limit of containers " rf"{_QUANTITY}\."
)
_CONTAINER = re.compile(
    rf'Container {_NAME} exceeded its local ephemeral storage limit "{_QUANTITY}"\.'
)


class MessageError(ValueError):
    """A text holds no message of an eviction, or several; the message is a clause."""


class ToldUsage(NamedTuple):
    """What a container used and requested; of the pod as a whole if `of_pod`."""

    of_pod: bool
    name: str
    usage: Quantity
    request: Quantity


class NodeLow(NamedTuple):
    """A pod was evicted because its node was low on a resource."""

    resource: StarvedResource
    threshold: Quantity | None
    available: Quantity | None
    usages: tuple[ToldUsage, ...]
    cut: bool
    """Whether the text ends within the message."""


class Limited(StrEnum):
    """Whose limit a pod can exceed so that it is evicted whatever the node has left."""

    EMPTY_DIR = "emptyDir"
    POD = "pod"
    CONTAINER = "container"


class AboveLimit(NamedTuple):
    """A pod was evicted because it exceeded a limit of its own for local storage."""

    limited: Limited
    name: str | None
    """Of the volume or container."""
    limit: Quantity


class NotAdmitted(NamedTuple):
    """A pod was not admitted, and never ran, because its node was under pressure."""

    conditions: tuple[str, ...]


Told: TypeAlias = NodeLow | AboveLimit | NotAdmitted


def read_eviction(text: str) -> Told:
    """The eviction that a text tells of, as pasted from kubectl: quoted, wrapped, with more around.

    The same message may stand there several times, as in a pod's status and its event. Raises
    MessageError if there is none, or if there are different ones.
    """
    if len(text) > _LONGEST:
        raise MessageError(f"it is longer than {_LONGEST} characters")
    joined = " ".join(text.replace('\\"', '"').replace("\\n", " ").split())
    found = list(dict.fromkeys(_messages(joined)))
    whole = [each for each in found if not (isinstance(each, NodeLow) and each.cut)] or found
    if not whole:
        raise MessageError(
            'none of its sentences is one that a kubelet evicts with, such as "The node was low on '
            'resource: memory."'
        )
    if len(whole) > 1:
        raise MessageError(f"it holds {len(whole)} different messages: give one of them")
    return whole[0]


def _messages(text: str) -> Iterator[Told]:
    heads = list(_HEAD.finditer(text))
    for head, following in zip_longest(heads, heads[1:]):
        end = following.start() if following else None
        yield _node_low(head[1], text[head.end() : end].rstrip("\"', "))
    for match in _REFUSED.finditer(text):
        yield NotAdmitted(tuple(match[1].split()))
    for match in _VOLUME.finditer(text):
        yield AboveLimit(Limited.EMPTY_DIR, match[1], _quantity(match[2]))
    for match in _POD.finditer(text):
        yield AboveLimit(Limited.POD, None, _quantity(match[1]))
    for match in _CONTAINER.finditer(text):
        yield AboveLimit(Limited.CONTAINER, match[1], _quantity(match[2]))


def _node_low(resource: str, rest: str) -> NodeLow:
    known = [str(each) for each in StarvedResource]
    if resource not in known:
        raise MessageError(f"no kubelet since v1.31 runs low on {resource!r}")
    threshold = available = None
    end = 0
    if met := _MET.match(rest):
        threshold, available = _quantity(met[1]), _quantity(met[2])
        end = met.end()
    usages: list[ToldUsage] = []
    while used := _USED.match(rest, end):
        kind, name, usage, request, older = used.groups()
        told = ToldUsage(kind == "Pod", name, _quantity(usage), _quantity(request or older))
        usages.append(told)
        end = used.end()
    cut = _CUT.match(rest, end) is not None
    return NodeLow(StarvedResource(resource), threshold, available, tuple(usages), cut)


def _quantity(text: str) -> Quantity:
    try:
        return parse(text)
    except QuantityError as error:
        raise MessageError(f"{text!r} in it is no quantity: {error}") from error

"""What of a pod stands under a limit: the blocks of resources that bound what runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from qoslint.kernel.pod import Container, ContainerType, Path, Resources
from qoslint.kernel.quantity import ZERO, Quantity
from qoslint.model.verdict import Verdict
from qoslint.model.wording import owner, resource_name, sentence


class Bound(NamedTuple):
    """The request and limit of one resource in one block, after all defaults; None if missing.

    `path` leads into the PodSpec; `owner` starts a sentence: `Container 'app'`.
    """

    path: Path
    owner: str
    resource: str
    request: Quantity | None
    limit: Quantity | None

    @property
    def name(self) -> str:
        """The resource as prose names it."""
        return resource_name(self.resource)


def bounds(verdict: Verdict, resource: str) -> Iterator[Bound]:
    """The pod-level block if it limits the resource, else each container that keeps running.

    Init containers that end are left out: what bounds them bounds nothing that serves. So is what
    an injector adds, since the manifest does not state it.
    """
    pod = verdict.effective.pod
    if pod.resources is not None and resource in pod.resources.limits:
        yield _bound(("resources",), None, resource, pod.resources)
        return
    added = {path for path, _ in verdict.effective.injected}
    for path, container in pod.containers_with_paths():
        if container.type is not ContainerType.INIT and path not in added:
            yield _bound((*path, "resources"), container, resource, container.resources)


def loosest(verdict: Verdict, resource: str) -> Bound | None:
    """The block without limit or whose limit is the most above its request; None without any."""

    def excess(bound: Bound) -> tuple[bool, int]:
        limit, request = bound.limit or ZERO, bound.request or ZERO
        return limit.nanos == 0, limit.nanos - request.nanos

    return max(bounds(verdict, resource), key=excess, default=None)


def _bound(path: Path, container: Container | None, resource: str, block: Resources) -> Bound:
    request, limit = block.requests.get(resource), block.limits.get(resource)
    return Bound(path, sentence(owner(container)), resource, request, limit)

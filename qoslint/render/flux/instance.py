"""FluxInstances: what the Flux operator makes of their `sync`."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.render.fields import at, text
from qoslint.render.flux.context import SOURCES
from qoslint.render.flux.kustomization import GROUP
from qoslint.render.objects import Object


def synced(object_: Object) -> Iterator[Object]:
    """The source and the Kustomization of a FluxInstance, nothing of any other object."""
    sync = at(object_.data, "spec", "sync")
    if object_.kind != "FluxInstance" or not text(sync, "url"):
        return
    kind = text(sync, "kind") or "GitRepository"
    space = object_.namespace or "flux-system"
    metadata = {"name": text(sync, "name") or space, "namespace": space}
    source = {
        "apiVersion": f"{SOURCES}/v1",
        "kind": kind,
        "metadata": metadata,
        "spec": {"url": text(sync, "url")},
    }
    kustomization = {
        "apiVersion": f"{GROUP}/v1",
        "kind": "Kustomization",
        "metadata": metadata,
        "spec": {
            "path": text(sync, "path"),
            "sourceRef": {"kind": kind, "name": metadata["name"]},
        },
    }
    yield object_._replace(data=source)
    yield object_._replace(data=kustomization)

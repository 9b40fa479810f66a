"""What pods ask to be injected with, which nothing in the repository declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from qoslint.model.cluster import Cluster
from qoslint.model.injector import known_injectors
from qoslint.settings.annotated import Line, value_text
from qoslint.settings.proposal.evidence import at, title


def injector_lines(clusters: Iterable[Cluster]) -> Iterator[Line]:
    """The list `injectors` as it could be: the sizes of what is added stand in no manifest."""
    asking: dict[str, str] = {}
    for product, where in _asking(clusters):
        asking.setdefault(product, where)
    names = [each.name for each in known_injectors().values() if each.product in asking]
    if names:
        whose = "; ".join(f"{where} asks for {product}" for product, where in asking.items())
        why = f"{whose}; list what the cluster has, in its order, if its sizes are the usual ones"
        yield Line(f"injectors: {value_text(names)}", why, holds=False)


def _asking(clusters: Iterable[Cluster]) -> Iterator[tuple[str, str]]:
    """Each product that is asked for, with a workload that does."""
    products = {each.product for each in known_injectors().values()}
    for cluster in clusters:
        for workload in cluster.workloads:
            thing = workload.object
            for each in cluster.webhooks.decide(workload, cluster.namespace_of(thing)).uncertain:
                if each.by in products:
                    yield each.by, f"{at(thing)}: {title(thing)}"

"""QOS209: a namespace that should have a LimitRange has none."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import Place, Problem
from qoslint.model.namespace import Namespace
from qoslint.model.pattern import fits_any
from qoslint.model.subject import Options


def check_namespace(namespace: Namespace, options: Options) -> Iterator[Problem]:
    """One problem at the Namespace object, or at the first workload that names the namespace.

    Silent where that is unknown: a LimitRange that is not resolved, or a workload that may be
    applied to any namespace.
    """
    name = namespace.name
    wanted = fits_any(name, options["namespaces"])
    if not wanted or fits_any(name, options["except"]):
        return
    unresolved = (each.object.kind for each in namespace.given.invalid if each.unresolved)
    if namespace.given.limit_ranges or "LimitRange" in unresolved:
        return
    place = _place(namespace)
    if place:
        yield Problem(
            place,
            f"Namespace {name} has no LimitRange: a container that states no requests "
            "and limits gets none, and nothing bounds what others state.",
        )


def _place(namespace: Namespace) -> Place | None:
    thing = namespace.object
    if thing in namespace.checked and thing:
        return thing.at(("metadata", "name"))
    for admitted in namespace.admitted:
        owner = admitted.workload.object
        if owner.namespace or namespace.cluster.cluster.complete:
            return owner.at(("metadata", "namespace"))
    return None

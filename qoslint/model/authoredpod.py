"""The pod that a workload object asks for, as the API server decodes it."""

from __future__ import annotations

from qoslint.kernel.admission import admit_workload
from qoslint.kernel.decode import decode_pod_spec
from qoslint.kernel.features import Features
from qoslint.kernel.jsonvalue import DecodeError
from qoslint.kernel.outcome import Rejection, Stage
from qoslint.kernel.pod import Container, Pod
from qoslint.kernel.workload import BarePod, decode_workload, template_of
from qoslint.kernel.workload import Workload as KernelWorkload
from qoslint.model.placeholders import holding
from qoslint.model.workloads import KUSTOMIZED, REMOVED_API, Workload
from qoslint.span import value_at


def pod_of(workload: Workload, features: Features) -> tuple[Pod | None, tuple[Rejection, ...]]:
    """The pod that the object asks for, or None and why the API server refuses the object.

    A pod's own metadata is only validated with its spec, after the mutating plugins: what is wrong
    with it comes with the pod.
    """
    thing = workload.object
    if REMOVED_API in workload.tags:
        message = f'no matches for kind "{thing.kind}" in version "{thing.api_version}"'
        return None, (Rejection(Stage.DECODE, message, ("apiVersion",)),)
    made, found = _decoded(workload, features)
    rejections = tuple(item for item in found if not _may_be_filled_in(item, workload))
    if isinstance(made, BarePod) and made.template is None:
        return made.spec, rejections
    if rejections:
        return None, rejections
    template = None if made is None else template_of(made)
    return _embedded_pod(workload) if template is None else (template.spec, ())


def _decoded(
    workload: Workload, features: Features
) -> tuple[KernelWorkload | None, tuple[Rejection, ...]]:
    """The object as the API server decodes it, None for other kinds, and why it is refused."""
    try:
        made = decode_workload(workload.object.data)
    except DecodeError as error:
        return None, (Rejection(Stage.DECODE, error.message, error.path),)
    return made, () if made is None else admit_workload(made, features)


def _may_be_filled_in(rejection: Rejection, workload: Workload) -> bool:
    """Whether the author leaves the field to something that runs before the API server.

    A kustomization adds selectors and labels, a template engine replaces placeholders.
    """
    if rejection.by is Stage.VALIDATION and KUSTOMIZED in workload.tags:
        return True
    value = value_at(workload.object.data, rejection.path)
    return next(holding(value), None) is not None


def _embedded_pod(workload: Workload) -> tuple[Pod | None, tuple[Rejection, ...]]:
    """The pod of an object that Kubernetes does not decode as a whole, or why it cannot be read."""
    try:
        pod = decode_pod_spec(workload.pod_spec, workload.pod_annotations)
        return (_completed(pod) if workload.custom else pod), ()
    except DecodeError as error:
        path = (*workload.template, *error.path)
        return None, (Rejection(Stage.DECODE, error.message, path),)


def _completed(pod: Pod) -> Pod:
    """The pod as a controller of a custom kind may make it: names and images are often its own."""

    def complete(containers: tuple[Container, ...], kind: str) -> tuple[Container, ...]:
        return tuple(
            each._replace(image=each.image or "-", name=each.name or f"{kind}-{index}")
            for index, each in enumerate(containers)
        )

    return pod._replace(
        containers=complete(pod.containers, "container"),
        init_containers=complete(pod.init_containers, "init"),
    )

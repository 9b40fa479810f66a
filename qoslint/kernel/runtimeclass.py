"""RuntimeClasses, and the overhead and scheduling rules that they give pods.

Mirrors `pkg/apis/node/validation/validation.go` and
`plugin/pkg/admission/runtimeclass/admission.go` (unchanged in v1.31 to v1.36).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from qoslint.kernel.decode import decode_tolerations
from qoslint.kernel.jsonvalue import mapping, optional_mapping, string, string_map
from qoslint.kernel.metadata import ObjectMeta, decode_object_meta, validate_object_meta
from qoslint.kernel.outcome import Cause, Change, Outcome, Rejection, Stage, Unknown
from qoslint.kernel.pod import NO_RESOURCES, Path, Pod, ResourceList, Toleration
from qoslint.kernel.resourcelist import decode_resource_list
from qoslint.kernel.validation.field import ROOT, FieldError, field_at, invalid
from qoslint.kernel.validation.labels import validate_labels
from qoslint.kernel.validation.names import is_dns1123_label, is_dns1123_subdomain
from qoslint.kernel.validation.resources import validate_overhead

KIND = "RuntimeClass"
_PATH: Path = ("runtimeClassName",)
_MISMATCH = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"
_WITHOUT = "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"


@dataclass(frozen=True, slots=True)
class RuntimeClass:
    """A RuntimeClass as the API server stores it."""

    metadata: ObjectMeta
    handler: str = ""
    overhead: ResourceList | None = None
    """`overhead.podFixed`, not rounded: only the pod's own is. None if `overhead` is absent."""
    node_selector: tuple[tuple[str, str], ...] = ()
    tolerations: tuple[Toleration, ...] = ()

    @property
    def name(self) -> str:
        """The name that pods refer to."""
        return self.metadata.name


def decode_runtime_class(data: object) -> RuntimeClass:
    """The RuntimeClass of a JSON object; DecodeError for what cannot be read."""
    root = mapping(data, ())
    overhead = optional_mapping(root.get("overhead"), ("overhead",))
    scheduling = mapping(root.get("scheduling"), ("scheduling",))
    return RuntimeClass(
        decode_object_meta(root.get("metadata"), ("metadata",)),
        handler=string(root, "handler"),
        overhead=None if overhead is None else _pod_fixed(overhead),
        node_selector=tuple(string_map(scheduling, "nodeSelector", ("scheduling",)).items()),
        tolerations=decode_tolerations(scheduling, ("scheduling",)),
    )


def _pod_fixed(overhead: Mapping[str, object]) -> ResourceList:
    return decode_resource_list(overhead, "podFixed", ("overhead",))


def validate_runtime_class(runtime_class: RuntimeClass) -> Iterator[FieldError]:
    """What is wrong with a RuntimeClass; none could exist with it."""
    yield from validate_object_meta(
        runtime_class.metadata, ROOT.child("metadata"), is_dns1123_subdomain
    )
    for message in is_dns1123_label(runtime_class.handler):
        yield invalid(ROOT.child("handler"), runtime_class.handler, message)
    if runtime_class.overhead is not None:
        path: Path = ("overhead", "podFixed")
        yield from validate_overhead(runtime_class.overhead, field_at("overhead", path))
    yield from validate_labels(
        runtime_class.node_selector, ROOT.child("scheduling").child("nodeSelector")
    )


def find_runtime_class(
    pod: Pod, classes: Sequence[RuntimeClass]
) -> tuple[int, RuntimeClass] | None:
    """The class that the pod names, with its index; None if it names none or it is not there."""
    for index, item in enumerate(classes):
        if item.name == pod.runtime_class_name:
            return index, item
    return None


def admit_runtime_class(
    outcome: Outcome, classes: Sequence[RuntimeClass], *, complete: bool
) -> Outcome:
    """Set overhead and scheduling from the pod's class (`admission.go Admit`).

    A missing class refuses the pod if the classes are `complete`, else the result is unknown.
    """
    name = outcome.pod.runtime_class_name
    if name is None:
        return outcome
    found = find_runtime_class(outcome.pod, classes)
    if found is not None:
        return _set_scheduling(_set_overhead(outcome, *found), *found)
    if not complete:
        return outcome.unsure(Unknown(KIND, name, _PATH))
    text = f'pod rejected: RuntimeClass "{name}" not found'
    return outcome.refused((Rejection(Stage.RUNTIME_CLASS, text, _PATH),))


def _set_overhead(outcome: Outcome, index: int, found: RuntimeClass) -> Outcome:
    pod, overhead = outcome.pod, found.overhead
    if overhead is None:
        return outcome
    path: Path = ("overhead", "podFixed")
    if pod.overhead is not None and not _same(pod.overhead, overhead):
        cause = Cause(index, KIND, path)
        return outcome.refused((Rejection(Stage.RUNTIME_CLASS, _MISMATCH, ("overhead",), cause),))
    before = pod.overhead or NO_RESOURCES
    changes = [
        Change(
            Stage.RUNTIME_CLASS, ("overhead", key), None, str(q), Cause(index, KIND, (*path, key))
        )
        for key, q in overhead.items()
        if key not in before
    ]
    return outcome.with_changes(pod._replace(overhead=overhead), changes)


def _set_scheduling(outcome: Outcome, index: int, found: RuntimeClass) -> Outcome:
    """Merge the class's node selector and tolerations in (`admission.go setScheduling`)."""
    pod, mine = outcome.pod, dict(outcome.pod.node_selector)
    added = {}
    for key, value in found.node_selector:
        cause = Cause(index, KIND, ("scheduling", "nodeSelector", key))
        if mine.get(key, value) != value:
            text = (
                f"conflict: runtimeClass.scheduling.nodeSelector[{key}] = {value}; "
                f"pod.spec.nodeSelector[{key}] = {mine[key]}"
            )
            return outcome.refused(
                (Rejection(Stage.RUNTIME_CLASS, text, ("nodeSelector", key), cause),)
            )
        if key not in mine:
            added[key] = Change(Stage.RUNTIME_CLASS, ("nodeSelector", key), None, value, cause)
    tolerations = tuple(dict.fromkeys((*pod.tolerations, *found.tolerations)))
    changed = pod._replace(
        node_selector=tuple(sorted({**mine, **dict(found.node_selector)}.items())),
        tolerations=tolerations,
    )
    return outcome.with_changes(changed, added.values())


def _same(a: ResourceList, b: ResourceList) -> bool:
    """Whether both lists name the same resources with the same values, however printed."""
    return a.keys() == b.keys() and all(a[name].nanos == b[name].nanos for name in a)


def validate_pod_overhead(pod: Pod, classes: Sequence[RuntimeClass]) -> Iterator[Rejection]:
    """An overhead that no class defines refuses the pod (`admission.go validateOverhead`)."""
    found = find_runtime_class(pod, classes)
    # A class that is named but not there has refused the pod already, or is unknown.
    if pod.overhead is None or (found is None and pod.runtime_class_name is not None):
        return
    if found is None or found[1].overhead is None:
        cause = None if found is None else Cause(found[0], KIND, ())
        yield Rejection(Stage.RUNTIME_CLASS, _WITHOUT, ("overhead",), cause)

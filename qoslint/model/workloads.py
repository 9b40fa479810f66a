"""Workloads: the objects that make pods, and where each keeps its pod template."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from qoslint.finding import Part, Place
from qoslint.model.kinds import Kinds, Pods, WorkloadKind, bind, match, pattern
from qoslint.model.objects import Fields, KubeObject, mapping, text, text_map
from qoslint.model.placeholders import is_placeholder, placeholders
from qoslint.span import Path, value_at

REMOVED_API = "removed API"
"""Tag: the API version is of a built-in group and no longer served."""

KUSTOMIZED = "kustomize resource"
"""Tag: a kustomization names the file, and may change the object before it is applied."""

PATCHED = "kustomize patch"
"""Tag: a kustomization changes the resources of the containers."""

UNKNOWN_KIND = "unknown kind"
"""Tag: a custom resource outside the table that has a pod template where most have one."""

# Where nearly every controller that has a pod template keeps it.
_USUAL_PLACES = (
    Pods(pattern("spec.template.spec"), pattern("spec.template.metadata")),
    Pods(
        pattern("spec.jobTemplate.spec.template.spec"),
        pattern("spec.jobTemplate.spec.template.metadata"),
    ),
)

_MAX_EMBEDDING = 3
_MOST_UNRESOLVED = 20


@dataclass(frozen=True, slots=True, eq=False)
class Workload:
    """A pod template of an object; an object of several templates is several workloads.

    `template` and `metadata` are the paths of the PodSpec and of the pods' metadata in the object.
    `replicas` is None where the number is not the object's to say (a DaemonSet) or is no number.
    """

    object: KubeObject
    template: Path
    metadata: Path | None
    replicas: int | None
    tags: tuple[str, ...] = ()
    partial: str = ""
    """What an operator still changes in the pods, as a clause; empty when the template is whole."""
    custom: bool = False
    """Whether the object is a custom resource, whose controller may fill in what is missing."""
    unresolved: tuple[Path, ...] = ()
    """Fields of the PodSpec that decide results and still hold a placeholder such as `${CPU}`."""

    @property
    def pod_spec(self) -> Fields:
        """The PodSpec as authored, empty when it is missing or no mapping."""
        return mapping(value_at(self.object.data, self.template))

    @property
    def pod_metadata(self) -> Fields:
        """The metadata that the pods get, empty when it is missing or no mapping."""
        return {} if self.metadata is None else mapping(value_at(self.object.data, self.metadata))

    @property
    def pod_labels(self) -> dict[str, str]:
        """The labels that the pods get from the template."""
        return text_map(self.pod_metadata.get("labels"))

    @property
    def pod_annotations(self) -> dict[str, str]:
        """The annotations that the pods get from the template."""
        return text_map(self.pod_metadata.get("annotations"))

    def at(self, path: Path = (), part: Part = Part.ENTRY) -> Place:
        """The place of a field of the PodSpec."""
        return self.object.at((*self.template, *path), part)


def workloads(obj: KubeObject, kinds: Kinds) -> Iterator[Workload]:
    """Each pod template of the object, in the order of the table and of the document."""
    yield from _workloads(obj, (), kinds, _tags(obj))


def _workloads(
    obj: KubeObject, root: Path, kinds: Kinds, tags: tuple[str, ...]
) -> Iterator[Workload]:
    """The pod templates of the object at `root` of `obj`: itself, or one that it embeds."""
    data = mapping(value_at(obj.data, root))
    # An item of a typed list has its kind from the list.
    api_version = text(data.get("apiVersion")) if root else obj.api_version
    name = text(data.get("kind")) if root else obj.kind
    group, _, version = api_version.rpartition("/")
    kind = kinds.find(group, name)
    if kind is None:
        for place in _USUAL_PLACES:
            for path, spec in match(data, place.spec):
                if isinstance(mapping(spec).get("containers"), list):
                    yield _workload(obj, root, path, place, (*tags, UNKNOWN_KIND), custom=True)
        return
    if kind.served is not None and version not in kind.served:
        tags = (*tags, REMOVED_API)
    for place in kind.pods:
        for path in _templates(data, kind, place):
            yield _workload(obj, root, path, place, tags, custom=not kind.built_in)
    if len(root) < _MAX_EMBEDDING:
        for embedded in kind.objects:
            for path, _ in match(data, embedded):
                yield from _workloads(obj, (*root, *path), kinds, tags)


def _templates(data: Fields, kind: WorkloadKind, place: Pods) -> Iterator[Path]:
    # The API server's own kinds stand for pods even with the PodSpec missing: that is an error to
    # tell. Most templates of custom resources are optional.
    if kind.built_in:
        yield place.spec
        return
    for path, spec in match(data, place.spec):
        if isinstance(spec, dict):
            yield path


def _workload(
    obj: KubeObject, root: Path, path: Path, place: Pods, tags: tuple[str, ...], *, custom: bool
) -> Workload:
    metadata = None if place.metadata is None else bind(place.metadata, path, place.spec)
    template = (*root, *path)
    return Workload(
        object=obj,
        template=template,
        metadata=None if metadata is None else (*root, *metadata),
        replicas=_replicas(value_at(obj.data, root), path, place),
        tags=tags,
        partial=place.partial,
        custom=custom,
        unresolved=_unresolved(obj, template),
    )


def _replicas(data: object, path: Path, place: Pods) -> int | None:
    if not place.replicas:
        return place.default_replicas
    numbers = []
    for factor in place.replicas:
        number = value_at(data, bind(factor, path, place.spec))
        number = place.default_replicas if number is None else number
        if isinstance(number, float) and number.is_integer():
            number = int(number)  # YAML's 2.0 reaches the API server as 2
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:
            return None
        numbers.append(number)
    return math.prod(numbers)


def _tags(obj: KubeObject) -> tuple[str, ...]:
    """What is special about the pods: `hook`, `test`, `mirror`, `static`."""
    annotations = obj.annotations
    hooks = {hook.strip() for hook in annotations.get("helm.sh/hook", "").split(",")}
    found = {
        "hook": "helm.sh/hook" in annotations or "argocd.argoproj.io/hook" in annotations,
        "test": bool(hooks & {"test", "test-success", "test-failure"}),
        "mirror": obj.kind == "Pod" and "kubernetes.io/config.mirror" in annotations,
        "static": obj.kind == "Pod" and annotations.get("kubernetes.io/config.source") == "file",
    }
    return tuple(tag for tag, applies in found.items() if applies)


def _unresolved(obj: KubeObject, template: Path) -> tuple[Path, ...]:
    if not is_placeholder(obj.document.text):
        return ()
    return tuple(islice(placeholders(value_at(obj.data, template)), _MOST_UNRESOLVED))

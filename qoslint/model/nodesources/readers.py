"""The kinds of objects that configure kubelets, and where each of them keeps the fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

from qoslint.finding import ObjectId
from qoslint.model.nodesources.flags import flag_of, flag_settings
from qoslint.model.nodesources.source import KubeletSource, Rest
from qoslint.model.objects import KubeObject, mapping, objects, sequence, text
from qoslint.model.setting import Setting, settings_at
from qoslint.source.document import Document
from qoslint.span import Path, value_at

Reader: TypeAlias = Callable[[KubeObject], Iterator[KubeletSource]]

_NO_FIELDS = frozenset({"apiVersion", "kind", "metadata"})
INSTANCE_TYPE = "node.kubernetes.io/instance-type"


def kubelet_sources(document: Document) -> Iterator[KubeletSource]:
    """What the objects of a document set for kubelets, in the order of the document."""
    for thing in objects(document):
        yield from object_sources(thing)
    fields = mapping(document.data)
    if "kind" not in fields:
        readers = dict.fromkeys(reader for key, reader in KINDLESS.items() if key in fields)
        for reader in readers:
            yield from reader(_kindless(document))


def object_sources(thing: KubeObject) -> Iterator[KubeletSource]:
    """What one object sets for kubelets."""
    reader = READERS.get((thing.group, thing.kind))
    if reader is not None:
        yield from reader(thing)


def _kindless(document: Document) -> KubeObject:
    return KubeObject(
        id=ObjectId(document.source.id, document.number, ()),
        document=document,
        api_version="",
        kind="",
        namespace=None,
        name="",
        data=mapping(document.data),
    )


def _kubelet_configuration(thing: KubeObject) -> Iterator[KubeletSource]:
    """`staging/src/k8s.io/kubelet/config/v1beta1/types.go KubeletConfiguration`."""
    fields = {key: value for key, value in thing.data.items() if key not in _NO_FIELDS}
    yield KubeletSource(_name(thing), thing.at(), settings_at(thing.at(), fields))


def _at(path: Path, rest: Rest, thing: KubeObject) -> Iterator[KubeletSource]:
    """The fields at one path of the object."""
    yield KubeletSource(_name(thing), thing.at(), _fields(thing, path), rest=rest)


def _node_pool(thing: KubeObject) -> Iterator[KubeletSource]:
    """Karpenter: up to v1beta1 a NodePool has the fields, since v1 its node class has them."""
    spec: Path = ("spec", "template", "spec")
    types = (
        name
        for entry in sequence(value_at(thing.data, (*spec, "requirements")))
        if mapping(entry).get("key") == INSTANCE_TYPE and mapping(entry).get("operator") == "In"
        for name in sequence(mapping(entry).get("values"))
    )
    fields = _fields(thing, (*spec, "kubelet"))
    yield KubeletSource(
        _name(thing), thing.at(), fields, _texts(types), rest=Rest.IMAGE, group=thing.name
    )


def _eksctl(thing: KubeObject) -> Iterator[KubeletSource]:
    """`pkg/apis/eksctl.io/v1alpha5/types.go NodeGroup, ManagedNodeGroup` of eksctl."""
    for field in ("nodeGroups", "managedNodeGroups"):
        for index, entry in enumerate(sequence(thing.data.get(field))):
            group = mapping(entry)
            at: Path = (field, index)
            fields = dict(_fields(thing, (*at, "kubeletExtraConfig")))
            if "maxPodsPerNode" in group:
                most = Setting(group["maxPodsPerNode"], thing.at((*at, "maxPodsPerNode")))
                fields.setdefault("maxPods", most)
            types = (
                group.get("instanceType"),
                *sequence(group.get("instanceTypes")),
                *sequence(value_at(group, ("instancesDistribution", "instanceTypes"))),
            )
            yield KubeletSource(
                f"node group {text(group.get('name')) or index} of {_name(thing)}",
                thing.at(at),
                fields,
                _texts(types),
                rest=Rest.IMAGE,
                group=text(group.get("name")),
            )


def _eks_node_config(thing: KubeObject) -> Iterator[KubeletSource]:
    """`nodeadm/api/v1alpha1/nodeconfig_types.go KubeletOptions` of awslabs/amazon-eks-ami."""
    yield from _at(("spec", "kubelet", "config"), Rest.IMAGE, thing)
    flags = _arguments(thing, ("spec", "kubelet", "flags"))
    yield KubeletSource(f"{_name(thing)}, flags", thing.at(), flags, by_flags=True)


def _kubeadm(paths: Iterable[Path], thing: KubeObject) -> Iterator[KubeletSource]:
    """`cmd/kubeadm/app/apis/kubeadm NodeRegistrationOptions`, in as many places as there are.

    Its extra arguments are a mapping up to v1beta3, and a list of names and values since v1beta4.
    """
    for path in paths:
        at: Path = (*path, "nodeRegistration", "kubeletExtraArgs")
        arguments = value_at(thing.data, at)
        if not arguments:
            continue
        given = [(name, value, thing.at((*at, name))) for name, value in mapping(arguments).items()]
        for index, entry in enumerate(sequence(arguments)):
            named = mapping(entry)
            given.append((text(named.get("name")), named.get("value"), thing.at((*at, index))))
        which = f", {path[-1]}" if path else ""
        place = thing.at(path)
        yield KubeletSource(_name(thing) + which, place, flag_settings(given), by_flags=True)


def _k3s(thing: KubeObject) -> Iterator[KubeletSource]:
    """The configuration file of k3s and RKE2, whose keys are flags of k3s; `+` appends."""
    fields = _arguments(thing, ("kubelet-arg",), ("kubelet-arg+",))
    yield KubeletSource("k3s configuration", thing.at(), fields, by_flags=True)


def _talos(thing: KubeObject) -> Iterator[KubeletSource]:
    """`pkg/machinery/config/types/v1alpha1 KubeletConfig` of Talos."""
    path: Path = ("machine", "kubelet")
    if not isinstance(value_at(thing.data, path), dict):
        return
    name = "Talos machine configuration"
    fields = _fields(thing, (*path, "extraConfig"))
    yield KubeletSource(name, thing.at(path), fields, rest=Rest.TOOL)
    at: Path = (*path, "extraArgs")
    given = [
        (flag, value, thing.at((*at, flag)))
        for flag, values in mapping(value_at(thing.data, at)).items()
        for value in (values if isinstance(values, list) else [values])
    ]
    if given:
        flags = flag_settings(given)
        yield KubeletSource(f"{name}, extraArgs", thing.at(at), flags, by_flags=True)


def _name(thing: KubeObject) -> str:
    return f"{thing.kind} {thing.name}".strip()


def _fields(thing: KubeObject, path: Path) -> Mapping[str, Setting]:
    return settings_at(thing.at(), dict(mapping(value_at(thing.data, path))), *path)


def _arguments(thing: KubeObject, *paths: Path) -> dict[str, Setting]:
    """The fields that arguments set: lists of them, or a single one, at each path."""
    given: list[tuple[Path, object]] = []
    for path in paths:
        found = value_at(thing.data, path)
        given.append((path, found))
        given.extend(((*path, index), item) for index, item in enumerate(sequence(found)))
    return flag_settings(
        (*flag_of(argument), thing.at(path))
        for path, argument in given
        if isinstance(argument, str)
    )


def _texts(values: Iterable[object]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if isinstance(value, str) and value))


_CONFIGURATIONS = ("initConfiguration", "joinConfiguration")


def _kubeadm_configurations(*path: str) -> Reader:
    return partial(_kubeadm, tuple((*path, name) for name in _CONFIGURATIONS))


READERS: Mapping[tuple[str, str], Reader] = MappingProxyType(
    {
        ("kubelet.config.k8s.io", "KubeletConfiguration"): _kubelet_configuration,
        ("karpenter.sh", "NodePool"): _node_pool,
        ("karpenter.k8s.aws", "EC2NodeClass"): partial(_at, ("spec", "kubelet"), Rest.IMAGE),
        ("karpenter.azure.com", "AKSNodeClass"): partial(_at, ("spec", "kubelet"), Rest.IMAGE),
        ("eksctl.io", "ClusterConfig"): _eksctl,
        ("node.eks.aws", "NodeConfig"): _eks_node_config,
        ("kubeadm.k8s.io", "InitConfiguration"): partial(_kubeadm, ((),)),
        ("kubeadm.k8s.io", "JoinConfiguration"): partial(_kubeadm, ((),)),
        ("machineconfiguration.openshift.io", "KubeletConfig"): partial(
            _at, ("spec", "kubeletConfig"), Rest.TOOL
        ),
        ("bootstrap.cluster.x-k8s.io", "KubeadmConfig"): _kubeadm_configurations("spec"),
        ("bootstrap.cluster.x-k8s.io", "KubeadmConfigTemplate"): _kubeadm_configurations(
            "spec", "template", "spec"
        ),
        ("controlplane.cluster.x-k8s.io", "KubeadmControlPlane"): _kubeadm_configurations(
            "spec", "kubeadmConfigSpec"
        ),
        ("controlplane.cluster.x-k8s.io", "KubeadmControlPlaneTemplate"): _kubeadm_configurations(
            "spec", "template", "spec", "kubeadmConfigSpec"
        ),
    }
)
"""By API group and kind. The ClusterConfiguration of kubeadm says nothing of kubelets."""

KINDLESS: Mapping[str, Reader] = MappingProxyType(
    {"kubelet-arg": _k3s, "kubelet-arg+": _k3s, "machine": _talos}
)
"""Files without a kind, by a key of theirs."""

NODE_KINDS = frozenset(kind for _, kind in READERS)
"""Names of kinds whose documents must be parsed for their configuration of kubelets."""

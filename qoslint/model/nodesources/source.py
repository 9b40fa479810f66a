"""What one object of a repository sets for the kubelets of some nodes."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from qoslint.finding import Place
from qoslint.model.setting import Setting


class Rest(StrEnum):
    """Where a kubelet takes from what its source does not write."""

    KUBELET = "kubelet"
    """From the kubelet's own defaults."""
    TOOL = "tool"
    """A tool sets fields of its own where none is written: OpenShift and Talos reserve memory."""
    IMAGE = "image"
    """The image of the machine has a configuration, into which even mappings are merged.

    Amazon's `nodeadm` and `bootstrap.sh` keep a default evictionHard beside what is written.
    """


class KubeletSource(NamedTuple):
    """A configuration of kubelets. It is no node profile: it does not say what its nodes have."""

    name: str
    """How messages name it: `NodePool default`, `node group workers of ClusterConfig prod`."""
    place: Place
    """The object, or the part of it, that is about these nodes."""
    fields: Mapping[str, Setting] = MappingProxyType({})
    """Fields of the KubeletConfiguration by name, with the values that are written."""
    instance_types: tuple[str, ...] = ()
    """The types of machines that it names, in their order: `m5.large`."""
    by_flags: bool = False
    """Whether the fields are flags of the command line, which count before a file's.

    `cmd/kubelet/app/server.go kubeletConfigFlagPrecedence`.
    """
    rest: Rest = Rest.KUBELET
    group: str = ""
    """The name of the group that the nodes are, as profiles may be named, too."""

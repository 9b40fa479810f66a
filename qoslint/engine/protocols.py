"""What a module of a rule defines: exactly one of these functions, and its name says the subject.

Each is a generator of problems. The check of a rule that has options takes them as `options`
behind its subject. Checks hold no state: each may be asked about its subjects in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, runtime_checkable

from qoslint.finding import Problem
from qoslint.model.change.changes import Changes
from qoslint.model.change.record import WorkloadChange
from qoslint.model.effective import Admitted
from qoslint.model.judged import JudgedCluster
from qoslint.model.namespace import Namespace
from qoslint.model.nodeconfiguration import NodeConfiguration
from qoslint.model.subject import Stated
from qoslint.model.suppression import JudgedSuppression, NewSuppression
from qoslint.model.verdict import Verdict
from qoslint.source.document import Broken


@runtime_checkable
class DocumentCheck(Protocol):
    """Looks at what could not be read: a file, or one document of it."""

    def check_document(self, broken: Broken) -> Iterator[Problem]:
        """The problems of the file or document."""


@runtime_checkable
class ObjectCheck(Protocol):
    """Looks at an object as it is written, of whatever kind, once for all clusters it is in."""

    def check_object(self, stated: Stated) -> Iterator[Problem]:
        """The problems of the object."""


@runtime_checkable
class WorkloadCheck(Protocol):
    """Looks at a workload with its names and labels, and at what became of its pods."""

    def check_workload(self, admitted: Admitted) -> Iterator[Problem]:
        """The problems of the workload."""


@runtime_checkable
class PodCheck(Protocol):
    """Looks at a pod as it will run, without names: once for all workloads of equal pods."""

    def check_pod(self, verdict: Verdict) -> Iterator[Problem]:
        """The problems of the pod; `HERE` and `OBJECT` stand for the workload."""


@runtime_checkable
class NamespaceCheck(Protocol):
    """Looks at a namespace of a cluster with everything in it."""

    def check_namespace(self, namespace: Namespace) -> Iterator[Problem]:
        """The problems of the namespace."""


@runtime_checkable
class ClusterCheck(Protocol):
    """Looks at a cluster with all its workloads."""

    def check_cluster(self, cluster: JudgedCluster) -> Iterator[Problem]:
        """The problems of the cluster."""


@runtime_checkable
class NodeCheck(Protocol):
    """Looks at what configures the kubelets of some nodes: a file, or a node profile."""

    def check_node(self, node: NodeConfiguration) -> Iterator[Problem]:
        """The problems of the configuration."""


@runtime_checkable
class RepositoryCheck(Protocol):
    """Looks at all clusters beside one another."""

    def check_repository(self, clusters: tuple[JudgedCluster, ...]) -> Iterator[Problem]:
        """The problems that only several clusters together show."""


@runtime_checkable
class SuppressionCheck(Protocol):
    """Looks at what somebody wrote to suppress findings, after all other rules ran."""

    def check_suppression(self, judged: JudgedSuppression) -> Iterator[Problem]:
        """The problems of the suppression; `HERE` stands for where it is written."""


@runtime_checkable
class NewSuppressionCheck(Protocol):
    """Looks at what a change suppresses; nothing suppresses what is found of that."""

    def check_new_suppression(self, new: NewSuppression) -> Iterator[Problem]:
        """The problems of it; `HERE` stands for where it is written."""


@runtime_checkable
class ChangeCheck(Protocol):
    """Looks at a workload of which two revisions make something different."""

    def check_change(self, change: WorkloadChange) -> Iterator[Problem]:
        """The problems of the change; places are those of the newer revision."""


@runtime_checkable
class ChangesCheck(Protocol):
    """Looks at all that differs between two revisions, cause by cause."""

    def check_changes(self, changes: Changes) -> Iterator[Problem]:
        """The problems that only all changes together show; places as of a change."""


PROTOCOLS: Mapping[str, type] = {
    "check_document": DocumentCheck,
    "check_object": ObjectCheck,
    "check_workload": WorkloadCheck,
    "check_pod": PodCheck,
    "check_namespace": NamespaceCheck,
    "check_cluster": ClusterCheck,
    "check_node": NodeCheck,
    "check_repository": RepositoryCheck,
    "check_suppression": SuppressionCheck,
    "check_new_suppression": NewSuppressionCheck,
    "check_change": ChangeCheck,
    "check_changes": ChangesCheck,
}
"""The protocols by the name of their function."""

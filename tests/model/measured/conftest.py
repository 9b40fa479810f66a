"""Workloads and measurements, in few words."""

import pytest

from qoslint.finding import ObjectId, Place
from qoslint.model.measured.podnames import PodOwner
from qoslint.model.measured.record import MeasuredUsage, Resource

GROUPS = {"Pod": "", "ReplicationController": "", "Job": "batch", "CronJob": "batch"}
GROUPS |= {"Rollout": "argoproj.io", "DeploymentConfig": "apps.openshift.io"}


@pytest.fixture
def owner():
    """Makes a workload of the label, such as `Deployment shop/api`, with a container `main`."""

    def make(label, running=("main",), ended=()):
        kind, name = label.split()
        namespace, name = name.split("/") if "/" in name else ("shop", name)
        group = GROUPS.get(kind, "apps")
        return PodOwner(namespace, group, kind, name, frozenset(running), frozenset(ended))

    return make


@pytest.fixture
def measured():
    """Makes a measurement of memory of a pod, or of the workload of a label with a kind."""

    def make(label, lo=1, hi=1, container=None, resource=Resource.MEMORY, line=0):
        kind, _, name = label.rpartition(" ")
        namespace, _, name = name.rpartition("/")
        place = Place(ObjectId("u", 0, ()), (line,))
        return MeasuredUsage(
            namespace or None, kind or "Pod", name, container, resource, lo, hi, place
        )

    return make

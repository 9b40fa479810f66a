"""When pods are ranked for a signal, and what they can use by then: disks and processes."""

from __future__ import annotations

import pytest

from qoslint.finding import ObjectId, Place
from qoslint.kernel.features import Version, features
from qoslint.kernel.signals import Filesystems, Signal
from qoslint.model.contenders import Limits
from qoslint.model.kubelet import kubelet
from qoslint.model.node import node_profile
from qoslint.model.pressure import pressure

VERSION = Version(1, 36)
SIZES = {
    "memory": "4Gi",
    "ephemeral-storage": 1000,
    "inodes": 100,
    "imagefs": 2000,
    "imagefs-inodes": 200,
    "pid": 500,
}
USED = {"ephemeral-storage": 100, "inodes": 10, "imagefs": 200, "imagefs-inodes": 20, "pid": 50}
OF_IMAGEFS = ("imagefs", "imagefs-inodes")
THRESHOLDS = {
    "nodefs.available": "30",
    "nodefs.inodesFree": "3",
    "imagefs.available": "70",
    "imagefs.inodesFree": "7",
    "pid.available": "40",
}
ON_NODEFS = (1000, Limits(1000 - 30 + 1 - 100, 900))
NODEFS_INODES = (100, Limits(100 - 3 + 1 - 10, 90))
ON_IMAGEFS = (2000, Limits(2000 - 70 + 1 - 200, 1800))
IMAGEFS_INODES = (200, Limits(200 - 7 + 1 - 20, 180))


def node(filesystems, sizes=SIZES, used=USED, **settings):
    def here(amounts):
        shared = filesystems is Filesystems.NODEFS
        return {name: n for name, n in amounts.items() if not shared or name not in OF_IMAGEFS}

    data = {
        "name": "n1",
        "capacity": here(sizes),
        "daemons": here(used),
        "filesystems": str(filesystems),
        "kubelet": {"evictionHard": THRESHOLDS, **settings},
    }
    place = Place(ObjectId("nodes.yaml", 0, ()), ())
    return kubelet(node_profile(data, VERSION, place), features(VERSION))


@pytest.mark.parametrize(
    ("filesystems", "signal", "expected"),
    [
        (Filesystems.NODEFS, Signal.NODEFS, ON_NODEFS),
        (Filesystems.NODEFS, Signal.NODEFS_INODES, NODEFS_INODES),
        # Its own threshold, of the one filesystem that there is.
        (Filesystems.NODEFS, Signal.IMAGEFS, (1000, Limits(1000 - 70 + 1 - 100, 900))),
        (Filesystems.NODEFS, Signal.IMAGEFS_INODES, (100, Limits(100 - 7 + 1 - 10, 90))),
        (Filesystems.NODEFS, Signal.CONTAINERFS, ON_NODEFS),
        (Filesystems.NODEFS, Signal.CONTAINERFS_INODES, NODEFS_INODES),
        (Filesystems.IMAGEFS, Signal.NODEFS, ON_NODEFS),
        (Filesystems.IMAGEFS, Signal.NODEFS_INODES, NODEFS_INODES),
        (Filesystems.IMAGEFS, Signal.IMAGEFS, ON_IMAGEFS),
        (Filesystems.IMAGEFS, Signal.IMAGEFS_INODES, IMAGEFS_INODES),
        (Filesystems.IMAGEFS, Signal.CONTAINERFS, ON_IMAGEFS),
        (Filesystems.IMAGEFS, Signal.CONTAINERFS_INODES, IMAGEFS_INODES),
        (Filesystems.SPLIT, Signal.NODEFS, ON_NODEFS),
        (Filesystems.SPLIT, Signal.NODEFS_INODES, NODEFS_INODES),
        (Filesystems.SPLIT, Signal.IMAGEFS, ON_IMAGEFS),
        (Filesystems.SPLIT, Signal.IMAGEFS_INODES, IMAGEFS_INODES),
        (Filesystems.SPLIT, Signal.CONTAINERFS, ON_NODEFS),
        (Filesystems.SPLIT, Signal.CONTAINERFS_INODES, NODEFS_INODES),
    ],
)
def test_each_disk_signal_watches_the_filesystem_of_the_layout(filesystems, signal, expected):
    found = pressure(node(filesystems), signal)
    assert (found.capacity, found.limits) == expected


def test_a_size_that_is_not_stated_limits_nothing():
    sizes = {"memory": "4Gi"}
    found = pressure(node(Filesystems.SPLIT, sizes, {}), Signal.IMAGEFS_INODES)
    assert (found.capacity, found.limits) == (None, Limits(None, None))


def test_few_processes_may_have_the_threads_that_meet_the_threshold():
    assert pressure(node(Filesystems.NODEFS), Signal.PID).limits == Limits(0, 450)


def test_what_is_reserved_of_the_processes_is_none_of_the_pods():
    found = pressure(node(Filesystems.NODEFS, kubeReserved={"pid": "100"}), Signal.PID)
    assert found.limits == Limits(0, 400)


MI = 2**20
MEMORY = {"memory": "1000Mi"}
RESERVED = {
    "evictionHard": {"memory.available": "100Mi"},
    "systemReserved": {"memory": "200Mi"},
}


@pytest.mark.parametrize(("enforced", "most"), [(["pods"], 800), (["none"], 1000)])
def test_no_pod_uses_more_than_the_cgroup_of_all_pods_where_that_is_enforced(enforced, most):
    own = node(Filesystems.NODEFS, MEMORY, {}, **RESERVED, enforceNodeAllocatable=enforced)
    assert pressure(own, Signal.MEMORY).room.most == most * MI


def test_no_pod_has_more_processes_than_the_cgroup_of_all_pods():
    found = pressure(node(Filesystems.NODEFS, kubeReserved={"pid": "100"}), Signal.PID)
    assert found.room.most == 400

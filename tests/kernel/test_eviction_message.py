"""What the status of an evicted pod says."""

from __future__ import annotations

import pytest

from qoslint.kernel.evictionmessage import eviction_message
from qoslint.kernel.features import features
from qoslint.kernel.pod import Container, ContainerType, Pod, ResourceList, Resources
from qoslint.kernel.podstats import ContainerStats, FsStats, PodStats
from qoslint.kernel.quantity import Format, new_quantity, parse
from qoslint.kernel.signals import StarvedResource

MI = 2**20
MET = (parse("100Mi"), new_quantity(51200 * 1024, Format.BINARY_SI))


def asking(**texts):
    return Resources(ResourceList({name: parse(text) for name, text in texts.items()}))


def message(resource, pod, stats, version="1.36", met=MET):
    return eviction_message(resource, "shop-1", pod, stats, met, features(version))


def test_containers_above_their_own_request_are_named_in_the_order_of_the_stats():
    pod = Pod(
        (Container("app", resources=asking(memory="64Mi")), Container("idle", resources=asking())),
        (Container("proxy", ContainerType.SIDECAR, asking(memory="10Mi")),),
    )
    measured = [("proxy", 10 * MI), ("unknown", MI), ("app", 65 * MI), ("idle", None)]
    stats = PodStats(containers=tuple(ContainerStats(n, working_set=used) for n, used in measured))
    assert message(StarvedResource.MEMORY, pod, stats) == (
        "The node was low on resource: memory. "
        "Threshold quantity: 100Mi, available: 50Mi. "
        "Container app was using 65Mi, request is 64Mi, has larger consumption of memory. "
    )


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        ("1.33", ""),
        (
            "1.34",
            "Pod shop-1 was using 200Mi, request is 1Gi, has larger consumption of memory. ",
        ),
    ],
)
def test_since_1_34_a_pod_level_request_is_named_even_where_it_is_not_exceeded(version, sentence):
    pod = Pod((Container("app"),), resources=asking(memory="1Gi"))
    said = message(StarvedResource.MEMORY, pod, PodStats(working_set=200 * MI), version, met=None)
    assert said == f"The node was low on resource: memory. {sentence}"


def test_disk_usage_is_named_only_if_logs_and_writable_layer_were_measured():
    pod = Pod((Container("app"), Container("new")))
    stats = PodStats(
        containers=(
            ContainerStats("app", FsStats(used_bytes=2000), FsStats(used_bytes=24)),
            ContainerStats("new", FsStats(used_bytes=10**9)),
        )
    )
    assert message(StarvedResource.EPHEMERAL_STORAGE, pod, stats, met=None) == (
        "The node was low on resource: ephemeral-storage. "
        "Container app was using 2024, request is 0, has larger consumption of ephemeral-storage. "
    )


@pytest.mark.parametrize("resource", [StarvedResource.INODES, StarvedResource.PIDS])
def test_for_inodes_and_processes_nobody_is_named(resource):
    stats = PodStats(
        processes=9,
        containers=(ContainerStats("app", FsStats(5, 5), FsStats(5, 5), working_set=5),),
    )
    said = message(resource, Pod((Container("app"),)), stats, met=None)
    assert said == f"The node was low on resource: {resource}. "

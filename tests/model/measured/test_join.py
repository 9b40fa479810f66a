"""Measurements joined to workloads."""

import pytest

from qoslint.finding import ObjectId, Place
from qoslint.kernel.features import Version
from qoslint.model.measured.join import Measured, above_node, join
from qoslint.model.measured.record import Resource
from qoslint.model.node import node_profile

PLACE = Place(ObjectId("u", 0, ()), (0,))
ONE, TWO = "shop/api-5f7d8c9b4-x2k4z", "shop/api-5f7d8c9b4-bbbbb"


def memory(joined, owner):
    """The interval of the pods of a workload."""
    found = joined.pods[owner, Resource.MEMORY]
    return found.lo, found.hi


def test_the_pods_of_a_workload_give_one_interval(owner, measured):
    api = owner("Deployment api")
    joined = join([measured(ONE, 10, 20), measured(TWO, 5, 15, line=7)], [api])
    assert memory(joined, api) == (5, 20)
    assert joined.pods[api, Resource.MEMORY].place == PLACE
    assert joined.unused == ()


def test_a_pod_uses_the_sum_of_its_containers(owner, measured):
    api = owner("Deployment api", ["main", "proxy"])
    joined = join([measured(ONE, 10, 20, "main"), measured(ONE, 1, 2, "proxy")], [api])
    assert memory(joined, api) == (11, 22)
    assert joined.containers[api, "main", Resource.MEMORY] == Measured(10, 20, PLACE)


def test_a_running_container_that_was_not_measured_leaves_the_most_open(owner, measured):
    api = owner("Deployment api", ["main", "proxy"])
    assert memory(join([measured(ONE, 10, 20, "main")], [api]), api) == (10, None)


def test_of_a_pod_with_unknown_containers_the_most_is_open(owner, measured):
    api = owner("Deployment api", [])
    assert memory(join([measured(ONE, 10, 20, "main")], [api]), api) == (10, None)


def test_the_pod_as_a_whole_is_measured_more_exactly_than_its_containers(owner, measured):
    api = owner("Deployment api")
    joined = join([measured(ONE, 10, 20, "main"), measured(ONE, 12, 18)], [api])
    assert memory(joined, api) == (12, 18)


def test_pods_measured_as_a_whole_and_in_parts_give_one_interval(owner, measured):
    api = owner("Deployment api")
    joined = join([measured(ONE, 10, 20, "main"), measured(TWO, 12, 30)], [api])
    assert memory(joined, api) == (10, 30)


def test_init_containers_that_ended_do_not_count(owner, measured):
    job = owner("Job sum", ended=["setup"])
    found = [measured("shop/sum-bbbbb", 9, 9, name) for name in ("main", "setup")]
    assert memory(join(found, [job]), job) == (9, 9)


def test_the_sandbox_counts(owner, measured):
    api = owner("Deployment api")
    found = [measured(ONE, 9, 9, name) for name in ("main", "POD")]
    joined = join(found, [api])
    assert memory(joined, api) == (18, 18)
    assert joined.unused == ()


def test_a_measurement_may_name_the_workload(owner, measured):
    api, other = owner("Deployment api"), owner("StatefulSet api")
    joined = join([measured("Deployment shop/api", 1, None)], [api, other])
    assert memory(joined, api) == (1, None)
    assert len(joined.pods) == 1


def test_a_pod_of_two_possible_workloads_is_refused_with_both_names(owner, measured):
    workloads = [owner("DaemonSet log"), owner("Job log")]
    joined = join([measured("shop/log-x2k4z"), measured("shop/log-x2k4z")], workloads)
    assert joined.pods == {}
    assert [each.message for each in joined.unused] == [
        "The usage of Pod shop/log-x2k4z is not used: it can be a pod of DaemonSet shop/log and "
        "Job shop/log. State it in a usage file under the kind and name of the workload."
    ]


def test_without_a_namespace_the_name_must_be_of_one_workload(owner, measured):
    a, b = owner("DaemonSet a/log"), owner("DaemonSet b/log")
    assert memory(join([measured("log-x2k4z", 3, 4)], [a]), a) == (3, 4)
    (unused,) = join([measured("log-x2k4z")], [a, b]).unused
    assert "it can be a pod of DaemonSet a/log and DaemonSet b/log." in unused.message


def messages(usages, workloads):
    return [each.message for each in join(usages, workloads).unused]


def test_a_pod_of_no_workload_is_told_with_the_nearest_name(owner, measured):
    assert messages([measured("shop/apii-5f7d8c9b4-x2k4z")], [owner("Deployment api")]) == [
        "The usage of Pod shop/apii-5f7d8c9b4-x2k4z is not used: no workload in the files makes "
        "such a pod. Did you mean 'api'?"
    ]


def test_a_pod_of_another_namespace_is_told_with_the_workload_there(owner, measured):
    assert messages([measured("test/log-x2k4z")], [owner("DaemonSet shop/log")]) == [
        "The usage of Pod test/log-x2k4z is not used: no workload in the files makes such a pod. "
        "DaemonSet shop/log makes pods of such a name."
    ]


def test_pods_like_no_workload_are_counted_by_namespace(owner, measured):
    usages = [measured(f"kube-system/coredns-{n}") for n in range(40)]
    usages += [measured("zzz")]
    assert messages(usages, [owner("Deployment api")]) == [
        "The usage of pod coredns-0 and 39 more of namespace kube-system is not used: no workload "
        "in the files makes pods of such names.",
        "The usage of pod zzz is not used: no workload in the files makes pods of such names.",
    ]


@pytest.mark.parametrize(
    ("stated", "hint"),
    [
        ("Deployment shop/apii", "Deployment shop/api"),
        ("StatefulSet shop/api", "Deployment shop/api"),
    ],
)
def test_a_workload_that_is_not_there_is_told_with_the_nearest(owner, measured, stated, hint):
    assert messages([measured(stated)], [owner("Deployment api")]) == [
        f"The usage of {stated} is not used: no workload in the files is of that kind and name. "
        f"Did you mean {hint!r}?"
    ]


def test_a_container_that_the_workload_lacks_is_told_once(owner, measured):
    usages = [measured(ONE, container=name) for name in ("main", "istio-proxy", "istio-proxy")]
    assert messages([*usages, measured(TWO, container="mian")], [owner("Deployment api")]) == [
        f"Container istio-proxy of Pod {ONE} was measured, and pods of Deployment shop/api have "
        "none of that name: its usage counts as part of the pod.",
        f"Container mian of Pod {TWO} was measured, and pods of Deployment shop/api have "
        "none of that name: its usage counts as part of the pod. Did you mean 'main'?",
    ]


def test_many_unknown_pods_of_many_workloads_are_told_in_a_moment(owner, measured):
    workloads = [owner(f"Deployment service-{n}") for n in range(2000)]
    usages = [measured(f"shop/servicex{n}-5f7d8c9b4-x2k4z") for n in range(5000)]
    assert 0 < len(messages(usages, workloads)) <= 51


@pytest.mark.parametrize(
    ("measurement", "limits", "narrowed"),
    [
        ((5, 8), (1, 10), (5, 8)),
        ((0, 8), (1, 10), (1, 8)),
        ((5, None), (1, 10), (5, 10)),
        ((20, 30), (1, 10), (10, 10)),
        ((0, 0), (1, 10), (1, 1)),
    ],
)
def test_an_interval_is_narrowed_to_what_was_measured(measurement, limits, narrowed):
    assert Measured(*measurement, PLACE).narrowed(*limits) == narrowed


def test_usage_above_the_node_is_told(owner, measured):
    capacity = {"memory": "1Gi", "pid": 100}
    node = node_profile({"name": "n1", "capacity": capacity}, Version(1, 36), PLACE)
    api = owner("Deployment api")
    usages = [
        measured(ONE, 1, 2**30 + 2**20),
        measured(ONE, 100, 100, resource=Resource.PROCESSES),
        measured(ONE, 10**9, None, resource=Resource.INODES),
    ]
    assert [each.message for each in above_node(join(usages, [api]), node)] == [
        "Pods of Deployment shop/api were measured to use 1025Mi of memory, and node n1 has 1Gi: "
        "on it no pod can use more than that."
    ]

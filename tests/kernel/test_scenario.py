"""Nodes under growing usage: what the kubelet does pass by pass, and when the kernel is first."""

from __future__ import annotations

import pytest

from qoslint.kernel.features import features
from qoslint.kernel.pod import Container, ContainerType, Pod, ResourceList, Resources, Volume
from qoslint.kernel.quantity import parse
from qoslint.kernel.ramps import (
    Daemon,
    Disk,
    Node,
    Ramp,
    RunningContainer,
    RunningPod,
    steady,
)
from qoslint.kernel.scenario import KernelKill, MemoryLimit, in_time, longest_grace, play
from qoslint.kernel.signals import Filesystems, NodeCondition, Signal
from qoslint.kernel.simulation import EvictionConfig, Garbage
from qoslint.kernel.thresholds import Threshold, ThresholdValue

MI, GI = 2**20, 2**30
SECOND = 10**9
CRITICAL = 2 * 10**9


def listed(**texts):
    return ResourceList({name.replace("_", "-"): parse(text) for name, text in texts.items()})


def pod(memory=0, request="0", priority=0, *, adj=500, logs=0, storage=None, volumes=()):
    """A pod of one container using `memory` and `logs`, bytes or ramps; `volumes` have a limit."""
    limits = listed(ephemeral_storage=storage) if storage else listed()
    asked = Container("c", resources=Resources(listed(memory=request), limits))
    declared = tuple(Volume(name, "emptyDir", size_limit=parse(size)) for name, size, _ in volumes)
    return RunningPod(
        Pod((asked,), priority=priority, volumes=declared, termination_grace_period_seconds=30),
        (RunningContainer("c", adj, ramp(memory), logs=ramp(logs)),),
        tuple((name, ramp(used)) for name, _, used in volumes),
    )


def ramp(value):
    return value if isinstance(value, Ramp) else steady(value)


def threshold(signal, value, grace=0, reclaim=None):
    return Threshold(
        signal,
        ThresholdValue(parse(value)),
        grace * SECOND,
        None if reclaim is None else ThresholdValue(parse(reclaim)),
    )


def config(*thresholds, version="1.36", **fields):
    return EvictionConfig(thresholds, features(version), **fields)


def daemons(memory):
    return (Daemon("daemons", ramp(memory)),)


def evicted(steps):
    """Second and pod of each eviction; of a kill by the kernel, second and whom."""
    found = []
    for step in steps:
        if isinstance(step, KernelKill):
            found.append((step.second, "kernel", step.suspects[0].name, step.suspects[0].pod))
        else:
            found += [(step.second, victim.pod) for victim in step.evicted]
    return found


HARD = threshold(Signal.MEMORY, "100Mi")


def test_a_limit_of_local_storage_evicts_first_and_ends_the_pass():
    pods = [
        pod(950 * MI),
        pod(MI, volumes=[("cache", "10Mi", 11 * MI)]),
        pod(MI, storage="20Mi", logs=21 * MI),
        pod(MI, priority=CRITICAL, volumes=[("cache", "10Mi", 11 * MI)]),
    ]
    first, second = play(Node(GI), pods, config(HARD), 10)
    assert [each.message for each in first.done.local_storage] == [
        'Usage of EmptyDir volume "cache" exceeds the limit "10Mi". ',
        "Pod ephemeral local storage usage exceeds the total limit of containers 20Mi. ",
    ]
    assert first.done.conditions == (NodeCondition.MEMORY_PRESSURE,)
    assert first.done.reclaims == ()
    assert evicted([first, second]) == [(0, 1), (0, 2), (10, 0)]


def test_memory_comes_before_disk():
    node = Node(GI, nodefs=Disk(GI))
    pods = [pod(MI, logs=960 * MI), pod(960 * MI)]
    disk = threshold(Signal.NODEFS, "100Mi")
    first, second = play(node, pods, config(disk, HARD), 10)
    assert first.done.conditions == (NodeCondition.DISK_PRESSURE, NodeCondition.MEMORY_PRESSURE)
    assert [each.threshold for each in first.done.reclaims] == [HARD]
    assert evicted([first, second]) == [(0, 1), (10, 0)]


@pytest.mark.parametrize(("reclaim", "expected"), [(None, [(0, 0)]), ("150Mi", [(0, 0), (10, 1)])])
def test_minimum_reclaim_takes_one_more(reclaim, expected):
    pods = [pod(100 * MI), pod(100 * MI, "10Mi"), pod(750 * MI, "750Mi")]
    hard = threshold(Signal.MEMORY, "100Mi", reclaim=reclaim)
    assert evicted(play(Node(GI), pods, config(hard), 40)) == expected


def test_a_soft_threshold_sets_its_condition_at_once_and_evicts_after_its_grace():
    soft = threshold(Signal.MEMORY, "200Mi", grace=30)
    steps = list(play(Node(GI), [pod(900 * MI)], config(soft), 40))
    assert {step.done.conditions for step in steps} == {(NodeCondition.MEMORY_PRESSURE,)}
    assert evicted(steps) == [(30, 0)]


def test_a_soft_threshold_that_was_not_met_in_between_starts_its_grace_anew():
    dips = Ramp(900 * MI, 500 * MI, 400 * MI, begins=10)
    rises = Ramp(0, 400 * MI, 400 * MI, begins=25)
    soft = threshold(Signal.MEMORY, "200Mi", grace=30)
    steps = play(Node(GI), [pod(dips), pod(rises)], config(soft), 60)
    assert [second for second, _ in evicted(steps)] == [60]


def test_the_condition_stays_for_the_transition_period():
    short = config(HARD, pressure_transition_period=15 * SECOND)
    steps = play(Node(GI), [pod(950 * MI)], short, 30)
    assert [len(step.done.conditions) for step in steps] == [1, 1, 0, 0]


def test_a_soft_eviction_gives_the_pod_its_grace_and_the_kernel_does_not_wait():
    soft = threshold(Signal.MEMORY, "200Mi", grace=10)
    growing = pod(Ramp(900 * MI, 2 * GI, 6 * MI), adj=900)
    patient = config(soft, max_pod_grace_period_seconds=120)
    steps = list(play(Node(GI), [growing], patient, 100))
    assert steps[1].evicted == ((0, 30),)
    assert evicted(steps) == [(10, 0), (21, "kernel", "c", 0)]


def test_pods_can_fill_their_cgroup_while_the_node_has_memory_left():
    node = Node(2 * GI, kubepods_limit=GI, daemons=daemons(MI))
    allocatable = threshold(Signal.ALLOCATABLE_MEMORY, "100Mi")
    (step,) = play(node, [pod(950 * MI)], config(allocatable, HARD), 0)
    assert [each.threshold for each in step.done.reclaims] == [allocatable]
    full = Node(2 * GI, kubepods_limit=GI, daemons=daemons(1100 * MI))
    (step,) = play(full, [pod(900 * MI)], config(allocatable, HARD), 0)
    assert [each.threshold for each in step.done.reclaims] == [HARD]


def test_pods_beyond_their_cgroup_are_killed_there_and_daemons_are_spared():
    node = Node(4 * GI, kubepods_limit=GI, daemons=(Daemon("daemons", steady(2 * GI), 1000),))
    (kill,) = play(node, [pod(600 * MI, adj=900), pod(500 * MI, adj=999)], config(HARD), 0)
    assert (kill.full, kill.used, kill.limit) == (MemoryLimit.KUBEPODS, 1100 * MI, GI)
    assert [suspect.pod for suspect in kill.suspects] == [1, 0]


def test_deleting_images_ends_the_pass_if_nothing_is_short_afterwards():
    disk = threshold(Signal.NODEFS, "100Mi", reclaim="50Mi")
    busy = [pod(MI, logs=800 * MI)]
    spared = Node(GI, nodefs=Disk(GI, dead_containers=50 * MI, unused_images=100 * MI))
    first, second = play(spared, busy, config(disk), 10)
    assert first.done.reclaims[0].garbage == (Garbage.DEAD_CONTAINERS, Garbage.UNUSED_IMAGES)
    assert (evicted([first, second]), second.done.reclaims) == ([], ())
    short = Node(GI, nodefs=Disk(GI, steady(75 * MI), unused_images=100 * MI))
    assert evicted(play(short, busy, config(disk), 0)) == [(0, 0)]


def test_with_an_image_filesystem_nothing_is_deleted_for_nodefs():
    disk = threshold(Signal.NODEFS, "100Mi")
    node = Node(GI, nodefs=Disk(GI), imagefs=Disk(GI, unused_images=900 * MI))
    layout = config(disk, filesystems=Filesystems.IMAGEFS)
    (step,) = play(node, [pod(MI, logs=1000 * MI)], layout, 0)
    assert (step.done.reclaims[0].garbage, evicted([step])) == ((), [(0, 0)])


def test_without_a_memory_threshold_only_the_kernel_acts():
    """As on k3s, which sets `imagefs.available` and `nodefs.available` alone."""
    k3s = config(threshold(Signal.NODEFS, "50Mi"), threshold(Signal.IMAGEFS, "50Mi"))
    node = Node(GI, nodefs=Disk(GI), daemons=daemons(100 * MI))
    pods = [pod(Ramp(100 * MI, GI, 10 * MI), adj=3), pod(100 * MI, adj=1000)]
    steps = list(play(node, pods, k3s, 100))
    assert not any(step.done.conditions for step in steps[:-1])
    assert evicted(steps) == [(73, "kernel", "c", 1)]


def test_if_only_critical_pods_are_left_nobody_is_evicted():
    pods = [pod(100 * MI), pod(900 * MI, priority=CRITICAL), pod(20 * MI, "20Mi", CRITICAL)]
    first, second = play(Node(GI), pods, config(threshold(Signal.MEMORY, "150Mi")), 10)
    assert evicted([first, second]) == [(0, 0)]
    (reclaim,) = second.done.reclaims
    assert (reclaim.ranking, reclaim.refused, reclaim.victims) == (((1,), (2,)), (1, 2), ())


@pytest.mark.parametrize(("version", "victim"), [("1.33", 0), ("1.34", 1)])
def test_until_1_33_a_pod_is_evicted_for_what_its_sidecar_requested(version, victim):
    asked = Resources(listed(memory="400Mi"))
    sidecar = Container("s", ContainerType.SIDECAR, asked)
    with_sidecar = RunningPod(
        Pod((Container("c", resources=asked),), (sidecar,)),
        (
            RunningContainer("c", 500, steady(400 * MI)),
            RunningContainer("s", 500, steady(350 * MI)),
        ),
    )
    other = pod(200 * MI, "100Mi", priority=10)
    (step,) = play(Node(GI), [with_sidecar, other], config(HARD, version=version), 0)
    assert evicted([step]) == [(0, victim)]


API, INGRESS, BATCH, METRICS, REDIS, SHIPPER = range(6)


def teaching_node(target, per_second=MI, api_priority=0, begins=1):
    """Allocatable 6 GiB: 512 MiB for daemons and the default threshold are kept from 6756 MiB."""
    pods = [
        pod(900 * MI, "1Gi", api_priority, adj=-997),
        pod(780 * MI, "256Mi", 1000, adj=963),
        pod(1600 * MI, "2Gi", -100, adj=697),
        pod(400 * MI, "512Mi", 500, adj=925),
        pod(1342 * MI, "2Gi", 1000, adj=-997),
        pod(300 * MI, adj=1000),
    ]
    system = Ramp(512 * MI, target * MI, per_second, begins)
    return play(Node(6756 * MI, daemons=daemons(system)), pods, config(HARD), 3600)


@pytest.mark.parametrize(
    ("target", "api_priority", "order"),
    [
        (1334, 0, []),
        (1400, 0, [SHIPPER]),
        (2000, 0, [SHIPPER, INGRESS]),
        (2600, 0, [SHIPPER, INGRESS, BATCH]),
        (2600, -1000, [SHIPPER, INGRESS, API]),
        (2600, 2000, [SHIPPER, INGRESS, BATCH]),
    ],
)
def test_daemons_that_grow_slowly_are_answered_pod_by_pod(target, api_priority, order):
    steps = list(teaching_node(target, api_priority=api_priority))
    assert [victim for _, victim in evicted(steps)] == order
    if target == 1400:
        (low,) = [step for step in steps if step.evicted]
        assert low.observations[Signal.MEMORY].available < 100 * MI


@pytest.mark.parametrize(("api_priority", "place"), [(0, 4), (2000, 6)])
def test_a_higher_priority_moves_a_pod_within_its_request_to_the_end(api_priority, place):
    steps = teaching_node(1400, api_priority=api_priority)
    reclaims = next(step.done.reclaims for step in steps if step.done.reclaims)
    assert reclaims[0].ranking.index((API,)) + 1 == place


def test_daemons_that_jump_leave_the_choice_to_the_kernel():
    steps = list(teaching_node(2600, per_second=GI))
    kill = steps[-1]
    assert (kill.second, kill.full, kill.used) == (2, MemoryLimit.NODE, 6858 * MI)
    assert [(each.pod, each.name) for each in kill.suspects[:2]] == [(INGRESS, "c"), (SHIPPER, "c")]


def first_to_act(begin, per_second, given):
    """Whether memory is free again or the kernel kills first on a node of 1 GiB.

    Its daemons grow, having `begin` bytes left beside a pod that uses a quarter of it.
    """
    used = GI // 4
    daemons = Daemon("daemons", Ramp(GI - used - begin, 2 * GI, per_second))
    steps = play(Node(GI, daemons=(daemons,)), [pod(used)], config(given), 10000)
    for step in steps:
        if isinstance(step, KernelKill):
            return step
        if step.evicted:
            return next(steps)
    raise AssertionError("nobody acted")


@pytest.mark.parametrize("grace", [0, 5, 10, 25])
def test_up_to_a_rate_the_kubelet_is_first_wherever_its_looks_fall(grace):
    given = threshold(Signal.MEMORY, "100Ki", grace)
    rate = in_time(given, GI, longest_grace(config(given)))
    assert rate == 100 * 1024 // {0: 11, 5: 21, 10: 21, 25: 41}[grace]
    for begin in range(100 * 1024 - 1000, 100 * 1024 + 50 * rate, 977):
        assert not isinstance(first_to_act(begin, rate, given), KernelKill)
    # A look that just misses the threshold leaves all of the rest to faster growth.
    assert isinstance(first_to_act(100 * 1024, rate + 1, given), KernelKill)
    assert not isinstance(first_to_act(100 * 1024 + rate, rate + 1, given), KernelKill)


def test_a_pod_uses_its_memory_until_its_grace_has_passed():
    """At 10 s 22Mi are left and the shipper gets 1 s; at 11 s daemons have used up 68Mi more."""
    steps = list(teaching_node(2600, per_second=90 * MI, begins=0))
    assert evicted(steps) == [(10, SHIPPER), (11, "kernel", "c", INGRESS)]
    assert steps[-1].used == 6824 * MI
    assert SHIPPER in [each.pod for each in steps[-1].suspects]


@pytest.mark.parametrize(("most", "grace"), [(0, 1), (120, 120)])
def test_a_soft_eviction_may_give_more_grace_than_a_hard_one(most, grace):
    soft = threshold(Signal.MEMORY, "200Mi", grace=10)
    assert longest_grace(config(soft, HARD, max_pod_grace_period_seconds=most)) == grace
    assert longest_grace(config(HARD, max_pod_grace_period_seconds=most)) == 1


def test_the_kernel_kills_until_the_rest_fits():
    pods = [pod(300 * MI, adj=1000), pod(200 * MI, adj=900), pod(100 * MI, adj=800)]
    daemons = Daemon("daemons", Ramp(400 * MI, 924 * MI, 524 * MI), -999)
    *_, kill = play(Node(GI, daemons=(daemons,)), pods, config(), 1)
    assert isinstance(kill, KernelKill)
    assert [each.pod for each in kill.killed] == [0, 1]
    assert kill.left == 0

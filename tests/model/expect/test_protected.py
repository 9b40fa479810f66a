"""A protected pod is never the victim, whatever happens that its argument allows."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from qoslint.finding import ObjectId, Place
from qoslint.kernel.eviction import Candidate, rank, victims
from qoslint.kernel.features import Version, features
from qoslint.kernel.pod import MEMORY
from qoslint.kernel.quantity import ZERO, Format, new_quantity
from qoslint.kernel.signals import MEMORY_SIGNALS, Signal
from qoslint.model.expect.protected import reclaims_too_much
from qoslint.model.kubelet import kubelet
from qoslint.model.node import node_profile

PLACE = Place(ObjectId("node.yaml", 0, ()), ())
MI = 2**20
AVAILABLE = "memory.available"


@st.composite
def kubelets(draw):
    def size(most, least=0):
        return f"{draw(st.integers(least, most))}Mi"

    configuration = {
        "kubeReserved": {MEMORY: size(4)},
        "evictionHard": {AVAILABLE: size(4, 1)},
    }
    if draw(st.booleans()):
        configuration["evictionMinimumReclaim"] = {AVAILABLE: size(3)}
    if draw(st.booleans()):
        configuration["evictionSoft"] = {AVAILABLE: size(6, 1)}
        configuration["evictionSoftGracePeriod"] = {AVAILABLE: "0s"}
    if draw(st.booleans()):
        configuration["enforceNodeAllocatable"] = []
    data = {"name": "node", "capacity": {MEMORY: "16Mi"}, "kubelet": configuration}
    if draw(st.booleans()):
        data["daemons"] = {MEMORY: size(4)}
    version = Version.parse("1.36")
    return kubelet(node_profile(data, version, PLACE), features(version))


def reserved(node):
    whole = node.resources.allocatable.kube_reserved.get(MEMORY, ZERO).value()
    stated = node.node.daemons.get(MEMORY)
    return whole if stated is None else min(whole, stated.value())


def met(node, pods, daemons, before):
    """The memory thresholds that are met; those that were before until they are reclaimed."""
    for threshold in node.resources.thresholds:
        if threshold.signal not in MEMORY_SIGNALS:
            continue
        capacity = node.resources.capacities[threshold.signal]
        of_node = threshold.signal is Signal.MEMORY
        available = capacity - pods - (daemons if of_node else 0)
        wanted = threshold.resolved(capacity).value()
        if threshold in before and threshold.min_reclaim:
            wanted += threshold.min_reclaim.quantity.value()
        if available < wanted:
            yield threshold


@settings(max_examples=200, deadline=None)
@given(kubelets(), st.data())
def test_while_all_it_names_keep_to_their_requests_the_kubelet_takes_another_pod(node, data):
    assume(not reclaims_too_much(node))
    room = node.resources.allocatable.allocatable[MEMORY].value() // MI
    requests = data.draw(st.lists(st.integers(0, 5), min_size=1, max_size=4))
    assume(sum(requests) <= room)
    pods = {
        # The first is the protected one, and no critical one can exceed its request.
        index: (request, data.draw(st.integers(-1, 1)), index > 0 and data.draw(st.booleans()))
        for index, request in enumerate(requests)
    }
    before = []
    for _ in range(6):
        usages = {
            index: data.draw(st.integers(0, request if critical or index == 0 else 16)) * MI
            for index, (request, _, critical) in pods.items()
        }
        daemons = data.draw(st.integers(0, reserved(node) // MI)) * MI
        if sum(usages.values()) + daemons > 16 * MI:
            break  # the kernel acts first
        before = list(met(node, sum(usages.values()), daemons, before))
        if not before:
            continue
        order = list(pods)
        candidates = [
            Candidate(usages[i], new_quantity(pods[i][0] * MI, Format.BINARY_SI), *pods[i][1:])
            for i in order
        ]
        taken = victims(
            rank(candidates, Signal.MEMORY), [at for at, i in enumerate(order) if pods[i][2]]
        )
        assert 0 not in {order[at] for at in taken}
        assert taken
        del pods[order[taken[0]]]


@settings(max_examples=100, deadline=None)
@given(kubelets())
def test_what_the_kubelet_is_said_to_reclaim_too_much_is_not_there_when_all_keep_to_theirs(node):
    resources = node.resources
    pods = resources.allocatable.allocatable[MEMORY].value()
    memory = [each for each in resources.thresholds if each.signal in MEMORY_SIGNALS]
    asked = list(met(node, pods, reserved(node), memory))
    assert bool(reclaims_too_much(node)) == bool(asked)

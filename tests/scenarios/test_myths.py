"""What is often said of QoS classes and is not so, each with the answer of Kubernetes."""

from __future__ import annotations

import json

import pytest

FULL = {"cpu": "1", "memory": "1Gi"}
HALF = {"cpu": "500m", "memory": "512Mi"}


def container(name, requests=None, limits=None, **more):
    lists = {"requests": requests, "limits": limits}
    resources = {field: amounts for field, amounts in lists.items() if amounts is not None}
    return {"name": name, "image": "x", "resources": resources, **more}


def pod(*containers, **spec):
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p"},
        "spec": {"containers": list(containers), **spec},
    }


@pytest.fixture
def fact(repository):
    """The facts of a pod on a node of 8Gi, among other objects."""

    def run(thing, *others, kubernetes="1.36"):
        settings = {
            "kubernetes": kubernetes,
            "nodes": [{"name": "n8", "capacity": {"cpu": "4", "memory": "8Gi"}}],
        }
        items = {"apiVersion": "v1", "kind": "List", "items": [thing, *others]}
        texts = {".qoslint.yaml": json.dumps(settings), "all.json": json.dumps(items)}
        (cluster,) = repository.write(texts).facts()["clusters"]
        (found,) = cluster["pods"]
        return found

    return run


def scores(found):
    return {each["name"]: each["oomScoreAdj"]["n8"] for each in found["containers"]}


GUARANTEED = {
    "Guaranteed needs requests in the manifest": pod(container("a", limits=FULL)),
    "equal amounts must be written alike": pod(
        container("a", {"cpu": "1000m", "memory": "1024Mi"}, {"cpu": 1, "memory": 2**30})
    ),
    "disk and devices must be equal too": pod(
        container("a", {"ephemeral-storage": "1Gi"}, {**FULL, "ephemeral-storage": "2Gi"})
    ),
    "a Guaranteed pod has a priority": pod(container("a", limits=FULL), priority=0),
    "containers must be of one size": pod(container("a", limits=FULL), container("b", limits=HALF)),
}
BURSTABLE = {
    "Burstable needs memory": pod(container("a", {"cpu": "1m"})),
    "Burstable needs a request": pod(
        container("a", limits={"memory": "1Gi"}), container("b", limits={"cpu": "1"})
    ),
    "init containers do not count, for they have long finished": pod(
        container("a", limits=FULL), initContainers=[container("setup")]
    ),
    "sidecars do not count": pod(
        container("a", limits=FULL), initContainers=[container("s", restartPolicy="Always")]
    ),
    "most of the containers are enough": pod(*(container(n, limits=FULL) for n in "ab"),
                                             container("c")),
    "it is sums that are compared": pod(
        container("a", {"cpu": "1", "memory": "1Gi"}, {"cpu": "1", "memory": "1Gi"}),
        container("b", {"cpu": "1", "memory": "1Gi"}, {"memory": "1Gi"}),
    ),
    "a request of zero is filled in from the limit": pod(
        container("a", {"cpu": "0"}, FULL),
    ),
    "a limit of zero is a limit": pod(container("a", {"cpu": "0"}, {"cpu": "0", "memory": "1Gi"})),
    "one byte of memory is nothing": pod(container("a", {"memory": "1"})),
    "a node-critical pod is Guaranteed": pod(
        container("a", {"cpu": "1m"}), priorityClassName="system-node-critical"
    ),
}  # fmt: skip
BEST_EFFORT = {
    "a GPU makes a pod Burstable": pod(container("a", limits={"nvidia.com/gpu": 1})),
    "disk makes a pod Burstable": pod(container("a", {"ephemeral-storage": "1Gi"})),
    "zeros make a pod Burstable": pod(container("a", {"cpu": "0", "memory": "0"})),
    "a high priority makes a pod better than BestEffort": pod(
        container("a"), priorityClassName="system-cluster-critical"
    ),
}


@pytest.mark.parametrize("myth", GUARANTEED)
def test_it_is_guaranteed(fact, myth):
    found = fact(GUARANTEED[myth])
    assert found["qosClass"] == "Guaranteed"
    assert set(scores(found).values()) == {-997}


@pytest.mark.parametrize("myth", BURSTABLE)
def test_it_is_burstable(fact, myth):
    assert fact(BURSTABLE[myth])["qosClass"] == "Burstable"


@pytest.mark.parametrize("myth", BEST_EFFORT)
def test_it_is_best_effort(fact, myth):
    found = fact(BEST_EFFORT[myth])
    assert found["qosClass"] == "BestEffort"
    assert set(scores(found).values()) == {1000}


def limit_range(**item):
    spec = {"limits": [{"type": "Container", **item}]}
    return {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "l"}, "spec": spec}


def test_myth_a_default_request_lowers_what_a_limit_asks_for(fact):
    defaults = limit_range(default=HALF, defaultRequest={"cpu": "10m", "memory": "1Mi"})
    found = fact(pod(container("a", limits=FULL)), defaults)
    assert (found["qosClass"], found["requests"]) == ("Guaranteed", FULL)


def test_myth_a_maximum_only_forbids(fact):
    found = fact(pod(container("a")), limit_range(max=FULL))
    assert (found["qosClass"], found["requests"]) == ("Guaranteed", FULL)


def test_myth_a_minimum_is_the_default_request_beside_a_maximum(fact):
    found = fact(pod(container("a")), limit_range(min={"memory": "1Mi"}, max={"memory": "1Gi"}))
    assert (found["qosClass"], found["requests"]) == ("Burstable", {"memory": "1Gi"})


def test_myth_a_runtime_class_with_overhead_makes_a_pod_burstable(fact):
    runtime = {
        "apiVersion": "node.k8s.io/v1",
        "kind": "RuntimeClass",
        "metadata": {"name": "kata"},
        "handler": "kata",
        "overhead": {"podFixed": {"cpu": "250m", "memory": "160Mi"}},
    }
    found = fact(pod(container("a"), runtimeClassName="kata"), runtime)
    assert found["qosClass"] == "BestEffort"
    assert found["requests"] == {"cpu": "250m", "memory": "160Mi"}


def test_myth_the_score_of_a_burstable_pod_may_be_2(fact):
    found = fact(pod(container("a", {"memory": "8Gi"})))
    assert (found["qosClass"], scores(found)) == ("Burstable", {"a": 3})


def test_myth_best_effort_is_always_killed_first(fact):
    found = fact(pod(container("a"), priorityClassName="system-node-critical"))
    assert (found["qosClass"], scores(found)) == ("BestEffort", {"a": -997})


@pytest.mark.parametrize(
    ("kubernetes", "qos"), [("1.33", "Guaranteed"), ("1.36", "BestEffort"), ("1.37", "Guaranteed")]
)
def test_myth_an_empty_pod_level_block_means_nothing(fact, kubernetes, qos):
    found = fact(pod(container("a", limits=FULL), resources={}), kubernetes=kubernetes)
    assert found["qosClass"] == qos

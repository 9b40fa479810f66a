"""What injectors do to a pod, and the plugins that run once more behind them."""

import pytest

from qoslint.kernel.admission import admit
from qoslint.kernel.decode import decode_pod_spec
from qoslint.kernel.features import features
from qoslint.kernel.injection import Added, Injection
from qoslint.kernel.outcome import Stage
from qoslint.kernel.pod import Container, ContainerType, ResourceList, Resources
from qoslint.kernel.quantity import parse
from qoslint.kernel.scope import load_scope

APP = {"name": "app", "image": "i"}


def container(name, type_=ContainerType.CONTAINER, **resources):
    lists = {
        key: ResourceList((name, parse(text)) for name, text in entries.items())
        for key, entries in resources.items()
    }
    policy = "Always" if type_ is ContainerType.SIDECAR else None
    return Container(name, type_, Resources(**lists), "i", policy)


def admitted(spec, *added, version="1.36", priority_class_name="", **objects):
    scope = load_scope(features(version), **objects).scope
    injection = Injection("mesh", added, priority_class_name)
    return admit(decode_pod_spec(spec), scope, (), [injection])


def limits(name="limits", **item):
    spec = {"limits": [{"type": "Container", **item}]}
    return {"metadata": {"name": name}, "spec": spec}


@pytest.mark.parametrize("version", ["1.34", "1.35", "1.36"])
def test_a_proxy_beyond_a_request_that_was_defaulted_before_it_came_is_refused(version):
    """The pod-level request is copied from the container's on decode, before the webhook."""
    app = {**APP, "resources": {"requests": {"cpu": "1"}}}
    spec = {"containers": [app], "resources": {"limits": {"cpu": "2"}}}
    proxy = container("proxy", requests={"cpu": "100m"})
    (outcome,) = admitted(spec, Added(proxy), version=version)
    assert [each.message for each in outcome.rejections] == [
        'spec.resources.requests[cpu]: Invalid value: "1": '
        "must be greater than or equal to aggregate container requests of 1100m"
    ]


def test_a_class_that_comes_behind_the_priority_plugin_is_refused_by_it():
    high = {"metadata": {"name": "high"}, "value": 1000}
    (outcome,) = admitted(
        {"containers": [APP]}, priority_class_name="high", priority_classes=[high]
    )
    assert [(each.by, each.message) for each in outcome.rejections] == [
        (
            Stage.PRIORITY,
            "the integer value of priority (0) must not be provided in pod spec; priority "
            "admission controller computed 1000 from the given PriorityClass name",
        )
    ]


def test_limits_of_an_injected_container_become_its_requests():
    (outcome,) = admitted({"containers": [APP]}, Added(container("proxy", limits={"cpu": "1"})))
    assert outcome.pod.containers[1].resources.requests["cpu"].nanos == 10**9


def test_a_limit_range_fills_in_what_an_injected_container_lacks():
    (outcome,) = admitted(
        {"containers": [APP]}, Added(container("proxy")), limit_ranges=[limits(max={"cpu": "1"})]
    )
    assert [str(each.resources.limits["cpu"]) for each in outcome.pod.containers] == ["1", "1"]


def test_changes_follow_their_container_behind_what_is_added_in_front():
    spec = {"containers": [APP], "initContainers": [{"name": "init", "image": "i"}]}
    (outcome,) = admitted(
        spec,
        Added(container("first", ContainerType.INIT), first=True),
        Added(container("second", ContainerType.SIDECAR), first=True),
        Added(container("proxy"), first=True),
        limit_ranges=[limits(defaultRequest={"cpu": "1"})],
    )
    names = [each.name for _, each in outcome.pod.containers_with_paths()]
    assert names == ["first", "second", "init", "proxy", "app"]
    by_limit_range = [c.path[:2] for c in outcome.changes if c.stage is Stage.LIMIT_RANGER]
    assert by_limit_range == [
        ("initContainers", 2),
        ("containers", 1),
        ("initContainers", 0),
        ("initContainers", 1),
        ("containers", 0),
    ]


def test_no_path_of_an_injected_container_leads_to_an_authored_one():
    spec = {"containers": [APP], "initContainers": [{"name": "init", "image": "i"}]}
    (outcome,) = admitted(
        spec,
        Added(container("first", ContainerType.INIT), first=True),
        Added(container("last", ContainerType.INIT)),
        Added(container("proxy"), first=True),
    )
    paths = [outcome.authored((*path, "resources")) for path, _ in pod_of(outcome)]
    assert paths == [
        ("initContainers",),
        ("initContainers", 0, "resources"),
        ("initContainers",),
        ("containers",),
        ("containers", 0, "resources"),
    ]
    assert outcome.authored(("priority",)) == ("priority",)


def pod_of(outcome):
    return outcome.pod.containers_with_paths()


def test_an_injector_is_named_by_what_it_changes():
    (outcome,) = admitted(
        {"containers": [APP]}, Added(container("proxy", requests={"cpu": "100m"}))
    )
    injected = [(c.path, c.after, c.by) for c in outcome.changes if c.stage is Stage.INJECTOR]
    assert injected == [
        (("containers", 1, "name"), "proxy", "mesh"),
        (("containers", 1, "resources", "requests", "cpu"), "100m", "mesh"),
    ]


def test_a_merged_container_keeps_what_it_states():
    own = {"name": "proxy", "image": "auto", "resources": {"requests": {"cpu": "300m"}}}
    proxy = container("proxy", requests={"cpu": "1", "memory": "1Gi"})
    (outcome,) = admitted({"containers": [own, APP]}, Added(proxy, merges=True))
    merged = outcome.pod.containers[1]
    assert (merged.name, merged.image) == ("proxy", "auto")
    assert {key: str(each) for key, each in merged.resources.requests.items()} == {
        "cpu": "300m",
        "memory": "1Gi",
    }
    assert outcome.authored(("containers", 1)) == ("containers", 0)
    assert outcome.authored(("containers", 0)) == ("containers", 1)


def test_a_container_that_does_not_merge_is_a_second_of_its_name():
    own = {"name": "proxy", "image": "i"}
    (outcome,) = admitted({"containers": [own]}, Added(container("proxy")))
    assert "Duplicate value" in outcome.rejections[0].message


def test_limit_ranges_may_come_in_another_order_behind_the_injector():
    ranges = [limits("a", defaultRequest={"cpu": "1"}), limits("b", defaultRequest={"cpu": "2"})]
    outcomes = admitted({"containers": [APP]}, Added(container("proxy")), limit_ranges=ranges)
    requests = {
        tuple(str(each.resources.requests["cpu"]) for each in outcome.pod.containers)
        for outcome in outcomes
    }
    assert requests == {("1", "1"), ("1", "2"), ("2", "1"), ("2", "2")}
    assert {(each.order, each.reordered) for each in outcomes} == {
        ((0, 1), ()),
        ((0, 1), (1, 0)),
        ((1, 0), ()),
        ((1, 0), (0, 1)),
    }


@pytest.mark.parametrize(("ranges", "results", "known"), [(8, 64, True), (9, 64, False)])
def test_more_orders_than_are_tried_leave_the_answer_unknown(ranges, results, known):
    """Each LimitRange can be the first, before the injector and behind it."""
    disagreeing = [limits(f"l{n}", defaultRequest={"cpu": str(n)}) for n in range(1, ranges + 1)]
    outcomes = admitted({"containers": [APP]}, Added(container("proxy")), limit_ranges=disagreeing)
    assert len(outcomes) == results
    assert all(outcome.admitted is (True if known else None) for outcome in outcomes)


def test_a_pod_that_is_refused_before_the_webhooks_is_not_injected():
    spec = {"containers": [APP], "priorityClassName": "nowhere"}
    (outcome,) = admitted(spec, Added(container("proxy")))
    assert len(outcome.rejections) == 1
    assert len(outcome.pod.containers) == 1

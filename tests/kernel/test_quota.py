"""ResourceQuotas: what they demand of a single pod, and which pods they are about."""

from __future__ import annotations

import pytest

from qoslint.kernel.admission import Cause, Stage, admit
from qoslint.kernel.decode import decode_pod_spec
from qoslint.kernel.features import features
from qoslint.kernel.scope import load_scope

BOTH = {"cpu": "1", "memory": "1Gi"}


def quota(hard, **spec):
    return {"metadata": {"name": "q"}, "spec": {"hard": hard, **spec}}


def pod_spec(*blocks, **fields):
    containers = [
        {"name": f"c{n}", "image": "i", "resources": block} for n, block in enumerate(blocks)
    ]
    return {"containers": containers, **fields}


def rejections(spec, *quotas, version="1.36", **objects):
    loaded = load_scope(features(version), quotas=quotas, **objects)
    assert not loaded.errors
    (outcome,) = admit(decode_pod_spec(spec), loaded.scope)
    assert all(rejection.by is Stage.RESOURCE_QUOTA for rejection in outcome.rejections)
    return outcome.rejections


def messages(spec, *quotas, **options):
    return [rejection.message for rejection in rejections(spec, *quotas, **options)]


def test_every_container_must_have_what_a_quota_tracks():
    spec = pod_spec({"requests": {"cpu": "1"}}, {}, {"limits": {"memory": "1Gi"}})
    assert messages(spec, quota({"cpu": "9", "limits.memory": "9Gi", "pods": "9"})) == [
        "failed quota: q: must specify cpu for: c1,c2; limits.memory for: c0,c1"
    ]


def test_init_containers_count_as_well():
    init = [{"name": "i0", "image": "i"}]
    spec = pod_spec({"requests": {"cpu": "1"}}, initContainers=init)
    (rejection,) = rejections(spec, quota({"requests.cpu": "9"}))
    assert rejection.message == "failed quota: q: must specify requests.cpu for: i0"
    assert rejection.path == ("initContainers", 0, "resources", "requests", "cpu")
    assert rejection.cause == Cause(0, "ResourceQuota", ("spec", "hard", "requests.cpu"))


@pytest.mark.parametrize(
    "key",
    ["ephemeral-storage", "requests.example.com/gpu", "hugepages-2Mi", "pods", "count/pods"],
)
def test_other_resources_are_counted_but_never_demanded(key):
    assert messages(pod_spec({}), quota({key: "1"})) == []


def test_an_explicit_zero_satisfies_a_quota():
    assert messages(pod_spec({"requests": {"cpu": "0"}}), quota({"cpu": "1"})) == []


def test_a_limit_range_can_supply_what_a_quota_demands():
    item = {"type": "Container", "default": BOTH}
    limits = [{"metadata": {"name": "l"}, "spec": {"limits": [item]}}]
    demanded = quota({"cpu": "2", "limits.memory": "2Gi"})
    assert messages(pod_spec({}), demanded, limit_ranges=limits) == []


@pytest.mark.parametrize(("version", "refused"), [("1.33", True), ("1.34", False)])
def test_pod_level_resources_free_containers_from_the_demand(version, refused):
    spec = pod_spec({}, resources={"requests": BOTH, "limits": BOTH})
    assert bool(messages(spec, quota({"cpu": "2"}), version=version)) is refused


def test_a_pod_above_a_quota_on_its_own_is_refused():
    spec = pod_spec({"requests": {"cpu": "3"}}, {"requests": {"cpu": "2"}})
    (rejection,) = rejections(spec, quota({"requests.cpu": "4", "pods": "9"}))
    assert rejection.message == (
        "exceeded quota: q, requested: requests.cpu=5, used: requests.cpu=0, "
        "limited: requests.cpu=4"
    )
    assert rejection.cause == Cause(0, "ResourceQuota", ("spec", "hard", "requests.cpu"))


def test_overhead_counts_towards_a_quota():
    kata = {"metadata": {"name": "kata"}, "handler": "h", "overhead": {"podFixed": {"cpu": "1"}}}
    spec = pod_spec({"requests": {"cpu": "1"}}, runtimeClassName="kata")
    assert messages(spec, quota({"cpu": "1"}), runtime_classes=[kata]) == [
        "exceeded quota: q, requested: cpu=2, used: cpu=0, limited: cpu=1"
    ]


def test_a_quota_of_no_pods_refuses_every_pod():
    assert messages(pod_spec({}), quota({"pods": "0"})) == [
        "exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0"
    ]


PRIORITY = {"scopeName": "PriorityClass"}
HIGH = [{"metadata": {"name": "high"}, "value": 1000}]


def selector(**requirement):
    return {"scopeSelector": {"matchExpressions": [requirement]}}


@pytest.mark.parametrize(
    ("scope", "fields", "matches"),
    [
        ({"scopes": ["BestEffort"]}, {}, True),
        ({"scopes": ["NotBestEffort"]}, {}, False),
        ({"scopes": ["Terminating"]}, {"activeDeadlineSeconds": 5}, True),
        ({"scopes": ["Terminating"]}, {}, False),
        ({"scopes": ["NotTerminating"]}, {}, True),
        ({"scopes": ["NotTerminating", "BestEffort"]}, {"activeDeadlineSeconds": 5}, False),
        ({"scopes": ["PriorityClass"]}, {"priorityClassName": "high"}, True),
        ({"scopes": ["PriorityClass"]}, {}, False),
        (selector(**PRIORITY, operator="In", values=["high"]), {"priorityClassName": "high"}, True),
        (selector(**PRIORITY, operator="In", values=["low"]), {"priorityClassName": "high"}, False),
        (selector(**PRIORITY, operator="NotIn", values=["high"]), {}, True),
        (selector(**PRIORITY, operator="DoesNotExist"), {}, True),
        (selector(scopeName="BestEffort", operator="Exists"), {}, True),
        ({"scopes": ["CrossNamespacePodAffinity"]}, {}, False),
    ],
)
def test_a_quota_is_only_about_pods_in_its_scopes(scope, fields, matches):
    spec = pod_spec({}, **fields)
    refused = messages(spec, quota({"pods": "0"}, **scope), priority_classes=HIGH)
    assert bool(refused) is matches


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"hard": {"cpu": "-1"}}, 'spec.hard[cpu]: Invalid value: "-1": must be greater than'),
        ({"hard": {"cpus": "1"}}, 'spec.hard[cpus]: Invalid value: "cpus": must be a standard'),
        ({"hard": {"pods": "1.5"}}, 'spec.hard[pods]: Invalid value: "1500m": must be an integer'),
        (
            {"hard": {"cpu": "1"}, "scopes": ["BestEffort"]},
            'spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource',
        ),
        (
            {"hard": {}, "scopes": ["Terminating", "NotTerminating"]},
            'spec.scopes: Invalid value: ["Terminating","NotTerminating"]: conflicting scopes',
        ),
    ],
)
def test_a_quota_that_could_not_exist_is_left_out_with_its_errors(spec, message):
    bad = {"metadata": {"name": "q"}, "spec": spec}
    loaded = load_scope(features("1.36"), quotas=[bad, quota({"pods": "1"})])
    assert loaded.kept.quotas == (1,)
    assert loaded.errors[0].message.startswith(message)

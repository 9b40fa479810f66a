"""What a running pod can be resized to."""

import pytest

from qoslint.kernel.decode import decode_pod_spec
from qoslint.kernel.features import Version, features
from qoslint.kernel.resize import lowered_memory, restarted, validate_pod_resize

BURSTABLE = {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"cpu": "2", "memory": "2Gi"}}
GUARANTEED = {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"cpu": "1", "memory": "1Gi"}}


def pod(resources, init=None, **fields):
    policy = fields.pop("resizePolicy", [])
    spec = {
        "containers": [
            {"name": "app", "image": "a", "resources": resources, "resizePolicy": policy}
        ],
        "initContainers": [{"name": "setup", "image": "a", "resources": init}] if init else [],
        **fields,
    }
    return decode_pod_spec(spec)


def refused(old, new, version="1.36"):
    return [*validate_pod_resize(old, new, features(Version.parse(version)))]


def changed(resources, **amounts):
    return {key: {**resources[key], **amounts} for key in ("requests", "limits")}


def test_larger_amounts_of_the_same_class_are_accepted():
    assert refused(pod(GUARANTEED), pod(changed(GUARANTEED, memory="2Gi"))) == []


def test_the_class_may_not_change():
    more = {**GUARANTEED, "limits": {"cpu": "2", "memory": "1Gi"}}
    said = ["Pod QOS Class may not change as a result of resizing"]
    assert refused(pod(GUARANTEED), pod(more)) == said
    assert refused(pod({}), pod({"requests": {"memory": "1Gi"}})) == said


def test_amounts_may_not_be_removed():
    bare = {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"cpu": "2"}}
    assert refused(pod(BURSTABLE), pod(bare)) == ["resource limits cannot be removed"]


def test_only_cpu_and_memory_can_be_resized():
    disk = changed(BURSTABLE, **{"ephemeral-storage": "1Gi"})
    said = ["only cpu and memory resources are mutable"]
    assert refused(pod(BURSTABLE), pod(disk)) == said
    assert refused(pod(BURSTABLE), pod(BURSTABLE, nodeName="n")) == said


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("1.32", ["Kubernetes 1.32 resizes no pods without InPlacePodVerticalScaling"]),
        ("1.33", ["memory limits cannot be decreased unless resizePolicy is RestartContainer"]),
        ("1.34", []),
    ],
)
def test_a_lower_memory_limit_is_accepted_since_1_34(version, said):
    lower = {**BURSTABLE, "limits": {"cpu": "2", "memory": "1536Mi"}}
    assert refused(pod(BURSTABLE), pod(lower), version) == said
    assert [each.name for each in lowered_memory(pod(BURSTABLE), pod(lower))] == ["app"]


def test_init_containers_are_resized_since_1_36():
    more = changed(GUARANTEED, cpu="2")
    old, new = pod(GUARANTEED, GUARANTEED), pod(GUARANTEED, more)
    assert refused(old, new, "1.35") == ["Kubernetes 1.35 resizes no init containers"]
    assert refused(old, new, "1.36") == []


def test_windows_pods_and_static_pods_are_never_resized():
    windows = pod(GUARANTEED, os={"name": "windows"})
    assert refused(windows, windows) == ["windows pods cannot be resized"]
    static = pod(GUARANTEED)._replace(static=True)
    assert refused(static, static) == ["static pods cannot be resized"]


def test_a_container_is_restarted_for_the_resource_whose_policy_asks_for_it():
    policy = [{"resourceName": "memory", "restartPolicy": "RestartContainer"}]
    old = pod(GUARANTEED, resizePolicy=policy)
    more_memory = pod(changed(GUARANTEED, memory="2Gi"), resizePolicy=policy)
    more_cpu = pod(changed(GUARANTEED, cpu="2"), resizePolicy=policy)
    assert [each.name for each in restarted(old, more_memory)] == ["app"]
    assert [*restarted(old, more_cpu)] == []

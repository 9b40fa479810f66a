"""Values that the API server cannot read: refused at the exact field, in a clear sentence."""

from __future__ import annotations

import pytest

from qoslint.kernel.decode import decode_pod_spec
from qoslint.kernel.jsonvalue import DecodeError
from qoslint.kernel.pod import NO_RESOURCES, ContainerType, Pod, Resources


def spec(**container):
    return {"containers": [{"name": "c", "image": "i", **container}]}


@pytest.mark.parametrize(
    ("value", "path", "message"),
    [
        ("x", (), "The object must be a mapping, not a string."),
        ({"containers": {}}, ("containers",), "'containers' must be a list, not a mapping."),
        ({"containers": ["c"]}, ("containers", 0), "Item 0 of 'containers' must be a mapping, "),
        (spec(name=1), ("containers", 0, "name"), "'name' must be a string, not a number."),
        (spec(resources=[]), ("containers", 0, "resources"), "'resources' must be a mapping, not "),
        (
            spec(resources={"limits": {"cpu": "1 core"}}),
            ("containers", 0, "resources", "limits", "cpu"),
            "quantities must match the regular expression",
        ),
        (
            spec(resources={"limits": {"cpu": {}}}),
            ("containers", 0, "resources", "limits", "cpu"),
            "quantities must match the regular expression",
        ),
        (
            spec(resources={"requests": {"memory": True}}),
            ("containers", 0, "resources", "requests", "memory"),
            "quantities must match the regular expression",
        ),
        ({"priority": "5"}, ("priority",), "'priority' must be an integer, not a string."),
        ({"priority": 2**31}, ("priority",), "'priority' must fit a 32-bit integer."),
        ({"priority": 1.5}, ("priority",), "'priority' must be an integer, not a number."),
        ({"os": "linux"}, ("os",), "'os' must be a mapping, not a string."),
        ({"nodeSelector": {"a": 1}}, ("nodeSelector", "a"), "'a' must be a string, not a number."),
        (
            {"volumes": [{"name": "v", "emptyDir": {"sizeLimit": "1GB"}}]},
            ("volumes", 0, "emptyDir", "sizeLimit"),
            "quantities must match the regular expression",
        ),
        (
            {"affinity": {"podAffinity": []}},
            ("affinity", "podAffinity"),
            "'podAffinity' must be a mapping, not a list.",
        ),
    ],
)
def test_a_wrong_type_is_refused_at_its_field(value, path, message):
    with pytest.raises(DecodeError) as caught:
        decode_pod_spec(value)
    assert caught.value.path == path
    assert caught.value.message.startswith(message)


def test_null_is_the_same_as_absent():
    nulls = dict.fromkeys(
        ("containers", "initContainers", "resources", "overhead", "priority", "os", "volumes")
    )
    assert decode_pod_spec(nulls) == decode_pod_spec({}) == decode_pod_spec(None) == Pod(())


def test_a_null_quantity_is_zero():
    pod = decode_pod_spec(spec(resources={"limits": {"cpu": None}}))
    assert pod.containers[0].resources.limits["cpu"].nanos == 0


def test_an_empty_block_is_not_the_same_as_none():
    assert decode_pod_spec({"resources": {}}).resources == Resources()
    assert decode_pod_spec({"overhead": {}}).overhead == NO_RESOURCES


def test_a_whole_yaml_float_is_an_integer():
    assert decode_pod_spec({"priority": 2.0}).priority == 2


def test_only_an_init_container_that_always_restarts_is_a_sidecar():
    pod = decode_pod_spec(
        {
            "initContainers": [{"restartPolicy": "Always"}, {"restartPolicy": "Never"}, {}],
            "containers": [{"restartPolicy": "Always"}],
        }
    )
    kinds = [container.type for _, container in pod.containers_with_paths()]
    assert kinds == [
        ContainerType.SIDECAR,
        ContainerType.INIT,
        ContainerType.INIT,
        ContainerType.CONTAINER,
    ]


def test_fields_that_do_not_matter_may_hold_anything():
    odd = {"dnsPolicy": 1, "securityContext": [], "hostNetwork": "yes", "containers": []}
    assert decode_pod_spec(odd) == Pod(())


def test_pods_that_differ_only_in_what_does_not_matter_are_one_value():
    assert decode_pod_spec(spec(command=["a"])) == decode_pod_spec(spec(command=["b"]))


@pytest.mark.parametrize(
    ("affinity", "expected"),
    [
        ({}, False),
        ({"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{}]}}, False),
        (
            {
                "podAntiAffinity": {
                    "preferredDuringSchedulingIgnoredDuringExecution": [
                        {"weight": 1, "podAffinityTerm": {"namespaces": ["other"]}}
                    ]
                }
            },
            True,
        ),
        (
            {
                "podAffinity": {
                    "requiredDuringSchedulingIgnoredDuringExecution": [{"namespaceSelector": {}}]
                }
            },
            True,
        ),
    ],
)
def test_affinity_that_looks_into_other_namespaces_is_seen(affinity, expected):
    assert decode_pod_spec({"affinity": affinity}).cross_namespace_affinity is expected

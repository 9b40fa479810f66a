"""What the API server refuses in a pod, beyond what the vectors show."""

from __future__ import annotations

import pytest

from qoslint.kernel.admission import Stage, admit
from qoslint.kernel.decode import decode_pod_spec
from qoslint.kernel.features import features
from qoslint.kernel.scope import Scope

OK = {"name": "c", "image": "i"}
SUBDOMAIN = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, "
    "'-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex "
    r"used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
LABEL = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)


def rejections(spec, version="1.36", **gates):
    (outcome,) = admit(decode_pod_spec(spec), Scope(features(version, gates)))
    assert all(rejection.by is Stage.VALIDATION for rejection in outcome.rejections)
    return [(rejection.path, rejection.message) for rejection in outcome.rejections]


def test_a_plain_pod_is_accepted():
    assert rejections({"containers": [OK]}) == []


@pytest.mark.parametrize(
    ("container", "path", "message"),
    [
        ({"image": "i"}, ("name",), "name: Required value"),
        ({"name": "c"}, ("image",), "image: Required value"),
        (OK | {"name": "A"}, ("name",), f'name: Invalid value: "A": {LABEL}'),
        (OK | {"name": "a.b"}, ("name",), 'name: Invalid value: "a.b": must not contain dots'),
        (OK | {"name": "a\n"}, ("name",), f'name: Invalid value: "a\\n": {LABEL}'),
        (
            OK | {"name": "a" * 64},
            ("name",),
            f'name: Invalid value: "{"a" * 64}": must be no more than 63 bytes',
        ),
        (
            OK | {"image": " i"},
            ("image",),
            'image: Invalid value: " i": must not have leading or trailing whitespace',
        ),
        (
            OK | {"ports": [{"containerPort": 80}, {"containerPort": 81, "protocol": "tcp"}]},
            ("ports", 1, "protocol"),
            'ports[1].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"',
        ),
        (
            OK | {"resources": {"claims": [{"name": "x"}]}},
            ("resources", "claims", 0),
            'resources.claims[0]: Not found: "x": must be one of the names in '
            "pod.spec.resourceClaims which is empty",
        ),
        (
            OK | {"resources": {"claims": [{"name": ""}]}},
            ("resources", "claims", 0),
            "resources.claims[0]: Required value",
        ),
        (
            OK | {"resizePolicy": [{"resourceName": "cpu"}]},
            ("resizePolicy", 0),
            "resizePolicy: Required value",
        ),
        (
            OK | {"resources": {"requests": {"cpu": "2"}, "limits": {"cpu": "1"}}},
            ("resources", "requests", "cpu"),
            'resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
        ),
    ],
)
def test_a_bad_container_is_refused(container, path, message):
    assert rejections({"containers": [container]}) == [
        (("containers", 0, *path), f"spec.containers[0].{message}")
    ]


@pytest.mark.parametrize(
    ("fields", "path", "message"),
    [
        ({"containers": []}, ("containers",), "spec.containers: Required value"),
        (
            {"containers": [OK, OK]},
            ("containers", 1, "name"),
            'spec.containers[1].name: Duplicate value: "c"',
        ),
        (
            {"initContainers": [OK]},
            ("initContainers", 0, "name"),
            'spec.initContainers[0].name: Duplicate value: "c"',
        ),
        (
            {"restartPolicy": "always"},
            ("restartPolicy",),
            'spec.restartPolicy: Unsupported value: "always": supported values: "Always", '
            '"OnFailure", "Never"',
        ),
        (
            {"activeDeadlineSeconds": 0},
            ("activeDeadlineSeconds",),
            "spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, "
            "inclusive",
        ),
        (
            {"os": {"name": "Windows"}},
            ("os",),
            'spec.os: Unsupported value: "Windows": supported values: "linux", "windows"',
        ),
        ({"os": {}}, ("os", "name"), "spec.os.name: Required value: cannot be empty"),
        (
            {"nodeName": "A_B"},
            ("nodeName",),
            f'spec.nodeName: Invalid value: "A_B": {SUBDOMAIN}',
        ),
        (
            {"volumes": [{"name": "v", "emptyDir": {"sizeLimit": "-1Gi"}}]},
            ("volumes", 0, "emptyDir", "sizeLimit"),
            "spec.volumes[0].emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid "
            "resource quantity",
        ),
        (
            {"ephemeralContainers": [{"name": "e"}]},
            ("ephemeralContainers",),
            "spec.ephemeralContainers: Forbidden: cannot be set on create",
        ),
    ],
)
def test_a_bad_field_of_the_pod_is_refused(fields, path, message):
    assert rejections({"containers": [OK], **fields}) == [(path, message)]


@pytest.mark.parametrize(
    "fields",
    [
        {"terminationGracePeriodSeconds": -1},  # counts as 1
        {"initContainers": [OK | {"name": "i"}]},
        {"volumes": [{"name": "v", "emptyDir": {"sizeLimit": "0"}}]},
        {"os": {"name": "windows"}},
        {"hostNetwork": True, "dnsPolicy": "?"},  # not modelled, so nothing is said
    ],
)
def test_what_is_no_error_is_not_made_one(fields):
    assert rejections({"containers": [OK], **fields}) == []


@pytest.mark.parametrize(
    ("requests", "duplicate"),
    [
        (["a", "b"], None),
        (["a", "a"], "x/a"),
        (["", "a"], "x"),
        (["a", ""], "x"),
        (["", ""], "x"),
    ],
)
def test_a_claim_is_used_whole_or_by_requests_that_differ(requests, duplicate):
    claims = [{"name": "x", "request": request} for request in requests]
    spec = {"containers": [OK | {"resources": {"claims": claims}}], "resourceClaims": claims[:1]}
    field = "spec.containers[0].resources.claims[1]"
    texts = [message for _, message in rejections(spec)]
    assert texts == ([f'{field}: Duplicate value: "{duplicate}"'] if duplicate else [])


GIB = {"memory": "1Gi"}


@pytest.mark.parametrize(
    ("version", "block", "message"),
    [
        ("1.33", {}, 'requests[memory]: Invalid value: "0": must be greater than or equal to'),
        ("1.34", {}, None),
        ("1.32", {"requests": GIB | {"hugepages-2Mi": "2Mi"}}, "requests[hugepages-2Mi]: Unsupp"),
        (
            "1.33",
            {"requests": GIB, "claims": [{"name": "x"}]},
            "claims: Forbidden: claims cannot be set for Resources at pod-level",
        ),
        (
            "1.34",
            {"requests": GIB, "claims": [{"name": "x"}]},
            "claims: Forbidden: claims may not be set for Resources at pod-level",
        ),
    ],
)
def test_pod_level_checks_depend_on_the_version(version, block, message):
    spec = {"containers": [OK | {"resources": {"requests": GIB}}], "resources": block}
    found = [text for _, text in rejections(spec, version, PodLevelResources=True)]
    if message is None:
        assert found == []
    else:
        assert found[0].startswith(f"spec.resources.{message}")


def test_a_container_above_the_pod_is_told_at_its_limit():
    limits = {"cpu": "2"}
    spec = {"containers": [OK | {"resources": {"limits": limits}}], "resources": {"limits": GIB}}
    spec["resources"] = {"limits": {"cpu": "1"}, "requests": {"cpu": "1"}}
    paths = [path for path, _ in rejections(spec)]
    assert ("containers", 0, "resources", "limits", "cpu") in paths

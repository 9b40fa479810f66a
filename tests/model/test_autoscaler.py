"""VerticalPodAutoscalers as documents hold them, and who they count for."""

import pytest

from qoslint.kernel.pod import CPU, MEMORY
from qoslint.model.autoscaler import ContainerPolicy, read_autoscaler
from qoslint.model.objects import objects
from qoslint.source.document import Source, documents

KIND = "apiVersion: autoscaling.k8s.io/v1\nkind: VerticalPodAutoscaler\n"


def autoscaler(spec):
    source = Source("s", "s.yaml", f"{KIND}metadata: {{name: app}}\nspec: {spec}\n")
    (document,) = documents(source, {"VerticalPodAutoscaler"})
    (obj,) = objects(document)
    return read_autoscaler(obj)


def test_without_policies_every_container_has_both_requests_set():
    read = autoscaler("{targetRef: {apiVersion: apps/v1, kind: Deployment, name: app}}")
    assert (read.mode, read.updates) == ("Auto", True)
    assert read.target == ("apps", "Deployment", "app")
    assert read.policy("any") == ContainerPolicy()
    assert read.policy("any").resources == (CPU, MEMORY)


def test_a_policy_by_name_wins_over_that_for_all():
    read = autoscaler(
        "{resourcePolicy: {containerPolicies: ["
        "{containerName: '*', mode: 'Off'}, {containerName: a, controlledResources: [memory]}]}}"
    )
    assert read.policy("a").resources == (MEMORY,)
    assert not read.policy("b").on


@pytest.mark.parametrize(
    "spec",
    [
        "null",
        "[]",
        "{updatePolicy: {updateMode: [Auto]}, targetRef: text}",
        "{targetRef: {apiVersion: 1, kind: [], name: {}}}",
        "{resourcePolicy: {containerPolicies: {a: b}}}",
        "{resourcePolicy: {containerPolicies: [null, 1, [], {containerName: [], mode: {}}]}}",
        "{resourcePolicy: {containerPolicies: [{controlledResources: [{a: b}], minAllowed: 3}]}}",
        "{resourcePolicy: {containerPolicies: [{maxAllowed: {cpu: [], memory: x}}]}}",
    ],
)
def test_what_has_the_wrong_type_is_taken_as_missing(spec):
    read = autoscaler(spec)
    assert read.target[1:] == ("", "")
    assert all(policy.least == policy.most == () for policy in read.policies[:1])

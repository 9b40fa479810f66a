"""Which workloads of several clusters QOS108 takes for one."""

from __future__ import annotations

import pytest

POD = """
apiVersion: v1
kind: Pod
metadata: {{{name}, namespace: {namespace}}}
spec: {{containers: [{{name: app, image: x, resources: {resources}}}]}}
---
"""
SELECT = "rules: {select: [QOS108]}\n"
CLUSTERS = f"clusters: [{{name: one, paths: [one]}}, {{name: two, paths: [two]}}]\n{SELECT}"


def pod(name="name: app", namespace="shop", memory=None):
    resources = f"{{requests: {{memory: {memory}}}}}" if memory else "{}"
    return POD.format(name=name, namespace=namespace, resources=resources)


def found(repository, one, two, settings=CLUSTERS):
    files = {".qoslint.yaml": settings, "one/app.yaml": one, "two/app.yaml": two}
    return [finding.message for finding in repository.write(files).check().findings]


def test_the_weakest_is_told_with_what_it_lacks(repository):
    (message,) = found(repository, pod(memory="1Gi"), pod())
    assert message == (
        "Pod shop/app is Burstable in one and BestEffort in two. "
        "In two, nothing has a CPU or memory request or limit above zero."
    )


SILENT = {
    "another name": (pod(), pod("name: other", memory="1Gi")),
    "a name that the API server makes": (
        pod("generateName: app-"),
        pod("generateName: app-", memory="1Gi"),
    ),
    "two of the name, in other namespaces": (
        pod(namespace="a") + pod(namespace="b"),
        pod(namespace="c", memory="1Gi"),
    ),
    "a pod that is refused": (pod(), pod(memory="-1")),
}


@pytest.mark.parametrize("case", SILENT)
def test_these_are_not_one_workload(repository, case):
    assert found(repository, *SILENT[case]) == []


def test_a_namespace_tells_which_of_two_belong_together(repository):
    one = pod(namespace="a") + pod(namespace="b")
    (message,) = found(repository, one, pod(namespace="b", memory="1Gi"))
    assert message.startswith("Pod b/app is Burstable in two and BestEffort in one.")


def test_variants_without_settings_count_if_they_are_environments(repository):
    (message,) = found(repository, pod(memory="1Gi"), pod(), SELECT)
    assert message.startswith("Pod shop/app is Burstable in one and BestEffort in two.")


def test_equal_names_in_a_collection_of_examples_mean_nothing(repository):
    others = {
        number: "".join(pod(f"name: {number}-{each}") for each in range(3))
        for number in ("one", "two")
    }
    assert found(repository, others["one"] + pod(memory="1Gi"), others["two"] + pod(), SELECT) == []

"""What tests of injection share: how each injector is asked, and pods to ask for it."""

from __future__ import annotations

import pytest

from qoslint.model.admitting import admit_cluster
from qoslint.model.clusterspec import ClusterSpec
from qoslint.model.injector import known_injectors, read_injector

INJECTORS = known_injectors()
BOTH = ["Burstable", "Guaranteed"]
EQUAL = "resources: {limits: {cpu: 1, memory: 1Gi}}"

ISTIO = {
    "cpu": ("sidecar.istio.io/proxyCPU", "sidecar.istio.io/proxyCPULimit"),
    "memory": ("sidecar.istio.io/proxyMemory", "sidecar.istio.io/proxyMemoryLimit"),
}
LINKERD = {
    name: (f"config.linkerd.io/proxy-{name}-request", f"config.linkerd.io/proxy-{name}-limit")
    for name in ("cpu", "memory")
}
VAULT = {
    name: (
        f"vault.hashicorp.com/agent-requests-{short}",
        f"vault.hashicorp.com/agent-limits-{short}",
    )
    for name, short in (("cpu", "cpu"), ("memory", "mem"))
}
DAPR = {
    name: (f"dapr.io/sidecar-{name}-request", f"dapr.io/sidecar-{name}-limit")
    for name in ("cpu", "memory")
}

# By name: a label or annotation that asks, annotations of sizes, and one that leaves out the init
# container where there is such a thing.
ASKING = {
    "istio": ("labels", "sidecar.istio.io/inject: 'true'", ISTIO),
    "istio-native": ("labels", "sidecar.istio.io/inject: 'true'", ISTIO),
    "linkerd": ("annotations", "linkerd.io/inject: enabled", LINKERD),
    "vault-agent": ("annotations", "vault.hashicorp.com/agent-inject: 'true'", VAULT),
    "dapr": ("annotations", "dapr.io/enabled: 'true'", DAPR),
}
WITHOUT_INIT = {
    "istio": "sidecar.istio.io/interceptionMode: NONE",
    "istio-native": "sidecar.istio.io/interceptionMode: NONE",
    "vault-agent": "vault.hashicorp.com/agent-pre-populate: 'false'",
}


@pytest.fixture
def judged(repository):
    """Gives what becomes of the only workload of a repository with the injectors."""

    def judge(*injectors, complete=True):
        chosen = tuple(
            INJECTORS[each] if isinstance(each, str) else read_injector(each) for each in injectors
        )
        spec = ClusterSpec(injectors=chosen, complete=complete)
        clusters, _ = repository.assemble(spec)
        (admitted,) = admit_cluster(clusters["default"])
        return admitted

    return judge


@pytest.fixture
def pod(repository):
    """Writes a pod whose own container is Guaranteed."""

    def write(labels="", annotations="", spec="", namespace="shop", resources=EQUAL):
        repository.write(
            "pod.yaml",
            f"apiVersion: v1\nkind: Pod\nmetadata:\n  name: app\n  namespace: {namespace}\n"
            f"  labels: {{{labels}}}\n  annotations: {{{annotations}}}\n"
            f"spec:\n  {spec or 'restartPolicy: Always'}\n"
            f"  containers:\n  - {{name: app, image: i, {resources}}}\n",
        )

    return write


@pytest.fixture
def namespace(repository):
    def write(labels="", annotations=""):
        repository.write(
            "namespace.yaml",
            "apiVersion: v1\nkind: Namespace\n"
            f"metadata: {{name: shop, labels: {{{labels}}}, annotations: {{{annotations}}}}}\n",
        )

    return write


def classes(admitted):
    return list(map(str, admitted.effective.classes))


def containers(admitted):
    pod = admitted.effective.pod
    return [(str(each.type), each.name) for _, each in pod.containers_with_paths()]


def asking(name, *more):
    """The metadata that asks for an injector, as arguments of `pod`."""
    field, text, _ = ASKING[name]
    given = {"labels": "", "annotations": ", ".join(more)}
    given[field] = ", ".join(filter(None, (text, given[field])))
    return given


def sized(name, *, request="100m", limit="100m"):
    """Annotations of the four sizes of an injected container."""
    sizes = ASKING[name][2]
    cpu, memory = sizes["cpu"], sizes["memory"]
    return (
        f"{cpu[0]}: {request}",
        f"{cpu[1]}: {limit}",
        f"{memory[0]}: 96Mi",
        f"{memory[1]}: 96Mi",
    )

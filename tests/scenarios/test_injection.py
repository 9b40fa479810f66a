"""Whole runs with injectors: places, facts, and the sentences of the rules."""

import pytest

from qoslint.schema import check

POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: app
  labels: {sidecar.istio.io/inject: "true"}
spec:
  initContainers:
    - {name: migrate, image: i}
  containers:
    - {name: app, image: i}
"""
LIMIT_RANGE = """\
apiVersion: v1
kind: LimitRange
metadata: {name: defaults}
spec: {limits: [{type: Container, default: {cpu: 100m, memory: 64Mi}}]}
"""
NODE = "nodes: [{name: n16, capacity: {memory: 16Gi}}]\n"


@pytest.mark.parametrize("name", ["istio", "istio-native", "linkerd", "vault-agent", "dapr"])
def test_the_facts_of_injected_pods_follow_their_schema(name, repository):
    annotations = (
        "{linkerd.io/inject: enabled, dapr.io/enabled: 'true', "
        "vault.hashicorp.com/agent-inject: 'true'}"
    )
    pod = POD.replace("spec:", f"  annotations: {annotations}\nspec:", 1)
    settings = f"injectors: [{name}]\n{NODE}"
    repository.write({".qoslint.yaml": settings, "a.yaml": pod, "b.yaml": LIMIT_RANGE})
    facts = repository.facts()
    assert list(check(facts, "facts")) == []
    (pod,) = facts["clusters"][0]["pods"]
    added = {step["container"] for step in pod["trace"] if step["by"] == name}
    assert added
    assert added < {container["name"] for container in pod["containers"]}


def test_what_a_limit_range_fills_in_is_told_at_the_authored_container(repository):
    """Two containers come in front of the authored init container."""
    settings = f"rules: {{select: [QOS205]}}\ninjectors: [istio-native]\n{NODE}"
    guaranteed = ", ".join(
        f"sidecar.istio.io/proxy{key}: {value}"
        for key, value in (
            ("CPU", "1"),
            ("CPULimit", "1"),
            ("Memory", "1Gi"),
            ("MemoryLimit", "1Gi"),
        )
    ).replace(": 1,", ": '1',")
    pod = POD.replace("spec:", f"  annotations: {{{guaranteed}}}\nspec:", 1)
    repository.write({".qoslint.yaml": settings, "a.yaml": pod, "b.yaml": LIMIT_RANGE})
    (finding,) = repository.check().findings
    assert finding.location.span.start.line == 9
    assert finding.field == "spec.initContainers[0].resources"
    assert finding.message == (
        "Pod default/app is Burstable as written and runs as Guaranteed: LimitRange "
        "default/defaults fills in requests.cpu 100m, requests.memory 64Mi, limits.cpu 100m "
        "and limits.memory 64Mi, among other things."
    )


def test_an_init_container_of_the_manifest_is_still_told_beside_injected_ones(repository):
    own = POD.replace(
        "{name: app, image: i}", "{name: app, image: i, resources: {limits: {cpu: 1, memory: 1Gi}}}"
    )
    settings = "rules: {select: [QOS102, QOS105, QOS15]}\ninjectors: [istio-native]\n"
    repository.write({".qoslint.yaml": settings, "a.yaml": own})
    (finding,) = repository.check().findings
    assert (finding.rule, finding.location.span.start.line) == ("QOS102", 8)
    assert finding.message.startswith("Init container 'migrate' keeps Pod default/app from being")


def test_an_injected_container_is_the_fault_of_its_injector_alone(repository):
    own = POD.replace("image: i}", "image: i, resources: {limits: {cpu: 1, memory: 1Gi}}}")
    settings = "rules: {select: [QOS102, QOS105, QOS15]}\ninjectors: [istio]\n"
    repository.write({".qoslint.yaml": settings, "a.yaml": own})
    (finding,) = repository.check().findings
    assert finding.rule == "QOS151"
    assert finding.message == (
        "Pod default/app is Guaranteed as written and runs as Burstable: istio adds containers "
        "'istio-init' and 'istio-proxy' with CPU request 100m below its limit 2 and memory request "
        "128Mi below its limit 1Gi. Annotations that set sizes: sidecar.istio.io/proxyCPU, "
        "sidecar.istio.io/proxyCPULimit, sidecar.istio.io/proxyMemory, "
        "sidecar.istio.io/proxyMemoryLimit."
    )


def test_pods_of_one_namespace_that_asks_are_one_finding_there(repository):
    namespace = (
        "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: default\n"
        "  labels:\n    istio-injection: enabled\n"
    )
    pods = [
        POD.replace("name: app", f"name: app{n}", 1).replace("  labels", "  xlabels") for n in "ab"
    ]
    pods = ["".join(line for line in p.splitlines(True) if "xlabels" not in line) for p in pods]
    repository.write({"ns.yaml": namespace, "a.yaml": pods[0], "b.yaml": pods[1]})
    found = [each for each in repository.check().findings if each.rule == "QOS152"]
    assert [(each.location.file, each.location.span.start.line) for each in found] == [
        ("ns.yaml", 6)
    ]
    assert found[0].objects == ("Pod default/appa", "Pod default/appb")


def test_a_policy_is_told_where_it_stands(repository):
    policy = (
        "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: add}\nspec:\n  rules:\n"
        "  - name: r\n    match: {any: [{resources: {kinds: [Pod]}}]}\n"
        "    mutate: {patchStrategicMerge: {spec: {priorityClassName: high}}}\n"
    )
    pod = POD.replace('  labels: {sidecar.istio.io/inject: "true"}\n', "")
    repository.write({"p.yaml": policy, "a.yaml": pod})
    (finding,) = [each for each in repository.check().findings if each.rule == "QOS152"]
    assert (finding.location.file, finding.location.span.start.line) == ("p.yaml", 8)
    assert finding.message == (
        "ClusterPolicy add may change Pod default/app, and its rule 'r' sets what decides about "
        "pods: the class is BestEffort or Burstable or Guaranteed, and whether the pods are "
        "admitted is unknown."
    )


@pytest.mark.parametrize(
    "metadata",
    ["5", "[]", "{labels: 1, annotations: [a]}", "{labels: {1: 2, sidecar.istio.io/inject: true}}"],
)
def test_metadata_of_another_type_ends_no_run(metadata, repository):
    spec = "{containers: [1], hostNetwork: []}"
    pod = f"apiVersion: v1\nkind: Pod\nmetadata: {metadata}\nspec: {spec}\n"
    repository.write({".qoslint.yaml": "injectors: [istio, linkerd, dapr]\n", "a.yaml": pod})
    assert repository.check().failed_checks == ()


def test_what_the_author_states_is_told_there_behind_injected_containers(repository):
    zero = "image: i, resources: {requests: {cpu: 0, memory: 0}, limits: {cpu: 1, memory: 1Gi}}}"
    equal = "image: i, resources: {limits: {cpu: 1, memory: 1Gi}}}"
    pod = POD.replace("migrate, image: i}", f"migrate, {zero}")
    pod = pod.replace("app, image: i}", f"app, {equal}")
    limits = "sidecar.istio.io/proxyCPULimit: '1', sidecar.istio.io/proxyMemoryLimit: 1Gi"
    pod = pod.replace("spec:", f"  annotations: {{{limits}}}\nspec:", 1)
    settings = "rules: {select: [QOS102]}\ninjectors: [istio-native]\n"
    repository.write({".qoslint.yaml": settings, "a.yaml": pod})
    (finding,) = repository.check().findings
    assert finding.field == "spec.initContainers[0].resources"


def test_an_expectation_that_injection_breaks_names_the_container(repository):
    own = POD.replace("image: i}", "image: i, resources: {limits: {cpu: 1, memory: 1Gi}}}")
    own = own.replace("  labels", "  annotations: {qoslint.dev/expect-qos: Guaranteed}\n  labels")
    repository.write({".qoslint.yaml": "rules: {select: [QOS101]}\n", "a.yaml": own})
    (finding,) = repository.check().findings
    assert "depending on what Istio does to the pods" in finding.message
    repository.write({".qoslint.yaml": "rules: {select: [QOS101]}\ninjectors: [istio]\n"})
    (finding,) = repository.check().findings
    assert "container 'istio-proxy' has CPU request 100m below its limit 2" in finding.message


def test_policies_for_limits_leave_out_what_the_manifest_does_not_state(repository):
    own = POD.replace("image: i}", "image: i, resources: {limits: {cpu: 1, memory: 1Gi}}}")
    rules = "{select: [QOS807], options: {QOS807: {cpu-limits: forbidden}}}"
    settings = f"rules: {rules}\ninjectors: [istio]\n"
    repository.write({".qoslint.yaml": settings, "a.yaml": own})
    assert [each.field for each in repository.check().findings] == [
        "spec.containers[0].resources.limits.cpu"
    ]


def test_a_collector_that_states_no_size_is_seen_all_the_same(repository):
    pod = """\
apiVersion: v1
kind: Pod
metadata:
  name: app
  annotations: {sidecar.opentelemetry.io/inject: "true"}
spec:
  containers:
    - {name: app, image: i, resources: {limits: {cpu: 1, memory: 1Gi}}}
"""
    collector = """\
apiVersion: opentelemetry.io/v1beta1
kind: OpenTelemetryCollector
metadata:
  name: side
spec:
  mode: sidecar
"""
    settings = f"injectors: [opentelemetry]\n{NODE}"
    repository.write({".qoslint.yaml": settings, "a.yaml": pod, "b.yaml": collector})
    ((found,),) = (each["pods"] for each in repository.facts()["clusters"])
    assert found["qosClasses"] == ["Burstable"]

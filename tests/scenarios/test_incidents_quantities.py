"""Incidents with quantities, quotas and resizing that people have reported, and what is said."""

import pytest

WORKLOAD = """
apiVersion: apps/v1
kind: Deployment
metadata: {{name: app, namespace: shop}}
spec:
  selector: {{matchLabels: {{app: app}}}}
  template:
    metadata: {{labels: {{app: app}}}}
    spec:
      initContainers: {init}
      containers:
        - name: app
          image: registry.example/app:1
          resources: {resources}
"""
QUOTA = """
---
apiVersion: v1
kind: ResourceQuota
metadata: {{name: team, namespace: shop}}
spec: {{hard: {{{hard}}}}}
"""
AUTOSCALER = """
---
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {{name: app, namespace: shop}}
spec:
  targetRef: {{apiVersion: apps/v1, kind: Deployment, name: app}}
  updatePolicy: {{updateMode: {mode}}}
  resourcePolicy:
    containerPolicies: [{{containerName: app, controlledValues: {values}}}]
"""
GUARANTEED = "{limits: {cpu: 1, memory: 1Gi}}"


@pytest.fixture
def findings(repository):
    """The findings of one file by code, those of a preset and more rules."""

    def run(resources, *others, init="[]", preset="default"):
        text = "".join((WORKLOAD.format(resources=resources, init=init), *others))
        files = {".qoslint.yaml": f"rules: {{preset: {preset}}}", "app.yaml": text}
        return {each.rule: each for each in repository.write(files).check().findings}

    return run


@pytest.mark.parametrize("source", ["elastic/helm-charts#268", "bmuschko/ckad-crash-course#7"])
@pytest.mark.parametrize("block", ["requests", "limits"])
def test_500m_of_memory_is_half_a_byte(findings, block, source):
    found = findings(f"{{{block}: {{memory: 500m}}}}")
    assert "Did you mean 500Mi?" in found["QOS701"].message, source


def test_a_decimal_limit_is_below_a_binary_request_deploy_sourcegraph_587(findings):
    found = findings("{requests: {memory: 2Gi}, limits: {memory: 2G}}")
    assert {"QOS201", "QOS703"} <= set(found)
    assert "147,483,648 bytes above the limit" in found["QOS703"].message


def test_a_fraction_of_a_byte_is_told_as_stored_neon_is_data_processing_1369(findings):
    found = findings("{requests: {memory: 1.1Gi}}", preset="pedantic")
    assert "Kubernetes stores 1181116006400m" in found["QOS704"].message
    assert "QOS704" not in findings("{requests: {memory: 1.1Gi}}")


def test_a_quota_in_thousandths_of_a_byte_is_explained_kubernetes_21654(findings):
    quota = QUOTA.format(hard="limits.memory: 0.7Gi")
    found = findings("{limits: {cpu: 1, memory: 64Mi}}", quota, preset="pedantic")
    assert "spec.hard" in found["QOS704"].field


@pytest.mark.parametrize(
    "source",
    [
        "tektoncd/pipeline#2933",
        "ansible/galaxy-operator#200",
        "haproxytech/helm-charts#236",
        "reportportal/kubernetes#439",
    ],
)
def test_an_init_container_lacks_what_a_quota_demands(findings, source):
    quota = QUOTA.format(hard="limits.cpu: 8")
    init = "[{name: place-tools, image: registry.example/tools:1}]"
    found = findings(GUARANTEED, quota, init=init)
    assert "must specify limits.cpu for: place-tools" in found["QOS802"].message, source
    assert found["QOS802"].field.startswith("spec.template.spec.initContainers[0]")
    assert "QOS213" not in found
    assert "QOS802" not in findings(GUARANTEED, quota)


@pytest.mark.parametrize("source", ["kubernetes/autoscaler#9374", "kubernetes/kubernetes#139690"])
def test_a_resize_that_would_change_the_class_evicts_instead(findings, source):
    in_place = AUTOSCALER.format(mode="InPlaceOrRecreate", values="RequestsAndLimits")
    found = findings("{}", in_place)
    assert "evicts it instead" in found["QOS806"].message, source
    assert "QOS806" not in findings(GUARANTEED, in_place)


@pytest.mark.parametrize(
    ("mode", "values", "told"),
    [
        ("Recreate", "RequestsOnly", True),
        ("Auto", "RequestsOnly", True),
        ('"Off"', "RequestsOnly", False),
        ("Recreate", "RequestsAndLimits", False),
        # What is no text is refused with the object; nothing is guessed from it.
        ("Off", "RequestsOnly", False),
        ("{a: b}", "RequestsOnly", False),
        ("Recreate", "[RequestsOnly]", False),
    ],
)
def test_only_requests_that_leave_their_limits_take_the_class(findings, mode, values, told):
    found = findings(GUARANTEED, AUTOSCALER.format(mode=mode, values=values))
    assert ("QOS806" in found) is told


def test_requests_do_not_hurt_although_articles_rank_by_class(findings):
    """webstackbuilders.com: a pod with requests is never told that it would be better without."""
    assert set(findings("{requests: {cpu: 100m, memory: 64Mi}}")) == set()

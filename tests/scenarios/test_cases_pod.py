"""Short cases of what everybody gets wrong about priority, versions, memory and quotas.

Marked as in `test_cases_class.py`.
"""

import pytest


def scores(pod):
    return {item["name"]: item["oomScoreAdj"]["n16"] for item in pod["containers"]}


def test_t11_cluster_critical_is_not_spared_by_the_kernel(case):
    pod = case("""
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  priorityClassName: system-cluster-critical  # ~ QOS307 3-45
  containers:
    - name: app
      image: x
      resources: {requests: {memory: 50Mi}}
""")
    assert (pod["priority"], pod["critical"]) == (2000000000, True)
    assert scores(pod) == {"app": 997}


@pytest.mark.parametrize(
    ("kubernetes", "qos"), [("1.36", "Guaranteed"), ("1.34", "Guaranteed"), ("1.37", "Guaranteed")]
)
def test_t15_pod_level_resources_decide_where_they_are_on(case, kubernetes, qos):
    pod = case(
        """
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  resources:  # ~ QOS107 3-12
    limits: {cpu: "2", memory: 2Gi}
  containers: [{name: a, image: x}, {name: b, image: x}]
""",
        kubernetes,
    )
    assert pod["qosClass"] == qos


def test_t15_pod_level_resources_are_dropped_before_1_34(case):
    pod = case(
        """
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  resources:  # ~ QOS107 3-12
    limits: {cpu: "2", memory: 2Gi}
  containers: [{name: a, image: x}, {name: b, image: x}]  # ~ QOS103 17-24
""",
        "1.33",
    )
    assert pod["qosClass"] == "BestEffort"


EMPTY_BLOCK = """
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  resources: {}  # ~ QOS107 3-12
  containers:
    - name: a
      image: x
      resources: {requests: {memory: 1Gi}}
"""


def test_t15_an_empty_block_hides_the_containers_until_1_36(case):
    marked = EMPTY_BLOCK.replace("# ~", "# ~ QOS103 3-12,")
    assert case(marked, "1.36")["qosClass"] == "BestEffort"


@pytest.mark.parametrize("kubernetes", ["1.33", "1.37"])
def test_t15_an_empty_block_is_ignored_where_it_is_dropped_or_fixed(case, kubernetes):
    assert case(EMPTY_BLOCK, kubernetes)["qosClass"] == "Burstable"


MISTYPED = """
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  priorityClassName: system-cluster-criticalx  # ~ QOS301 3-46
  containers:
    - name: app
      image: x
      resources: {requests: {memory: 50Mi}}
"""


@pytest.mark.parametrize(
    "fields",
    ["medium: Memory\n      sizeLimit: 1Gi  # ~ QOS505 7-21", "medium: Memory  # ~ QOS505 7-21"],
)
def test_t17_a_volume_in_memory_is_charged_to_its_writer(case, fields):
    pod = case(
        f"""
apiVersion: v1
kind: Pod
metadata: {{name: p}}
spec:
  containers:
    - name: app
      image: x
      resources: {{requests: {{memory: 256Mi}}, limits: {{memory: 512Mi}}}}
      volumeMounts: [{{name: scratch, mountPath: /scratch}}]
  volumes:
  - name: scratch
    emptyDir:
      {fields}
"""
    )
    assert pod["limits"] == {"memory": "512Mi"}


def test_t18_a_mistyped_class_is_refused_in_a_complete_cluster(case, repository):
    pod = case(MISTYPED)
    assert (pod["admitted"], pod["qosClass"]) == (False, None)
    (finding,) = repository.check().findings
    assert str(finding.severity) == "error"
    assert "Did you mean 'system-cluster-critical'?" in finding.message


def test_t18_a_class_from_elsewhere_leaves_the_priority_unknown(case, repository):
    pod = case(MISTYPED, complete="false")
    assert (pod["admitted"], pod["qosClass"], pod["priority"]) == (None, "Burstable", None)
    assert pod["unknowns"] == ["PriorityClass system-cluster-criticalx"]
    assert scores(pod) == {"app": 997}
    (finding,) = repository.check().findings
    assert str(finding.severity) == "warning"
    assert "Did you mean 'system-cluster-critical'?" in finding.message


@pytest.mark.parametrize(
    ("kubernetes", "proxy", "mark"),
    [("1.31", 997, "  # ~ QOS501 30-42"), ("1.32", 750, ""), ("1.36", 750, "")],
)
def test_t19_a_native_sidecar_scores_like_its_smallest_neighbour_since_1_32(
    case, kubernetes, proxy, mark
):
    pod = case(
        f"""
apiVersion: v1
kind: Pod
metadata: {{name: p}}
spec:
  initContainers:
    - name: proxy
      image: x
      restartPolicy: Always
      resources: {{requests: {{memory: 64Mi}}, limits: {{memory: 128Mi}}}}{mark}
  containers:
    - name: app
      image: x
      resources: {{requests: {{memory: 4Gi}}, limits: {{memory: 6Gi}}}}
""",
        kubernetes,
    )
    assert pod["qosClass"] == "Burstable"
    assert scores(pod) == {"proxy": proxy, "app": 750}
    assert pod["requests"] == {"memory": "4160Mi"}


QUOTA = """
apiVersion: v1
kind: ResourceQuota
metadata: {name: memory}
spec: {hard: {limits.memory: 8Gi, requests.memory: 8Gi}}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  annotations: {helm.sh/hook: pre-install}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: migrate  # ~ QOS802 11-24
          image: x
"""


def test_t20_a_quota_refuses_a_container_without_the_fields_that_it_tracks(case):
    pod = case(QUOTA)
    assert pod["admitted"] is False
    assert pod["tags"] == ["hook"]
    (reason,) = pod["rejections"]
    assert reason["by"] == "ResourceQuota"
    wanted = "must specify limits.memory for: migrate; requests.memory for: migrate"
    assert wanted in reason["message"]


def test_t20_a_limit_range_with_both_defaults_satisfies_the_quota(case):
    pod = case(
        QUOTA.replace("# ~ QOS802", "# ~ QOS205")
        + """
---
apiVersion: v1
kind: LimitRange
metadata: {name: defaults}
spec: {limits: [{type: Container, default: {memory: 64Mi}, defaultRequest: {memory: 32Mi}}]}
"""
    )
    assert pod["admitted"] is True

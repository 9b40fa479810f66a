"""Twenty short cases of what everybody gets wrong, with the answer and the exact place.

Node `n16` has 16Gi of memory. `# ~ CODE columns` marks a line with its findings, `columns` being
the first column of the span and the one behind it.
"""

import re

import pytest

SETTINGS = """
clusters:
  - name: c
    paths: [app.yaml]
    complete: {complete}
    kubernetes: "{kubernetes}"
    nodes: [{{name: n16, capacity: {{cpu: "4", memory: 16Gi}}}}]
"""
MARK = re.compile(r"\s*# ~ (QOS\d{3} \d+-\d+(, QOS\d{3} \d+-\d+)*)$")


@pytest.fixture
def case(repository):
    def run(text, kubernetes="1.36", complete="true"):
        expected = set()
        lines = []
        for number, line in enumerate(text.strip("\n").splitlines(), start=1):
            if mark := MARK.search(line):
                for code, start, end in re.findall(r"(QOS\d{3}) (\d+)-(\d+)", mark[1]):
                    expected.add((code, "app.yaml", number, int(start), int(end)))
            lines.append(MARK.sub("", line))
        repository.write(
            {
                ".qoslint.yaml": SETTINGS.format(kubernetes=kubernetes, complete=complete),
                "app.yaml": "\n".join(lines) + "\n",
            }
        )
        found = {
            (
                finding.rule,
                finding.location.file,
                finding.location.span.start.line,
                finding.location.span.start.column,
                finding.location.span.end.column,
            )
            for finding in repository.check().findings
        }
        assert found == expected
        (cluster,) = repository.facts()["clusters"]
        (pod,) = cluster["pods"]
        return pod

    return run


def scores(pod):
    return {item["name"]: item["oomScoreAdj"]["n16"] for item in pod["containers"]}


def test_t1_an_init_container_breaks_guaranteed(case):
    pod = case("""
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: infra-critical}
value: 1000000000
---
apiVersion: v1
kind: Pod
metadata: {name: router}
spec:
  priorityClassName: infra-critical
  initContainers: [{name: route-fix, image: x}]  # ~ QOS102 21-36
  containers:
    - name: app
      image: x
      resources: {requests: {cpu: "1", memory: 1Gi}, limits: {cpu: "1", memory: 1Gi}}
""")
    assert pod["qosClass"] == "Burstable"
    assert scores(pod) == {"route-fix": 999, "app": 938}
    assert (pod["priority"], pod["critical"]) == (1000000000, False)


def test_t2_a_limit_range_turns_best_effort_into_burstable(case):
    pod = case("""
apiVersion: v1
kind: LimitRange
metadata: {name: defaults}
spec: {limits: [{type: Container, default: {memory: 512Mi}, defaultRequest: {memory: 256Mi}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
    - name: app  # ~ QOS205 7-16
      image: x
""")
    assert pod["qosClass"] == "Burstable"
    assert pod["requests"] == {"memory": "256Mi"}
    assert pod["limits"] == {"memory": "512Mi"}
    assert scores(pod) == {"app": 985}


def test_t3_max_alone_makes_guaranteed(case):
    pod = case("""
apiVersion: v1
kind: LimitRange
metadata: {name: caps}
spec: {limits: [{type: Container, max: {cpu: "1", memory: 512Mi}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
    - name: app  # ~ QOS110 7-16
      image: x
""")
    assert pod["qosClass"] == "Guaranteed"
    assert pod["requests"] == {"cpu": "1", "memory": "512Mi"}
    assert scores(pod) == {"app": -997}
    step = pod["trace"][0]
    assert step["by"] == "LimitRange default/caps"
    assert (step["at"]["line"], step["at"]["column"]) == (4, 41)


def test_t4_the_default_acts_as_a_cap(case):
    pod = case("""
apiVersion: v1
kind: LimitRange
metadata: {name: caps}
spec:
  limits:
    - {type: Container, default: {cpu: 500m}, defaultRequest: {cpu: 100m}, max: {cpu: "1"}}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
    - name: app
      image: x
      resources:
        requests: {cpu: 700m}  # ~ QOS202 20-29
""")
    assert (pod["admitted"], pod["qosClass"], pod["qosClasses"]) == (False, None, [])
    (reason,) = pod["rejections"]
    assert reason["by"] == "Validation"
    assert "must be less than or equal to cpu limit of 500m" in reason["message"]


def test_t5_a_limit_without_request_ignores_default_request(case):
    pod = case("""
apiVersion: v1
kind: LimitRange
metadata: {name: defaults}
spec:
  limits:
    - type: Container
      default: {cpu: 500m, memory: 512Mi}
      defaultRequest: {cpu: 100m, memory: 128Mi}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
    - name: app
      image: x
      resources: {limits: {cpu: "1", memory: 1Gi}}
""")
    assert pod["qosClass"] == "Guaranteed"
    assert pod["requests"] == {"cpu": "1", "memory": "1Gi"}


def test_t6_milli_bytes(case):
    pod = case("""
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
    - name: app
      image: x
      resources: {requests: {memory: 500m}}  # ~ QOS701 38-42
""")
    assert pod["qosClass"] == "Burstable"
    assert scores(pod) == {"app": 999}


def test_t7_a_gpu_alone_is_best_effort(case):
    pod = case("""
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
    - name: train
      image: x
      resources:
        limits: {nvidia.com/gpu: 1}  # ~ QOS104 18-35
""")
    assert pod["qosClass"] == "BestEffort"
    assert scores(pod) == {"train": 1000}


def test_t8_an_explicit_zero_request_is_kept_and_is_not_guaranteed(case):
    pod = case("""
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
    - name: app
      image: x
      resources:
        requests: {cpu: "0", memory: "0"}  # ~ QOS106 20-28
        limits: {cpu: "1", memory: 1Gi}
""")
    assert pod["qosClass"] == "Burstable"
    assert scores(pod) == {"app": 999}


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

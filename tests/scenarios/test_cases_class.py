"""Short cases of what everybody gets wrong about classes and LimitRanges, with the exact place.

Node `n16` has 16Gi of memory. `# ~ CODE columns` marks a line with its findings, `columns` being
the first column of the span and the one behind it.
"""


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
spec: {limits: [{type: Container, max: {cpu: "1", memory: 512Mi}}]}  # ~ QOS206 35-38
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

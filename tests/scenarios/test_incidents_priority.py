"""Incidents around priority and OOM kills that people reported, and the rule that tells each.

Each input is the smallest one with the cause of the report; `# ~ CODE` marks where the rule must
speak. What follows has no input, for Git does not hold the cause:

- kubernetes/kubernetes#123872: one soft eviction took hours and held up all others. How long a
  container takes to stop shows only when it does.
- kubernetes/kubernetes#127853: swap that pods of some classes never get. That is the kubelet's
  configuration, which a node profile states and no pod does.
- kubernetes/kubernetes#50632, #117070: whether the kernel kills one process or the whole container
  depends on the kubelet, and which programs fork on their images.
- kubernetes/kubernetes#43916, #114142: page cache counts as memory in use; how much a program
  leaves there shows only when it runs.
- microsoft/DLWorkspace#1144: pods keep the priority they were created with, and which pods are
  older than a class is history. What the class will do is told below.
"""

import pytest

NODE = """
clusters:
  - name: c
    paths: [.]
    kubernetes: "{version}"
    nodes: [{{name: n16, capacity: {{cpu: "4", memory: 16Gi}}}}]
"""
DAEMON_SET = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: agent, namespace: {namespace}}}
spec:
  selector: {{matchLabels: {{app: agent}}}}
  template:
    metadata: {{labels: {{app: agent}}}}
    spec: # ~ QOS305
      containers: [{{name: a, image: x, resources: {{requests: {{memory: 64Mi}}}}}}]
"""
SERVING = """
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: prometheus, namespace: monitoring}
spec:
  selector: {matchLabels: {app: prometheus}}
  template:
    metadata: {labels: {app: prometheus}}
    spec:
      containers: [{name: p, image: x, resources: {requests: {memory: 1Gi}}}]
"""
CRON_JOB = """
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: report}
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          priorityClassName: reports
          containers: [{name: r, image: x, resources: {requests: {memory: 1Gi}}}]
"""

INCIDENTS = {
    "kubernetes/kubernetes#140984 a DaemonSet pod Pending for eleven days": {
        "app.yaml": DAEMON_SET.format(namespace="kube-system"),
    },
    "Mellanox/network-operator#2960 DaemonSets without the class": {
        ".qoslint.yaml": "rules: {options: {QOS305: {namespaces: [nvidia-network-operator]}}}",
        "app.yaml": DAEMON_SET.format(namespace="nvidia-network-operator"),
    },
    "altindag.dev a default class above everything": {
        "app.yaml": """
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: cluster-default}
value: 1000000000 # ~ QOS303
globalDefault: true
""",
    },
    "altindag.dev a system class as the default": {
        "app.yaml": """
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: system-cluster-critical # ~ QOS310
value: 2000000000
globalDefault: true
""",
    },
    "altindag.dev a CronJob preempts the monitoring": {
        "app.yaml": """
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: reports}
value: 100000 # ~ QOS308
"""
        + CRON_JOB
        + SERVING,
    },
    "helm/helm#10833 a class behind its users": {
        ".qoslint.yaml": "rules: {select: [QOS312]}",
        "app.yaml": """
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: reports # ~ QOS312
  annotations: {helm.sh/hook: post-install}
value: 1000
"""
        + CRON_JOB,
    },
    "cert-manager/approver-policy#403 a mistyped class stalls the rollout": {
        ".qoslint.yaml": "clusters: [{name: c, paths: [.], complete: true}]",
        "app.yaml": """
apiVersion: apps/v1
kind: Deployment
metadata: {name: approver}
spec:
  selector: {matchLabels: {app: approver}}
  template:
    metadata: {labels: {app: approver}}
    spec:
      priorityClassName: system-cluster-critcal # ~ QOS301
      containers: [{name: a, image: x, resources: {requests: {memory: 64Mi}}}]
""",
    },
    "kubernetes/kubernetes#73572, #58471, #80203 the class of a static pod": {
        "app.yaml": """
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: node-agents}
value: 5000
""",
        "etc/kubernetes/manifests/proxy.yaml": """
apiVersion: v1
kind: Pod
metadata: {name: proxy, namespace: kube-system}
spec:
  priorityClassName: node-agents # ~ QOS311
  containers: [{name: p, image: x, resources: {requests: {memory: 64Mi}}}]
""",
    },
    "kubernetes/kubernetes#63126 a tmpfs larger than the limit of who writes it": {
        "app.yaml": """
apiVersion: v1
kind: Pod
metadata: {name: app}
spec:
  containers:
    - name: a
      image: x
      resources: {requests: {memory: 256Mi}, limits: {memory: 512Mi}}
      volumeMounts: [{name: shm, mountPath: /dev/shm}]
  volumes:
    - name: shm
      emptyDir:
        medium: Memory
        sizeLimit: 1Gi # ~ QOS505
""",
    },
    "awslabs/awsome-distributed-ai#1241 shared memory that nobody accounts for": {
        "app.yaml": """
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  containers:
    - name: train
      image: x
      resources: {requests: {cpu: "8"}, limits: {nvidia.com/gpu: 8}}
      volumeMounts: [{name: shm, mountPath: /dev/shm}]
  volumes:
    - name: shm
      emptyDir:
        medium: Memory # ~ QOS505
""",
    },
    "kubernetes/kubernetes#111356 the sidecar with a small request dies first": {
        ".qoslint.yaml": NODE.format(version="1.31"),
        "app.yaml": """
apiVersion: v1
kind: Pod
metadata: {name: app}
spec:
  initContainers:
    - name: proxy
      image: x
      restartPolicy: Always
      resources: {requests: {memory: 64Mi}} # ~ QOS501
  containers:
    - {name: app, image: x, resources: {requests: {memory: 4Gi}}}
""",
    },
    "nokia/CPU-Pooler#76 no exclusive cores, since the sidecar makes the pod Burstable": {
        "app.yaml": """
apiVersion: v1
kind: Pod
metadata: {name: app}
spec:
  initContainers:
    - name: proxy # ~ QOS102
      image: x
      restartPolicy: Always
  containers:
    - {name: app, image: x, resources: {limits: {cpu: "4", memory: 4Gi}}}
""",
    },
}


@pytest.mark.parametrize("files", INCIDENTS.values(), ids=INCIDENTS)
def test_the_cause_of_an_incident_is_told_at_its_line(marked_and_found, files):
    marked, found = marked_and_found(files)
    assert marked <= found

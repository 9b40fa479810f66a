"""Short cases of what everybody gets wrong about the order of eviction and about kubelets."""

from __future__ import annotations

import pytest

SETTINGS = """
kubernetes: "{version}"
nodes:
  - name: n16
    capacity: {{cpu: "4", memory: 16Gi, ephemeral-storage: 100Gi}}
    daemons: {{memory: 1Gi}}
    kubelet: {kubelet}
"""
GOLD_AND_PLAIN = """
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: gold}
value: 1000000
---
apiVersion: v1
kind: Pod
metadata: {name: gold}
spec:
  priorityClassName: gold
  containers:
    - name: a
      image: x
      resources: {requests: {cpu: 100m, memory: 100Mi}, limits: {memory: 4Gi}}
---
apiVersion: v1
kind: Pod
metadata: {name: plain}
spec:
  containers:
    - name: b
      image: x
      resources: {limits: {cpu: 500m, memory: 2Gi}}
"""
NODE_CRITICAL = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: kube-system}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      priorityClassName: system-node-critical
      containers:
        - name: agent # ~ QOS103, QOS407
          image: x
"""
SCRATCH = """
apiVersion: v1
kind: Pod
metadata: {name: guaranteed}
spec:
  containers:
    - name: app
      image: x
      resources: # ~ QOS404
        limits: {cpu: "1", memory: 1Gi}
      volumeMounts: [{name: scratch, mountPath: /scratch}]
  volumes:
    - name: scratch
      emptyDir: {} # ~ QOS405
---
apiVersion: v1
kind: Pod
metadata: {name: batch}
spec:
  containers:
    - name: batch
      image: x
      resources: {requests: {memory: 64Mi, ephemeral-storage: 20Gi}, limits: {memory: 2Gi}}
"""
KUBELET = """
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
systemReserved: {memory: 500Mi}
"""


def on_n16(text, *, version="1.36", kubelet="{}"):
    return {".qoslint.yaml": SETTINGS.format(version=version, kubelet=kubelet), "app.yaml": text}


def rows(document):
    (ranking,) = document["rankings"]
    return {row["pod"].rpartition("/")[2]: row for row in ranking["rows"]}


def scores(repository):
    (cluster,) = repository.facts()["clusters"]
    return {
        pod["name"]: (pod["qosClass"], [each["oomScoreAdj"]["n16"] for each in pod["containers"]])
        for pod in cluster["pods"]
    }


def test_a_million_of_priority_does_not_keep_a_pod_that_exceeds_its_request(answered, repository):
    peak = rows(answered("rank", on_n16(GOLD_AND_PLAIN)))
    assert list(peak) == ["gold", "plain"]
    assert (peak["gold"]["exceedsRequest"], peak["gold"]["overage"]) == (True, "3996Mi")
    assert (peak["plain"]["exceedsRequest"], peak["plain"]["overage"]) == (False, "0")
    assert peak["gold"]["earliest"]["bound"] == 1
    assert scores(repository) == {"gold": ("Burstable", [994]), "plain": ("Guaranteed", [-997])}


def test_within_their_requests_priority_decides_and_the_guaranteed_pod_goes_first(answered):
    requests = rows(answered("rank", on_n16(GOLD_AND_PLAIN), "--scenario", "requests"))
    assert list(requests) == ["plain", "gold"]
    assert {row["exceedsRequest"] for row in requests.values()} == {False}
    assert [row["priority"] for row in requests.values()] == [0, 1000000]


def test_a_node_critical_pod_without_resources_is_spared_by_all_and_bounded_by_nothing(
    answered, marked_and_found, repository
):
    files = on_n16(NODE_CRITICAL)
    files[".qoslint.yaml"] += "rules: {extend: [QOS407]}\n"
    marked, found = marked_and_found(files)
    assert marked <= found
    levels = {each.rule: str(each.severity) for each in repository.check().findings}
    assert (levels["QOS103"], levels["QOS407"]) == ("note", "warning")
    assert scores(repository) == {"agent": ("BestEffort", [-997])}
    agent = rows(answered("rank", files))["agent"]
    assert (agent["evictable"], agent["victimEarliest"], agent["most"]) == (False, None, "16Gi")


def test_a_guaranteed_pod_is_last_for_memory_and_first_for_disk(
    answered, marked_and_found, repository
):
    files = on_n16(SCRATCH)
    marked, found = marked_and_found(files)
    assert marked <= found
    memory = rows(answered("rank", files))
    assert (list(memory)[-1], memory["guaranteed"]["exceedsRequest"]) == ("guaranteed", False)
    assert memory["guaranteed"]["most"] == memory["guaranteed"]["request"] == "1Gi"
    usage = "usage:\n  default/Pod/guaranteed: {ephemeral-storage: 1}\n"
    usage += "  default/Pod/batch: {ephemeral-storage: 19Gi}\n"
    measured = repository.root / "usage.txt"
    measured.write_text(usage, "utf-8")
    arguments = ("--signal", "nodefs.available", "--scenario", "usage", "--usage", str(measured))
    disk = rows(answered("rank", files, *arguments))
    assert [(name, row["exceedsRequest"]) for name, row in disk.items()] == [
        ("guaranteed", True),
        ("batch", False),
    ]


@pytest.mark.parametrize(
    ("version", "thresholds"),
    [
        ("1.36", "evictionHard: {memory.available: 200Mi} # ~ QOS601"),
        ("1.32", "mergeDefaultEvictionSettings: true\n"
                 "evictionHard: {memory.available: 200Mi} # ~ QOS601"),
    ],
)  # fmt: skip
def test_one_threshold_takes_the_defaults_of_all_others(marked_and_found, version, thresholds):
    settings = f"clusters: [{{name: c, kubernetes: '{version}', paths: [nodes]}}]\n"
    marked, found = marked_and_found(
        {".qoslint.yaml": settings, "nodes/kubelet.yaml": KUBELET.lstrip() + thresholds + "\n"}
    )
    assert marked == found


def test_defaults_that_are_merged_stay(repository):
    settings = "clusters: [{name: c, kubernetes: '1.33', paths: [nodes]}]\n"
    merged = "mergeDefaultEvictionSettings: true\nevictionHard: {memory.available: 200Mi}\n"
    repository.write({".qoslint.yaml": settings, "nodes/kubelet.yaml": KUBELET.lstrip() + merged})
    assert repository.check().findings == ()


DISK_ONLY = "{evictionHard: {nodefs.available: 5%, imagefs.available: 5%}}"


def test_without_a_threshold_for_memory_the_kernel_orders_and_not_the_kubelet(
    answered, printed, marked_and_found
):
    hard = "evictionHard: {nodefs.available: 5%, imagefs.available: 5%} # ~ QOS601, QOS602\n"
    marked, found = marked_and_found({"kubelet.yaml": KUBELET.lstrip() + hard})
    assert marked == found
    files = on_n16(GOLD_AND_PLAIN, kubelet=DISK_ONLY)
    (ranking,) = answered("rank", files)["rankings"]
    assert ranking["thresholds"] == []
    text = printed("rank", files)
    assert "No threshold for memory.available: the kubelet never evicts for it." in text
    assert "When memory runs out, the kernel kills by oom_score_adj and usage alone." in text

"""Incidents around the order of eviction and full disks, and what tells each before it happens.

Each input is the smallest one with the cause of the report. Some reports have several causes, and
some were no fault but a surprise: there a ranking says what nobody expected. Loops of evicted pods
(kubernetes/kubernetes#63005, #65240, #94245, kubernetes/kube-scheduler#5, canonical/microk8s#3143)
begin with a pod that comes to the node in spite of its taint, which is what the tests show.
"""

from __future__ import annotations

import json

import pytest

NODE = {"name": "n8", "capacity": {"cpu": "4", "memory": "8Gi", "ephemeral-storage": "100Gi"}}
DISK = ("--signal", "nodefs.available")
REPLICAS = """
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}}}
spec:
  selector: {{matchLabels: {{app: {name}}}}}
  template:
    metadata: {{labels: {{app: {name}}}}}
    spec:
      {spec}
      containers:
        - name: app
          image: x
          resources: {resources}
          volumeMounts: [{{name: work, mountPath: /work}}]
      volumes:
        - name: work
          emptyDir: {volume}
"""


def container(requests=None, limits=None, **more):
    lists = {"requests": requests, "limits": limits}
    resources = {field: amounts for field, amounts in lists.items() if amounts is not None}
    return {"name": "app", "image": "x", "resources": resources, **more}


def pod(name, requests=None, limits=None, volumes=(), namespace="default", **spec):
    """A pod of one container that mounts each of the volumes."""
    mounts = [{"name": each["name"], "mountPath": f"/{each['name']}"} for each in volumes]
    app = container(requests, limits, volumeMounts=mounts)
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"containers": [app], "volumes": list(volumes), **spec},
    }


def priority_class(name, value):
    metadata = {"name": name}
    kind = "PriorityClass"
    return {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": kind,
        "metadata": metadata,
        "value": value,
    }


@pytest.fixture
def ranked(answered, repository):
    """The ranking of a node for some objects, and of what they use if that was measured."""

    def run(things, *arguments, usage=None, node=NODE):
        files = {
            ".qoslint.yaml": json.dumps({"kubernetes": "1.36", "nodes": [node]}),
            "all.json": json.dumps({"apiVersion": "v1", "kind": "List", "items": list(things)}),
        }
        if usage is not None:
            files["usage.txt"] = json.dumps({"usage": usage})
            measured = str(repository.root / "usage.txt")
            arguments = ("--scenario", "usage", "--usage", measured, *arguments)
        (ranking,) = answered("rank", files, *arguments)["rankings"]
        return ranking

    return run


def order(ranking):
    return [row["pod"].rpartition("/")[2] for row in ranking["rows"]]


def row(ranking, name):
    (found,) = [each for each in ranking["rows"] if each["pod"].endswith(f"/{name}")]
    return found


def memory(**pods):
    return {
        f"default/Pod/{name.replace('_', '-')}": {"memory": used} for name, used in pods.items()
    }


THREE = (
    pod("best-effort"),
    pod("burstable", {"memory": "512Mi"}),
    pod("guaranteed", limits={"cpu": "1", "memory": "1Gi"}),
)


def test_the_kubelet_does_not_follow_the_class(ranked):
    """kubernetes/kubernetes#105270 and #78561: more above its request goes before BestEffort."""
    used = memory(best_effort="500Mi", burstable="1100Mi", guaranteed="900Mi")
    ranking = ranked(THREE, usage=used)
    assert order(ranking) == ["burstable", "best-effort", "guaranteed"]
    assert [(each["qosClass"], each["overage"]) for each in ranking["rows"]] == [
        ("Burstable", "588Mi"),
        ("BestEffort", "500Mi"),
        ("Guaranteed", "-124Mi"),
    ]


def test_among_pods_within_their_requests_a_guaranteed_one_may_go_first(ranked):
    """kubernetes/kubernetes#78561."""
    two = (
        pod("burstable", {"memory": "2Gi"}),
        pod("guaranteed", limits={"cpu": 1, "memory": "1Gi"}),
    )
    ranking = ranked(two, usage=memory(burstable="1Gi", guaranteed="1000Mi"))
    assert order(ranking) == ["guaranteed", "burstable"]
    assert {each["exceedsRequest"] for each in ranking["rows"]} == {False}


def test_a_ranking_states_its_keys_and_the_class_is_none_of_them(printed):
    """kubernetes/kubernetes#129759, kubernetes/website#57005: read as a sort by class."""
    files = {
        ".qoslint.yaml": json.dumps({"kubernetes": "1.36", "nodes": [NODE]}),
        "all.json": json.dumps({"apiVersion": "v1", "kind": "List", "items": list(THREE)}),
    }
    keys = "Order: above request first, then lower priority, then larger usage - request."
    for arguments in (("--format", "text"), ("--format", "markdown"), DISK):
        assert keys in printed("rank", files, *arguments)


DEFAULTS = {
    "apiVersion": "v1",
    "kind": "LimitRange",
    "metadata": {"name": "defaults", "namespace": "internal"},
    "spec": {
        "limits": [
            {
                "type": "Container",
                "default": {"ephemeral-storage": "32Gi"},
                "defaultRequest": {"ephemeral-storage": "256Mi"},
            }
        ]
    },
}
CRITICAL = {"priorityClassName": "system-node-critical", "namespace": "kube-system"}


def test_defaults_for_disk_leave_room_for_gigabytes_above_the_request(ranked):
    """kubernetes/kubernetes#101167: a pod that writes, beside critical pods that request nothing.

    The critical pods are above their requests with the first byte and are ranked for it, and a
    kubelet of today does not evict them.
    """
    jumpbox = pod("jumpbox", namespace="internal")
    calico = pod("calico-node", **CRITICAL)
    ranking = ranked((DEFAULTS, jumpbox, calico), *DISK)
    first, second = ranking["rows"]
    assert (first["pod"], first["request"], first["most"]) == (
        "internal/Pod/jumpbox",
        "256Mi",
        "32Gi",
    )
    assert (second["pod"], second["exceedsRequest"]) == ("kube-system/Pod/calico-node", True)
    assert (second["evictable"], second["victimEarliest"]) == (False, None)
    assert first["victimLatest"]["bound"] == 1


def test_a_few_megabytes_are_enough_where_no_disk_is_requested(ranked, repository):
    """kubernetes/kubernetes#91600: evicted with some MB, beside one that fills its request.

    Logs are enough for it, and nothing in a manifest tells that a pod writes them: no rule speaks
    of a pod without a volume, but its rank does.
    """
    app = pod("app", limits={"cpu": "1", "memory": "1Gi"})
    batch = pod("batch", {"memory": "64Mi", "ephemeral-storage": "60Gi"})
    used = {"ephemeral-storage": "34260Ki"}
    usage = {"default/Pod/app": used, "default/Pod/batch": {"ephemeral-storage": "55Gi"}}
    ranking = ranked((app, batch), *DISK, usage=usage)
    assert order(ranking) == ["app", "batch"]
    assert (row(ranking, "app")["request"], row(ranking, "app")["qosClass"]) == ("0", "Guaranteed")
    assert not {"QOS404", "QOS405"} & {each.rule for each in repository.check().findings}


ALL_PODS = "rules: {options: {QOS404: {pods: all}, QOS405: {pods: all}}}\n"
BURSTABLE = "{requests: {cpu: 100m, memory: 512Mi}}"
DISK_INCIDENTS = {
    "kubernetes/kubernetes#91600 Guaranteed is of no use on a disk": {
        "app.yaml": REPLICAS.format(
            name="app",
            spec="terminationGracePeriodSeconds: 30",
            resources="{limits: {cpu: 1, memory: 1Gi}} # ~ QOS404",
            volume="{} # ~ QOS405",
        ),
    },
    "kestra-io/helm-charts#227 neither a request nor a bound": {
        ".qoslint.yaml": ALL_PODS,
        "app.yaml": REPLICAS.format(
            name="kestra",
            spec="terminationGracePeriodSeconds: 60",
            resources=f"{BURSTABLE} # ~ QOS404",
            volume="{} # ~ QOS405",
        ),
    },
    "vtmocanu/uzi#224 workers lose all that is in flight": {
        "app.yaml": """
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: workers}
value: 1000
---"""
        + REPLICAS.format(
            name="worker",
            spec="priorityClassName: workers",
            resources=f"{BURSTABLE} # ~ QOS404",
            volume="{sizeLimit: 10Gi}",
        ),
    },
    "kubernetes/kubernetes#65240 a DaemonSet of the system without the class": {
        "app.yaml": """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: kube-system}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: # ~ QOS305
      containers: [{name: a, image: x, resources: {requests: {memory: 64Mi}}}]
""",
    },
    "kubernetes/kubernetes#128604 in memory, and evicted for the disk all the same": {
        "app.yaml": REPLICAS.format(
            name="haproxy",
            spec="terminationGracePeriodSeconds: 30",
            resources=BURSTABLE,
            volume="{medium: Memory} # ~ QOS505",
        ),
    },
    "kubernetes/website#36453, #36494 the volume is larger than what its writer may use": {
        "app.yaml": REPLICAS.format(
            name="app",
            spec="terminationGracePeriodSeconds: 30",
            resources="{requests: {memory: 256Mi}, limits: {memory: 512Mi}}",
            volume="{medium: Memory, sizeLimit: 8Gi} # ~ QOS505",
        ),
    },
}


@pytest.mark.parametrize("files", DISK_INCIDENTS.values(), ids=DISK_INCIDENTS)
def test_the_cause_of_an_incident_is_told_at_its_line(marked_and_found, files):
    marked, found = marked_and_found(files)
    assert marked == found


def test_a_volume_in_memory_is_no_disk_and_logs_are_enough_to_be_evicted(ranked):
    """kubernetes/kubernetes#128604: the same input, ranked for the disk."""
    shm = {"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}}
    ranking = ranked((pod("haproxy", {"memory": "2Gi"}, volumes=[shm]), pod("other")), *DISK)
    haproxy = row(ranking, "haproxy")
    assert (haproxy["request"], haproxy["exceedsRequest"]) == ("0", True)
    assert haproxy["earliest"]["feasible"] == 1


PRESSED = {
    **NODE,
    "taints": [{"key": "node.kubernetes.io/disk-pressure", "effect": "NoSchedule"}],
}


def daemon_set(name):
    made = pod(name)
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": name},
        "spec": {
            "selector": {"matchLabels": {"app": name}},
            "template": {"metadata": {"labels": {"app": name}}, "spec": made["spec"]},
        },
    }


def test_pods_of_daemon_sets_and_pinned_ones_come_back_to_a_node_under_pressure(ranked):
    """The scheduler keeps others away; the kubelet then refuses these, and they are made anew."""
    things = (daemon_set("agent"), pod("pinned", nodeName="n8"), pod("other"))
    ranking = ranked(things, node=PRESSED)
    assert set(order(ranking)) == {"agent", "pinned"}
    (away,) = ranking["population"]["leftOut"]
    assert away["pod"] == "default/Pod/other"
    assert "does not tolerate the taint node.kubernetes.io/disk-pressure:NoSchedule" in away["why"]


def test_on_a_full_disk_the_lowest_priority_goes_and_comes_back_first(ranked):
    """spatiumddi/spatiumddi#1012: 10000 was evicted again and again, 100000 never."""
    values = {"node-exporter": 10000, "filler": 90000, "dns": 100000}
    classes = (priority_class(f"of-{name}", value) for name, value in values.items())
    pods = (pod(name, priorityClassName=f"of-{name}") for name in values)
    used = {"node-exporter": "20Mi", "filler": "30Gi", "dns": "2Gi"}
    usage = {f"default/Pod/{name}": {"ephemeral-storage": amount} for name, amount in used.items()}
    ranking = ranked((*classes, *pods), *DISK, usage=usage)
    assert order(ranking) == ["node-exporter", "filler", "dns"]
    assert {each["exceedsRequest"] for each in ranking["rows"]} == {True}

"""What nodes and quotas have room for, and what is not claimed of it."""

import pytest

SETTINGS = """
clusters:
  - name: prod
    paths: [.]
    nodes: %s
rules: {select: [QOS503, QOS609, QOS801, QOS803]}
"""
N4 = "[{name: n4, capacity: {cpu: '4', memory: 4Gi}}]"


def pod(name, spec="", **resources):
    lists = ", ".join(f"{key}: {{{value}}}" for key, value in resources.items())
    return (
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: shop}}\n"
        f"spec:\n  containers: [{{name: a, image: x, resources: {{{lists}}}}}]\n{spec}"
    )


def controller(name, kind="Deployment", fields="", spec="", metadata="", **resources):
    lists = ", ".join(f"{key}: {{{value}}}" for key, value in resources.items())
    return (
        f"apiVersion: apps/v1\nkind: {kind}\n"
        f"metadata: {{name: {name}, namespace: shop{metadata}}}\n"
        f"spec:\n  selector: {{matchLabels: {{app: {name}}}}}\n{fields}"
        f"  template:\n    metadata: {{labels: {{app: {name}}}}}\n    spec:\n"
        f"      containers: [{{name: a, image: x, resources: {{{lists}}}}}]\n{spec}"
    )


@pytest.fixture
def found(repository):
    def check(nodes, *texts, **files):
        settings = SETTINGS % nodes
        repository.write({".qoslint.yaml": settings, "app.yaml": "---\n".join(texts), **files})
        report = repository.check()
        assert report.failed_checks == ()
        return [(each.rule, each.message) for each in report.findings]

    return check


def codes(findings):
    return [code for code, _ in findings]


QUOTA = """
apiVersion: v1
kind: ResourceQuota
metadata: {name: team, namespace: shop}
spec: {hard: {%s}}
"""


class TestNodes:
    def test_a_preset_is_as_large_as_such_a_machine_may_be(self, found):
        # 8Gi less 574Mi for the kubelet and 100Mi for evictions; a machine reports less than 8Gi.
        fits = pod("a", requests="cpu: 1, memory: 7518Mi")
        above = pod("b", requests="cpu: 1, memory: 7519Mi")
        assert codes(found("[eks/m5.large]", fits)) == []
        assert codes(found("[eks/m5.large]", above)) == ["QOS801"]

    def test_a_request_equal_to_what_is_allocatable_fits(self, found):
        assert codes(found(N4, pod("a", requests="cpu: 4, memory: 3996Mi"))) == []
        assert codes(found(N4, pod("a", requests="cpu: 4001m, memory: 1Gi"))) == ["QOS801"]

    def test_overhead_counts(self, found):
        runtime = (
            "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: kata}\n"
            "handler: kata\noverhead: {podFixed: {memory: 200Mi}}\n"
        )
        spec = "  runtimeClassName: kata\n"
        one = pod("a", spec, requests="cpu: 1, memory: 3796Mi")
        two = pod("a", spec, requests="cpu: 1, memory: 3797Mi")
        assert codes(found(N4, runtime, one)) == []
        assert codes(found(N4, runtime, two)) == ["QOS801"]

    def test_of_init_containers_the_largest_counts_with_the_sidecars_before_it(self, found):
        containers = (
            "  initContainers:\n"
            "    - {name: s, image: x, restartPolicy: Always, resources: {requests: {cpu: 2}}}\n"
            "    - {name: i, image: x, resources: {requests: {cpu: %s}}}\n"
        )
        assert codes(found(N4, pod("a", containers % 2, requests="cpu: 1"))) == []
        ((code, message),) = found(N4, pod("a", containers % 3, requests="cpu: 1"))
        assert (code, "requests 5 of CPU" in message) == ("QOS801", True)

    def test_daemon_sets_of_named_nodes_or_of_two_definitions_take_nothing(self, found):
        app = pod("a", requests="cpu: 3500m")
        pinned = "      nodeSelector: {kubernetes.io/hostname: one}\n"
        agent = controller("agent", "DaemonSet", requests="cpu: 1")
        assert codes(found(N4, app, agent)) == ["QOS801"]
        named = controller("agent", "DaemonSet", spec=pinned, requests="cpu: 1")
        assert codes(found(N4, app, named)) == []
        other = controller("agent", "DaemonSet", requests="cpu: 2")
        assert codes(found(N4, app, agent, other)) == []

    def test_pods_fill_a_node_as_well(self, found):
        node = "[{name: n4, capacity: {cpu: '4', memory: 4Gi, pods: 1}}]"
        agent = controller("agent", "DaemonSet", requests="cpu: 10m")
        ((code, message),) = found(node, pod("a", requests="cpu: 10m"), agent)
        assert code == "QOS801"
        assert "is one more pod, and fits on no declared node: node n4 has 1 allocatable" in message

    def test_nothing_is_claimed_of_pods_that_an_operator_builds_or_that_name_their_node(
        self, found
    ):
        named = pod("a", "  nodeName: n4-1\n", requests="cpu: 100")
        assert codes(found(N4, named)) == []


class TestLimits:
    def test_a_limit_is_compared_with_what_pods_can_use_before_memory_is_short(self, found):
        kept = pod("a", requests="memory: 1Gi", limits="memory: 3996Mi")
        above = pod("a", requests="memory: 1Gi", limits="memory: 3997Mi")
        assert codes(found(N4, kept)) == []
        assert codes(found(N4, above)) == ["QOS503"]

    def test_a_reservation_that_is_not_enforced_holds_nobody(self, found):
        node = "[{name: n4, capacity: {memory: 4Gi}, kubelet: {systemReserved: {memory: 1Gi}%s}}]"
        app = pod("a", requests="memory: 1Gi", limits="memory: 3500Mi")
        assert codes(found(node % "", app)) == ["QOS503"]
        assert codes(found(node % ", enforceNodeAllocatable: [none]", app)) == []

    def test_a_pod_that_cannot_be_placed_at_all_is_told_once(self, found):
        assert codes(found(N4, pod("a", limits="cpu: 1, memory: 8Gi"))) == ["QOS801"]

    def test_a_pod_level_limit_is_the_one_that_counts(self, found):
        spec = "  resources: {limits: {cpu: 1, memory: %s}, requests: {cpu: 1, memory: 1Gi}}\n"
        assert codes(found(N4, pod("a", spec % "8Gi"))) == ["QOS503"]
        assert codes(found(N4, pod("a", spec % "3Gi"))) == []


class TestQuotas:
    def test_the_sum_may_reach_the_quota(self, found):
        app = controller("a", fields="  replicas: 4\n", requests="memory: 1Gi")
        assert codes(found("[]", QUOTA % "requests.memory: 4Gi", app)) == []
        assert codes(found("[]", QUOTA % "requests.memory: 4095Mi", app)) == ["QOS803"]

    @pytest.mark.parametrize(
        ("replicas", "strategy", "stalls"),
        [
            (1, "", True),
            (3, "", True),
            (4, "", False),  # one of four may be missing
            (1, "  strategy: {type: Recreate}\n", False),
            (8, "  strategy: {rollingUpdate: {maxUnavailable: 0}}\n", True),
            (8, "  strategy: {rollingUpdate: {maxUnavailable: 0%, maxSurge: 1%}}\n", True),
            (1, "  strategy: {rollingUpdate: {maxUnavailable: 0%, maxSurge: 0%}}\n", False),
            (1, "  strategy: {rollingUpdate: {maxUnavailable: 1}}\n", False),
        ],
    )
    def test_a_rollout_needs_one_more_pod_if_none_may_be_missing(
        self, found, replicas, strategy, stalls
    ):
        app = controller("a", fields=f"  replicas: {replicas}\n{strategy}", requests="cpu: 1")
        result = codes(found("[]", QUOTA % f"pods: {replicas}", app))
        assert result == (["QOS803"] if stalls else [])

    def test_what_may_not_be_there_counts_for_nothing(self, found):
        five = "  replicas: 5\n"
        hook = controller("h", fields=five, metadata=", annotations: {helm.sh/hook: test}")
        passing = (
            controller("d", "DaemonSet"),
            hook,
            pod("once", "  restartPolicy: Never\n"),
            pod("static", "").replace(
                "shop}", "shop, annotations: {kubernetes.io/config.mirror: x}}"
            ),
        )
        assert codes(found("[]", QUOTA % "pods: 1", *passing)) == []

    def test_a_scaler_says_how_few_pods_there_may_be(self, found):
        app = controller("a", fields="  replicas: 9\n", requests="cpu: 1")
        scaler = (
            "apiVersion: %s\nkind: %s\nmetadata: {name: a, namespace: shop}\n"
            "spec: {scaleTargetRef: {kind: Deployment, name: a}, %s}\n"
        )
        pods = QUOTA % "pods: 5"
        hpa = scaler % ("autoscaling/v2", "HorizontalPodAutoscaler", "maxReplicas: %s")
        assert codes(found("[]", pods, app)) == ["QOS803"]
        assert codes(found("[]", pods, app, hpa % 5)) == []
        ((code, message),) = found("[]", pods, app, hpa % 6)
        assert code == "QOS803"
        assert "HorizontalPodAutoscaler shop/a may ask for 6 pods" in message
        assert "has room for 5: it allows 5 pods, and 6 would be needed" in message
        keda = scaler % ("keda.sh/v1alpha1", "ScaledObject", "minReplicaCount: 1")
        ((_, message),) = found("[]", pods, app, keda)
        assert "ScaledObject shop/a may ask for 100 pods" in message

    def test_what_a_vertical_autoscaler_resizes_is_not_known(self, found):
        app = controller("a", fields="  replicas: 2\n", requests="cpu: 1")
        vpa = (
            "apiVersion: autoscaling.k8s.io/v1\nkind: VerticalPodAutoscaler\n"
            "metadata: {name: a, namespace: shop}\nspec: {targetRef: {apiVersion: apps/v1, "
            "kind: Deployment, name: a}, updatePolicy: {updateMode: %s}}\n"
        )
        assert codes(found("[]", QUOTA % "cpu: 1", app)) == ["QOS803"]
        assert codes(found("[]", QUOTA % "cpu: 1", app, vpa % "Recreate")) == []
        assert codes(found("[]", QUOTA % "cpu: 1", app, vpa % '"Off"')) == ["QOS803"]

    def test_only_what_is_asked_for_is_told(self, repository):
        app = controller("a", fields="  replicas: 1\n", requests="cpu: 1")
        hpa = (
            "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n"
            "metadata: {name: a, namespace: shop}\nspec:\n"
            "  scaleTargetRef: {kind: Deployment, name: a}\n  maxReplicas: 9\n"
        )
        files = {
            ".git/HEAD": "",
            ".qoslint.yaml": SETTINGS % "[]",
            "app/a.yaml": app,
            "hpa.yaml": hpa,
        }
        repository.write({**files, "quota.yaml": QUOTA % "pods: 5"})
        (finding,) = repository.check("app").findings
        assert (finding.rule, finding.location.file) == ("QOS803", "app/a.yaml")


class TestProfiles:
    def test_profiles_of_the_same_name_are_compared_and_no_others(self, found):
        pool = (
            "apiVersion: karpenter.sh/v1beta1\nkind: NodePool\nmetadata: {name: workers}\n"
            "spec: {template: {spec: {kubelet: {maxPods: 50}}}}\n"
        )
        nodes = (
            "[{name: %s, capacity: {memory: 4Gi, pods: 50}}, {name: x, capacity: {memory: 4Gi}}]"
        )
        assert codes(found(nodes % "workers", pool)) == []
        other = nodes.replace("pods: 50", "pods: 30")
        ((code, message),) = found(other % "workers", pool)
        assert code == "QOS609"
        assert "maxPods is 50 here and 30 there" in message

    def test_a_file_of_no_cluster_says_nothing_of_its_nodes(self, found):
        config = (
            "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nmaxPods: 5\n"
        )
        outside = SETTINGS.replace("paths: [.]", "paths: [app.yaml]")
        assert codes(found(N4, pod("a"), **{"nodes/k.yaml": config})) == ["QOS609"]
        files = {".qoslint.yaml": outside % N4, "nodes/k.yaml": config}
        assert codes(found(N4, pod("a"), **files)) == []


@pytest.mark.parametrize("number", ["9" * 4000, "-1", "1.5", "x", "[1]"])
def test_numbers_that_are_no_number_of_pods_are_not_counted(found, number):
    app = controller("a", fields=f"  replicas: {number}\n", requests="cpu: 1")
    hpa = (
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n"
        "metadata: {name: b, namespace: shop}\nspec:\n"
        f"  scaleTargetRef: {{kind: Deployment, name: b}}\n  maxReplicas: {number}\n"
    )
    other = controller("b", requests="cpu: 1")
    assert "QOS803" not in codes(found("[]", QUOTA % "pods: 5", app, hpa, other))

"""What priorities and grace periods are worth when the kubelet evicts, in whole repositories."""

import pytest

NODE = '{name: n16, capacity: {cpu: "4", memory: 16Gi}}'
CLASSES = "".join(
    f"apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {{name: {name}}}\n"
    f"value: {value}\ndescription: x\n---\n"
    for name, value in (("gold", 1000000), ("silver", 1000), ("low", -10))
)


def pod(name, resources="", *, kind="Pod", annotations="", **spec):
    """A workload whose only container has the resources; `spec` is written as it is."""
    template = "".join(f"  {key}: {value}\n" for key, value in spec.items())
    template += f"  containers:\n  - {{name: a, image: i, resources: {{{resources}}}}}\n"
    if kind == "Pod":
        return (
            f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: shop, annotations: "
            f"{{{annotations}}}}}\nspec:\n{template}---\n"
        )
    inner = "".join(f"    {line}\n" for line in template.splitlines())
    return (
        f"apiVersion: apps/v1\nkind: {kind}\nmetadata: {{name: {name}, namespace: shop, "
        f"annotations: {{{annotations}}}}}\nspec:\n  selector: {{matchLabels: {{app: {name}}}}}\n"
        f"  template:\n    metadata: {{labels: {{app: {name}}}}}\n    spec:\n{inner}---\n"
    )


def memory(request, limit=None, cpu="100m"):
    limits = f", limits: {{memory: {limit}}}" if limit else ""
    return f"requests: {{cpu: {cpu}, memory: {request}}}{limits}"


@pytest.fixture
def said(repository):
    """Gives severity and message of the findings of one rule."""

    def check(code, text, *, nodes=NODE, kubernetes="1.36", rules=""):
        settings = (
            f"clusters: [{{name: c, paths: [.], kubernetes: '{kubernetes}', nodes: [{nodes}]}}]\n"
            f"rules: {{select: [{code}]{rules}}}\n"
        )
        report = repository.write({".qoslint.yaml": settings, "all.yaml": CLASSES + text}).check()
        assert not report.failed_checks
        return [(str(finding.severity), finding.message) for finding in report.findings]

    return check


GOLD = pod("shop", memory("100Mi", "4Gi"), priorityClassName="gold")
REPORT = pod("report", memory("2Gi", "2Gi"))


def test_a_burst_is_compared_before_a_priority(said):
    assert said("QOS402", GOLD + REPORT) == [
        (
            "warning",
            "Pod shop/shop has priority 1000000 and requests 100Mi of memory. At 4Gi it goes, "
            "when a node n16 that they share runs low on memory, before the pods of 1 workload of "
            "lower priority which cannot use more than they request: Pod shop/report (0). Whether "
            "a pod exceeds its request is compared before its priority.",
        )
    ]


def test_one_finding_for_each_pod_names_a_few_of_those_that_it_goes_before(said):
    others = "".join(
        pod(f"report-{number}", memory("1Gi", "1Gi"), priorityClassName=name)
        for number, name in enumerate(("silver", "silver", "low", "silver", "silver"))
    )
    ((_, message),) = said("QOS402", GOLD + REPORT + others)
    assert "the pods of 6 workloads of lower priority" in message
    assert (
        "request: Pod shop/report-2 (-10), Pod shop/report (0), Pod shop/report-0 (1000), "
        "Pod shop/report-1 (1000) and 2 more."
    ) in message


def test_without_a_limit_a_little_above_the_request_is_enough(said):
    ((_, message),) = said("QOS402", GOLD.replace(", limits: {memory: 4Gi}", "") + REPORT)
    assert "At 101Mi it goes, when a node n16 that they share" in message


@pytest.mark.parametrize(
    ("shop", "report"),
    [
        (GOLD.replace("4Gi", "100Mi"), REPORT),  # cannot exceed
        (GOLD, REPORT.replace("limits: {memory: 2Gi}", "limits: {memory: 3Gi}")),  # both can
        (GOLD, REPORT.replace("  containers", "  priorityClassName: gold\n  containers")),
        (GOLD.replace("gold", "low"), REPORT),  # nobody raised it
        (GOLD.replace("gold", "low"), REPORT.replace("0Mi", "0Mi")),
        (GOLD.replace("gold", "system-node-critical"), REPORT),  # never evicted
        (
            GOLD,
            REPORT.replace(
                "  containers", "  priorityClassName: system-node-critical\n  containers"
            ),
        ),
        (GOLD.replace("requests: {cpu: 100m, memory: 100Mi}, ", ""), REPORT),  # limit is requested
        (
            GOLD.replace("annotations: {", 'annotations: {qoslint.dev/expect-outlives: "name=x"'),
            REPORT,
        ),
        (GOLD.replace("  containers", "  nodeSelector: {a: b}\n  containers"), REPORT),
        (GOLD.replace("gold", "unknown"), REPORT),
    ],
)
def test_who_is_not_raised_or_does_not_burst_or_does_not_meet_is_left_alone(said, shop, report):
    assert said("QOS402", shop + report) == []


def test_without_nodes_nobody_knows_which_pods_meet(said):
    assert said("QOS402", GOLD + REPORT, nodes="") == []


def test_what_an_old_kubelet_overlooks_of_a_sidecar_is_no_request_to_raise(said):
    sidecar = (
        "  initContainers:\n  - name: s\n    image: i\n    restartPolicy: Always\n"
        "    resources: {requests: {memory: 200Mi}, limits: {memory: 200Mi}}\n"
    )
    shop = GOLD.replace("4Gi", "100Mi").replace("  containers", f"{sidecar}  containers")
    assert said("QOS402", shop + REPORT, kubernetes="1.33") == []
    burst = shop.replace("memory: 100Mi}}", "memory: 1Gi}}")
    assert len(said("QOS402", burst + REPORT, kubernetes="1.33")) == 1


def test_a_burst_is_that_of_the_whole_pod(said):
    ((_, message),) = said("QOS403", GOLD)
    assert message == (
        "Pod shop/shop has priority 1000000, requests 100Mi of memory and may use 4Gi, more than 2 "
        "times as much, most by container 'a': of pods with its priority that exceed their "
        "requests, the one that is furthest above goes first."
    )
    assert said("QOS403", GOLD.replace("4Gi", "200Mi")) == []
    assert len(said("QOS403", GOLD.replace("4Gi", "201Mi"))) == 1
    assert said("QOS403", GOLD.replace("memory: 100Mi}, ", "memory: 0}, ")) == []


def test_a_ratio_may_have_a_fraction(said):
    options = ", options: {QOS403: {max-ratio: '1.5'}}"
    assert said("QOS403", GOLD.replace("4Gi", "150Mi"), rules=options) == []
    ((_, message),) = said("QOS403", GOLD.replace("4Gi", "151Mi"), rules=options)
    assert "may use 151Mi, more than 1.5 times as much" in message


def test_a_pod_that_matters_is_told_what_its_priority_is_worth(said):
    ((_, message),) = said("QOS304", pod("db", kind="StatefulSet"))
    assert message.startswith(
        "StatefulSet shop/db names no PriorityClass and has priority 0, that of any pod that names "
        "none: it preempts none of them"
    )
    ((_, message),) = said("QOS304", pod("db", kind="StatefulSet", priorityClassName="low"))
    assert "names PriorityClass low and has priority -10, less than any pod that" in message


@pytest.mark.parametrize(
    "text",
    [
        pod("db", kind="StatefulSet", priorityClassName="silver"),
        pod("db", kind="StatefulSet", priorityClassName="unknown"),
        pod("db", kind="Deployment"),
        pod("db", kind="StatefulSet", annotations='qoslint.dev/expect-priority: ">=0"'),
    ],
)
def test_a_priority_that_is_raised_unknown_or_declared_is_left_alone(said, text):
    assert said("QOS304", text) == []


DISK = "[{key: node.kubernetes.io/disk-pressure, operator: Exists, effect: %s}]"


def test_what_bypasses_the_scheduler_comes_back_to_the_same_node(said):
    ((severity, message),) = said("QOS408", pod("db", kind="StatefulSet", nodeName="worker-1"))
    assert severity == "note"
    assert message.startswith(
        "StatefulSet shop/db sets nodeName, which binds its pods to node worker-1 without asking "
        "the scheduler."
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (pod("a", kind="Deployment", tolerations=DISK % "NoSchedule"), ["the taint node.kube"]),
        (pod("a", kind="Deployment", tolerations=DISK % "NoExecute"), []),
        (
            pod("a", kind="Deployment", tolerations="[{operator: Exists}]"),
            ["every taint, node.kub"],
        ),
        (pod("a", kind="DaemonSet", tolerations="[{operator: Exists}]"), []),
        (pod("a", kind="DaemonSet", tolerations=DISK % "NoSchedule"), ["as all DaemonSets do"]),
        (
            pod("a", kind="Deployment", tolerations=(DISK % '""').replace("disk", "memory")),
            [],
        ),
        (pod("a", nodeName="worker-1"), []),
        (pod("a", kind="Deployment", nodeName="w", priorityClassName="unknown"), []),
        (pod("a", kind="Deployment", nodeName="w", priorityClassName="system-node-critical"), []),
    ],
)
def test_the_kubelet_refuses_whatever_a_pod_tolerates(said, text, told):
    messages = [message for _, message in said("QOS408", text)]
    assert len(messages) == len(told)
    assert all(part in message for part, message in zip(told, messages, strict=True))


def test_a_deployment_without_pods_makes_none(said):
    text = pod("a", kind="Deployment", nodeName="w").replace(
        "  selector", "  replicas: 0\n  selector"
    )
    assert said("QOS408", text) == []


SLOW = pod("db", memory("1Gi"), kind="StatefulSet", terminationGracePeriodSeconds=600)
SOFT = (
    "{{name: soft, capacity: {{memory: 16Gi}}, kubelet: {{evictionSoft: {{memory.available: 1Gi}}, "
    "evictionSoftGracePeriod: {{memory.available: {grace}}}, evictionMaxPodGracePeriod: {most}}}}}"
)


def test_a_hard_eviction_leaves_a_second_on_each_of_the_nodes_named(said):
    nodes = f"{NODE}, {NODE.replace('16', '32')}, {SOFT.format(grace='1m', most=60)}"
    assert said("QOS409", SLOW, nodes=nodes) == [
        (
            "warning",
            "StatefulSet shop/db asks for 600 seconds to stop. When it is evicted it does not get "
            "them: on n16 and n32 all eviction thresholds are hard, and a hard one leaves 1 "
            "second; on soft a soft eviction threshold leaves at most 60 seconds "
            "(evictionMaxPodGracePeriod 60), and a hard one 1 second. What it does after that on "
            "SIGTERM or in a preStop hook is lost.",
        )
    ]


@pytest.mark.parametrize(
    ("grace", "most", "told"),
    [
        ("1m", 600, None),
        ("1m", 599, "at most 599 seconds"),
        ("1m", 0, "at most 1 second (evictionMaxPodGracePeriod 0)"),
        ("1m", -1, "at most 1 second (evictionMaxPodGracePeriod -1)"),
        ("0s", 600, "all eviction thresholds are hard"),  # as the kubelet takes it
    ],
)
def test_a_soft_eviction_leaves_what_the_kubelet_allows(said, grace, most, told):
    found = said("QOS409", SLOW, nodes=SOFT.format(grace=grace, most=most))
    assert [told in message for _, message in found] == ([] if told is None else [True])


@pytest.mark.parametrize(
    ("text", "severities"),
    [
        (SLOW.replace("600", "30"), []),
        (SLOW.replace("StatefulSet", "Deployment"), []),
        (
            pod("a", "limits: {cpu: 1, memory: 1Gi}", terminationGracePeriodSeconds=31),
            ["note"],  # its class alone says that it is meant to stay
        ),
        (pod("a", priorityClassName="gold", terminationGracePeriodSeconds=31), ["warning"]),
        (
            pod("a", priorityClassName="system-node-critical", terminationGracePeriodSeconds=31),
            [],
        ),
    ],
)
def test_only_who_is_meant_to_stay_is_told_of_its_grace(said, text, severities):
    assert [severity for severity, _ in said("QOS409", text)] == severities


def test_a_node_without_thresholds_evicts_nobody(said):
    node = (
        '{name: none, capacity: {memory: 16Gi}, kubelet: {evictionHard: {memory.available: "0%"}}}'
    )
    assert said("QOS409", SLOW, nodes=node) == []

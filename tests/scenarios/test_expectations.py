"""Declared intent through whole repositories: what is said, where, with which numbers."""

import pytest

NODE = '{name: n16, capacity: {cpu: "8", memory: 16Gi}}'


def pod(name, *, namespace="shop", request=None, limit=None, priority=None, annotations=None):
    resources = []
    if request:
        resources.append(f"requests: {{memory: {request}}}")
    if limit:
        resources.append(f"limits: {{memory: {limit}}}")
    stated = "".join(
        f"    qoslint.dev/{key}: '{value}'\n" for key, value in (annotations or {}).items()
    )
    return (
        f"apiVersion: v1\nkind: Pod\nmetadata:\n  name: {name}\n  namespace: {namespace}\n"
        + (f"  annotations:\n{stated}" if stated else "")
        + "spec:\n"
        + (f"  priorityClassName: {priority}\n" if priority else "")
        + f"  containers:\n    - {{name: a, image: i, resources: {{{', '.join(resources)}}}}}\n"
        + "---\n"
    )


CLASS = (
    "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\n"
    "value: 1000\ndescription: x\n---\n"
)
OUTLIVES = {"expect-outlives": "namespace=batch"}


@pytest.fixture
def said(repository):
    """Gives the messages of the rules about expectations: code, severity, message."""

    def check(text, *, nodes=NODE, settings="", codes=("QOS401", "QOS313", "QOS809", "QOS905")):
        files = {
            ".qoslint.yaml": f"clusters: [{{name: c, paths: [.], nodes: [{nodes}]}}]\n{settings}",
            "all.yaml": CLASS + text,
        }
        report = repository.write(files).check()
        assert not report.failed_checks
        return [
            (finding.rule, str(finding.severity), finding.message)
            for finding in report.findings
            if finding.rule in codes
        ]

    return check


def test_the_counterexample_names_node_usages_requests_and_the_key_that_decides(said):
    text = pod("api", request="512Mi", limit="900Mi", annotations=OUTLIVES)
    text += pod("import", namespace="batch", request="2Gi", limit="2Gi")
    assert said(text) == [
        (
            "QOS401",
            "error",
            "On node n16, if the scheduler puts both on one such node, "
            "Pod shop/api at 900Mi (request 512Mi, priority 0) goes before Pod "
            "batch/import at 2Gi (request 2Gi, priority 0), though it shall outlive it: it uses "
            "more than it requests, and the other does not. That is the order of these two; what "
            "else runs there and ranks before both goes first.",
        )
    ]


def test_without_a_limit_a_little_more_than_the_request_is_enough(said):
    text = pod("api", request="512Mi", annotations=OUTLIVES)
    text += pod("import", namespace="batch", request="2Gi", limit="2Gi")
    ((_, _, message),) = said(text)
    assert "Pod shop/api at 513Mi (request 512Mi" in message


def test_what_both_cannot_use_on_one_node_is_no_counterexample(said):
    text = pod("api", request="1Gi", limit="1Gi", annotations=OUTLIVES)
    text += pod("import", namespace="batch", request="12Gi", limit="20Gi", priority="high")
    # Import goes first only above its 12Gi, and api at its request goes before it within them.
    ((_, _, message),) = said(text)
    assert "its priority 0 is below the other's 1000" in message


def test_two_that_request_too_much_for_one_node_never_meet(said):
    text = pod("api", request="9Gi", annotations=OUTLIVES)
    text += pod("import", namespace="batch", request="9Gi", limit="9Gi")
    assert said(text) == []


def test_pods_of_equal_rank_may_go_in_either_order(said):
    text = pod("api", limit="1Gi", annotations=OUTLIVES)
    # It uses a byte at least, and so all that it requests.
    text += pod("import", namespace="batch", request="1")
    ((_, _, message),) = said(text)
    assert "may go before" in message
    assert "both rank alike, and either may go first" in message


def test_a_node_without_memory_threshold_evicts_nobody_for_memory(said):
    node = "{name: k3s, capacity: {memory: 16Gi}, kubelet: {evictionHard: {nodefs.available: 5%}}}"
    text = pod("api", annotations={**OUTLIVES, "expect-protected": "true"})
    assert said(text + pod("import", namespace="batch", limit="1Gi"), nodes=node) == []


def test_where_others_are_needed_and_only_assumed_it_is_the_order_of_two_pods(said):
    node = '{name: n8, capacity: {cpu: "8", memory: 8Gi}, daemons: {memory: 1Gi}}'
    text = pod("api", request="512Mi", limit="900Mi", annotations=OUTLIVES)
    ((_, _, message),) = said(text + pod("import", namespace="batch", limit="2Gi"), nodes=node)
    assert "goes before Pod batch/import at 2Gi" in message
    assert (
        "That is the order of these two; a threshold is met once all else on the node uses enough, "
        "and what of that ranks before both goes first."
    ) in message


@pytest.mark.parametrize("known", ["count: 1", "pods: [{namespace: '*'}]"])
def test_pods_that_are_known_to_share_the_node_are_told_without_an_if(said, known):
    node = f'{{name: n16, capacity: {{cpu: "8", memory: 16Gi}}, {known}}}'
    text = pod("api", request="512Mi", limit="900Mi", annotations=OUTLIVES)
    text += pod("import", namespace="batch", limit="2Gi")
    ((_, _, message),) = said(text, nodes=node)
    assert message.startswith("On node n16, Pod shop/api at 513Mi")
    assert "is evicted before Pod batch/import at 2Gi" in message
    assert "That is while daemons use 13723Mi + 1 byte, which no profile states." in message
    ((_, _, message),) = said(text, nodes=node.replace(known, "count: 2"))
    assert message.startswith("On node n16, if the scheduler puts both on one such node, Pod ")


class TestTheArgumentOfAProtectedPod:
    NODE = (
        '{name: n8, count: 1, capacity: {cpu: "8", memory: 8Gi}, '
        "kubelet: {kubeReserved: {memory: 1Gi}}}"
    )
    PROTECTED = pod("api", limit="1Gi", annotations={"expect-protected": "true"})

    def told(self, said, text, **node):
        ((_, severity, message),) = said(
            text, codes=("QOS411",), settings="rules: {extend: [QOS411]}\n", **node
        )
        assert severity == "note"
        return message

    def test_it_has_the_numbers_of_the_node(self, said):
        message = self.told(said, self.PROTECTED + pod("b", request="2Gi"), nodes=self.NODE)
        assert "on n8 it cannot use more than the 1Gi that it requests." in message
        assert (
            "If all pods stay within their requests (3Gi together) and daemons use no more than "
            "1Gi, at least 4Gi of 8Gi is left, and the kubelet evicts nobody while 100Mi is."
        ) in message
        assert "critical" not in message

    def test_where_pods_are_only_assumed_to_share_it_what_is_allocatable_bounds_them(self, said):
        node = self.NODE.replace("count: 1, ", "")
        message = self.told(said, self.PROTECTED, nodes=node)
        assert "(at most 7068Mi together, which is allocatable)" in message
        assert "at least 100Mi of 8Gi is left" in message

    def test_critical_pods_are_named_only_where_there_are_some(self, said):
        critical = pod("c", limit="1Gi", priority="system-node-critical")
        message = self.told(said, self.PROTECTED + critical, nodes=self.NODE)
        assert "Nor can any critical pod there, which the kubelet never evicts." in message


def test_signals_widen_it_to_processes_where_only_priority_counts(said):
    kubelet = '{evictionHard: {pid.available: "100"}}'
    node = f"{{name: n16, capacity: {{memory: 16Gi, pid: 1000}}, kubelet: {kubelet}}}"
    settings = (
        "expect:\n  - pods: {name: api}\n    outlives: {name: import}\n    signals: [memory, pid]\n"
    )
    text = pod("api", limit="1Gi") + pod("import", limit="2Gi")
    ((_, _, message),) = said(text, nodes=node, settings=settings)
    assert "Pod shop/api at 999 processes (priority 0)" in message
    assert message.endswith("(expect[0] of .qoslint.yaml expects it.)")


def test_a_filesystem_of_unknown_size_leaves_a_doubt(said):
    settings = "expect:\n  - {pods: {name: api}, outlives: {name: import}, signals: [disk]}\n"
    ((_, severity, message),) = said(pod("api") + pod("import"), settings=settings)
    assert severity == "note"
    assert "capacity is not known for nodefs.available of node n16" in message


def test_a_selector_that_selects_nothing_is_told(said):
    ((_, severity, message),) = said(pod("api", annotations=OUTLIVES))
    assert severity == "note"
    assert "selects no pod" in message


def test_an_expectation_of_the_settings_that_selects_no_pod_is_noticed(repository):
    expected = "\n".join(f"- {{pods: {{name: {name}}}, protected: true}}" for name in "abc")
    files = {".qoslint.yaml": f"expect:\n{expected}\n", "all.yaml": pod("b")}
    told = [each for each in repository.write(files).check().notices if "expect[" in each.message]
    assert [(each.file, each.line) for each in told] == [(".qoslint.yaml", 2)]
    assert "expect[0] selects no pod" in told[0].message
    assert "and 1 more of them" in told[0].message


def test_a_pod_that_is_not_known_leaves_a_doubt(said):
    text = pod("api", limit="1Gi", priority="high", annotations=OUTLIVES)
    ((_, severity, message),) = said(text + pod("import", namespace="batch", request="'${MEMORY}'"))
    assert severity == "note"
    assert "Pod batch/import: it depends on what is not known" in message


def test_a_refused_pod_is_judged_by_the_rule_of_its_refusal(said):
    text = pod("api", request="2Gi", limit="1Gi", annotations={"expect-protected": "true"})
    assert said(text) == []


def test_protection_holds_beside_pods_that_can_be_evicted(said):
    text = pod("store", limit="2Gi", annotations={"expect-protected": "true"})
    assert said(text + pod("greedy", priority="high")) == []


@pytest.mark.parametrize(
    ("annotation", "value", "told"),
    [
        ("expect-outlive", "name=x", "has no meaning. Did you mean qoslint.dev/expect-outlives?"),
        ("expect-outlives", "name", "is 'name', which is no selector such as namespace=batch"),
        ("expect-outlives", "nmae=x", "did you mean name?"),
        ("expect-priority", "1000", "is '1000', which is no comparison such as >=1000."),
        ("expect-fits", "n16,,", "which is no list of node profiles such as n16,n32."),
        ("expect-protected", "yes", "is 'yes', which is neither true nor false."),
        ("zzz", "1", "has no meaning. Known are"),
    ],
)
def test_what_is_misstated_is_told_at_its_annotation(said, annotation, value, told):
    ((rule, severity, message),) = said(pod("api", annotations={annotation: value}))
    assert (rule, severity) == ("QOS905", "error")
    assert told in message


@pytest.mark.parametrize("value", ["${OUTLIVES}", "{{ .Values.outlives }}"])
def test_a_placeholder_is_no_misstatement(said, value):
    assert said(pod("api", annotations={"expect-outlives": value})) == []


def test_a_node_profile_that_the_cluster_lacks_is_a_doubt_with_the_nearest_name(said):
    ((rule, severity, message),) = said(pod("api", annotations={"expect-fits": "n61"}))
    assert (rule, severity) == ("QOS809", "note")
    assert "did you mean 'n16'?" in message


def test_what_exceeds_a_node_without_daemon_sets_is_told_in_numbers(said):
    text = pod("api", request="16Gi", annotations={"expect-fits": "n16"})
    ((_, _, message),) = said(text)
    assert message == (
        "Pod shop/api requests 16Gi of memory, and does not fit on node n16: together that is 16Gi "
        "of 16284Mi that is allocatable, and the pods stay Pending there."
    )


def test_a_kept_expectation_is_listed_on_request_with_its_argument(said):
    settings = "rules: {extend: [QOS411]}\n"
    text = pod("api", limit="1Gi", priority="high", annotations=OUTLIVES)
    text += pod("import", namespace="batch")
    ((_, severity, message),) = said(text, settings=settings, codes=("QOS401", "QOS411"))
    assert severity == "note"
    assert "on n16 it goes after each of 1 workload that it shall outlive" in message


KILLED_AFTER = {"expect-killed-after": "namespace=batch"}


def of_the_kernel(said, text, **given):
    return said(text, codes=("QOS502",), **given)


def test_an_order_of_the_kernel_is_contradicted_with_both_scores(said):
    text = pod("api", request="512Mi", limit="900Mi", annotations=KILLED_AFTER)
    text += pod("import", namespace="batch", request="2Gi", limit="4Gi", priority="high")
    assert of_the_kernel(said, text) == [
        (
            "QOS502",
            "error",
            "On node n16, container 'a' of Pod shop/api has oom_score_adj 969, and no container of "
            "Pod batch/import more than 875 ('a'): when the node is out of memory, the kernel "
            "kills Pod shop/api before Pod batch/import, which shall go first, unless that uses 94 "
            "thousandths of the node's memory and swap more.",
        )
    ]


def test_equal_scores_leave_it_to_what_the_processes_use(said):
    text = pod("api", request="512Mi", limit="512Mi", annotations=KILLED_AFTER)
    text += pod("import", namespace="batch", request="512Mi")
    ((_, severity, message),) = of_the_kernel(said, text)
    assert severity == "note"
    assert "container 'a' has oom_score_adj 969, and Pod batch/import has 969 ('a')" in message
    assert "what each of them uses decides" in message


@pytest.mark.parametrize(
    ("sizes", "severities"),
    [
        (("1Gi", "8Gi"), ["error"]),  # its first container scores above both of the other
        (("3Gi", "8Gi"), ["note"]),  # between the two of the other
        (("7Gi", "8Gi"), []),
    ],
)
def test_the_highest_score_of_a_pod_meets_the_range_of_the_other(said, sizes, severities):
    containers = "".join(
        f"    - {{name: {name}, image: i, resources: {{requests: {{memory: {size}}}}}}}\n"
        for name, size in zip("bc", sizes, strict=True)
    )
    text = pod("api", namespace="batch", request="2Gi") + pod("x", request="1Mi")
    text += (
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: own\n  namespace: shop\n  annotations: "
        "{qoslint.dev/expect-killed-after: 'namespace=batch'}\nspec:\n  containers:\n"
    ) + containers
    text = text.replace(
        "    - {name: a, image: i, resources: {requests: {memory: 2Gi}}}\n",
        "    - {name: a, image: i, resources: {requests: {memory: 2Gi}}}\n"
        "    - {name: d, image: i, resources: {requests: {memory: 5Gi}}}\n",
    )
    node = NODE.replace("16Gi", "64Gi")
    assert [severity for _, severity, _ in of_the_kernel(said, text, nodes=node)] == severities


def test_all_sizes_of_an_approximate_node_are_compared(said):
    # On the largest of them both requests are less than a thousandth apart.
    node = (
        "{name: varied, capacity: {cpu: '8', memory: 1Gi}, "
        "approximate: {memory: 900Gi, source: 'https://example.org/1'}}"
    )
    text = pod("api", request="64Mi", limit="1Gi", annotations=KILLED_AFTER)
    text += pod("import", namespace="batch", request="32Mi", limit="1Gi")
    ((_, severity, message),) = of_the_kernel(said, text, nodes=node)
    assert (severity, "has 999 ('a')" in message) == ("note", True)
    assert of_the_kernel(said, text, nodes=node.replace("900Gi", "2Gi")) == []


def test_a_kernel_of_windows_knows_no_scores(said):
    text = pod("api", request="512Mi", annotations=KILLED_AFTER)
    text += pod("import", namespace="batch", request="2Gi", limit="4Gi")
    assert of_the_kernel(said, text, nodes=NODE.replace("name: n16", "name: w, os: windows")) == []


def test_an_order_of_the_kernel_without_nodes_or_victims_is_not_known(said):
    text = pod("api", request="512Mi", annotations=KILLED_AFTER)
    ((_, _, nobody),) = of_the_kernel(said, text)
    assert "selects no pod of this cluster" in nobody
    text += pod("import", namespace="batch", request="2Gi")
    ((_, _, nowhere),) = of_the_kernel(said, text, nodes="")
    assert "no node profile is known" in nowhere

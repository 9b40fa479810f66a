"""`qoslint rank` through the command line."""

import json

import pytest

SETTINGS = """\
clusters:
  - name: main
    paths: ["."]
    nodes: [{name: node, capacity: {memory: 4Gi}, daemons: {memory: 512Mi}}]
"""


def pod(name, request=None, priority=0, limit=None):
    resources = []
    if request:
        resources.append(f"requests: {{memory: {request}}}")
    if limit:
        resources.append(f"limits: {{memory: {limit}}}")
    return (
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\nspec:\n"
        f"  priorityClassName: p{priority}\n  containers:\n"
        f"    - {{name: app, image: i, resources: {{{', '.join(resources)}}}}}\n---\n"
    )


def priority_class(value):
    return (
        "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\n"
        f"metadata: {{name: p{value}}}\nvalue: {value}\n---\n"
    )


FOUR = (
    priority_class(0)
    + priority_class(1000)
    + pod("a")
    + pod("b", "512Mi", 1000)
    + pod("c", "512Mi")
    + pod("d", "1Gi", limit="1Gi")
)
USAGE = """\
usage:
  default/Pod/a: {memory: 300Mi}
  default/Pod/b: {memory: 900Mi}
  default/Pod/c: {memory: 400Mi}
  default/Pod/d: {memory: 1Gi}
"""


@pytest.fixture
def ranked(qoslint, tmp_path):
    def run(*arguments, text=FOUR, settings=SETTINGS, usage=USAGE):
        (tmp_path / ".qoslint.yaml").write_text(settings, "utf-8")
        (tmp_path / "all.yaml").write_text(text, "utf-8")
        (tmp_path / "usage.txt").write_text(usage, "utf-8")
        return qoslint("rank", ".", *arguments)

    return run


def rows(result):
    (ranking,) = json.loads(result.stdout)["rankings"]
    return ranking["rows"]


def names(result):
    return [row["pod"].rpartition("/")[2] for row in rows(result)]


def test_the_order_is_by_request_then_priority_then_overage(ranked):
    result = ranked("--scenario", "usage", "--usage", "usage.txt", "--format", "json")
    assert result.returncode == 0
    assert names(result) == ["a", "b", "d", "c"]
    assert [row["overage"] for row in rows(result)] == ["300Mi", "388Mi", "0", "-112Mi"]


def test_priority_counts_only_among_those_above_their_requests(ranked):
    text = priority_class(1000000) + FOUR.replace(pod("a"), pod("a", priority=1000000))
    result = ranked("--scenario", "usage", "--usage", "usage.txt", "--format", "json", text=text)
    assert names(result) == ["b", "a", "d", "c"]


def test_the_document_follows_its_schema(ranked):
    from qoslint.schema import check

    result = ranked("--pod", "b", "--format", "json")
    document = json.loads(result.stdout)
    assert list(check(document, "ranking")) == []
    (ranking,) = document["rankings"]
    shown = [row for row in ranking["rows"] if row["witnesses"]]
    assert [row["pod"] for row in shown] == ["default/Pod/b"]
    assert {each["bound"] for each in shown[0]["witnesses"]} == {
        "earliest",
        "latest",
        "victimEarliest",
        "victimLatest",
    }


def test_the_text_says_what_it_assumes(ranked):
    text = ranked().stdout
    assert "memory.available on node node of cluster main, Kubernetes 1.36" in text
    assert "The kubelet evicts when less than 100Mi (hard) is available." in text
    assert "4 pods: one of each workload that may run there, as if all shared one node." in text
    assert "which does not fit the node" in text
    assert "page cache" in text


def test_an_innocent_victim_is_named(ranked):
    text = ranked().stdout
    assert "If only default/Pod/b grows, these may be evicted before it: default/Pod/a" in text


def test_a_node_without_memory_threshold_says_that_the_kernel_acts(ranked):
    node = 'kubelet: {evictionHard: {nodefs.available: "5%"}}}]'
    settings = SETTINGS.replace("daemons: {memory: 512Mi}}]", node)
    result = ranked("--format", "json", settings=settings)
    assert {row["earliest"]["feasible"] for row in rows(result)} == {None}
    text = ranked(settings=settings).stdout
    assert "No threshold for memory.available: the kubelet never evicts for it." in text


def test_markdown_is_a_table_for_each_node(ranked):
    text = ranked("--format", "markdown").stdout
    assert text.startswith("### memory.available on node node")
    assert "| 1 | " in text


def test_the_pods_that_leak_use_all_they_may(ranked):
    result = ranked("--scenario", "leak:d", "--format", "json")
    usages = {row["pod"].rpartition("/")[2]: row["usage"] for row in rows(result)}
    assert usages == {"a": "1", "b": "512Mi", "c": "512Mi", "d": "1Gi"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--node", "nod"), "there is no node profile 'nod', did you mean 'node'?"),
        (("--scenario", "leak:e"), "there is no workload 'e'"),
        (("--scenario", "peek"), "'peek' is none of peak, requests, usage and leak:WORKLOAD"),
        (("--usage", "absent.txt"), "absent.txt"),
        (("--pod", "e"), "there is no workload 'e'"),
    ],
)
def test_what_cannot_be_ranked_is_said_in_one_line(ranked, arguments, message):
    result = ranked(*arguments)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_without_profiles_it_says_how_to_add_one(ranked):
    result = ranked(settings="kubernetes: '1.36'\n")
    assert result.returncode == 2
    assert "no node profile is known" in result.stderr
    assert "nodes: [eks/m5.large]" in result.stderr


def test_usage_of_pods_that_are_not_there_is_told(ranked):
    usage = USAGE + "  default/Pod/e: {memory: 1Gi}\n"
    result = ranked("--scenario", "usage", "--usage", "usage.txt", usage=usage)
    assert result.returncode == 0
    assert "usage.txt:6" in result.stderr


def test_usage_above_the_node_is_told(ranked):
    usage = USAGE.replace("memory: 300Mi", "memory: 8Gi")
    result = ranked("--usage", "usage.txt", usage=usage)
    assert "node node has 4Gi" in result.stderr

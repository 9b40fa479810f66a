"""`qoslint simulate` through the command line."""

import json

import pytest

from qoslint.schema import check

NODE = "{name: node, count: 1, capacity: {memory: 4Gi}, daemons: {memory: 512Mi}}"
SETTINGS = 'clusters: [{{name: main, paths: ["."], nodes: [{}]}}]\n'


def container(name="app", request=None, limit=None):
    asked = [f"{key}: {{memory: {value}}}" for key, value in
             (("requests", request), ("limits", limit)) if value]  # fmt: skip
    return f"{{name: {name}, image: i, resources: {{{', '.join(asked)}}}}}"


def pod(name, *containers, more=""):
    listed = ", ".join(containers or [container()])
    return (
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\n"
        f"spec: {{{more}containers: [{listed}]}}\n---\n"
    )


ONE = pod("a")


@pytest.fixture
def played(qoslint, tmp_path):
    """Runs the command on pods, a node and measured usage; the result or what was said."""

    def run(*arguments, pods=ONE, node=NODE, usage=None, settings=None):
        text = SETTINGS.format(node) if settings is None else settings
        (tmp_path / ".qoslint.yaml").write_text(text, "utf-8")
        (tmp_path / "all.yaml").write_text(pods, "utf-8")
        if usage is not None:
            lines = (f"  default/{key}: {{memory: {used}}}\n" for key, used in usage.items())
            (tmp_path / "usage.txt").write_text("usage:\n" + "".join(lines), "utf-8")
            arguments = ("--usage", "usage.txt", *arguments)
        return qoslint("simulate", *arguments)

    return run


@pytest.fixture
def document(played):
    def run(*arguments, **given):
        done = played("--format", "json", *arguments, **given)
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        assert list(check(found, "simulation")) == []
        return found

    return run


def evicted(found):
    return [(found["pods"][e["pod"]]["pod"], e["second"]) for e in found["outcome"]["evicted"]]


def memory(found, index=0):
    """Of each container of a pod the memory at the start and at the end."""
    ramps = {each["name"]: each["memory"] for each in found["pods"][index]["containers"]}
    return {name: (ramp["from"], ramp["to"]) for name, ramp in ramps.items()}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--node", "nod"), "there is no node profile 'nod', did you mean 'node'?"),
        (("--cluster", "mian"), "there is no cluster 'mian', did you mean 'main'?"),
        (("--scenario", "peek"), "'peek' is none of peak, requests, usage and leak:WORKLOAD."),
        (("--scenario", "usage"), "the scenario usage needs --usage FILE"),
        (("--scenario", "leak:b"), "there is no workload 'b'"),
        (("--ramp", "b=1Gi"), "there is no workload 'b'"),
        (("--ramp", "a:ap=1Gi"), "no running container of 'a' is named 'ap', did you mean 'app'?"),
        (("--ramp", "a=1Gi", "--ramp", "a:app=2Gi"), "'a' is given two ramps: one pod has one"),
        (("--daemons", "1Gi..2Gi@3"), "a rate is written as 10Mi/s, not '3'"),
        (("--seconds", "-1"), "-1 is not in the range 0<=x<=86400"),
        (("--usage", "no.yaml"), "no.yaml: the file is not readable"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(played, arguments, message):
    done = played(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_profile_it_says_how_to_add_one(played):
    done = played(settings="kubernetes: '1.36'\n")
    assert done.returncode == 2
    assert "a node is never guessed: list `nodes` for the cluster in .qoslint.yaml" in done.stderr


def test_of_several_nodes_one_is_chosen_by_name(played, document):
    two = f"{NODE}, {{name: other, capacity: {{memory: 8Gi}}}}"
    done = played(node=two)
    assert done.returncode == 2
    assert "choose one of 2 nodes with --node NAME: node (cluster main)" in done.stderr
    assert document("--node", "other", node=two)["node"]["memory"] == "8Gi"


def test_a_pod_that_is_kept_away_from_the_node_cannot_grow_there(played):
    away = pod("b", more="nodeSelector: {zone: b}, ")
    done = played("--ramp", "b=1Gi", pods=pod("a") + away)
    assert done.returncode == 2
    assert "'b' has no pod on the node: its nodeSelector asks for zone: b" in done.stderr


def test_a_windows_node_is_not_played(played):
    windows = "{name: node, os: windows, capacity: {memory: 4Gi}}"
    assert "only Linux nodes are played" in played(node=windows).stderr


def test_usage_of_pods_that_do_not_exist_is_told_and_the_rest_is_played(played):
    done = played(usage={"Pod/a": "1Gi", "Pod/nobody": "1Gi"})
    assert done.returncode == 0
    assert "The usage of pod nobody of namespace default is not used" in done.stderr


def test_a_leak_is_one_of_the_first_container_and_the_others_stay(document):
    pods = pod("a", container("app", "100Mi"), container("side", "300Mi"))
    found = document("--ramp", "a=400Mi..1Gi@1Mi/s", pods=pods)
    assert memory(found) == {"app": ("100Mi", "724Mi"), "side": ("300Mi", "300Mi")}


def test_a_container_can_be_named(document):
    pods = pod("a", container("app", "100Mi"), container("side", "300Mi"))
    found = document("--ramp", "a:side=300Mi..1Gi@1Mi/s", pods=pods)
    assert memory(found) == {"app": ("100Mi", "100Mi"), "side": ("300Mi", "1Gi")}


def test_what_a_pod_uses_is_shared_out_within_the_limits_of_its_containers(document):
    pods = pod("a", container("app", "100Mi", "150Mi"), container("side", "300Mi"))
    found = document(pods=pods, usage={"Pod/a": "1Gi"})
    assert memory(found) == {"app": ("150Mi", "150Mi"), "side": ("874Mi", "874Mi")}
    assert any("shared out among its containers" in each for each in found["assumptions"])


def test_nothing_grows_beyond_the_limit_of_its_container(document):
    found = document("--ramp", "a=1Gi..3Gi@10Mi/s", pods=pod("a", container("app", "1Gi", "2Gi")))
    assert memory(found) == {"app": ("1Gi", "2Gi")}
    assert any("and no further" in each for each in found["assumptions"])


def test_without_a_threshold_for_memory_only_the_kernel_acts(document, played):
    k3s = (
        "{name: k3s, count: 1, capacity: {memory: 4Gi}, daemons: {memory: 512Mi}, "
        "kubelet: {evictionHard: {nodefs.available: 5%}}}"
    )
    found = document("--ramp", "a=1Gi..8Gi@10Mi/s", node=k3s)
    assert (evicted(found), found["outcome"]["by"]) == ([], "kernel")
    assert "it never evicts a pod for memory" in played(node=k3s).stdout


def test_the_kernel_may_choose_another_that_is_as_bad(played):
    text = played(usage={"Pod/a": "8Gi", "Pod/b": "8Gi"}, pods=pod("a") + pod("b")).stdout
    assert "or another just as bad" in " ".join(text.split())


def test_a_soft_threshold_evicts_after_its_grace(played, document):
    soft = (
        "{name: soft, count: 1, capacity: {memory: 4Gi}, daemons: {memory: 512Mi}, kubelet: "
        "{evictionSoft: {memory.available: 1Gi}, evictionSoftGracePeriod: {memory.available: 30s}}}"
    )
    given = {"node": soft, "usage": {"Pod/a": "3Gi"}}
    assert evicted(document(**given)) == [("default/Pod/a", 30)]
    text = " ".join(played(**given).stdout.split())
    assert "0 s daemons 512Mi; 512Mi available < 1024Mi (soft, since 0 s): MemoryPressure" in text
    assert "Nobody is evicted before 30 s: the threshold is a soft one, with 30 s of grace." in text


@pytest.mark.parametrize(
    ("minimum", "gone"), [("0", ["default/Pod/a"]), ("400Mi", ["default/Pod/a", "default/Pod/b"])]
)
def test_minimum_reclaim_takes_one_more(document, played, minimum, gone):
    node = (
        "{name: node, count: 1, capacity: {memory: 4Gi}, daemons: {memory: 512Mi}, kubelet: "
        f"{{evictionMinimumReclaim: {{memory.available: '{minimum}'}}}}}}"
    )
    pods = pod("a") + pod("b", container("app", "100Mi")) + pod("c", container("app", "3Gi"))
    given = {"pods": pods, "node": node}
    given["usage"] = {"Pod/a": "300Mi", "Pod/b": "150Mi", "Pod/c": "3050Mi"}
    assert [name for name, _ in evicted(document(**given))] == gone
    text = " ".join(played(**given).stdout.split())
    more = len(gone) > 1
    assert ("until there is 400Mi more than that" in text) is more
    assert ("what must then be reclaimed is not there yet" in text) is more
    assert "until there is 0" not in text


def test_all_pods_together_reach_their_own_limit_while_the_node_has_memory_left(document):
    reserving = (
        "{name: node, count: 1, capacity: {memory: 4Gi}, daemons: {memory: 100Mi}, kubelet: "
        "{systemReserved: {memory: 1Gi}}}"
    )
    pods = pod("a", container("app", "2Gi")) + pod("b")

    def first(*arguments):
        found = document(*arguments, pods=pods, node=reserving)
        return next(step for step in found["steps"] if step["evicted"])

    pods_grow = first("--ramp", "b=0..1Gi@10Mi/s")
    assert pods_grow["reclaims"] == "allocatableMemory.available"
    left = {each["signal"]: each["available"] for each in pods_grow["signals"]}
    assert left == {"memory.available": "948Mi", "allocatableMemory.available": "24Mi"}
    daemons_grow = first("--ramp", "b=0", "--daemons", "100Mi..3Gi@10Mi/s")
    assert daemons_grow["reclaims"] == "memory.available"
    left = {each["signal"]: each["available"] for each in daemons_grow["signals"]}
    assert left == {"memory.available": "48Mi", "allocatableMemory.available": "1Gi"}


@pytest.mark.parametrize(("version", "victim"), [("1.33", "mesh"), ("1.34", "other")])
def test_until_1_33_a_pod_is_evicted_for_what_its_sidecar_requested(document, version, victim):
    node = NODE.replace("count: 1", f"count: 1, version: '{version}'")
    sidecar = container("proxy", "1Gi").replace("{name", "{restartPolicy: Always, name", 1)
    high = (
        "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\n"
        "metadata: {name: high}\nvalue: 10\n---\n"
    )
    pods = (
        high
        + pod("mesh", container("app", "1Gi"), more=f"initContainers: [{sidecar}], ")
        + pod("other", container("app", "1Gi"), more="priorityClassName: high, ")
    )
    found = document(pods=pods, node=node, usage={"Pod/mesh": "2000Mi", "Pod/other": "1500Mi"})
    assert evicted(found) == [(f"default/Pod/{victim}", 0)]


def test_pods_that_tie_are_told(document, played):
    pods = pod("a") + pod("b")
    given = {"pods": pods, "usage": {"Pod/a": "1750Mi", "Pod/b": "1750Mi"}}
    found = document(**given)
    first = found["steps"][0]
    assert [(row["rank"], row["tie"]) for row in first["ranking"]] == [(1, True), (1, True)]
    assert first["evicted"][0]["tiesWith"] == [1]
    assert any("the first by name is taken here" in each for each in found["assumptions"])
    text = " ".join(played(**given).stdout.split())
    assert "It ties with default/Pod/b: the kubelet may take any of them." in text


def test_a_pod_that_is_evicted_within_its_request_is_called_innocent(played):
    pods = pod("a", container("app", "2Gi")) + pod("b", container("app", "1Gi"))
    done = played("--daemons", "512Mi..1Gi", pods=pods, usage={"Pod/a": "2Gi", "Pod/b": "990Mi"})
    text = " ".join(done.stdout.split())
    assert "Evicted: default/Pod/a, which gets 1 s to end." in text
    assert "It is an innocent victim: it uses no more than it requests." in text


def test_critical_pods_are_ranked_and_refused(played):
    critical = pod("c", more="priorityClassName: system-node-critical, ")
    done = played(pods=critical, usage={"Pod/c": "3500Mi"})
    assert "default/Pod/c is critical and is not evicted. Nobody is left to evict." in done.stdout


def test_each_replica_on_the_node_grows(document):
    replicas = (
        "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: a}\nspec:\n  replicas: 2\n"
        "  selector: {matchLabels: {a: a}}\n  template:\n    metadata: {labels: {a: a}}\n"
        f"    spec: {{containers: [{container()}]}}\n"
    )
    found = document("--ramp", "a=1Gi..2Gi@1Mi/s", pods=replicas)
    assert [each["pod"][-2:] for each in found["pods"]] == ["#1", "#2"]
    assert memory(found, 0) == memory(found, 1) == {"app": ("1Gi", "2Gi")}


def test_markdown_has_tables_and_no_name_acts_in_it(played):
    done = played("--format", "markdown", usage={"Pod/a": "3500Mi"})
    assert "| 1 | default/Pod/a | yes | 0 | +3500Mi | 3500Mi | 0 |" in done.stdout
    assert "> The node was low on resource: memory. Threshold quantity: 100Mi" in done.stdout

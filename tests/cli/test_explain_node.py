"""`qoslint explain WORKLOAD --node NAME`: who goes before its pods, why, and what moves them."""

import json
from pathlib import Path

import pytest

from qoslint.cli.main import cli
from qoslint.schema import check

from .four_pods import pod, priority_class

NODE = "{name: worker, capacity: {memory: 4Gi, cpu: 4}, daemons: {memory: 512Mi}}"
SETTINGS = 'clusters: [{{name: main, paths: ["."], complete: true, nodes: [{}]}}]\n'
PRESSURE = Path(__file__).parents[2] / "examples" / "pressure"


CLASSES = "".join(map(priority_class, (0, 1000, 1_000_000)))
FOUR = (
    CLASSES + pod("a") + pod("b", "512Mi", 1000) + pod("c", "512Mi") + pod("d", "1Gi", limit="1Gi")
)
USED = {"a": "300Mi", "b": "900Mi", "c": "400Mi", "d": "1Gi"}


@pytest.fixture
def node(tmp_path, monkeypatch):
    """Writes pods, a node profile and measured usage, and goes there."""

    def write(pods=FOUR, node=NODE, used=USED):
        (tmp_path / ".qoslint.yaml").write_text(SETTINGS.format(node), "utf-8")
        (tmp_path / "all.yaml").write_text(pods, "utf-8")
        lines = (f"  default/Pod/{name}: {{memory: {amount}}}\n" for name, amount in used.items())
        usage = "usage:\n" + "".join(lines) if used else "usage: {}\n"
        (tmp_path / "usage.yaml").write_text(usage, "utf-8")
        monkeypatch.chdir(tmp_path)

    return write


@pytest.fixture
def explained(node, capsys):
    """What the command prints about a workload on the node, without a process of its own."""

    def run(*arguments, **given):
        node(**given)
        options = ["--node", "worker", "--usage", "usage.yaml", "--color", "never"]
        cli.main(["explain", *arguments, *options], standalone_mode=False)
        return capsys.readouterr().out

    return run


@pytest.fixture
def document(explained):
    """The same as JSON: the workload's pods."""

    def run(*arguments, **given):
        found = json.loads(explained(*arguments, "--format", "json", **given))
        assert list(check(found, "explain")) == []
        return found["pods"][0]

    return run


@pytest.fixture
def standing(document):
    return lambda *arguments, **given: document(*arguments, **given)["standing"]


def told(text):
    """The text in one line, as sentences are wrapped."""
    return " ".join(text.split())


def chain(standing, pods=FOUR):
    """The order of the four pods, from one neighbour to the next."""
    order = ["a", "b", "c", "d"]
    places = {name: standing(name, pods=pods)["signals"][0]["row"]["position"] for name in order}
    return "".join(sorted(order, key=places.__getitem__))


@pytest.mark.parametrize(("priority", "order"), [(0, "abdc"), (1_000_000, "badc")])
def test_priority_moves_a_pod_only_among_those_above_their_requests(standing, priority, order):
    assert chain(standing, FOUR.replace(pod("a"), pod("a", priority=priority))) == order


def test_it_says_why_d_precedes_c(node, qoslint, standing):
    node()
    done = qoslint("explain", "d", "--node", "worker", "--usage", "usage.yaml")
    assert (done.returncode, done.stderr) == (0, "")
    text = told(done.stdout)
    assert (
        "default/Pod/d goes before default/Pod/c: neither uses more than it requests, both have "
        "priority 0, and its usage - request 0 is above the other's -112Mi." in text
    )
    assert (
        "default/Pod/b goes before default/Pod/d: it uses more than it requests, and the other "
        "does not." in text
    )
    (memory, *_) = standing("d")["signals"]
    assert memory["ahead"]["decidedBy"] == "aboveRequest"
    assert memory["behind"]["decidedBy"] == "overage"
    assert memory["behind"]["row"]["overage"] == "-112Mi"


def test_lower_priority_decides_among_those_above_their_requests(explained, standing):
    assert (
        "default/Pod/a goes before default/Pod/b: both use more than they request, and its "
        "priority 0 is below 1000." in told(explained("a"))
    )
    (memory, *_) = standing("a")["signals"]
    assert (memory["ahead"], memory["behind"]["decidedBy"]) == (None, "priority")


def test_what_gives_a_later_rank_is_told_with_the_rank(explained, standing):
    (memory, *_) = standing("d")["signals"]
    just_above = str((1024 + 112) * 2**20 + 1)
    last = {"position": 4, "tie": False}
    assert memory["later"] == {
        "request": [{"value": just_above, **last, "aboveLimit": True}] * 2,
        "fitsBesideOthers": None,
        "fitsAlone": "3996Mi",
        "priority": [{"value": 1, **last}] * 2,
    }
    text = told(explained("d"))
    assert (
        "A memory request of more than 1136Mi instead of 1Gi: rank 4. Its memory limit has to be "
        "raised for it, too. At most 3996Mi fits such a node." in text
    )
    assert "A priority of at least 1 instead of 0: rank 4." in text


@pytest.mark.parametrize(("request_", "position"), [("1136Mi", 3), ("1191182337", 4)])
def test_the_rank_that_is_promised_is_the_rank_that_comes(standing, request_, position):
    done = standing("d", pods=FOUR.replace(pod("d", "1Gi", limit="1Gi"), pod("d", request_)))
    assert done["signals"][0]["row"]["position"] == position


def test_the_last_pod_has_nothing_to_gain(explained, standing):
    (memory, *_) = standing("c")["signals"]
    assert memory["behind"] is None
    assert (memory["later"]["request"], memory["later"]["priority"]) == (None, None)
    assert "later rank" not in told(explained("c"))


def test_one_change_of_priority_moves_the_teaching_pod_from_rank_4_to_6(qoslint):
    done = qoslint("explain", "api", "--node", "worker", "--usage", "usage.yaml", cwd=PRESSURE)
    text = told(done.stdout)
    assert "shop/Deployment/api has rank 4 of 6" in text
    assert "of at least 1001: rank 6, the latest that a priority gives." in text


def test_what_if_tells_the_rank_before_and_after(explained):
    done = explained("a", "--what-if", "priorityClassName=p1000000")
    rows = [line.split() for line in done.splitlines()]
    assert ["rank", "for", "memory.available", "on", "worker", "1", "->", "2"] in rows
    text = told(done)
    assert "priority 0 -> 1000000" in text
    assert "Before the change default/Pod/a has rank 1 of 4" in text
    assert "After the change default/Pod/a has rank 2 of 4" in text
    assert "its priority 1000 is below 1000000" in text


def test_what_if_recomputes_what_a_scenario_makes_of_the_change(document):
    found = document("d", "--what-if", "limits.memory=2Gi", used={})
    before, after = (each["standing"]["signals"][0]["row"] for each in (found, found["whatIf"]))
    assert (before["usage"], after["usage"]) == ("1Gi", "2Gi")
    assert (before["position"], after["position"]) == (4, 3)


def test_what_if_measured_usage_stays_when_the_containers_change(document):
    sidecar = "  initContainers: [{name: side, image: i}]\n"
    pods = FOUR.replace(pod("a"), pod("a", more=sidecar))
    found = document("a", "--what-if", "side:restartPolicy=Always", pods=pods)
    assert found["whatIf"]["standing"]["signals"][0]["row"]["usage"] == "300Mi"


def test_what_if_the_pods_are_refused_they_have_no_rank(explained):
    done = explained("d", "--what-if", "requests.memory=2Gi")
    text = told(done)
    assert "admission accepted -> refused" in text
    assert "rank for" not in text
    assert "None of its pods is on the node: its pods are refused." in text


def test_the_message_is_that_which_simulate_writes(explained, qoslint, standing, tmp_path):
    (memory, *_) = standing("b")["signals"]
    assert memory["message"] == (
        "The node was low on resource: memory. Threshold quantity: 100Mi, available: <less than "
        "that>. Container app was using 900Mi, request is 512Mi, has larger consumption of memory. "
    )
    assert memory["message"].strip() in told(explained("b"))
    played = qoslint(
        "simulate", "--usage", "usage.yaml", "--daemons", "512Mi..1500Mi@10Mi/s", "--format", "json"
    )
    steps = json.loads(played.stdout)["steps"]
    messages = [each["message"] for step in steps for each in step["evicted"]]
    head = "The node was low on resource: memory. Threshold quantity: 100Mi, available: "
    assert messages
    assert all(message.startswith(head) for message in messages)


def test_a_critical_pod_is_ranked_and_told_that_it_is_spared(standing, explained):
    critical = FOUR + pod("e", "1Gi").replace("p0", "system-node-critical")
    (memory, *_) = standing("e", pods=critical)["signals"]
    assert (memory["later"], memory["message"], memory["row"]["evictable"]) == (None, None, False)
    text = told(explained("e", pods=critical))
    assert "It is critical: it is ranked, but never evicted." in text
    assert "If it is evicted" not in text
    assert "Without critical pods, which are passed over" in told(explained("d", pods=critical))


def test_a_request_that_the_node_has_no_room_for_is_told(explained):
    text = told(explained("b", used={}))
    assert "A memory request" not in text
    assert (
        "No larger memory request that fits the node does (now 512Mi). At most 3996Mi fits such a "
        "node."
    ) in text
    assert "With memory limits equal to its requests it cannot be above its request" in text
    assert "With memory limits" not in told(explained("d", used={}))


def test_ranks_on_a_disk_of_unknown_size_are_not_called_feasible(explained):
    text = told(explained("a"))
    assert "over all that the pods may use 1..4, feasible ?" in text


def test_pods_that_tie_are_told_and_how_to_get_behind_them(standing, explained):
    twins = CLASSES + pod("x", "1Gi") + pod("w", "1Gi") + pod("z", "1Gi")
    used = dict.fromkeys("wxz", "2Gi")
    (memory, *_) = standing("x", pods=twins, used=used)["signals"]
    assert memory["tiesWith"] == {"count": 2, "pods": ["default/Pod/w", "default/Pod/z"]}
    assert memory["later"]["priority"][0] == {"value": 1, "position": 3, "tie": False}
    assert memory["later"]["request"][0]["value"] == str(2**30 + 1)
    text = told(explained("x", pods=twins, used=used))
    assert "default/Pod/x has rank 1 of 3, in a tie" in text
    assert "default/Pod/x ties with 2 pods, such as default/Pod/w" in text


def test_replicas_on_the_only_node_move_together(standing):
    deployment = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: many}
spec:
  replicas: 2
  selector: {matchLabels: {app: many}}
  template:
    metadata: {labels: {app: many}}
    spec:
      priorityClassName: p0
      containers: [{name: app, image: i, resources: {requests: {memory: 100Mi}}}]
---
"""
    node = NODE.replace("capacity", "count: 1, capacity")
    pods = CLASSES + deployment + pod("solo", "100Mi", limit="1Gi")
    (memory, *_) = standing("many", pods=pods, node=node, used={})["signals"]
    assert (memory["row"]["pod"], memory["further"]) == ("default/Deployment/many #1", [1])
    assert memory["behind"]["row"]["pod"] == "default/Pod/solo"
    assert memory["later"]["priority"] == [{"value": 1, "position": 2, "tie": False}] * 2


def test_a_pod_that_is_not_on_the_node_is_told_so(standing, explained):
    away = FOUR.replace(pod("d", "1Gi", limit="1Gi"), pod("d", more="  nodeSelector: {zone: b}\n"))
    found = standing("d", pods=away, used={})
    assert found["signals"] == []
    assert "None of its pods is on the node: its nodeSelector asks for zone: b" in told(
        explained("d", pods=away, used={})
    )


def test_a_node_without_memory_threshold_says_that_the_kernel_acts(standing, explained):
    without = NODE.replace("}}", '}, kubelet: {evictionHard: {nodefs.available: "5%"}}}')
    (memory, *others) = standing("d", node=without)["signals"]
    assert (memory["thresholds"], memory["message"]) == ([], None)
    assert [each["signal"] for each in others] == ["nodefs.available", "containerfs.available"]
    assert "the kubelet never evicts for it" in told(explained("d", node=without))


def test_another_signal_is_told_at_length_when_it_is_asked_for(explained, standing):
    found = standing("d", "--signal", "pid.available")
    assert found["signals"][0]["signal"] == "pid.available"
    assert "memory.available" in {each["signal"] for each in found["signals"][1:]}
    text = told(explained("d", "--signal", "pid.available"))
    assert "both have priority 0" in text or "its priority 0 is below 1000" in text
    assert "request of" not in text.partition("Who goes first")[2]
    disk = told(explained("d", "--signal", "nodefs.available"))
    assert "ephemeral-storage request" in disk.partition("Who goes first")[2]


def test_only_the_node_that_was_asked_for_is_told(explained):
    node = f"{NODE}, {NODE.replace('worker', 'other')}"
    text = told(explained("d", node=node))
    assert "On node worker" in text
    assert "other" not in text.replace("the other", "").replace("others", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("d", "--node", "worke"),
            "there is no node profile 'worke' of cluster main, did you mean 'worker'",
        ),
        (("d", "--usage", "usage.yaml"), "are about the ranks on a --node NAME"),
        (("d", "--scenario", "requests"), "are about the ranks on a --node NAME"),
        (("d", "--node", "worker", "--scenario", "leak:e"), "there is no workload 'e'"),
        (("QOS103", "--node", "worker"), "it takes no PATH and no --what-if or --node"),
        ((), "name a rule or a workload to explain, or give --evicted MESSAGE"),
    ],
)
def test_what_cannot_be_told_is_one_line(node, qoslint, arguments, message):
    node()
    done = qoslint("explain", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_node_of_another_cluster_is_told(qoslint, repository):
    repository.write(
        {
            "one/all.yaml": FOUR,
            "two/all.yaml": FOUR.replace("name: d", "name: e"),
            ".qoslint.yaml": f"""
            clusters:
              - {{name: one, paths: [one], nodes: [{NODE}]}}
              - {{name: two, paths: [two], nodes: [{NODE.replace("worker", "small")}]}}
            """,
        }
    )
    done = qoslint("explain", "e", "--node", "worker")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no node profile 'worker' of cluster two" in done.stderr
    both = qoslint("explain", "a", "--node", "worker")
    assert "cluster one" in both.stdout
    assert "cluster two" not in both.stdout


def test_a_leak_on_another_node_is_told(node, qoslint):
    away = FOUR.replace(pod("a"), pod("a", more="  nodeSelector: {zone: b}\n"))
    node(pods=away, used={})
    done = qoslint("explain", "d", "--node", "worker", "--scenario", "leak:a")
    assert done.returncode == 2
    assert "the pods of Pod default/a do not run on node worker" in done.stderr


def test_without_profiles_it_says_how_to_add_one(qoslint, tmp_path):
    (tmp_path / "all.yaml").write_text(FOUR, "utf-8")
    done = qoslint("explain", "d", "--node", "worker")
    assert done.returncode == 2
    assert "a node is never guessed" in done.stderr
    assert "nodes: [eks/m5.large]" in done.stderr


ONLY = NODE.replace("name: worker", "name: worker, count: 1")


def test_where_all_share_the_node_only_requests_that_fit_beside_them_are_told(explained, standing):
    crowd = FOUR + pod("e", "1800Mi")
    used = {**USED, "b": "3000Mi"}
    later = standing("b", pods=crowd, node=ONLY, used=used)["signals"][0]["later"]
    assert (later["fitsBesideOthers"], later["fitsAlone"]) == ("660Mi", "3996Mi")
    assert later["request"] is None
    text = told(explained("b", pods=crowd, node=ONLY, used=used))
    assert "At most 660Mi fits while all 5 pods share the node, 3996Mi alone." in text
    # Nothing more fits than is promised, and that much does.
    for request, kind in (("660Mi", "all"), ("661Mi", "possible")):
        changed = crowd.replace(pod("b", "512Mi", 1000), pod("b", request, 1000))
        assert standing("b", pods=changed, node=ONLY)["population"]["kind"] == kind


def test_what_if_a_request_fits_no_such_node_it_is_said(explained):
    text = told(explained("b", "--what-if", "requests.memory=3997Mi", node=ONLY))
    assert (
        "None of its pods is on the node: it requests memory 3997Mi, and even an empty node of "
        "that profile has only 3996Mi allocatable."
    ) in text


def test_what_if_the_pods_no_longer_share_the_node_it_is_said(explained):
    text = told(explained("b", "--what-if", "requests.memory=3Gi", node=ONLY))
    before, after = text.split("After the change")
    assert "All 4 pods share this node" in before
    assert "They do not fit on one (memory" in after

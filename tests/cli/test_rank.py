"""`qoslint rank` through the command line."""

import json
import re
from bisect import bisect_left

import pytest

from qoslint.kernel.quantity import parse

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
    for row in ranking["rows"]:
        assert {each["bound"] for each in row["witnesses"]} == {
            "earliest",
            "latest",
            "victimEarliest",
            "victimLatest",
        }
        named = [each["usages"] is not None for each in row["witnesses"]]
        assert named == [row["pod"] == "default/Pod/b"] * len(named)


def bytes_of(quantity):
    nanos = parse(quantity).nanos
    assert nanos % 10**9 == 0
    return nanos // 10**9


def key(row, usage):
    over = usage - bytes_of(row["request"])
    return over <= 0, row["priority"], -over


def usages_by_rule(witness, row, others):
    """What the pods use by the rule of a witness as its schema describes it, by name."""
    rises = witness["others"] == "least"
    used = {each["pod"]: bytes_of(each[witness["others"]]) for each in others}
    used[row["pod"]] = bytes_of(witness["usage"])
    own = key(row, used[row["pod"]])
    ways = []
    for each in others:
        least, most = bytes_of(each["least"]), bytes_of(each["most"])
        steps = range(most - least + 1)
        if rises:
            way = bisect_left(steps, True, key=lambda w, e=each, b=least: key(e, b + w) <= own)
        else:
            way = bisect_left(steps, True, key=lambda w, e=each, b=most: key(e, b - w) >= own)
        if way < len(steps) and (each["evictable"] or not witness["bound"].startswith("victim")):
            ways.append((way, each["pod"]))
    for way, name in sorted(ways)[: witness["moved"]]:
        used[name] += way if rises else -way
    if witness["total"]:
        total = bytes_of(witness["total"])
        for each in others:
            missing, name = total - sum(used.values()), each["pod"]
            if rises:
                used[name] += max(0, min(missing, bytes_of(each["most"]) - used[name]))
            else:
                used[name] += min(0, max(missing, bytes_of(each["least"]) - used[name]))
    return used


@pytest.mark.parametrize("daemons", ["512Mi", "1Gi", "3Gi"])
def test_whoever_follows_the_rule_of_a_witness_gets_its_rank(ranked, daemons):
    text = (
        FOUR
        + priority_class(2000000000)
        + pod("e", "256Mi", 2000000000, limit="2Gi")
        + pod("f", "512Mi", limit="600Mi")
        + "".join(pod(f"g{number}", "1Gi", limit="2Gi") for number in range(3))
    )
    settings = SETTINGS.replace("{memory: 512Mi}", f"{{memory: {daemons}}}")
    result = ranked("--format", "json", text=text, settings=settings)
    (ranking,) = json.loads(result.stdout)["rankings"]
    least, most = (bytes_of(ranking["limits"][end]) for end in ("least", "most"))
    every = [(row, witness) for row in ranking["rows"] for witness in row["witnesses"]]
    for row, witness in every:
        others = [each for each in ranking["rows"] if each is not row]
        used = usages_by_rule(witness, row, others)
        assert not witness["feasible"] or least <= sum(used.values()) <= most
        own, victims = key(row, used[row["pod"]]), witness["bound"].startswith("victim")
        counted = [each for each in others if each["evictable"] or not victims]
        keys = [key(each, used[each["pod"]]) for each in counted]
        if witness["bound"].lower().endswith("earliest"):
            assert witness["rank"] == 1 + sum(each < own for each in keys)
        else:
            assert witness["rank"] == 1 + sum(each <= own for each in keys)
    assert {witness["feasible"] for _, witness in every} == {True, False}


def test_the_usages_of_many_pods_are_told_by_their_rule(ranked):
    many = "".join(pod(f"g{number}", "1025Mi", limit="2Gi") for number in range(30))
    text = ranked("--pod", "d", text=FOUR + many).stdout
    assert (
        "default/Pod/d goes as late as rank 34: it at 1 byte, the others at the least they may "
        "use, except the 33 for which it takes least, which use just so much more that they are "
        "at or before it; and others use more until all use at least 3484Mi + 1 byte "
        "together."
    ) in text


def test_the_text_says_what_it_assumes(ranked):
    text = ranked().stdout
    assert "memory.available on node node of cluster main, Kubernetes 1.36" in text
    assert "The kubelet evicts when less than 100Mi (hard) is available." in text
    assert (
        "4 pods: one of each workload that may run there, as if all shared one node, which is only "
        "assumed."
    ) in text
    assert (
        "Together that is 13312Mi, 9728Mi more than the 3584Mi that the node has for pods: "
        "they cannot all use so much at once."
    ) in text
    assert "page cache" in text


def test_it_says_when_a_threshold_is_met(ranked):
    text = ranked().stdout
    assert "A threshold is met once the pods use more than 3484Mi together" in text
    text = ranked(settings=SETTINGS.replace(", daemons: {memory: 512Mi}", "")).stdout
    assert "A threshold can be met whatever these pods use: as far as the profile says" in text


def test_usages_are_told_to_the_byte_and_once(ranked):
    text = ranked("--pod", "b").stdout
    assert re.search(r"b goes as early as rank \d: default/Pod/b at \d+\w?i \+ \d+ bytes?", text)
    assert "among those that can be evicted" not in text


def document(result):
    from qoslint.schema import check

    found = json.loads(result.stdout)
    assert list(check(found, "ranking")) == []
    (ranking,) = found["rankings"]
    return ranking


KEYS = [("a", "priority"), ("b", "aboveRequest"), ("d", "overage"), ("c", None)]


def test_each_row_names_the_key_that_puts_it_before_the_next(ranked):
    arguments = ("--scenario", "usage", "--usage", "usage.txt", "--format")
    found = document(ranked(*arguments, "json"))["rows"]
    assert [(row["pod"].rpartition("/")[2], row["decidedBy"]) for row in found] == KEYS
    lines = ranked(*arguments, "text").stdout.splitlines()
    (head,) = (line for line in lines if line.startswith("#  ranks"))
    column = slice(head.index("  by") + 2, head.index("  usage   request"))
    shown = [line[column].strip() for line in lines if re.match(r"[1-4]  [1-4]", line)]
    assert shown == ["priority", "above request", "usage - request", ""]
    assert "`by` the key that puts a pod before the next" in ranked(*arguments, "text").stdout
    assert "| 388Mi | above request | 900Mi |" in ranked(*arguments, "markdown").stdout


def test_pods_that_tie_share_the_key_that_puts_them_before_the_next(ranked):
    text = priority_class(0) + priority_class(1000) + pod("a") + pod("b") + pod("c", priority=1000)
    found = document(ranked("--format", "json", text=text))["rows"]
    assert [row["decidedBy"] for row in found] == ["priority", "priority", None]


class TestInnocentVictims:
    def test_whoever_grows_goes_before_all_within_their_requests(self, ranked):
        text = ranked("--scenario", "requests").stdout
        assert "If only one pod grows: none. No pod within its request goes before the one" in text
        assert (
            "If only default/Pod/b grows: default/Pod/a may go before it (above request anyway, so "
            "not innocent)."
        ) in text
        assert "Never innocent: default/Pod/a (above request as soon as it runs)." in text

    def test_those_of_daemons_are_told_in_their_order(self, ranked):
        arguments = ("--scenario", "usage", "--usage", "usage.txt")
        found = document(ranked(*arguments, "--format", "json"))
        names = [f"default/Pod/{name}" for name in "abdc"]
        assert found["ifDaemonsGrow"] == {
            "aboveRequest": {"count": 2, "pods": names[:2], "ranks": [1, 2]},
            "innocentVictims": {"count": 2, "pods": names[2:], "ranks": [3, 4]},
        }
        assert (
            "If only daemons grow: first those above their requests (default/Pod/a, then "
            "default/Pod/b); then the innocent: default/Pod/d, then default/Pod/c."
        ) in ranked(*arguments).stdout

    def test_of_those_that_tie_no_order_is_told(self, ranked):
        found = document(ranked("--format", "json"))
        assert found["ifDaemonsGrow"]["innocentVictims"]["ranks"] == [2, 2, 4]
        assert (
            "then the innocent: default/Pod/c and default/Pod/d (a tie: any of them first), then "
            "default/Pod/b."
        ) in ranked().stdout

    def test_a_pod_measured_above_its_request_is_never_innocent(self, ranked):
        arguments = ("--scenario", "usage", "--usage", "usage.txt")
        found = document(ranked(*arguments, "--format", "json"))
        assert found["measuredAboveRequest"] == {"count": 1, "pods": ["default/Pod/b"]}
        assert (
            "Never innocent: default/Pod/a (above request as soon as it runs); default/Pod/b "
            "(above request in all that was measured)."
        ) in ranked(*arguments).stdout

    def test_without_a_known_population_they_are_only_assumed_to_share_a_node(self, ranked):
        text = ranked().stdout
        assert "within their requests, if they share one node (" in text
        assert "On a node that they share each may preempt those behind it" in text

    def test_a_pod_that_is_never_evicted_makes_some(self, ranked):
        critical = pod("e", "256Mi").replace("p0", "system-node-critical")
        result = ranked("--format", "json", text=FOUR + critical)
        (row,) = (row for row in document(result)["rows"] if row["pod"] == "default/Pod/e")
        assert (
            row["goBefore"]["pods"] == [f"default/Pod/{name}" for name in "acdb"]
            or row["goBefore"]["count"] == 4
        )
        assert row["innocentVictims"]["count"] == 3
        assert "default/Pod/a" not in row["innocentVictims"]["pods"]
        text = ranked(text=FOUR + critical).stdout
        assert "If only default/Pod/e, which is critical and never evicted, grows: " in text

    def test_they_are_there_where_a_threshold_may_be_met_before_the_growing_pod_is_above(
        self, ranked
    ):
        text = ranked(settings=SETTINGS.replace(", daemons: {memory: 512Mi}", "")).stdout
        assert (
            "If only default/Pod/b grows: default/Pod/c and default/Pod/d may go before it, if a "
            "threshold is met while it is within its own request."
        ) in text

    def test_what_was_measured_of_a_pod_does_not_keep_it_from_growing(self, ranked):
        text = ranked("--scenario", "usage", "--usage", "usage.txt").stdout
        assert "(pods that do not grow use what was measured, else their requests)" in text
        assert "If only default/Pod/b grows: default/Pod/a may go before it" in text

    def test_nothing_is_said_where_the_kubelet_never_evicts(self, ranked):
        node = 'kubelet: {evictionHard: {nodefs.available: "5%"}}}]'
        settings = SETTINGS.replace("daemons: {memory: 512Mi}}]", node)
        assert "nnocent" not in ranked(settings=settings).stdout


def test_nobody_is_evicted_while_daemons_keep_to_what_the_profile_says(ranked):
    text = ranked("--scenario", "requests").stdout
    assert "nobody is evicted while `daemons` use 512Mi, as the profile says." in text
    assert "(`qoslint simulate --daemons FROM..TO@RATE` plays that)" in text
    assert "beside the 512Mi that the profile gives to `daemons`" in text


def test_it_is_said_how_it_is_known_which_pods_share_the_node(ranked):
    only = SETTINGS.replace("{name: node,", "{name: node, count: 1,")
    assert (
        "All 4 pods share this node, the only one (`count: 1`): they fit."
        in ranked(settings=only).stdout
    )
    listed = SETTINGS.replace("{name: node,", "{name: node, pods: [{name: a}],")
    text = ranked(settings=listed).stdout
    assert "1 pod on this node: those that its profile lists (`pods`)." in text


def test_a_node_without_memory_threshold_says_that_the_kernel_acts(ranked):
    node = 'kubelet: {evictionHard: {nodefs.available: "5%"}}}]'
    settings = SETTINGS.replace("daemons: {memory: 512Mi}}]", node)
    result = ranked("--format", "json", settings=settings)
    assert {row["earliest"]["feasible"] for row in rows(result)} == {None}
    text = ranked(settings=settings).stdout
    assert "No threshold for memory.available: the kubelet never evicts for it." in text
    assert "`-` under `feasible`: without a threshold for memory.available" in text


def test_usages_that_meet_no_threshold_are_told_from_those_that_do_not_fit(ranked):
    text = ranked("--scenario", "requests").stdout
    assert (
        "Together that is 2048Mi, 1436Mi less than the 3484Mi at which a threshold is met" in text
    )


SMALL = pod("a", "1Gi", limit="1Gi")


@pytest.mark.parametrize(
    ("text", "node", "why"),
    [
        (SMALL, "", "at their most the pods use 1024Mi together, and no threshold is met below"),
        (
            SMALL,
            'kubelet: {evictionHard: {memory.available: "0.0%"}}',
            "no usages of pods meet the threshold, so that nobody is evicted",
        ),
        (FOUR, "daemons: {memory: 4Gi}", "at their least the pods use 4 together, more than the 0"),
    ],
)
def test_why_no_rank_is_feasible_is_said(ranked, text, node, why):
    settings = SETTINGS.replace("daemons: {memory: 512Mi}", node or "daemons: {memory: 512Mi}")
    result = ranked(text=priority_class(0) + text, settings=settings)
    assert f"`-` under `feasible`: {why}" in result.stdout


def test_markdown_is_a_table_for_each_node(ranked):
    text = ranked("--format", "markdown").stdout
    assert text.startswith("### memory.available on node node")
    assert "| 1 | " in text


def test_a_leak_is_not_bounded_by_what_was_measured(ranked):
    arguments = ("--scenario", "leak:b", "--usage", "usage.txt")
    found = {
        row["pod"][-1]: row for row in document(ranked(*arguments, "--format", "json"))["rows"]
    }
    assert {name: row["usage"] for name, row in found.items()} == {
        "a": "300Mi",
        "b": "4Gi",
        "c": "400Mi",
        "d": "1Gi",
    }
    for row in found.values():
        assert row["earliest"]["bound"] <= row["position"] <= row["latest"]["bound"]
    assert (
        "b uses all that its limits and the node allow, the others what was measured, else their "
        "requests."
    ) in ranked(*arguments).stdout


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


class TestPreemption:
    def test_a_ranking_says_who_may_preempt_whom(self, ranked):
        lines = ranked().stdout.splitlines()
        (line,) = [each for each in lines if each.startswith("To place a pod")]
        assert line.endswith(
            "1000 (default/Pod/b), then 0 (default/Pod/a, default/Pod/c and default/Pod/d)."
        )
        assert "whatever their class and usage" in line

    def test_pods_of_one_priority_preempt_nobody(self, ranked):
        text = priority_class(0) + pod("a") + pod("b", "1Gi")
        assert "None of them may preempt another: all have priority 0." in ranked(text=text).stdout

    def test_the_class_counts_where_the_kubelet_makes_room_for_a_critical_pod(self, ranked):
        critical = pod("a").replace("p0", "system-node-critical")
        out = ranked(text=priority_class(0) + critical + pod("b")).stdout
        assert "For a critical pod (default/Pod/a) that the node has no room for" in out
        assert "BestEffort, then Burstable, then Guaranteed" in out

    def test_who_never_preempts_is_named(self, ranked):
        gentle = priority_class(1000).replace("---\n", "preemptionPolicy: Never\n---\n")
        text = priority_class(0) + gentle + pod("a", priority=1000) + pod("b")
        result = ranked(text=text)
        assert "Never: default/Pod/a preempt nobody, and can be preempted." in result.stdout
        document = json.loads(ranked("--format", "json", text=text).stdout)
        (ranking,) = document["rankings"]
        assert ranking["preemption"] == {
            "levels": [
                {"priority": 1000, "pods": {"count": 1, "pods": ["default/Pod/a"]}},
                {"priority": 0, "pods": {"count": 1, "pods": ["default/Pod/b"]}},
            ],
            "never": {"count": 1, "pods": ["default/Pod/a"]},
            "critical": {"count": 0, "pods": []},
        }

    def test_markdown_says_it_too(self, ranked):
        assert "To place a pod, the scheduler deletes" in ranked("--format", "markdown").stdout


def test_amounts_that_are_less_than_one_are_printed(ranked):
    # Half a byte over the request, and a tenth of a core more than there is.
    settings = SETTINGS.replace("memory: 4Gi}", "memory: 4Gi, cpu: 100m}")
    text = priority_class(0) + pod("a", "1500m").replace("1500m", '1500m, cpu: "200m"')
    usage = "usage:\n  default/Pod/a: {memory: 2}\n"
    arguments = ("--scenario", "usage", "--usage", "usage.txt", "--format", "json")
    result = ranked(*arguments, text=text, settings=settings, usage=usage)
    (ranking,) = json.loads(result.stdout)["rankings"]
    assert [row["overage"] for row in ranking["rows"]] == ["500m"]
    assert ranking["population"]["excess"] == [
        {"resource": "cpu", "requested": "200m", "allocatable": "100m"}
    ]

"""`qoslint rank` through the command line."""

import json
import re
from bisect import bisect_left

import pytest

from qoslint.kernel.quantity import parse

from .four_pods import FOUR, SETTINGS, USAGE, document, names, pod, priority_class, rows


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


def test_amounts_that_are_less_than_one_are_printed(ranked):
    # Half a byte over the request, and a tenth of a core more than there is for both.
    settings = SETTINGS.replace("memory: 4Gi}", "memory: 4Gi, cpu: 100m}")
    both = (pod(name, "1500m").replace("1500m", '1500m, cpu: "100m"') for name in "ab")
    text = priority_class(0) + "".join(both)
    usage = "usage:\n  default/Pod/a: {memory: 2}\n  default/Pod/b: {memory: 2}\n"
    arguments = ("--scenario", "usage", "--usage", "usage.txt", "--format", "json")
    result = ranked(*arguments, text=text, settings=settings, usage=usage)
    (ranking,) = json.loads(result.stdout)["rankings"]
    assert [row["overage"] for row in ranking["rows"]] == ["500m", "500m"]
    assert ranking["population"]["excess"] == [
        {"resource": "cpu", "requested": "200m", "allocatable": "100m"}
    ]

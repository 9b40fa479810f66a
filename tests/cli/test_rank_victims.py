"""Who goes before whom, by which key, and who is an innocent victim of growth."""

import json
import re

from .four_pods import FOUR, SETTINGS, document, pod, priority_class

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

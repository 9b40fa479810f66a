"""The teaching node of `examples/pressure`, through the command line."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from qoslint.cli.main import cli
from qoslint.schema import check

EXAMPLE = Path(__file__).parents[2] / "examples" / "pressure"
API = "shop/Deployment/api"
BATCH = "batch/Deployment/batch-import"
INGRESS = "ingress/Deployment/ingress-nginx"
METRICS = "monitoring/DaemonSet/metrics-agent"
SHIPPER = "monitoring/DaemonSet/log-shipper"
REDIS = "shop/StatefulSet/redis-cache"


@pytest.fixture
def pressure(tmp_path, monkeypatch):
    """The example in a folder of its own, with another priority for api where one is given."""
    shutil.copytree(EXAMPLE, tmp_path / "pressure")
    monkeypatch.chdir(tmp_path / "pressure")

    def run(*arguments, api_priority=0):
        classes = Path("apps/priorities.yaml")
        text = (EXAMPLE / classes).read_text("utf-8")
        assert "value: 0 " in text
        classes.write_text(text.replace("value: 0 ", f"value: {api_priority} "), "utf-8")
        done = CliRunner().invoke(cli, ["simulate", "--usage", "usage.yaml", *arguments])
        assert done.exit_code == 0, done.output
        return done.stdout

    return run


@pytest.fixture
def played(pressure):
    """The document of a run whose daemons grow from 512Mi as it is said."""

    def run(growth, scenario="usage", **more):
        asked = ("--daemons", f"512Mi..{growth}", "--scenario", scenario, "--format", "json")
        document = json.loads(pressure(*asked, **more))
        assert list(check(document, "simulation")) == []
        return document

    return run


def name(document, index):
    return document["pods"][index]["pod"]


def evicted(document):
    return [name(document, each["pod"]) for each in document["outcome"]["evicted"]]


def survivors(document):
    return {name(document, index) for index in document["outcome"]["notEvicted"]}


def ranks(document):
    """The rank of each pod in the first pass that ranks."""
    ranking = next(step["ranking"] for step in document["steps"] if step["ranking"])
    return {name(document, row["pod"]): row["rank"] for row in ranking}


def test_the_node_is_the_teaching_node(played):
    node = played("512Mi")["node"]
    assert (node["memory"], node["allocatable"]) == ("6756Mi", "6Gi")
    assert [each["value"] for each in node["thresholds"]] == ["100Mi", "100Mi"]


def test_daemons_at_1400_leave_34_mebibytes_and_the_log_shipper_goes(played, pressure):
    document = played("1400Mi@10Mi/s")
    assert evicted(document) == [SHIPPER]
    (step,) = [step for step in document["steps"] if step["evicted"]]
    assert (step["daemons"], step["conditions"]) == ("1400Mi", ["MemoryPressure"])
    assert {each["signal"]: each["available"] for each in step["signals"]} == {
        "memory.available": "34Mi",
        "allocatableMemory.available": "922Mi",
    }
    assert step["evicted"][0]["message"] == (
        "The node was low on resource: memory. Threshold quantity: 100Mi, available: 34Mi. "
        "Container log-shipper was using 300Mi, request is 0, has larger consumption of memory. "
    )
    text = pressure("--daemons", "512Mi..1400Mi@10Mi/s")
    assert "90 s  daemons 1400Mi; 34Mi available < 100Mi: MemoryPressure" in text
    assert "334Mi available (threshold 100Mi): still MemoryPressure" in text
    assert f"Evicted: {SHIPPER}, which gets 1 s to end." in text


def test_daemons_at_2000_take_the_ingress_second_before_the_batch(played):
    document = played("2000Mi@5Mi/s")
    assert evicted(document) == [SHIPPER, INGRESS]
    assert ranks(document)[INGRESS] < ranks(document)[BATCH]
    assert BATCH in survivors(document)


def test_at_2600_an_api_of_low_priority_is_third_and_the_batch_survives(played):
    document = played("2600Mi@5Mi/s", api_priority=-1000)
    assert evicted(document) == [SHIPPER, INGRESS, API]
    assert survivors(document) == {BATCH, METRICS, REDIS}


def test_at_2600_an_api_of_high_priority_moves_from_4_to_6_and_survives_all_three(played):
    before = played("2600Mi@5Mi/s", api_priority=0)
    after = played("2600Mi@5Mi/s", api_priority=2000)
    assert (ranks(before)[API], ranks(after)[API]) == (4, 6)
    assert evicted(after) == [SHIPPER, INGRESS, BATCH]
    assert survivors(after) == {API, METRICS, REDIS}


def test_a_jump_says_that_the_kernel_acts_first_and_on_whom(played, pressure):
    document = played("2600Mi")
    assert document["outcome"]["by"] == "kernel"
    assert evicted(document) == []
    kill = document["steps"][-1]
    assert (kill["by"], kill["second"], kill["used"]) == ("kernel", 1, "7922Mi")
    assert name(document, kill["suspects"][0]["pod"]) == INGRESS
    text = " ".join(pressure("--daemons", "512Mi..2600Mi").split())
    assert "so the kernel acts first" in text
    assert "A request counts through oom_score_adj alone" in text
    killed = f"ingress-nginx of {INGRESS}, log-shipper of {SHIPPER} and metrics-agent of {METRICS}"
    assert f"Killed by the kernel: {killed}. That frees 1480Mi where 1166Mi is missing" in text
    assert "then 314Mi is free and the rest stays." in text
    assert (kill["killed"], kill["available"]) == (3, "314Mi")
    assert f"Innocent, in pods within their requests: metrics-agent of {METRICS}." in text
    assert f"The kubelet evicted nobody: at 1 s the kernel kills {killed}" in text
    assert f"Still there then: {BATCH}, {API} and {REDIS}." in text
    above = {each["process"]: each["exceedsRequest"] for each in kill["suspects"]}
    assert above == {
        "ingress-nginx": True,
        "log-shipper": True,
        "metrics-agent": False,
        "batch-import": False,
        "daemons": None,
        "redis-cache": False,
        "api": False,
    }
    assert "above request request 1 ingress-nginx" in text


def test_growth_that_is_faster_than_a_look_may_leave_it_to_the_kernel(played, pressure):
    outcomes = {rate: played(f"2600Mi@{rate}Mi/s")["outcome"]["by"] for rate in range(1, 21)}
    assert {outcomes[rate] for rate in range(1, 10)} == {"kubelet"}
    assert {outcomes[rate] for rate in range(10, 21)} == {"kubelet", "kernel"}
    text = " ".join(pressure("--daemons", "512Mi..2600Mi@12Mi/s").split())
    assert "Growth of up to 9.0Mi/s in all (100Mi in 10 + 1 s: until the kubelet evicts," in text
    assert "evictionMonitoringPeriod" in text
    node = played("2600Mi@12Mi/s")["node"]
    assert [each["inTime"] for each in node["thresholds"]] == [str(100 * 2**20 // 11)] * 2


def test_a_pod_in_its_grace_still_uses_its_memory_and_the_kernel_does_not_wait(played, pressure):
    document = played("2600Mi@90Mi/s")
    kill = document["steps"][-1]
    assert (kill["by"], kill["second"], kill["used"]) == ("kernel", 11, "6824Mi")
    assert evicted(document) == [SHIPPER]
    text = " ".join(pressure("--daemons", "512Mi..2600Mi@90Mi/s").split())
    assert "The pod that was evicted has not ended yet, so the kernel acts first." in text
    assert f"log-shipper of {SHIPPER} (evicted, not ended yet)" in text


def test_it_is_told_from_which_jump_the_kernel_is_first(played, pressure):
    text = " ".join(pressure("--daemons", "512Mi..2600Mi").split())
    assert "there is room for 1434Mi outside of pods" in text
    assert played("2600Mi")["daemonsFit"] == "1434Mi"
    assert played("1435Mi")["outcome"]["by"] == "kernel"
    for most in ("1400Mi", "1434Mi"):
        document = played(most)
        assert (document["outcome"]["by"], evicted(document)) == ("kubelet", [SHIPPER])
    assert "room for" not in pressure("--daemons", "512Mi")


def test_all_survivors_are_named_and_what_comes_back_is_told(pressure):
    text = " ".join(pressure("--daemons", "512Mi..1400Mi@10Mi/s").split())
    assert f"{BATCH}, {INGRESS}, {METRICS}, {API} and {REDIS} survive" in text
    assert (
        f"What replaces {SHIPPER} is not played. In a cluster it can be back on this node within "
        "seconds, and use memory again: it tolerates the taint of MemoryPressure"
    ) in text
    text = " ".join(pressure("--daemons", "512Mi..2000Mi@10Mi/s").split())
    assert f"What replaces {INGRESS} is not played. The scheduler keeps it off this node" in text
    assert "until 5m0s after a threshold was met the last time. Where the API server runs" in text
    assert "PodTolerationRestriction, which is off by default, pods that are not BestEffort" in text


def test_a_leak_goes_beyond_what_was_measured(played, pressure):
    found = played("512Mi", scenario="leak:ingress-nginx")
    assert found["outcome"]["by"] == "kernel"
    (leaking,) = (each for each in found["pods"] if each["pod"] == INGRESS)
    assert leaking["containers"][0]["memory"]["from"] == "6244Mi"
    (api,) = (each for each in found["pods"] if each["pod"] == API)
    assert api["containers"][0]["memory"]["from"] == "900Mi"


def test_two_runs_print_the_same_bytes(pressure):
    arguments = ("--daemons", "512Mi..2600Mi@5Mi/s", "--format")
    for form in ("text", "json", "markdown"):
        assert pressure(*arguments, form) == pressure(*arguments, form)


def test_the_contract_of_the_example_is_half_kept(pressure):
    done = CliRunner().invoke(cli, ["check", "--select", "QOS401,QOS411", "--format", "json"])
    told = {each["rule"]: each for each in json.loads(done.stdout)["findings"]}
    assert told.keys() == {"QOS401", "QOS411"}
    assert told["QOS401"]["objects"] == ["Deployment ingress/ingress-nginx"]
    assert told["QOS401"]["message"] == (
        "On node worker, Deployment ingress/ingress-nginx at 513Mi (request 256Mi, priority 1000) "
        "is evicted before Deployment batch/batch-import at 2Gi (request 2Gi, priority -100), "
        "though it shall outlive it: it uses more than it requests, and the other does not. That "
        "is with DaemonSet monitoring/metrics-agent, Deployment shop/api and StatefulSet "
        "shop/redis-cache at their requests, while daemons use 512Mi, which the profile states. "
        "DaemonSet monitoring/log-shipper at 1 byte goes first and frees too little. (expect[0] of "
        ".qoslint.yaml expects it.)"
    )
    assert told["QOS411"]["objects"] == ["Deployment shop/api"]
    assert [told[code]["severity"] for code in sorted(told)] == ["error", "note"]


def test_the_counterexample_of_the_contract_can_be_played(pressure):
    used = {
        API: "1Gi",
        BATCH: "2Gi",
        INGRESS: "513Mi",
        METRICS: "512Mi",
        REDIS: "2Gi",
        SHIPPER: "1",
    }
    text = "".join(f"  {pod}: {{memory: {amount}}}\n" for pod, amount in used.items())
    Path("usage.yaml").write_text(f"usage:\n{text}", "utf-8")
    document = json.loads(pressure("--scenario", "usage", "--format", "json"))
    assert evicted(document) == [SHIPPER, INGRESS]
    assert BATCH in survivors(document)


def test_it_is_told_from_which_usage_of_daemons_on_the_first_is_evicted(pressure, played):
    done = CliRunner().invoke(
        cli, ["rank", "--scenario", "usage", "--usage", "usage.yaml", "--color", "never"]
    )
    assert (
        "If something else takes the rest, such as daemons above 1334Mi, pods go in" in done.output
    )
    assert evicted(played("1334Mi@5Mi/s")) == []
    assert evicted(played("1335Mi@5Mi/s")) == [SHIPPER]


def test_what_a_leak_widens_is_told(pressure):
    asked = ["rank", "--scenario", "leak:ingress-nginx", "--usage", "usage.yaml"]
    done = CliRunner().invoke(cli, asked)
    assert "Of the pod that leaks, what was measured is not its most" in done.output
    assert "Of the pod that leaks" not in CliRunner().invoke(cli, ["rank"]).output


def test_pods_that_are_only_assumed_to_share_the_node_are_told_so_at_once(pressure):
    settings = Path(".qoslint.yaml")
    settings.write_text(settings.read_text("utf-8").replace("count: 1", "count: 2"), "utf-8")
    text = " ".join(pressure("--daemons", "512Mi").split())
    before, _ = text.split("Played:")
    assert "as if all shared one node, which is only assumed" in before

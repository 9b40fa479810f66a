"""Scores that people read off their nodes, against what is computed from request and memory.

The collection of such reports is no part of the project; the tests are skipped without it. Where a
report states all three numbers, the score must come out. Most state the score alone: for Guaranteed
pods that is enough, and -998 is what kubelets of old gave those.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

REPORTS = Path(__file__).parents[3] / "shared" / "corpus" / "evictions.jsonl"
COMPLETE = {"o01"}
GUARANTEED = {"o09", "o10"}
OF_OLD_KUBELETS = {"o06", "o07"}
WITHOUT_REQUEST = {"o03", "o04", "o05"}


@pytest.fixture
def reports():
    if not REPORTS.is_file():
        pytest.skip(f"{REPORTS} is not there")
    lines = REPORTS.read_text("utf-8").splitlines()
    return {report["id"]: report for report in map(json.loads, lines)}


@pytest.fixture
def computed(repository):
    """The class and score of a container on a node with so much memory."""

    def run(resources, memory, kubernetes="1.36"):
        settings = {
            "kubernetes": kubernetes,
            "nodes": [{"name": "node", "capacity": {"memory": memory}}],
        }
        thing = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "p"},
            "spec": {"containers": [{"name": "app", "image": "x", "resources": resources}]},
        }
        repository.write({".qoslint.yaml": json.dumps(settings), "pod.json": json.dumps(thing)})
        (cluster,) = repository.facts()["clusters"]
        (found,) = cluster["pods"]
        return found["qosClass"], found["containers"][0]["oomScoreAdj"]["node"]

    return run


def test_each_report_with_a_score_is_accounted_for(reports):
    scored = {name for name, report in reports.items() if "oom_score_adj" in report}
    complete = {n for n in scored if {"request_memory", "node_memory"} <= reports[n].keys()}
    assert complete == COMPLETE
    assert scored == COMPLETE | GUARANTEED | OF_OLD_KUBELETS | WITHOUT_REQUEST


def test_the_measured_score_comes_out_of_request_and_memory(reports, computed):
    for name in COMPLETE:
        report = reports[name]
        resources = {
            "requests": {"memory": report["request_memory"]},
            "limits": {"memory": report["limit_memory"]},
        }
        memory = report["node_memory"].replace(" kB", "Ki")
        version = report["version"].partition(",")[0].rpartition(".")[0]
        assert computed(resources, memory, version) == (report["qos"], report["oom_score_adj"])


def test_guaranteed_pods_have_the_measured_score_whatever_they_request(reports, computed):
    for name in GUARANTEED:
        memory = reports[name].get("limit_memory", "1Gi")
        limits = {"limits": {"cpu": "1", "memory": memory}}
        assert computed(limits, "8Gi") == ("Guaranteed", reports[name]["oom_score_adj"])

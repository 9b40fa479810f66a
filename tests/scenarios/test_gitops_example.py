"""The repository of `examples/gitops`, through the command line: each finding at its line."""

import json
import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from qoslint.cli.main import cli

EXAMPLE = Path(__file__).parents[2] / "examples" / "gitops"

FOUND = {
    # A base that both clusters build, told once.
    ("QOS102", "apps/queue/base/broker.yaml", "- name: recover", ("branch", "central")),
    # A base that only one cluster cannot do with.
    ("QOS301", "apps/queue/base/worker.yaml", "priorityClassName: background", ("branch",)),
    # A JSON patch, and one that is merged.
    ("QOS801", "apps/queue/overlays/branch/broker-memory.yaml", "value: 9Gi", ("branch",)),
    (
        "QOS402",
        "apps/queue/overlays/central/worker-memory.yaml",
        "requests: {memory: 512Mi}",
        ("central",),
    ),
    # The values of one environment, and those of all.
    ("QOS701", "charts/web/values-prod.yaml", "memory: 1500m", ("central",)),
    (
        "QOS201",
        "charts/web/values.yaml",
        "requests: {cpu: 100m, memory: 256Mi}",
        ("central",),
    ),
    ("QOS906", "charts/web/values.yaml", "requests: {memory: 32Mi}", ("central",)),
    ("QOS205", "charts/web/values.yaml", "resources: {}", ("central",)),
    # No key of the values arrives there.
    ("QOS402", "charts/web/templates/_containers.tpl", "resources:", ("central",)),
    # What is not rendered, and what its values say all the same.
    ("QOS902", "clusters/branch/metrics.yaml", "chart: metrics-agent", ()),
    ("QOS907", "clusters/branch/metrics.yaml", "priorityClassName: node-agents", ("branch",)),
    (
        "QOS907",
        "clusters/branch/metrics.yaml",
        "requests: {cpu: 50m, memory: 96Mi}",
        ("branch",),
    ),
}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """What a check prints, as JSON and for people."""
    folder = tmp_path_factory.mktemp("example")
    shutil.copytree(EXAMPLE, folder / "gitops")
    before = Path.cwd()
    os.chdir(folder)
    try:
        done = [
            CliRunner().invoke(cli, ["check", "gitops", "--format", name], standalone_mode=False)
            for name in ("json", "text")
        ]
    finally:
        os.chdir(before)
    # As the README says.
    assert [each.return_value for each in done] == [1, 1], done[0].output
    return json.loads(done[0].stdout), done[1].stdout


def test_each_finding_is_on_the_line_that_must_change(outputs):
    report, _ = outputs
    found = [
        (each["rule"], each["at"]["file"], line(each), tuple(sorted(each["clusters"])))
        for each in report["findings"]
    ]
    assert sorted(found) == sorted(FOUND)


def test_what_contradicts_a_value_is_shown_beside_it(outputs):
    report, _ = outputs
    [refused] = [each for each in report["findings"] if each["rule"] == "QOS201"]
    assert [(each["at"]["file"], line(each)) for each in refused["related"]] == [
        ("charts/web/values-staging.yaml", "memory: 128Mi")
    ]
    [filled] = [each for each in report["findings"] if each["rule"] == "QOS205"]
    assert [each["at"]["file"] for each in filled["related"]] == [
        "platform/central/shop-staging.yaml"
    ]


def test_a_finding_names_its_cluster(outputs):
    _, text = outputs
    [unknown] = [each for each in text.split("\n\n") if " QOS301 " in each]
    assert "\n  cluster: branch\n" in unknown
    [shared] = [each for each in text.split("\n\n") if " QOS102 " in each]
    assert "\n  clusters: central, branch\n" in shared


def test_the_summary_says_what_was_not_checked_and_why(outputs):
    report, text = outputs
    assert report["coverage"]["targets"] == 9
    assert list(report["coverage"]["unrendered"].values()) == [1]
    assert [each["message"] for each in report["notices"]] == [
        "1 of 9 targets went unchecked for a source that is not in the repository (QOS902): "
        "HelmRelease flux-system/metrics."
    ]
    assert "Targets           9: 8 rendered, 1 not rendered" in text
    assert text.endswith("\nNot checked: 1 target not rendered.\n")


def line(finding):
    location = finding["at"]
    text = (EXAMPLE / location["file"]).read_text("utf-8").split("\n")
    return text[location["line"] - 1].strip()

"""The story of a workload: goldens of the example repository, and each number against the facts.

After an intended change: `QOSLINT_UPDATE_GOLDENS=1 pytest tests/report/test_explain.py`, then read
the difference.
"""

from __future__ import annotations

import os
import re
import shutil
from decimal import Decimal
from pathlib import Path

import pytest

from qoslint import api
from qoslint.kernel.quantity import parse
from qoslint.plugins.load import shipped
from qoslint.report.explain import render
from qoslint.report.style import ANSI, PLAIN_STYLE, Style
from qoslint.schema import check
from qoslint.settings.load import find, load

GOLDENS = Path(__file__).parent / "goldens"
SHOP = Path(__file__).parents[2] / "examples" / "shop"
WORKLOADS = ("cart", "catalog", "checkout", "import", "postgres", "report")
CHANGES = ("limits.cpu=2", "cart:requests.memory=1Gi")
SETTINGS = """
    kubernetes: "{version}"
    clusters:
      - name: c
        paths: [.]
        complete: {complete}
        nodes:
          - {{name: n16, capacity: {{memory: 16Gi}}}}
          - {{name: old, capacity: {{memory: 8Gi}}, version: "1.31", cgroup: v1}}
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    folder = tmp_path_factory.mktemp("explain") / "shop"
    shutil.copytree(SHOP, folder)
    return folder


def explained(folder, name, *what_if):
    found = find([str(folder)])
    document, _, _ = api.explain(name, found.paths, load(found, shipped()), what_if)
    return document


def told(repository, text, name="p", *, version="1.36", complete="true", what_if=()):
    """The story of a workload, its lines unwrapped."""
    settings = SETTINGS.format(version=version, complete=complete)
    repository.write({".qoslint.yaml": settings, "a.yaml": text})
    document = explained(repository.root, name, *what_if)
    assert list(check(document, "explain")) == []
    return render(document, Style(width=10_000))


@pytest.mark.parametrize(
    ("golden", "name", "what_if", "style"),
    [
        *((f"explain-{name}.txt", name, (), PLAIN_STYLE) for name in WORKLOADS),
        ("explain-cart-ansi-60.txt", "cart", (), Style(ANSI, 60)),
        ("explain-cart-what-if.txt", "cart", CHANGES, PLAIN_STYLE),
        ("explain-catalog-what-if.txt", "catalog", ("limits.cpu=1",), PLAIN_STYLE),
    ],
)  # fmt: skip
def test_a_story_is_its_golden(shop, golden, name, what_if, style):
    document = explained(shop, name, *what_if)
    assert list(check(document, "explain")) == []
    text = render(document, style)
    path = GOLDENS / golden
    if os.environ.get("QOSLINT_UPDATE_GOLDENS"):
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


@pytest.mark.parametrize("name", WORKLOADS)
def test_every_number_of_a_story_is_that_of_the_facts(shop, name):
    found = find([str(shop)])
    facts, _, _ = api.facts(found.paths, load(found, shipped()))
    (cluster,) = facts["clusters"]
    (pod,) = (each for each in cluster["pods"] if each["name"] == name)
    document = explained(shop, name)
    (explanation,) = document["pods"]
    result = explanation["result"]
    for key in ("admitted", "rejections", "unknowns", "qosClass", "qosClasses"):
        assert result[key] == pod[key]
    changes = [each for stage in explanation["stages"] for each in stage["changes"]]
    assert [(each["field"], each["after"], each["at"]) for each in changes] == [
        (step["field"], step["after"], step["at"]) for step in pod["trace"]
    ]
    if not pod["admitted"]:
        assert result["verdict"] is None
        return
    assert {key: pod[key] for key in result["verdict"]} == result["verdict"]
    text = render(document, Style(width=10_000))
    scores = {
        (node["name"], container["name"]): container["oomScoreAdj"][node["name"]]
        for node in cluster["nodes"]
        for container in pod["containers"]
    }
    assert dict(scores_of(text)) == scores
    amounts = " and ".join(f"{key} {value}" for key, value in pod["requests"].items())
    text = re.sub(r" \(1\.5 bytes[^)]*\)", "", text)
    assert f"The scheduler reserves {amounts} for each pod" in text
    request = pod["evictionRequests"]["memory"]
    text = text.replace(" (1.5 bytes)", "")
    assert f"This pod: request {request}, priority {pod['priority']}." in text
    for container in pod["containers"]:
        for values in container["cgroup"].values():
            assert f"cpu.shares {values['cpu.shares']} (passed to the runtime" in text
            if values["memory.max"]:
                cpus = (Decimal(values["cpu.quota"]) / 100000).normalize()
                assert f"{cpus:f} CPU ({values['cpu.quota']} of each 100000 µs)" in text
                told = {
                    parse(each).value() for each in re.findall(r"at most (\w+) of memory", text)
                }
                assert values["memory.max"] in told


def scores_of(text):
    """The scores of a story by node and container."""
    node = ""
    for line in text.splitlines():
        if title := re.match(r"On node (\w+):", line):
            node = title[1]
        if score := re.match(r"  [a-z ]*'([a-z]+)': oom_score_adj (-?\d+)", line):
            yield (node, score[1]), int(score[2])


FORMULA = re.compile(
    r"1000 - 1000 \* memory (?:request )?(?:\w+ \()?(?P<memory>\d+)\)? / "
    r"node memory \w+ \((?P<capacity>\d+)\) = 1000 - (?P<whole>-?\d+) = (?P<score>-?\d+)"
    r"(?: \((?:(?P<below>the quotient is below 1 and is cut to 0)"
    r"|(?P<exact>[\d.]+)…? is cut to (?P<cut>\d+))\))?"
)
LEVEL = """
    apiVersion: v1
    kind: Pod
    metadata: {name: p}
    spec:
      resources: {limits: {memory: 4Gi, cpu: 2}, requests: {memory: 3Gi}}
      initContainers:
        - {name: proxy, image: x, restartPolicy: Always}
      containers:
        - {name: app, image: x, resources: {requests: {memory: 1Gi}}}
        - {name: tiny, image: x, resources: {requests: {memory: 1000m}}}
"""


@pytest.mark.parametrize("version", ["1.31", "1.33", "1.36", "1.37"])
def test_every_formula_adds_up(repository, version):
    text = told(repository, LEVEL, version=version)
    formulas = list(FORMULA.finditer(text))
    assert len(formulas) >= 6
    for formula in formulas:
        product, capacity = 1000 * int(formula["memory"]), int(formula["capacity"])
        assert int(formula["whole"]) == product // capacity
        assert int(formula["score"]) == 1000 - product // capacity
        if product % capacity and product < capacity:
            assert formula["below"]
        elif product % capacity:
            assert formula["cut"] == formula["whole"]
            thousandths = product * 1000 // capacity
            assert round(float(formula["exact"]) * 1000) == thousandths
        else:
            assert formula["exact"] is formula["below"] is None


def test_pod_level_memory_is_shared_out_since_the_version_that_does(repository):
    text = told(repository, LEVEL)
    new, old = text.split("On node old")
    share = "(3221225472 - 1073741825) / 3 = 715827882"
    assert f"an even share of what the pod-level request leaves, {share}" in new
    assert "a sidecar gets no more than the regular container that requests least" in new
    assert "share of" not in old
    assert "a sidecar gets no more" not in old
    assert "cgroup of the pod: cpu.weight " in new
    assert "cgroup of the pod: cpu.shares " in old
    assert "The pod-level resources decide alone" in text


def test_a_score_outside_its_bounds_says_where_it_is_put(repository):
    text = told(repository, pod("{requests: {memory: 32Gi}}"))
    assert "-1000 is raised to 3: less is kept for Guaranteed pods" in text
    assert "oom_score_adj 3\n" in text
    text = told(repository, pod("{requests: {memory: 1}}"))
    assert "1000 is lowered to 999: 1000 is kept for BestEffort pods" in text


def test_a_product_beyond_64_bits_is_told_as_kubernetes_computes_it(repository):
    text = told(repository, pod("{requests: {memory: 10P}}"))
    assert "(1000 * 10000000000000000 overflows 64 bits and counts as -8446744073709551616)" in text


def pod(resources, more="", name="p", namespace="default"):
    return f"""
    apiVersion: v1
    kind: Pod
    metadata: {{name: {name}, namespace: {namespace}}}
    spec:
      {more or "restartPolicy: Always"}
      containers:
        - {{name: app, image: x, resources: {resources}}}
"""


CLASSES = """
    apiVersion: scheduling.k8s.io/v1
    kind: PriorityClass
    metadata: {name: usual}
    value: 7
    globalDefault: true
    ---
    apiVersion: node.k8s.io/v1
    kind: RuntimeClass
    metadata: {name: kata}
    handler: kata
    overhead: {podFixed: {memory: 64Mi}}
    ---"""


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            pod("{limits: {cpu: 1, memory: 1Gi}}"),
            [
                "1. API defaulting copies limits to missing requests: requests.cpu 1 and "
                "requests.memory 1Gi of container 'app'.",
                "2. No LimitRange applies to namespace default.",
                "3. The pod names no PriorityClass, and none is the global default, so it gets "
                "priority 0 and preemptionPolicy PreemptLowerPriority.",
                "4. Validation accepts the pod.",
                "Guaranteed: every container and init container has CPU and memory limits with "
                "requests equal to them.",
                "container 'app': oom_score_adj -997, as containers of Guaranteed pods have",
            ],
        ),
        (
            pod("{requests: {cpu: 0.1m}}"),
            ["API defaulting rewrites requests.cpu of container 'app' from 100u to 1m."],
        ),
        (
            CLASSES + pod("{requests: {memory: 64Mi}}", "runtimeClassName: kata"),
            [
                "3. PriorityClass usual (a.yaml:5) is the global default and gives the pod "
                "priorityClassName usual, priority 7 and preemptionPolicy PreemptLowerPriority.",
                "4. RuntimeClass kata sets overhead.memory 64Mi (a.yaml:11).",
                "The scheduler reserves memory 128Mi for each pod, overhead of memory 64Mi "
                "included.",
            ],
        ),
        (
            pod("{requests: {memory: 64Mi}}", "priorityClassName: system-node-critical",
                namespace="kube-system"),
            [
                "PriorityClass system-node-critical, which every cluster has, gives the pod "
                "priority 2000001000",
                "oom_score_adj -997, as all containers of pods with priority class "
                "system-node-critical have",
                "The kubelet never evicts it when a node runs low",
            ],
        ),
        (
            pod("{requests: {memory: 64Gi}}"),
            ["The pod is never scheduled here: it requests memory 64Gi where the node has 16Gi."],
        ),
        (
            pod("{requests: {memory: 64Mi}}", "os: {name: windows}"),
            ["Windows has neither oom_score_adj nor cgroups."],
        ),
    ],
)  # fmt: skip
def test_each_stage_is_a_sentence(repository, text, sentences):
    story = told(repository, text)
    assert [sentence for sentence in sentences if sentence not in story] == []


def test_a_class_that_may_be_elsewhere_is_what_the_result_depends_on(repository):
    text = told(repository, pod("{}", "priorityClassName: gold"), complete="false")
    assert "The cluster may hold LimitRanges and classes that are not in the files." in text
    assert (
        "The priority depends on PriorityClass gold, which is not in the files; the API server "
        "refuses the pods if the cluster does not have it." in text
    )
    assert (
        "Recomputed by qoslint, with 100m and 128Mi for example: the API server would accept the "
        "pod, as" in text
    )


def test_ignored_pod_level_resources_are_said_to_be(repository):
    text = told(repository, pod("{}", "resources: {limits: {cpu: 1, memory: 1Gi}}"), version="1.31")
    assert (
        "Kubernetes 1.31 ignores the pod-level resources: the gate PodLevelResources is off."
        in text
    )
    assert "Class: BestEffort" in text


def test_names_from_a_repository_do_not_speak_to_the_terminal(repository):
    text = told(
        repository,
        r"""
        apiVersion: v1
        kind: Pod
        metadata: {name: p}
        spec:
          containers:
            - {name: "\e[31mred\u202e", image: x, resources: {requests: {cpu: 1}}}
        """,
    )
    assert not {"\x1b", "\u202e"} & {*text}
    assert r"\x1b[31mred\u202e" in text

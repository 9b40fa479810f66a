"""`qoslint nodes` through the command line."""

import json

import pytest

from qoslint.kernel.quantity import parse
from qoslint.schema import check
from qoslint.source.document import load

SETTINGS = """\
clusters:
  - name: main
    paths: ["."]
    nodes:
      - eks/m5.large
      - n1.yaml
      - name: n2
        version: "1.32"
        capacity: {cpu: 4, memory: 16Gi, ephemeral-storage: 100Gi, hugepages-2Mi: 1Gi}
        kubelet:
          systemReserved: {memory: 512Mi}
          reservedSystemCPUs: "0-1"
          evictionSoft: {memory.available: 1Gi}
          evictionSoftGracePeriod: {memory.available: 1m30s}
          evictionMinimumReclaim: {memory.available: 64Mi}
          podsPerCore: 5
  - name: other
    paths: [other]
    nodes: [n1.yaml, {name: win, os: windows, capacity: {memory: 8Gi}}]
"""
N1 = """\
name: n1
capacity: {cpu: 4, memory: 16Gi}
kubelet:
  evictionHard: {memory.available: 5%}
  mergeDefaultEvictionSettings: true
  kubeReserved:
    memory: 1Gi
"""
SEEN = {
    "kind": "Node",
    "metadata": {"name": "a", "labels": {}},
    "spec": {},
    "status": {
        "capacity": {"cpu": "2", "memory": "8Gi", "pods": "110"},
        "nodeInfo": {"kubeletVersion": "v1.35.1", "operatingSystem": "linux"},
    },
}
CONFIGZ = {"kubeletconfig": {"maxPods": 50, "evictionHard": {"memory.available": "200Mi"}}}


@pytest.fixture
def nodes(qoslint, tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "other").mkdir()

    def run(*arguments, settings=SETTINGS, **more):
        (tmp_path / ".qoslint.yaml").write_text(settings, "utf-8")
        (tmp_path / "n1.yaml").write_text(N1, "utf-8")
        return qoslint("nodes", *arguments, **more)

    return run


def document(result, key="nodes"):
    assert result.returncode == 0, result.stderr
    printed = json.loads(result.stdout)
    assert list(check(printed, "node-list")) == []
    return {each["name"]: each for each in printed[key]}


def resource(node, name):
    return next(each for each in node["resources"] if each["resource"] == name)


def line(at):
    return at and f"{at['file']}:{at['line']}"


def test_each_profile_is_listed_once_with_its_clusters(nodes):
    found = document(nodes("--format", "json"))
    assert {name: each["clusters"] for name, each in found.items()} == {
        "eks/m5.large": ["main"],
        "n1": ["main", "other"],
        "n2": ["main"],
        "win": ["other"],
    }


def test_every_number_that_is_withheld_has_its_line(nodes):
    found = document(nodes("--format", "json"))
    memory = resource(found["n2"], "memory")
    assert [(each["by"], each["quantity"], line(each["at"])) for each in memory["withheld"]] == [
        ("systemReserved", "512Mi", ".qoslint.yaml:11"),
        ("evictionHard", "100Mi", None),
        ("hugePages", "1Gi", ".qoslint.yaml:9"),
    ]
    assert memory["allocatable"] == "14748Mi"
    assert resource(found["n2"], "cpu")["withheld"][0]["by"] == "reservedSystemCPUs"
    pods = resource(found["n2"], "pods")
    assert (pods["by"], pods["capacity"], line(pods["at"])) == (
        "podsPerCore",
        "20",
        ".qoslint.yaml:16",
    )
    assert line(resource(found["n1"], "memory")["withheld"][0]["at"]) == "n1.yaml:7"
    assert line(resource(found["eks/m5.large"], "cpu")["withheld"][0]["at"]) == ".qoslint.yaml:5"


def test_the_derivations_add_up(nodes):
    listed = document(nodes("--presets", "--format", "json"), "presets")
    own = document(nodes("--format", "json"))
    for node in (*listed.values(), *own.values()):
        for each in node["resources"]:
            left = parse(each["capacity"]).nanos
            left -= sum(parse(term["quantity"]).nanos for term in each["withheld"])
            assert parse(each["allocatable"]).nanos == left, (node["name"], each["resource"])


def test_thresholds_say_why_they_hold(nodes):
    found = document(nodes("--format", "json"))
    thresholds = {each["signal"]: each for each in found["n1"]["thresholds"]}
    assert (thresholds["memory.available"]["because"], thresholds["memory.available"]["value"]) == (
        "set",
        "5%",
    )
    # 5% of the node, and of what the cgroup of all pods is limited to.
    assert thresholds["memory.available"]["resolved"] == "858993472"
    assert thresholds["allocatableMemory.available"]["resolved"] == "805306380"
    assert thresholds["nodefs.available"]["because"] == "merged"
    assert line(thresholds["nodefs.available"]["at"]) == "n1.yaml:5"
    assert thresholds["containerfs.available"]["copyOf"] == "nodefs.available"
    soft = next(each for each in found["n2"]["thresholds"] if each["kind"] == "soft")
    assert (soft["gracePeriod"], soft["minimumReclaim"], line(soft["at"])) == (
        "1m30s",
        "64Mi",
        ".qoslint.yaml:13",
    )
    assert {each["because"] for each in found["win"]["thresholds"]} == {"default"}
    assert found["eks/m5.large"]["unwatched"] == ["imagefs.available", "imagefs.inodesFree"]


def test_a_kubelet_that_is_too_old_is_told(nodes):
    result = nodes("--node", "n2")
    assert "the kubelet is 4 minor versions older, and Kubernetes supports 3 at most" in (
        result.stdout
    )
    assert "n1" not in result.stdout


def test_the_text_shows_the_derivation(nodes):
    text = nodes().stdout
    assert "n1: kubelet 1.36, linux, cgroup v2 (n1.yaml:1)" in text
    assert "-         1Gi  kubeReserved (n1.yaml:7)" in text
    assert "= 15247133888  allocatable" in text
    assert "5% = 858993472  hard, set (n1.yaml:4)" in text
    assert "Approximate: such nodes have 7759462Ki to 8Gi of memory" in text
    assert "Windows has no cgroup of all pods." in text


def test_the_text_says_what_runs_outside_of_pods(nodes):
    assert "`rank` takes it as anything, `simulate` as 0" in nodes("--node", "n1").stdout
    stated = SETTINGS.replace("name: n2", "name: n2\n        daemons: {memory: 300Mi}")
    text = nodes("--node", "n2", settings=stated).stdout
    assert "`daemons`: memory 300Mi is used outside of pods" in text


def test_lines_of_toml_are_found(nodes, tmp_path):
    (tmp_path / "pyproject.toml").write_text(
        '[tool.qoslint]\nkubernetes = "1.36"\n\n[[tool.qoslint.nodes]]\nname = "n1"\n'
        'capacity = {memory = "1Gi"}\n',
        "utf-8",
    )
    found = document(nodes("--config", "pyproject.toml", "--format", "json"))
    assert found["n1"]["at"]["file"] == "pyproject.toml"
    assert found["n1"]["at"]["line"] >= 4


def test_presets_are_listed_and_one_is_explained_with_its_formula(nodes):
    table = nodes("--presets").stdout.splitlines()
    assert sum(row.split(" ")[0].count("/") for row in table) == 58
    for arguments in (("eks/m5.large",), ("--preset", "eks/m5.large")):
        text = nodes(*arguments).stdout
        assert "Reserved by formula, memory: 255Mi and 11Mi for each of maxPods." in text
        assert "574Mi  kubeReserved" in text
        assert "awslabs/amazon-eks-ami" in text


def test_a_machine_too_small_for_the_defaults_is_shown_and_told(nodes):
    settings = "nodes: [{name: tiny, capacity: {memory: 50Mi}}]\n"
    found = document(nodes("--format", "json", settings=settings))
    assert resource(found["tiny"], "memory")["allocatable"] == "0"
    assert "Such a kubelet does not start: invalid Node Allocatable configuration." in (
        nodes(settings=settings).stdout
    )


def test_k3s_never_evicts_for_memory(nodes):
    assert "It never evicts for memory" in nodes("k3s/4cpu-8gi").stdout


def test_nodes_that_exist_become_profiles_for_the_settings(nodes, tmp_path):
    (tmp_path / "nodes.json").write_text(json.dumps({"items": [SEEN]}), "utf-8")
    (tmp_path / "configz.json").write_text(json.dumps(CONFIGZ), "utf-8")
    result = nodes("--from", "nodes.json", "configz.json")
    assert result.returncode == 0
    settings = load(result.stdout)
    assert settings["nodes"][0]["kubelet"]["maxPods"] == 50
    # What is printed can be taken as it is.
    found = document(nodes("--format", "json", settings=result.stdout))
    assert resource(found["a"], "memory")["allocatable"] == "7992Mi"
    piped = nodes("--from", "-", "--format", "json", input=json.dumps(SEEN))
    assert list(check(json.loads(piped.stdout), "settings")) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--node", "n3"), "there is no node profile 'n3'"),
        (("eks/m5.larg",), "there is no preset 'eks/m5.larg', did you mean 'eks/m5.large'?"),
        (("--preset", "m5.large"), "there is no preset 'm5.large'"),
        (("eks/m5.large", "."), "names of presets and paths exclude each other"),
        (("absent",), "'absent' does not exist"),
        (("--presets", "--from", "-"), "exclude each other"),
        (("--from", "absent.json"), "absent.json"),
        (("--from", "n1.yaml"), "No node is described"),
    ],
)
def test_what_cannot_be_shown_is_said_in_one_line(nodes, arguments, message):
    result = nodes(*arguments)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_text_that_no_terminal_should_see_is_not_printed(nodes):
    hostile = {**SEEN, "metadata": {"name": "\x1b[31mx"}}
    result = nodes("--from", "-", input=json.dumps(hostile))
    assert result.returncode == 2
    assert "The nodes have text that cannot be printed." in result.stderr
    printed = nodes("--from", "-", "--format", "json", input=json.dumps(hostile))
    assert "\x1b" not in printed.stdout + printed.stderr


@pytest.mark.parametrize("text", ["", "[", '"x"', "[" * 100_000, "\0", "a: &a [*a]"])
def test_what_is_no_output_of_kubectl_is_refused(nodes, text):
    result = nodes("--from", "-", input=text)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr


def test_without_profiles_it_says_how_to_add_one(nodes):
    result = nodes(settings="kubernetes: '1.36'\n")
    assert result.returncode == 2
    assert "no node profile is known: list `nodes` for the cluster in .qoslint.yaml" in (
        result.stderr
    )
    assert "qoslint nodes --presets" in result.stderr

"""`qoslint check --show-settings`: what is in force, where it stands, and that it can be read."""

import json
import re

import pytest

from qoslint.package_data import data
from qoslint.source.document import load

SCHEMA = "settings.schema.json"
ABOVE = ("kubernetes", "featureGates", "nodes", "injectors")
SETTINGS = """\
kubernetes: "1.35"
featureGates: {PodLevelResources: false}
nodes: [nodes/small.yaml, eks/m5.large, {name: big, capacity: {memory: 8Gi}, kubeletConfig: k.yaml}]
clusters:
  - name: prod
    paths: [apps]
    context: [exported]
    kubernetes: "1.34"
    injectors: [istio]
  - each: clusters/*
    complete: false
remotes: {https://git.example/a/b: vendor}
charts:
  - path: web
    valuesPattern: values-*.yaml
  - path: charts/*
    environments:
      prod: {set: {a.b: 1, c: "2", d: 1.5, e: true}, release: shop}
rules:
  preset: pedantic
  ignore: [QOS105]
  strict: [QOS201]
  severity: {QOS103: error}
  options: {QOS305: {namespaces: [kube-*]}}
  exceptions: [{rule: QOS103, object: a/Deployment/*, reason: "known: \\e[2J", expires: 2027-06-30}]
expect:
  - {pods: {namespace: payments}, qos: Guaranteed}
"""
SHOWN = """\
# Settings of ROOT, to which paths are relative. Their file: deploy/.qoslint.yaml.
renderer: none # --renderer
remotes: {"https://git.example/a/b": deploy/vendor} # deploy/.qoslint.yaml:12
clusters: # deploy/.qoslint.yaml:4
  - name: prod # deploy/.qoslint.yaml:5
    paths: [deploy/apps] # deploy/.qoslint.yaml:6
    context: [deploy/exported] # deploy/.qoslint.yaml:7
    complete: true # default
    namespace: default # default
    kubernetes: "1.34" # deploy/.qoslint.yaml:8
    featureGates: {PodLevelResources: false} # deploy/.qoslint.yaml:2
    nodes: [deploy/nodes/small.yaml, eks/m5.large, {name: big, capacity: {memory: 8Gi}, \
kubeletConfig: deploy/k.yaml}] # deploy/.qoslint.yaml:3
    injectors: [istio] # deploy/.qoslint.yaml:9
  - name: east # deploy/.qoslint.yaml:10
    paths: [deploy/clusters/east] # deploy/.qoslint.yaml:10
    complete: false # deploy/.qoslint.yaml:11
    namespace: default # default
    kubernetes: "1.35" # deploy/.qoslint.yaml:1
    featureGates: {PodLevelResources: false} # deploy/.qoslint.yaml:2
    nodes: [deploy/nodes/small.yaml, eks/m5.large, {name: big, capacity: {memory: 8Gi}, \
kubeletConfig: deploy/k.yaml}] # deploy/.qoslint.yaml:3
    injectors: [] # default
charts: # deploy/.qoslint.yaml:13
  - path: deploy/web # deploy/.qoslint.yaml:14
    environments: {dev: {values: [/deploy/web/values-dev.yaml]}} # its values, from the root
  - path: deploy/charts/api # deploy/.qoslint.yaml:16
    environments: {prod: {set: {a.b: 1, c: "2", d: 1.5, e: true}, release: shop}} \
# its values, from the root
rules: # deploy/.qoslint.yaml:19
  preset: strict # deploy/.qoslint.yaml:20 and --preset
  extend: [QOS411] # --extend
  ignore: [QOS105, QOS106] # deploy/.qoslint.yaml:21 and --ignore
  strict: [QOS201] # deploy/.qoslint.yaml:22
  severity: {QOS103: error} # deploy/.qoslint.yaml:23
  options: {QOS305: {namespaces: ["kube-*"]}} # deploy/.qoslint.yaml:24
  exceptions: [{rule: QOS103, object: "a/Deployment/*", reason: "known: \\u001b[2J", \
expires: "2027-06-30"}] # deploy/.qoslint.yaml:25
expect: [{pods: {namespace: payments}, qos: Guaranteed}] # deploy/.qoslint.yaml:26
"""
OPTIONS = ["--renderer", "none", "--preset", "strict", "--extend", "QOS411", "--ignore", "QOS106"]
CHART = "apiVersion: v2\nname: x\nversion: 1.0.0\n"
FILES = {
    ".git/HEAD": "",
    "deploy/apps/a.yaml": "",
    "deploy/exported/b.yaml": "",
    "deploy/clusters/east/c.yaml": "",
    "deploy/vendor/d.yaml": "",
    "deploy/nodes/small.yaml": "name: small\ncapacity: {memory: 4Gi}\n",
    "deploy/k.yaml": "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n",
    "deploy/web/Chart.yaml": CHART,
    "deploy/web/values-dev.yaml": "",
    "deploy/charts/api/Chart.yaml": CHART,
}


@pytest.fixture
def root(repository):
    return repository.write({**FILES, "deploy/.qoslint.yaml": SETTINGS}).root


def test_each_setting_stands_with_the_place_that_states_it(qoslint, root):
    done = qoslint("check", "deploy", "--show-settings", *OPTIONS)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == SHOWN.replace("ROOT", str(root))


def test_what_is_shown_can_be_read_again_and_means_the_same(qoslint, root):
    first = qoslint("check", "deploy", "--show-settings", *OPTIONS).stdout
    (root / "deploy" / ".qoslint.yaml").unlink()
    (root / ".qoslint.yaml").write_text(first, "utf-8")
    again = qoslint("check", "--show-settings")
    assert (again.returncode, again.stderr) == (0, "")
    assert load(again.stdout) == load(first)


def test_no_setting_is_left_out():
    shown = load(SHOWN)
    (schema,) = (page for page in data("schemas").iterdir() if page.name == SCHEMA)
    known = json.loads(schema.read_text("utf-8"))
    rules, cluster = known["properties"]["rules"], known["$defs"]["cluster"]
    # Said of each cluster, by a path for a pattern, and instead of what they take the place of.
    assert known["properties"].keys() - shown.keys() == {*ABOVE}
    assert cluster["properties"].keys() - shown["clusters"][0].keys() == {"each"}
    assert rules["properties"].keys() - shown["rules"].keys() == {"select"}


def test_without_settings_everything_is_a_default(qoslint, tmp_path):
    done = qoslint("check", "--show-settings")
    assert "none was found" in done.stdout.splitlines()[0]
    assert {line.partition(" # ")[2] for line in done.stdout.splitlines()[1:]} == {"default"}
    assert load(done.stdout)["kubernetes"] == "1.36"


def test_the_places_in_toml_are_those_of_its_lines(qoslint, tmp_path):
    text = '[tool.qoslint]\nkubernetes = "1.35"\n\n[tool.qoslint.rules]\npreset = "strict"\n'
    (tmp_path / "pyproject.toml").write_text(text, "utf-8")
    shown = qoslint("check", "--show-settings").stdout
    assert re.search(r'^kubernetes: "1.35" # pyproject.toml:2$', shown, re.MULTILINE)
    assert re.search(r"^  preset: strict # pyproject.toml:5$", shown, re.MULTILINE)


def test_wrong_settings_are_no_settings(qoslint, tmp_path):
    (tmp_path / ".qoslint.yaml").write_text("kubernets: '1.35'\n", "utf-8")
    done = qoslint("check", "--show-settings")
    assert (done.returncode, done.stdout) == (2, "")
    assert ".qoslint.yaml:1" in done.stderr


def test_each_cluster_has_the_line_of_its_own_entry_whichever_patterns_would_fit_it(
    qoslint, repository
):
    settings = """\
clusters:
  - each: clusters/*
  - name: x
    paths: [clusters/prod/jobs]
  - each: c*/prod/*
    complete: false
"""
    repository.write(
        {
            ".qoslint.yaml": settings,
            "clusters/prod/jobs/a.yaml": "",
            "clusters/test/b.yaml": "",
        }
    )
    done = qoslint("check", "--show-settings")
    assert (done.returncode, done.stderr) == (0, "")
    found = [line.strip(" -") for line in done.stdout.splitlines()]
    assert [line for line in found if line.startswith(("name:", "paths:", "complete: f"))] == [
        "name: prod # .qoslint.yaml:2",
        "paths: [clusters/prod] # .qoslint.yaml:2",
        "name: test # .qoslint.yaml:2",
        "paths: [clusters/test] # .qoslint.yaml:2",
        "name: x # .qoslint.yaml:3",
        "paths: [clusters/prod/jobs] # .qoslint.yaml:4",
        "name: jobs # .qoslint.yaml:5",
        "paths: [clusters/prod/jobs] # .qoslint.yaml:5",
        "complete: false # .qoslint.yaml:6",
    ]


def test_a_chart_has_the_lines_of_all_entries_that_give_it_environments(qoslint, repository):
    settings = """\
charts:
  - path: charts/*
    environments: {prod: {release: shop}}
  - path: charts/api/charts/cache
    environments: {prod: {release: cache}}
  - path: charts/api
    valuesPattern: values-*.yaml
"""
    repository.write(
        {
            ".qoslint.yaml": settings,
            "charts/api/Chart.yaml": CHART,
            "charts/api/values-test.yaml": "",
            "charts/api/charts/cache/Chart.yaml": CHART,
        }
    )
    shown = qoslint("check", "--show-settings").stdout
    assert re.findall(r"^  - (path: .*)", shown, re.MULTILINE) == [
        "path: charts/api # .qoslint.yaml:2 and .qoslint.yaml:6",
        "path: charts/api/charts/cache # .qoslint.yaml:4",
    ]

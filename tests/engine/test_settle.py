"""Problems of several clusters that become one finding."""

from textwrap import dedent

SETTINGS = """
clusters:
  - {name: east, paths: [clusters/east], nodes: [{name: e, capacity: {memory: 8Gi}}]}
  - {name: west, paths: [clusters/west], nodes: [{name: w, capacity: {memory: 16Gi}}]}
"""
BASE = """
apiVersion: v1
kind: Pod
metadata: {name: api}
spec:
  initContainers:
    - name: setup
      image: registry.example/api:1
      resources: {limits: {cpu: 10m}}
    - name: migrate
      image: registry.example/api:1
      resources: {limits: {cpu: 10m}}
  containers:
    - name: api
      image: registry.example/api:1
      resources: {limits: {cpu: "1", memory: 9Gi}}
"""
OVERLAY = "namespace: shop\nresources: [../../base]\n"
FILES = {
    ".qoslint.yaml": SETTINGS,
    "base/kustomization.yaml": "resources: [pod.yaml]\n",
    "base/pod.yaml": dedent(BASE).lstrip("\n"),
    "clusters/east/kustomization.yaml": OVERLAY,
    "clusters/west/kustomization.yaml": OVERLAY,
}


def test_what_only_nodes_and_numbers_tell_apart_is_told_once(repository):
    report = repository.write(FILES).check()
    told = [
        (each.rule, each.location.file, each.clusters)
        for each in report.findings
        if each.rule in ("QOS102", "QOS801")
    ]
    assert told == [
        ("QOS102", "base/pod.yaml", ("east", "west")),
        ("QOS102", "base/pod.yaml", ("east", "west")),
        ("QOS801", "base/pod.yaml", ("east",)),
    ]


def test_several_problems_at_one_place_stay_apart(repository):
    text = "metadata: {name: api, annotations: {qoslint.dev/expect-a: x, qoslint.dev/expect-b: y}}"
    files = FILES | {"base/pod.yaml": FILES["base/pod.yaml"].replace("metadata: {name: api}", text)}
    found = [e for e in repository.write(files).check().findings if e.rule == "QOS905"]
    assert len(found) == 2
    assert {each.clusters for each in found} == {("east", "west")}

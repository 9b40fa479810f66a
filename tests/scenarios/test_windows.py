"""Windows has neither cgroups nor oom_score_adj: no command gives any."""

FILES = {
    ".qoslint.yaml": """
clusters:
  - name: c
    paths: [app.yaml]
    nodes:
      - {name: linux, capacity: {memory: 16Gi}}
      - {name: windows, os: windows, capacity: {memory: 16Gi}}
""",
    "app.yaml": """
apiVersion: v1
kind: Pod
metadata: {name: any}
spec: {containers: [{name: app, image: x, resources: {requests: {memory: 1Gi}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: windows}
spec:
  os: {name: windows}
  containers: [{name: app, image: x, resources: {requests: {memory: 1Gi}}}]
""",
}


def test_facts_and_check_agree_on_where_a_pod_has_a_score(repository):
    repository.write(FILES)
    (cluster,) = repository.facts()["clusters"]
    facts = {pod["name"]: list(pod["containers"][0]["oomScoreAdj"]) for pod in cluster["pods"]}
    assert facts == {"any": ["linux"], "windows": []}
    assert [list(pod["cgroup"]) for pod in cluster["pods"]] == [["linux"], []]
    assert {line.name: list(line.scores) for line in repository.check().pods} == facts

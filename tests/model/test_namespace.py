"""Namespaces of a cluster, with what decides about their pods."""

from qoslint.model.judged import judge_cluster
from qoslint.model.namespace import namespaces

FILES = """\
apiVersion: v1
kind: Namespace
metadata: {name: empty}
---
apiVersion: v1
kind: LimitRange
metadata: {name: defaults, namespace: ruled}
spec: {limits: [{type: Container, max: {cpu: "1"}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: app, namespace: used}
spec: {containers: [{name: app, image: x}]}
"""


def test_each_namespace_that_is_used_ruled_or_declared_is_one(repository):
    repository.write("all.yaml", FILES)
    (cluster,) = repository.assemble()[0].values()
    found = {each.name: each for each in namespaces(judge_cluster(cluster))}
    assert list(found) == ["empty", "ruled", "used"]
    assert [len(found[name].given.limit_ranges) for name in found] == [0, 1, 0]
    assert [item.workload.object.name for item in found["used"].admitted] == ["app"]
    assert found["empty"].object is not None
    assert found["used"].object is None

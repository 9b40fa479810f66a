"""Templates that an operator still changes: facts say so, and no class is claimed of them."""

KNATIVE = """
apiVersion: serving.knative.dev/v1
kind: Service
metadata: {name: app, namespace: shop}
spec:
  template:
    spec:
      containers:
      - image: x
"""
POD = """
apiVersion: v1
kind: Pod
metadata: {name: app, namespace: shop}
spec: {containers: [{name: app, image: x}]}
"""


def test_a_class_that_an_operator_may_change_is_no_finding(repository):
    repository.write({"a.yaml": KNATIVE})
    assert repository.check().findings == ()
    (pod,) = repository.facts()["clusters"][0]["pods"]
    assert (pod["partial"], pod["qosClass"]) == (True, "BestEffort")


def test_the_same_pod_without_an_operator_is_one(repository):
    repository.write({"a.yaml": KNATIVE, "b.yaml": POD})
    (finding,) = repository.check().findings
    assert (finding.rule, finding.objects) == ("QOS103", ("Pod shop/app",))

"""Which PodDisruptionBudgets allow no disruption, and so promise what the kubelet does not keep."""

import pytest

SETTINGS = "rules: {select: [QOS410]}\nclusters: [{name: prod, paths: [.]}]\n"
DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: store}
spec:
  replicas: %s
  selector: {matchLabels: {app: store}}
  template:
    metadata: {labels: {app: store, tier: back}}
    spec: {containers: [{name: store, image: x}]}
"""
BUDGET = """
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: store}
spec: {%s}
"""
SELECTED = "selector: {matchLabels: {app: store}}"


def found(repository, replicas, *specs):
    texts = [DEPLOYMENT % replicas, *(BUDGET % spec for spec in specs)]
    repository.write({".qoslint.yaml": SETTINGS, "app.yaml": "---".join(texts)})
    return [finding.field for finding in repository.check().findings]


@pytest.mark.parametrize(
    ("replicas", "demand", "field"),
    [
        (1, "minAvailable: 1", "minAvailable"),
        (3, "minAvailable: 4", "minAvailable"),
        (3, 'minAvailable: "67%"', "minAvailable"),
        (3, "maxUnavailable: 0", "maxUnavailable"),
        (3, 'maxUnavailable: "0%"', "maxUnavailable"),
    ],
)
def test_a_budget_that_is_never_above_its_demand_is_told(repository, replicas, demand, field):
    assert found(repository, replicas, f"{demand}, {SELECTED}") == [f"spec.{field}"]


@pytest.mark.parametrize(
    ("replicas", "demand"),
    [
        (3, "minAvailable: 2"),
        (3, 'minAvailable: "66%"'),
        (3, 'maxUnavailable: "1%"'),
        (0, "maxUnavailable: 0"),
        (3, "minAvailable: true"),
        (3, "minAvailable: many"),
        (3, "minAvailable: [3]"),
    ],
)
def test_a_budget_with_room_or_without_meaning_is_not(repository, replicas, demand):
    assert found(repository, replicas, f"{demand}, {SELECTED}") == []


@pytest.mark.parametrize(
    ("selector", "selects"),
    [
        ("selector: {}", True),
        ("selector: {matchExpressions: [{key: tier, operator: Exists}]}", True),
        ("selector: {matchLabels: {app: store, tier: front}}", False),
        ("selector: null", False),
        ("selector: {matchExpressions: [{key: tier, operator: Maybe}]}", False),
    ],
)
def test_only_pods_that_it_selects_count(repository, selector, selects):
    assert bool(found(repository, 1, f"minAvailable: 1, {selector}")) is selects

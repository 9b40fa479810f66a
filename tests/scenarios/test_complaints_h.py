"""What users of other linters ask for about quantities, limits and classes, by their issues."""

import pytest

POD = """
apiVersion: v1
kind: Pod
metadata: {{name: app}}
spec:
  containers:
    - name: app
      image: registry.example/app:1
      resources: {resources}
"""


@pytest.fixture
def rules_for(repository):
    """The codes that are found for a pod with such resources, under such settings."""

    def run(resources, settings="rules: {preset: default}"):
        files = {".qoslint.yaml": settings, "app.yaml": POD.format(resources=resources)}
        return {finding.rule for finding in repository.write(files).check().findings}

    return run


def policy(cpu="ignore", memory="required", ratio=2):
    return f"""
rules:
  select: [QOS201, QOS807, QOS808]
  options:
    QOS807: {{cpu-limits: {cpu}}}
    QOS808: {{memory-limits: {memory}, max-ratio: {ratio}}}
"""


@pytest.mark.parametrize(
    ("request_", "limit"),
    [
        ("1Gi", "1024Mi"),
        ("1.5Gi", "1536Mi"),
        ("1073741824", "1Gi"),
        ("1e6", "1M"),
        ("1000k", "1M"),
    ],
)
def test_equal_amounts_in_other_words_are_equal_kyverno_policies_497(rules_for, request_, limit):
    resources = f"{{requests: {{memory: {request_}}}, limits: {{memory: {limit}}}}}"
    assert rules_for(resources, policy(memory="equal")) == set()
    assert "QOS702" not in rules_for(resources)


@pytest.mark.parametrize(
    ("request_", "limit"), [("1Gi", "1G"), ("1M", "999k"), ("2", "1999m"), ("9", "1e0")]
)
def test_amounts_are_compared_and_not_texts_gatekeeper_564(rules_for, request_, limit):
    resources = f"{{requests: {{memory: {request_}}}, limits: {{memory: {limit}}}}}"
    assert "QOS201" in rules_for(resources)


def test_a_capital_k_is_no_quantity_gatekeeper_library_154(rules_for):
    assert "QOS702" in rules_for("{requests: {memory: 512K}}")
    assert "QOS702" not in rules_for("{requests: {memory: 512k}}")


def test_a_request_above_its_limit_is_found_before_deploying_kube_linter_947(rules_for):
    assert "QOS201" in rules_for("{requests: {cpu: 1}, limits: {cpu: 900m}}")


@pytest.mark.parametrize(
    "resources",
    [
        "{requests: {cpu: 100m, memory: 64Mi}, limits: {memory: 64Mi}}",
        "{requests: {cpu: 100m, memory: 64Mi}}",
    ],
    ids=["checkov_7226", "kube_score_107"],
)
def test_nobody_is_told_by_default_to_set_limits(rules_for, resources):
    assert not any(code.startswith("QOS8") for code in rules_for(resources))


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        ("{requests: {cpu: 100m, memory: 64Mi}, limits: {memory: 64Mi}}", set()),
        ("{requests: {cpu: 100m, memory: 64Mi}}", {"QOS808"}),
        ("{limits: {cpu: 100m, memory: 64Mi}}", {"QOS807"}),
    ],
)
def test_a_memory_limit_and_no_cpu_limit_is_a_policy_regolibrary_391(
    rules_for, resources, expected
):
    assert rules_for(resources, policy(cpu="forbidden")) == expected


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        ("{requests: {cpu: 100m, memory: 64Mi}, limits: {cpu: 2, memory: 64Mi}}", set()),
        ("{requests: {cpu: 100m, memory: 64Mi}, limits: {memory: 65Mi}}", {"QOS808"}),
    ],
)
def test_memory_is_equal_whatever_the_cpu_is_kube_score_233(rules_for, resources, expected):
    assert rules_for(resources, policy(memory="equal")) == expected


def test_both_limits_can_be_demanded_chart_verifier_60(rules_for):
    assert rules_for("{}", policy(cpu="required")) == {"QOS807", "QOS808"}
    assert rules_for("{limits: {cpu: 1, memory: 1Gi}}", policy(cpu="required")) == set()


def test_a_ratio_is_exact_and_no_rounded_number_gatekeeper_583(rules_for):
    exact = "{requests: {memory: 1Gi}, limits: {memory: 1536Mi}}"
    above = "{requests: {memory: 1Gi}, limits: {memory: 1610612737}}"
    assert rules_for(exact, policy(memory="ratio", ratio=1.5)) == set()
    assert rules_for(above, policy(memory="ratio", ratio=1.5)) == {"QOS808"}


def test_ephemeral_storage_has_its_own_answer_kube_score_449(rules_for):
    found = rules_for("{requests: {memory: 64Mi, ephemeral-storage: 1}, limits: {memory: 1Gi}}")
    assert "QOS701" in found
    assert not any(code.startswith("QOS8") for code in found)


def test_a_limit_range_satisfies_a_policy_that_the_manifest_does_not_polaris_163(repository):
    files = {
        ".qoslint.yaml": policy(),
        "app.yaml": POD.format(resources="{}")
        + """
---
apiVersion: v1
kind: LimitRange
metadata: {name: defaults}
spec: {limits: [{type: Container, default: {memory: 64Mi}}]}
""",
    }
    assert repository.write(files).check().findings == ()

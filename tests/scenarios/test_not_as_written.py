"""What does not run as it is written: no class is claimed of it, and the rest is still judged."""

BARE = """
apiVersion: v1
kind: Pod
metadata: {name: %s}
spec: {containers: [{name: c, image: i}]}
"""
LIMIT_RANGE = """
apiVersion: v1
kind: LimitRange
metadata: {name: defaults, namespace: %s}
spec: {limits: [{type: Container, defaultRequest: {memory: 64Mi}}]}
"""
SETTINGS = "clusters: [{name: c, paths: [.]}]"
CHAINSAW = """
apiVersion: chainsaw.kyverno.io/v1alpha1
kind: Test
metadata: {name: t}
spec: {steps: [{try: [{apply: {file: bad.yaml}}, {apply: {file: ../app.yaml}}]}]}
"""
KYVERNO = """
apiVersion: cli.kyverno.io/v1alpha1
kind: Test
metadata: {name: t}
resources: [bad.yaml]
"""
JSON_PATCH = """
resources: [../base]
patches:
- target: {kind: Pod, name: a}
  patch: |-
    [{"op": "add", "path": "/spec/containers/0/resources", "value": {"requests": {"cpu": "1"}}}]
"""


def found(repository, files):
    report = repository.write(files).check()
    return {(finding.rule, finding.location.file) for finding in report.findings}


def test_a_pod_without_a_namespace_may_be_meant_for_that_of_the_limit_range_beside_it(repository):
    files = {"team/limits.yaml": LIMIT_RANGE % "team", "team/a.yaml": BARE % "a"}
    assert found(repository, files) == set()


def test_in_a_declared_cluster_its_namespace_is_known(repository):
    files = {
        ".qoslint.yaml": SETTINGS,
        "team/limits.yaml": LIMIT_RANGE % "team",
        "team/a.yaml": BARE % "a",
    }
    assert ("QOS103", "team/a.yaml") in found(repository, files)


def test_a_limit_range_of_another_folder_and_namespace_decides_nothing(repository):
    files = {"team/limits.yaml": LIMIT_RANGE % "team", "other/a.yaml": BARE % "a"}
    assert ("QOS103", "other/a.yaml") in found(repository, files)


def test_a_pod_whose_resources_a_kustomize_patch_sets_is_what_it_makes_of_it(repository):
    files = {
        "base/kustomization.yaml": "resources: [a.yaml, b.yaml]",
        "base/a.yaml": BARE % "a",
        "base/b.yaml": BARE % "b",
        "prod/kustomization.yaml": JSON_PATCH,
    }
    assert found(repository, files) == {("QOS111", "base/a.yaml"), ("QOS103", "base/b.yaml")}


def test_the_input_of_a_policy_test_is_not_judged_but_what_it_borrows_is(repository):
    files = {
        "policy/app.yaml": BARE % "app",
        "policy/.chainsaw-test/chainsaw-test.yaml": CHAINSAW,
        "policy/.chainsaw-test/bad.yaml": BARE % "bad",
        "policy/.chainsaw-test/other.yaml": BARE % "other",
        "policy/.kyverno-test/kyverno-test.yaml": KYVERNO,
        "policy/.kyverno-test/bad.yaml": BARE % "bad",
    }
    assert found(repository, files) == {
        ("QOS103", "policy/app.yaml"),
        ("QOS103", "policy/.chainsaw-test/other.yaml"),
    }


def test_a_test_at_the_root_hides_nothing(repository):
    files = {"kyverno-test.yaml": KYVERNO, "bad.yaml": BARE % "bad"}
    assert found(repository, files) == {("QOS103", "bad.yaml")}


def test_testdata_is_read_only_when_it_is_asked_for(repository):
    files = {".git/HEAD": "", "a.yaml": BARE % "a", "pkg/testdata/b.yaml": BARE % "b"}
    assert found(repository, files) == {("QOS103", "a.yaml")}
    (finding,) = repository.check("pkg/testdata").findings
    assert finding.location.file == "pkg/testdata/b.yaml"

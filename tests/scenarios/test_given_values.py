"""Values for charts that are not in the repository: what usual keys say is checked all the same."""

REPOSITORY = """
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: charts, namespace: flux-system}
spec: {url: "https://charts.example"}
---
"""
RELEASE = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec:
  chart:
    spec:
      chart: web
      sourceRef: {kind: HelmRepository, name: charts, namespace: flux-system}
"""
SYNC = """
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {url: "https://git.example/shop/deploy"}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux-system, namespace: flux-system}
spec:
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
"""


def found(repository, files):
    """The findings that are not about the missing chart itself, by code, file and line."""
    report = repository.write(files).check()
    texts = {file: text.lstrip("\n").split("\n") for file, text in files.items()}
    return {
        (each.rule, at.file, texts[at.file][at.span.start.line - 1].strip())
        for each in report.findings
        if each.rule != "QOS902" and (at := each.location)
    }


def release(values):
    return REPOSITORY + RELEASE + values


def test_quantities_at_usual_keys_are_checked_at_any_depth(repository):
    values = """\
  values:
    replicas: many
    resources: {limits: {memory: 1Q}}
    web:
      sidecars:
        - initResources:
            requests: {memory: 128m}
    server:
      resources:
        requests: {cpu: 3}
        limits: {cpu: 2}
"""
    text = release(values)
    assert found(repository, {"release.yaml": text}) == {
        ("QOS702", "release.yaml", "resources: {limits: {memory: 1Q}}"),
        ("QOS701", "release.yaml", "requests: {memory: 128m}"),
        ("QOS907", "release.yaml", "requests: {cpu: 3}"),
    }


def test_what_is_empty_filled_in_later_or_no_resource_list_is_left_alone(repository):
    values = """\
  values:
    resources: {limits: {memory: "", cpu: null}}
    web: {resources: {requests: {memory: "${MEMORY}"}}}
    storage: {requests: {memory: 64m}}
    rules: {resources: [pods]}
    priorityClassName: ""
"""
    text = release(values)
    assert found(repository, {"release.yaml": text}) == set()


def test_only_what_values_say_together_counts(repository):
    config = """
apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: shop}
data:
  values.yaml: |
    resources:
      requests:
        memory: 64m
      limits:
        memory: 128Mi
---
"""
    more = "  valuesFrom: [{kind: ConfigMap, name: web}]\n"
    more += "  values:\n    resources:\n      requests:\n        memory: 256Mi\n"
    text = config + REPOSITORY + RELEASE + more
    assert found(repository, {"release.yaml": text}) == {
        ("QOS907", "release.yaml", "memory: 256Mi")
    }
    [finding] = [each for each in repository.check().findings if each.rule == "QOS907"]
    [limit] = finding.related
    lines = text.lstrip("\n").split("\n")
    assert lines[limit.location.span.start.line - 1].strip() == "memory: 128Mi"


def test_a_release_that_is_itself_deployed_is_checked_in_its_own_file(repository):
    text = release("  values:\n    priorityClassName: shop\n    resources: {limits: {cpu: 2Q}}\n")
    settings = "clusters: [{name: prod, paths: [clusters/prod]}]\n"
    settings += "remotes: {https://git.example/shop/deploy: .}\n"
    files = {
        ".qoslint.yaml": settings,
        "clusters/prod/sync.yaml": SYNC,
        "apps/release.yaml": text,
    }
    assert found(repository, files) == {
        ("QOS907", "apps/release.yaml", "priorityClassName: shop"),
        ("QOS702", "apps/release.yaml", "resources: {limits: {cpu: 2Q}}"),
    }
    told = {each.rule: each.clusters for each in repository.check().findings}
    assert told == {"QOS902": (), "QOS907": ("prod",), "QOS702": ("prod",)}
    (repository.root / ".git").mkdir()
    for path in ("clusters", "apps/release.yaml"):
        part = repository.check(path)
        assert {each.rule for each in part.findings} == set(told)
        assert sum(part.coverage.unrendered.values()) == 1


def test_it_is_said_that_no_more_than_that_is_checked(repository):
    with_values = release("  values: {replicas: 2}\n")
    for text, is_said in ((with_values, True), (REPOSITORY + RELEASE, False)):
        [finding] = repository.write({"release.yaml": text}).check().findings
        assert finding.message.endswith("quantities and names of PriorityClasses are checked.") is (
            is_said
        )

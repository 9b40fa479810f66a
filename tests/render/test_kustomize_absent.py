"""Files of generators that git ignores: empty ones do, unless something reads what they become."""

import pytest

POD = """
    apiVersion: v1
    kind: Pod
    metadata: {name: web}
    spec: {containers: [{name: a, image: a}]}
"""
BASE = """
    resources: [pod.yaml]
    secretGenerator:
    - name: creds
      envs: [creds.env]
      files: [tls.key, ca=certs/ca.crt]
"""
FILES = {
    "base/pod.yaml": POD,
    "base/kustomization.yaml": BASE,
    "prod/kustomization.yaml": "resources: [../base]\nnamePrefix: p-\n",
}
TOLD = (
    "3 files that generators of prod name are not in the repository; empty ones were taken: "
    "the data of a ConfigMap or Secret decides nothing about pods."
)


def judged(repository):
    report = repository.check()
    names = {name for each in report.findings for name in each.objects}
    return {name for name in names if name.startswith("Pod ")}, report


def unrendered(report):
    return [each.message for each in report.findings if each.rule == "QOS901"]


def test_a_build_goes_on_without_the_files_and_says_so_once(repository):
    pods, report = judged(repository.write(FILES))
    assert pods == {"Pod default/p-web"}
    assert not unrendered(report)
    told = [(each.message, each.file) for each in report.notices]
    assert told.count((TOLD, "prod/kustomization.yaml")) == 1


def test_findings_stay_on_the_authored_line(repository):
    _, report = judged(repository.write(FILES))
    [place] = {each.location.file for each in report.findings if each.rule == "QOS103"}
    assert place == "base/pod.yaml"


READ = "{kind: Secret, name: creds, fieldPath: data.priority}"
INTO = "[{select: {kind: Pod}, fieldPaths: [spec.x], options: {create: true}}]"
OBJECT = "{kind: Secret, name: creds, apiVersion: v1}"
READERS = {
    "replacement": f"replacements: [{{source: {READ}, targets: {INTO}}}]",
    "any name": f"replacements: [{{source: {{fieldPath: data.priority}}, targets: {INTO}}}]",
    "file": "replacements: [{path: r.yaml}]",
    "transformer": "transformers: [t.yaml]",
    "folder of transformers": "transformers: [../more]",
    "variable": f"vars: [{{name: X, objref: {OBJECT}, fieldref: {{fieldpath: data.priority}}}}]",
}
TRANSFORMER = f"""
    apiVersion: builtin
    kind: ReplacementTransformer
    metadata: {{name: r}}
    replacements: [{{source: {READ}, targets: {INTO}}}]
"""


@pytest.mark.parametrize("reader", READERS)
def test_nothing_is_assumed_where_something_reads_the_data(repository, reader):
    repository.write(
        {
            **FILES,
            "prod/kustomization.yaml": f"resources: [../base]\n{READERS[reader]}\n",
            "prod/r.yaml": f"source: {READ}\ntargets: {INTO}\n",
            "prod/t.yaml": TRANSFORMER,
            "more/kustomization.yaml": "resources: [t.yaml]",
            "more/t.yaml": TRANSFORMER,
        }
    )
    _, report = judged(repository)
    assert "creds.env', which does not exist" in unrendered(report)[0]


def test_a_replacement_of_a_name_reads_no_data(repository):
    repository.write(FILES)
    (repository.root / "prod/kustomization.yaml").write_text(
        "resources: [../base]\n"
        "replacements:\n"
        "- source: {kind: Secret, name: creds}\n"
        "  targets: [{select: {kind: Pod}, fieldPaths: [metadata.labels.x], "
        "options: {create: true}}]\n",
        "utf-8",
    )
    pods, report = judged(repository)
    assert (pods, unrendered(report)) == ({"Pod default/web"}, [])


def test_a_file_that_is_more_than_data_is_still_missed(repository):
    repository.write({**FILES, "base/kustomization.yaml": f"{BASE}    patches: [path: tls.key]\n"})
    _, report = judged(repository)
    assert "tls.key" in unrendered(report)[0]


def test_a_folder_is_no_missing_file(repository):
    repository.write({**FILES, "base/tls.key/x": ""})
    _, report = judged(repository)
    assert "tls.key" in unrendered(report)[0]


RELEASE = """
    apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    metadata: {name: web, namespace: apps}
    spec:
      chart: {spec: {chart: charts/web, sourceRef: {kind: GitRepository, name: all}}}
      valuesFrom: [{kind: ConfigMap, name: given}]
    ---
    apiVersion: source.toolkit.fluxcd.io/v1
    kind: GitRepository
    metadata: {name: all, namespace: apps}
    spec: {url: https://example.com/acme/deploy}
"""


def test_data_that_is_not_known_is_no_value_of_a_release(repository):
    repository.write(
        {
            ".git/config": '[remote "origin"]\n\turl = https://example.com/acme/deploy\n',
            "apps/kustomization.yaml": """
                resources: [release.yaml]
                namespace: apps
                generatorOptions: {disableNameSuffixHash: true}
                configMapGenerator: [{name: given, files: [values.yaml]}]
            """,
            "apps/release.yaml": RELEASE,
            "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
            "charts/web/templates/a.yaml": POD,
        }
    )
    _, report = judged(repository)
    assert not unrendered(report)
    told = " ".join(each.message for each in report.notices)
    assert "takes values from 'values.yaml' in the ConfigMap given, which the repository" in told

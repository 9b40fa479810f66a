"""Discovery: every file in exactly one category, and what counts as which."""

import subprocess

import pytest

POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: i}]}\n"
CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n"
CHART_TEMPLATE = "not understood: template of a chart that is not rendered"
PATCH = "not understood: patch of a kustomization that is not built"
TEMPLATE = "not understood: a template, not plain YAML"
UNNAMED = "not understood: not named by the kustomization around it"
GENERATED = "skipped: content of a generated ConfigMap or Secret"
VALUES = "skipped: Helm values"
KUSTOMIZATION = "not understood: kustomization that is not built"
SOPS = "\nsops:\n  mac: z\n"
CHART = "skipped: Helm chart metadata"
SETTINGS = "skipped: settings of qoslint"
BROKEN = "not understood: does not parse"
VALUES_TEXT = "kind: DaemonSet\nmetadata: {}\nresources: {limits: {cpu: 1}}\n"
NO_KIND = "skipped: without a Kubernetes kind"


def files(root):
    """The number of regular files, by find."""
    found = subprocess.run(
        ["find", str(root), "-type", "f", "-printf", "."], capture_output=True, check=True
    )
    return len(found.stdout)


def accounted(discovery):
    others = [*discovery.skipped.values(), *discovery.not_understood.values()]
    return [*discovery.read, *(path for paths in others for path in paths)]


@pytest.mark.parametrize(
    ("path", "text", "category"),
    [
        ("a.yaml", POD, "read"),
        ("a.yml", POD, "read"),
        ("A.YAML", POD, "read"),
        ("a.json", '{"apiVersion": "v1", "kind": "Pod"}', "read"),
        ("cm.yaml", CONFIG_MAP, "read"),
        ("list.yaml", "{apiVersion: v1, kind: List, items: []}", "read"),
        ("a.txt", POD, "skipped: not YAML or JSON"),
        (".qoslint.yaml", "kubernetes: '1.36'", "skipped: settings of qoslint"),
        ("empty.yaml", "", "skipped: empty"),
        ("empty.yaml", "# only a kind of comment\n---\n", "skipped: empty"),
        ("compose.yaml", "services: {a: {image: b}}", NO_KIND),
        (".github/workflows/ci.yml", "on: push\njobs: {a: {kind: b}}", NO_KIND),
        ("values.yaml", "kind: DaemonSet\nresources: {limits: {cpu: 1}}", NO_KIND),
        ("package.json", '{"name": "a", "kind": 3}', NO_KIND),
        ("broken.yaml", f"{POD}a: [", "not understood: does not parse"),
        ("set.yaml", "kind: ApplicationSet\napiVersion: argoproj.io/v1alpha1\na: [", BROKEN),
        ("app.yaml", "kind: Application\napiVersion: argoproj.io/v1alpha1\na: {{ b }}", TEMPLATE),
        ("half.yaml", f"{POD}---\nkind: Pod\na: [", "not understood: does not parse"),
        ("deletions.yaml", "apply:\n  - name: a\n    kind: Pod\n{{ if", NO_KIND),
        ("mkdocs.yml", "kinds: !!python/name:a.b\nmore: [", NO_KIND),
        ("t.yaml", "kind: Pod\nspec:\n{{ if .x }}\n  a: b\n{{ end }}\n", TEMPLATE),
        ("t.yaml", "kind: Pod\nspec: '{{ .x }}'\n", "read"),
        ("secret.yaml", f"kind: Secret\ndata: ENC[AES256_GCM,data:x]{SOPS}", "read"),
        (
            "pod.yaml",
            f"kind: Pod\nspec: ENC[AES256_GCM,data:x]{SOPS}",
            "not understood: encrypted with SOPS",
        ),
        ("v.yaml", f"a: ENC[AES256_GCM,data:x]{SOPS}", NO_KIND),
    ],
)
def test_the_category_of_a_file(repository, path, text, category):
    repository.write(path, text)
    assert repository.category(path) == category


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\0GITCRYPT\0abc", "encrypted with git-crypt"),
        (b"kind: \0", "binary"),
        (b"kind: \xff\xfe\xff", "not UTF-8 text"),
    ],
)
def test_bytes_that_are_no_text_are_not_understood(repository, content, reason):
    (repository.root / "a.yaml").write_bytes(content)
    assert repository.category("a.yaml") == f"not understood: {reason}"


def test_documents_of_a_file_that_breaks_later_count(repository):
    repository.write("a.yaml", POD, "kind: Pod\na: [")
    discovery = repository.discover()
    assert [document.number for document in discovery.documents] == [0]
    assert [broken.number for broken in discovery.broken] == [1]


def test_a_broken_file_that_was_never_kubernetes_is_no_broken_document(repository):
    repository.write("values.yaml", "kindly: [")
    assert repository.discover().broken == ()


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize(
    ("path", "category"),
    [
        ("chart/Chart.yaml", "skipped: Helm chart metadata"),
        ("chart/templates/a.yaml", CHART_TEMPLATE),
        ("chart/templates/tests/a.yaml", CHART_TEMPLATE),
        ("chart/values.yaml", VALUES),
        ("chart/values-prod.yaml", VALUES),
        ("chart/ci/test-values.yaml", VALUES),
        ("chart/crds/a.yaml", "read"),
        ("chart/charts/sub/templates/a.yaml", CHART_TEMPLATE),
        ("chart/other/a.yaml", "read"),
        ("templates/a.yaml", "read"),
    ],
)
def test_files_of_a_chart(repository, path, category):
    repository.write(path, VALUES_TEXT if category == VALUES else POD)
    repository.write("chart/Chart.yaml", "apiVersion: v2\nname: a")
    repository.write("chart/charts/sub/Chart.yaml", "apiVersion: v2\nname: b")
    assert repository.category(path) == category


@pytest.mark.usefixtures("unrendered")
def test_a_template_given_alone_is_still_one_of_a_chart(repository):
    repository.write("chart/Chart.yaml", "name: a")
    repository.write("chart/templates/a.yaml", POD)
    assert repository.category("chart/templates/a.yaml", "chart/templates/a.yaml") == CHART_TEMPLATE


@pytest.mark.usefixtures("unrendered")
def test_a_chart_at_the_root_does_not_swallow_the_repository(repository):
    repository.write("Chart.yaml", "name: a")
    repository.write("templates/a.yaml", POD)
    repository.write("deploy/a.yaml", POD)
    assert repository.category("templates/a.yaml") == CHART_TEMPLATE
    assert repository.category("deploy/a.yaml") == "read"


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize(
    "content",
    [
        "patches: [{path: p.yaml}]",
        "patches:\n  - path: ./p.yaml\n    target: {kind: Pod}",
        "patchesStrategicMerge: [p.yaml]",
        "patchesJson6902: [{path: p.yaml, target: {kind: Pod}}]",
        "kind: Component\npatches: [{path: p.yaml}]",
    ],
)
def test_a_patch_is_no_object(repository, content):
    repository.write("k/kustomization.yaml", content)
    repository.write("k/p.yaml", POD)
    assert repository.category("k/kustomization.yaml") == KUSTOMIZATION
    assert repository.category("k/p.yaml") == PATCH
    assert repository.category("k/p.yaml", "k/p.yaml") == PATCH
    assert repository.discover().documents == ()


@pytest.mark.usefixtures("unrendered")
def test_a_patch_may_lie_in_another_folder(repository):
    repository.write("k/overlay/kustomization.yml", "patches: [{path: ../patches/p.yaml}]")
    repository.write("k/patches/p.yaml", POD)
    assert repository.category("k/patches/p.yaml") == PATCH


def test_a_patch_that_is_a_resource_elsewhere_is_an_object(repository):
    repository.write("a/kustomization.yaml", "patches: [{path: ../b/p.yaml}]")
    repository.write("b/kustomization.yaml", "resources: [p.yaml]")
    repository.write("b/p.yaml", POD)
    assert repository.category("b/p.yaml") == "read"


def test_beside_the_patches_of_a_kustomization_only_what_is_named_counts(repository):
    repository.write("kustomization.yaml", "patches: [{path: patches/a.yaml}]")
    repository.write("patches/b.yaml", POD)
    assert repository.category("patches/b.yaml") == UNNAMED


@pytest.mark.usefixtures("unrendered")
def test_resources_of_kustomizations_are_told(repository):
    repository.write("a/kustomization.yaml", "resources: [a.yaml, ../b/b.yaml]")
    assert repository.discover().kustomized == {"a/a.yaml", "b/b.yaml"}


@pytest.mark.usefixtures("unrendered")
def test_an_inline_patch_names_no_file(repository):
    repository.write(
        "kustomization.yaml",
        "patchesStrategicMerge: ['kind: Pod\n\nspec: a']\npatches: [{patch: x}]",
    )
    assert repository.category("kustomization.yaml") == KUSTOMIZATION


@pytest.mark.parametrize(
    ("content", "path", "category"),
    [
        ("resources: [a.yaml]", "a.yaml", "read"),
        ("configMapGenerator: [{files: [a.yaml]}]", "a.yaml", GENERATED),
        ("secretGenerator: [{files: [key=a.yaml]}]", "a.yaml", GENERATED),
        ("helmCharts: [{valuesFile: a.yaml}]", "a.yaml", VALUES),
        ("resources: [b.yaml]", "a.yaml", UNNAMED),
        ("resources: [b.yaml]", "deeper/a.yaml", "read"),
        ("resources: text\npatches: {a: b}\nsecretGenerator: [1, {files: 3}]", "b/a.yaml", "read"),
        ("- not a mapping", "a.yaml", "read"),
    ],
)
def test_what_a_kustomization_says_of_a_file(repository, content, path, category):
    repository.write("kustomization.yaml", content)
    repository.write(path, CONFIG_MAP if category in (GENERATED, VALUES) else POD)
    assert repository.category(path) == category


def test_beside_a_kustomization_what_cannot_matter_is_read(repository):
    repository.write("kustomization.yaml", "resources: [b.yaml]")
    repository.write("a.yaml", CONFIG_MAP)
    assert repository.category("a.yaml") == "read"


def test_a_flux_kustomization_is_an_object_whatever_its_file_is_called(repository):
    text = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a}\n"
    repository.write("kustomization.yaml", text)
    assert repository.category("kustomization.yaml") == "read"


def test_a_broken_kustomization_is_told(repository):
    repository.write("kustomization.yaml", "resources: [")
    assert repository.category("kustomization.yaml") == "not understood: does not parse"
    assert len(repository.discover().broken) == 1


def test_every_file_is_accounted_for_once(repository):
    for path in ("a.yaml", "b/c.json", "b/d.txt", "b/e/kustomization.yaml", "b/e/f.yml"):
        repository.write(path, POD)
    (repository.root / "link.yaml").symlink_to("a.yaml")
    discovery = repository.discover()
    assert len(set(accounted(discovery))) == len(accounted(discovery)) == discovery.files
    assert discovery.files == files(repository.root)


@pytest.mark.usefixtures("unrendered")
def test_what_is_not_rendered_is_noticed(repository):
    repository.write("c/Chart.yaml", "name: a")
    repository.write("c/templates/a.yaml", POD)
    repository.write("k/kustomization.yaml", "resources: []")
    charts, kustomizations = repository.discover().notices
    assert charts.message == (
        "1 template of 1 chart went unread, for what is not rendered says nothing."
    )
    assert kustomizations.file == "k"


def test_every_file_of_real_repositories_is_accounted_for(corpus):
    discovery = corpus.discovery
    assert len(set(accounted(discovery))) == len(accounted(discovery)) == discovery.files
    assert discovery.files == files(corpus.root)


REAL = {
    "GoogleCloudPlatform__microservices-demo/release/kubernetes-manifests.yaml": "read",
    "GoogleCloudPlatform__microservices-demo/helm-chart/templates/adservice.yaml": CHART_TEMPLATE,
    "GoogleCloudPlatform__microservices-demo/helm-chart/values.yaml": VALUES,
    "GoogleCloudPlatform__microservices-demo/kustomize/kustomization.yaml": KUSTOMIZATION,
    "alphagov__govuk-helm-charts/charts/app-config/ci/production-values.yaml": VALUES,
    "alphagov__govuk-helm-charts/charts/monitoring-config/dashboards/fastly.json": NO_KIND,
    "jupyterhub__mybinder.org-deploy/mybinder/Chart.yaml": "skipped: Helm chart metadata",
    "jupyterhub__mybinder.org-deploy/.pre-commit-config.yaml": NO_KIND,
    "jupyterhub__mybinder.org-deploy/LICENSE": "skipped: not YAML or JSON",
    "kubernetes__examples/_archived/meteor/mongo-pod.json": "read",
    "kubernetes__examples/_archived/newrelic/newrelic-config.yaml": "skipped: empty",
    "kubernetes__examples/_archived/storage/vitess/etcd-controller-template.yaml":
        TEMPLATE,
    "openshift__microshift/assets/components/openshift-router/deployment.yaml":
        TEMPLATE,
    "kubeflow__manifests/applications/jupyter/notebook-controller/upstream/default/"
    "manager_image_patch.yaml": UNNAMED,
    "kubeflow__manifests/applications/jupyter/jupyter-web-app/upstream/base/configs/"
    "spawner_ui_config.yaml": GENERATED,
    "kubeflow__manifests/applications/profiles/upstream/crd/kustomizeconfig.yaml": NO_KIND,
    "fluxcd__flux2-kustomize-helm-example/clusters/production/apps.yaml": "read",
    "fluxcd__flux2-kustomize-helm-example/apps/staging/podinfo-values.yaml": PATCH,
    "prometheus-operator__kube-prometheus/manifests/prometheus-prometheus.yaml": "read",
    "strimzi__strimzi-kafka-operator/packaging/helm-charts/helm3/strimzi-kafka-operator/crds/"
    "041-Crd-kafkaconnect.yaml": "read",
}  # fmt: skip


def test_the_category_of_real_files(corpus):
    discovery = corpus.discovery
    categories = dict.fromkeys(discovery.read, "read")
    for name, others in (
        ("skipped", discovery.skipped),
        ("not understood", discovery.not_understood),
    ):
        categories |= {
            path: f"{name}: {reason}" for reason, paths in others.items() for path in paths
        }
    assert {path: categories.get(path) for path in REAL} == REAL


def test_what_other_tools_deploy_is_noticed_below_the_paths(repository, deployment):
    repository.write("apps/a.yaml", deployment())
    repository.write("apps/helmfile.yaml", "releases: [{name: web, chart: ./web}]")
    repository.write("tanka/environments/prod/main.jsonnet", "{}")
    repository.write("tanka/environments/prod/lib.jsonnet", "{}")
    notices = [(each.file, each.message.split(":")[0]) for each in repository.discover().notices]
    assert notices == [
        ("apps/helmfile.yaml", "qoslint does not run helmfile"),
        ("tanka/environments/prod/main.jsonnet", "qoslint does not run Tanka"),
    ]
    (notice,) = repository.discover().under(["tanka"]).notices
    assert notice.file == "tanka/environments/prod/main.jsonnet"
    assert repository.discover().broken == ()


def test_what_lies_in_testdata_is_rendered_only_if_it_is_asked_for(repository):
    repository.write("testdata/app/kustomization.yaml", "resources: [a.yaml]")
    repository.write("testdata/app/a.yaml", POD)
    assert repository.discover().documents == ()
    assert len(repository.discover("testdata").documents) == 1

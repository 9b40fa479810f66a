"""Charts that are rendered for several environments, in variants and in declared clusters."""

import pytest

from qoslint.finding import OBJECT
from qoslint.model.clusterspec import ClusterSpec
from qoslint.render.helm.records import Parameter
from qoslint.render.renderspec import Environment

DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  selector: {matchLabels: {app: x}}
  template:
    metadata: {labels: {app: x}}
    spec:
      containers:
        - name: main
          image: image
          resources: {requests: {cpu: {{ .Values.cpu | quote }}}}
"""


@pytest.fixture
def chart(repository):
    """Writes a chart whose environments differ in the requested CPU."""

    def write(folder, **cpus):
        name = folder.rpartition("/")[2]
        repository.write(f"{folder}/Chart.yaml", f"apiVersion: v2\nname: {name}\nversion: 1.0.0\n")
        repository.write(f"{folder}/values.yaml", "cpu: 9\n")
        repository.write(f"{folder}/templates/deployment.yaml", DEPLOYMENT)
        for environment, cpu in cpus.items():
            repository.write(f"{folder}/values-{environment}.yaml", f"cpu: {cpu}\n")
        repository.charts[folder] = tuple(
            Environment(name, (f"{folder}/values-{name}.yaml",)) for name in cpus
        )

    return write


@pytest.fixture
def overlays(repository, deployment):
    """Writes a base with overlays that differ in the requested CPU."""

    def write(folder, **cpus):
        name = folder.rpartition("/")[2]
        repository.write(f"{folder}/base/kustomization.yaml", "resources: [d.yaml]\n")
        repository.write(f"{folder}/base/d.yaml", deployment(name, cpu="9"))
        for environment, cpu in cpus.items():
            patch = (
                f"resources: [../../base]\npatches:\n- target: {{kind: Deployment}}\n  patch: |\n"
                "    - op: replace\n"
                "      path: /spec/template/spec/containers/0/resources/requests/cpu\n"
                f"      value: '{cpu}'\n"
            )
            repository.write(f"{folder}/overlays/{environment}/kustomization.yaml", patch)

    return write


def requests(cluster):
    """By workload the CPU that it requests."""
    found = {}
    for workload in cluster.workloads:
        (container,) = workload.object.data["spec"]["template"]["spec"]["containers"]
        found[workload.object.name] = container["resources"]["requests"]["cpu"]
    return found


def each(clusters):
    return {name: requests(cluster) for name, cluster in clusters.items()}


def test_overlays_and_environments_of_charts_pair_by_their_segment(repository, overlays, chart):
    overlays("apps/a", staging=1, prod=2)
    chart("charts/b", staging=3, prod=4)
    clusters, (notice,) = repository.assemble()
    assert each(clusters) == {"prod": {"a": "2", "b": "4"}, "staging": {"a": "1", "b": "3"}}
    assert notice.message == (
        "Objects are defined in different ways (2 of them, first Deployment default/a in "
        "apps/a/overlays/prod/kustomization.yaml and apps/a/overlays/staging/kustomization.yaml), "
        "so the files are taken for 2 clusters: prod, staging. Declare `clusters` in the settings "
        "to say which files belong together."
    )


@pytest.mark.parametrize("first", ["overlays", "charts"])
def test_a_pair_of_pairs_makes_two_clusters_whatever_they_are_made_of(
    repository, overlays, chart, first
):
    for folder in ("x/a", "x/b"):
        write = overlays if first == "overlays" else chart
        write(folder, staging=1, prod=2)
    clusters, _ = repository.assemble()
    assert each(clusters) == {"prod": {"a": "2", "b": "2"}, "staging": {"a": "1", "b": "1"}}


def test_what_decides_in_the_segment_counts_for_the_environment(
    repository, chart, deployment, limit_range
):
    chart("charts/web", staging=1, prod=2)
    repository.write("platform/prod/limits.yaml", limit_range(namespace="default"))
    repository.write("platform/everywhere.yaml", deployment("agent"))
    clusters, _ = repository.assemble()
    ranges = {
        name: len(cluster.scope("default").limit_ranges) for name, cluster in clusters.items()
    }
    assert ranges == {"prod": 1, "staging": 0}
    assert each(clusters)["staging"] == {"agent": "1", "web": "1"}


def test_what_is_ambiguous_beside_environments_is_left_out_with_a_notice(
    repository, chart, limit_range
):
    chart("charts/web", staging=1, prod=2)
    repository.write("limits/a.yaml", limit_range(namespace="default", cpu="1"))
    repository.write("limits/b.yaml", limit_range(namespace="default", cpu="2"))
    clusters, notices = repository.assemble()
    assert [len(cluster.scope("default").limit_ranges) for cluster in clusters.values()] == [0, 0]
    assert [notice.message for notice in notices][1:] == [
        "LimitRange limits in limits/a.yaml is in no cluster, for other files define it in other "
        "ways, and so are 1 more objects that decide; pods are judged without."
    ]


def test_environments_in_namespaces_of_their_own_are_one_cluster(repository, chart):
    chart("charts/web", staging=1, prod=2)
    repository.charts["charts/web"] = tuple(
        each._replace(namespace=each.name) for each in repository.charts["charts/web"]
    )
    clusters, notices = repository.assemble()
    (cluster,) = clusters.values()
    assert sorted(cluster.namespace_of(item.object) for item in cluster.workloads) == [
        "prod",
        "staging",
    ]
    assert notices == ()


def test_a_chart_with_environments_is_not_rendered_with_its_bare_values(repository, chart):
    chart("charts/web", prod=2)
    chart("charts/bare")
    clusters, _ = repository.assemble()
    assert each(clusters) == {"default": {"web": "2", "bare": "9"}}


def test_a_later_file_counts_more_and_a_set_value_most(repository, chart):
    chart("charts/web", a=1, b=2)
    files = ("charts/web/values-a.yaml", "charts/web/values-b.yaml")
    for parameters, cpu in (((), "2"), ((Parameter("cpu", "3"),), "3")):
        repository.charts["charts/web"] = (Environment("prod", files, parameters),)
        clusters, _ = repository.assemble()
        assert each(clusters) == {"default": {"web": cpu}}


def test_an_environment_names_its_release_and_its_version(repository, chart):
    chart("charts/web")
    repository.write(
        "charts/web/templates/deployment.yaml",
        DEPLOYMENT.replace(".Values.cpu", ".Capabilities.KubeVersion.Minor"),
    )
    repository.charts["charts/web"] = (Environment("prod", release="shop", kubernetes="1.33"),)
    clusters, _ = repository.assemble()
    assert each(clusters) == {"default": {"shop": "33"}}


def test_values_that_cannot_be_read_are_told_where_they_are(repository, chart):
    chart("charts/web", prod=2)
    (repository.root / "charts/web/values-prod.yaml").write_bytes(b"\0")
    discovery = repository.discover()
    assert [(item.source.path, item.message) for item in discovery.broken] == [
        (
            "charts/web/values-prod.yaml",
            f"{OBJECT} is not rendered: its values cannot be read as text",
        )
    ]
    [unrendered] = discovery.unrendered
    assert unrendered.name == "charts/web (prod)"
    assert unrendered.files == ("charts/web/values-prod.yaml",)


def test_a_library_chart_has_no_environment(repository, chart):
    chart("charts/lib", prod=1)
    repository.write(
        "charts/lib/Chart.yaml", "apiVersion: v2\nname: lib\nversion: 1.0.0\ntype: library\n"
    )
    assert repository.discover().targets == 0


# Declared clusters.


def prod(*paths, **more):
    return ClusterSpec(name="prod", paths=paths, **more)


def test_a_declared_cluster_has_the_environment_of_its_name(repository, chart):
    chart("charts/web", staging=1, prod=2)
    both = [
        ClusterSpec(name=name, paths=("charts",), charts=("charts/web",))
        for name in ("staging", "prod")
    ]
    clusters, notices = repository.assemble(*both)
    assert each(clusters) == {"staging": {"web": "1"}, "prod": {"web": "2"}}
    assert notices == ()


def test_it_has_that_one_wherever_the_chart_lies_and_nothing_else_of_there(
    repository, chart, deployment
):
    chart("charts/web", staging=1, prod=2)
    repository.write("charts/web/more/plain.yaml", deployment("plain"))
    repository.write("clusters/prod/api.yaml", deployment("api", cpu="3"))
    clusters, _ = repository.assemble(prod("clusters/prod", charts=("charts/web",)))
    assert each(clusters) == {"prod": {"api": "3", "web": "2"}}


def test_without_one_of_its_name_it_has_all_that_lie_in_its_paths(repository, chart):
    chart("charts/web", eu=1, us=2)
    chart("other/web", eu=3)
    clusters, notices = repository.assemble(prod("charts"))
    assert [item.object.variant for item in clusters["prod"].workloads] == ["eu", "us"]
    assert [notice.message for notice in notices] == [
        "Deployment default/web is defined 2 times in cluster prod, in charts/web/Chart.yaml (eu) "
        "and charts/web/Chart.yaml (us); each is judged."
    ]


def test_charts_are_looked_at_one_by_one(repository, chart):
    chart("charts/web", staging=1, prod=2)
    chart("charts/api", eu=3)
    clusters, _ = repository.assemble(prod("charts", charts=("charts/web",)))
    assert each(clusters) == {"prod": {"web": "2", "api": "3"}}


def test_a_chart_in_the_root_is_one_too(repository, chart):
    chart(".", staging=1, prod=2)
    repository.charts = {
        "": tuple(Environment(name, (f"values-{name}.yaml",)) for name in ("staging", "prod"))
    }
    repository.write("Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n")
    clusters, _ = repository.assemble(prod(".", charts=(".",)))
    assert each(clusters) == {"prod": {"web": "2"}}


def test_budgets_of_another_environment_are_not_in_the_cluster(repository, chart):
    chart("charts/web", staging=1, prod=2)
    repository.write(
        "charts/web/templates/pdb.yaml",
        "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web}\n"
        "spec: {minAvailable: {{ .Values.cpu }}, selector: {matchLabels: {app: x}}}\n",
    )
    clusters, _ = repository.assemble(prod("charts", charts=("charts/web",)))
    assert [each.data["spec"]["minAvailable"] for each in clusters["prod"].budgets] == [2]


# What is piped in.


def test_what_is_piped_in_takes_the_place_of_the_same_object(repository, deployment):
    repository.write("a.yaml", deployment(cpu="1"), deployment("other", cpu="1"))
    repository.given = deployment(cpu="2").encode()
    for spec in (ClusterSpec(complete=False, declared=False), prod("a.yaml")):
        clusters, notices = repository.assemble(spec, paths=["<stdin>", "."])
        assert each(clusters) == {spec.name: {"api": "2", "other": "1"}}
        assert notices == ()


def test_what_is_piped_in_belongs_to_every_declared_cluster(repository, deployment):
    repository.write("a/a.yaml", deployment("a"))
    repository.write("b/b.yaml", deployment("b"))
    repository.given = deployment("c").encode()
    specs = [ClusterSpec(name=name, paths=(name,)) for name in ("a", "b")]
    clusters, _ = repository.assemble(*specs, paths=["<stdin>", "."])
    assert {name: sorted(found) for name, found in each(clusters).items()} == {
        "a": ["a", "c"],
        "b": ["b", "c"],
    }


def test_a_limit_range_without_a_namespace_counts_for_what_is_piped_in(
    repository, deployment, limit_range
):
    repository.write("platform/limits.yaml", limit_range())
    repository.given = deployment().encode()
    clusters, _ = repository.assemble(paths=["<stdin>", "platform"])
    (workload,) = clusters["default"].workloads
    assert len(clusters["default"].scope_of(workload.object).limit_ranges) == 1


@pytest.mark.parametrize("named", ["<stdin>", "kustomization.yaml"])
def test_no_file_stands_for_what_is_piped_in(repository, deployment, named):
    if named == "<stdin>":
        repository.write(named, deployment("file"))
    else:
        repository.write(named, "resources: ['<stdin>']")
    repository.given = deployment("piped").encode()
    discovery = repository.discover("<stdin>", ".")
    assert [item.data["metadata"]["name"] for item in discovery.documents][:1] == ["piped"]
    assert discovery.read[0] == "<stdin>"


def test_what_is_piped_in_is_plain_in_a_repository_that_is_a_chart(repository, chart, deployment):
    chart(".", prod=1)
    repository.given = deployment("piped").encode()
    discovery = repository.discover("<stdin>")
    assert (discovery.targets, discovery.read) == (0, ("<stdin>",))

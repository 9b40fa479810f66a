"""What of a repository is rendered, what is read as it is, and that nothing is lost in between."""

from __future__ import annotations

import pytest

CHART = "{apiVersion: v2, name: web, version: 1.0.0}\n"
REMOTE = "https://example.org/install.yaml"
SOPS = "sops: {mac: 'ENC[AES256_GCM,data:x]', version: 3.8.0}\n"


def deployment(name):
    return f"""\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}}}
spec:
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      containers:
      - name: main
        image: x
"""


def application(name, path):
    return f"""\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: {name}, namespace: argocd}}
spec:
  destination: {{namespace: prod}}
  source: {{repoURL: https://example.org/acme/shop.git, path: {path}}}
"""


@pytest.fixture
def checked(repository):
    repository.write({".git/config": '[remote "origin"]\nurl = https://example.org/acme/shop\n'})

    def run(files, *paths):
        return repository.write(files).check(*paths)

    return run


def pods(report):
    return [f"{line.namespace}/{line.name}" for line in report.pods]


def lines(report, rule):
    found = (each.location for each in report.findings if each.rule == rule)
    return [f"{each.file}:{each.span.start.line}" for each in found]


def test_what_lies_in_a_chart_and_is_no_part_of_it_is_read_as_it_is(checked):
    report = checked(
        {
            "Chart.yaml": CHART,
            "templates/web.yaml": deployment("web"),
            "k8s/other.yaml": deployment("other"),
        }
    )
    assert pods(report) == ["default/other", "default/web"]


def test_an_application_in_the_chart_that_it_deploys_is_obeyed(checked):
    report = checked(
        {
            "shop/Chart.yaml": CHART,
            "shop/templates/web.yaml": deployment("web"),
            "shop/argocd/app.yaml": application("web", "shop"),
        }
    )
    assert pods(report) == ["prod/web"]


def test_an_application_is_obeyed_beside_a_base_that_is_not_here(checked):
    report = checked(
        {
            "apps/kustomization.yaml": f"namePrefix: x-\nresources: [{REMOTE}, app.yaml]\n",
            "apps/app.yaml": application("web", "web"),
            "web/Chart.yaml": CHART,
            "web/templates/web.yaml": deployment("web"),
        }
    )
    assert pods(report) == ["prod/web"]
    assert lines(report, "QOS902") == ["apps/kustomization.yaml:2"]


def test_two_clusters_may_deploy_different_things_by_one_name(checked):
    report = checked(
        {
            "clusters/a/app.yaml": application("web", "overlays/a"),
            "clusters/b/app.yaml": application("web", "overlays/b"),
            "overlays/a/kustomization.yaml": "resources: [web.yaml]\n",
            "overlays/a/web.yaml": deployment("a"),
            "overlays/b/kustomization.yaml": "resources: [web.yaml]\n",
            "overlays/b/web.yaml": "# One more line.\n" + deployment("b"),
        }
    )
    assert lines(report, "QOS103") == ["overlays/a/web.yaml:10", "overlays/b/web.yaml:11"]


def test_each_that_is_not_rendered_counts_whatever_its_name(checked):
    missing = application("web", "web").replace("path: web", "chart: web")
    report = checked({f"clusters/{name}/app.yaml": missing for name in "abc"})
    assert report.coverage.gaps == {"target not rendered": 3}
    assert any("3 of 3 targets went unchecked" in each.message for each in report.notices)


def test_two_things_of_one_name_on_one_line_are_not_taken_for_one(checked):
    sets = """\
        apiVersion: argoproj.io/v1alpha1
        kind: ApplicationSet
        metadata: {name: all, namespace: argocd}
        spec:
          generators: [{list: {elements: [{path: a}, {path: b}]}}]
          template:
            metadata: {name: web}
            spec:
              destination: {namespace: prod}
              source: {repoURL: https://example.org/acme/shop.git, path: '{{path}}'}
        """
    report = checked({"set.yaml": sets, "a/a.yaml": deployment("a"), "b/b.yaml": deployment("b")})
    assert "prod/a" in pods(report)
    assert "is deployed by the same name" in report.findings[-1].message
    assert report.coverage.gaps == {"target not rendered": 1}


def test_a_chart_that_a_kustomization_inflates_is_judged_once(checked):
    report = checked(
        {
            "shop/kustomization.yaml": """\
                helmCharts: [{name: web, releaseName: web, valuesInline: {cpu: 2}}]
                """,
            "shop/charts/web/Chart.yaml": CHART,
            "shop/charts/web/values.yaml": "cpu: 1\n",
            "shop/charts/web/templates/web.yaml": deployment("web")
            + "        resources: {requests: {cpu: '{{ .Values.cpu }}'}}\n",
        }
    )
    assert pods(report) == ["default/web"]
    assert report.coverage.workloads == 1


def test_why_something_is_not_rendered_is_told_wherever_it_stands(checked):
    files = {
        "overlays/prod/kustomization.yaml": "resources: [../../base]\n",
        "base/kustomization.yaml": "resources: [gone.yaml]\n",
    }
    assert lines(checked(files, "overlays"), "QOS901") == ["base/kustomization.yaml:1"]


def test_what_is_deployed_as_it_is_and_cannot_be_read_is_counted(checked):
    files = {
        "app.yaml": application("web", "plain"),
        "plain/a.yaml": deployment("a"),
        "plain/b.yaml": deployment("b") + SOPS,
    }
    coverage = checked(files).coverage
    assert (coverage.read, coverage.not_understood) == (2, {"encrypted with SOPS": 1})


def test_an_encrypted_object_hides_nothing_else_of_a_kustomization(checked):
    report = checked(
        {
            "kustomization.yaml": "resources: [web.yaml, secret.yaml, hidden.yaml]\n",
            "web.yaml": deployment("web"),
            "secret.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n" + SOPS,
            "hidden.yaml": deployment("hidden") + SOPS,
        }
    )
    assert pods(report) == ["default/web"]
    assert any("encrypted with SOPS" in each.message for each in report.notices)


def test_of_two_applications_in_a_file_only_the_one_asked_for_counts(checked):
    files = {
        ".qoslint.yaml": "clusters: [{name: prod, paths: [.]}]\n",
        "apps.yaml": f"{application('a', 'a')}---\n{application('b', 'b')}",
        "a/a.yaml": deployment("a"),
        "b/b.yaml": deployment("b"),
    }
    coverage = checked(files, "a").coverage
    assert (coverage.workloads, coverage.unjudged) == (1, ())


def test_a_kustomization_that_something_deployed_includes_is_judged_once(checked):
    flux = """\
        apiVersion: source.toolkit.fluxcd.io/v1
        kind: GitRepository
        metadata: {name: shop, namespace: flux-system}
        spec: {url: https://example.org/acme/shop}
        ---
        apiVersion: kustomize.toolkit.fluxcd.io/v1
        kind: Kustomization
        metadata: {name: apps, namespace: flux-system}
        spec: {path: apps, targetNamespace: prod, sourceRef: {kind: GitRepository, name: shop}}
        """
    report = checked(
        {
            "cluster/flux.yaml": flux,
            "apps/web/kustomization.yaml": "resources: [web.yaml]\n",
            "apps/web/web.yaml": deployment("web"),
        }
    )
    assert pods(report) == ["prod/web"]


def test_applications_that_deploy_new_ones_over_and_over_come_to_an_end(checked):
    template = application("{{ .Release.Name }}x", "web")
    chart = {"web/Chart.yaml": CHART, "web/templates/app.yaml": template}
    report = checked(chart | {"app.yaml": application("x", "web")})
    assert any("were followed 10 times" in each.message for each in report.notices)


@pytest.mark.parametrize(("named", "rule"), [(REMOTE, "QOS902"), ("gone.yaml", "QOS901")])
def test_what_one_overlay_and_the_next_lack_is_told_once_for_both(checked, named, rule):
    report = checked(
        {
            "base/kustomization.yaml": f"resources:\n- {named}\n",
            "overlays/prod/kustomization.yaml": "resources: [../../base]\n",
            "overlays/test/kustomization.yaml": "resources: [../../base]\n",
        }
    )
    assert lines(report, rule) == ["base/kustomization.yaml:2"]
    [finding] = report.findings
    assert finding.objects == ("overlays/prod", "overlays/test")
    assert finding.message.startswith("overlays/prod is not rendered: ")


def test_what_one_copy_would_answer_for_is_told_at_the_first_place(checked):
    chart = "  source: {{repoURL: {url}, chart: web, targetRevision: {version}}}\n"
    text = application("web", "web").partition("  source")[0]
    report = checked(
        {
            "b.yaml": text.replace("web", "b")
            + chart.format(url="https://charts.example/", version="1.0.0"),
            "a.yaml": text.replace("web", "a")
            + chart.format(url="https://charts.example", version="2.0.0"),
        }
    )
    [finding] = report.findings
    assert (finding.rule, finding.location.file) == ("QOS902", "a.yaml")
    assert finding.objects == ("Application argocd/a", "Application argocd/b")
    assert [(each.location.file, each.message) for each in finding.related] == [
        ("b.yaml", "the same of Application argocd/b")
    ]


def test_files_of_one_remote_folder_are_told_once_and_others_apart(checked):
    named = ("x.org/v1/a.yaml", "x.org/v1/b.yaml", "x.org/v2/a.yaml", "x.org/v2//in?ref=v2")
    resources = "".join(f"- https://{each}\n" for each in named)
    report = checked({"kustomization.yaml": f"resources:\n{resources}"})
    assert lines(report, "QOS902") == ["kustomization.yaml:2", "kustomization.yaml:4"]


def test_a_chart_that_nobody_has_with_its_own_values_is_in_doubt(checked):
    template = application("web-{{ .Values.stage }}", "web").replace(
        "path: web}", "path: web, helm: {valueFiles: ['values-{{ .Values.stage }}.yaml']}}"
    )
    files = {
        "apps/Chart.yaml": CHART,
        "apps/values.yaml": "stage: ''\n",
        "apps/prod.yaml": "stage: prod\n",
        "apps/templates/web.yaml": template,
        "web/Chart.yaml": CHART,
    }
    [finding] = checked(files).findings
    assert finding.message.endswith(
        "apps, the chart that this comes from, is rendered with nothing but its own values; name "
        "those of its environments under `charts` in the settings."
    )
    settings = "charts: [{path: apps, environments: {prod: {values: [prod.yaml]}}}]\n"
    [finding] = checked({**files, ".qoslint.yaml": settings}).findings
    assert "values-prod.yaml" in finding.message
    assert "environments" not in finding.message

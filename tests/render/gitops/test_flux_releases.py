"""Flux: HelmReleases, their charts and values."""

from __future__ import annotations

from textwrap import indent

import pytest

from qoslint.render.flux.helmrelease import shortened
from qoslint.render.helm.records import Chart, Parameter
from qoslint.render.helm.values import of_layers
from qoslint.render.target import Target

CHART = {"charts/web/Chart.yaml": "name: web\nversion: 1.0.0\n"}


def config_map(name: str, data: str, namespace: str = "shop") -> str:
    return f"""\
apiVersion: v1
kind: ConfigMap
metadata: {{name: {name}, namespace: {namespace}}}
data:
{indent(data, "  ")}
"""


def test_a_release_renders_the_chart_in_its_namespace_without_tests(flux, release):
    (target,) = flux({**CHART, "release.yaml": release()})
    assert target == Target(
        "HelmRelease shop/web",
        "release.yaml",
        Chart("charts/web", "web", "shop", "1.36", skip_tests=True),
        line=9,
        namespace="shop",
    )


def test_a_target_namespace_goes_into_the_name_of_the_release(flux, release):
    (target,) = flux({**CHART, "r.yaml": release("targetNamespace: other\nstorageNamespace: x")})
    assert (target.what.release, target.what.namespace) == ("other-web", "other")
    named = release("targetNamespace: other\nreleaseName: mine\ntest: {enable: true}")
    (target,) = flux({**CHART, "r.yaml": named})
    assert target.what.release == "mine"
    assert not target.what.skip_tests


def test_long_release_names_are_shortened_with_a_hash():
    assert shortened("a" * 53) == "a" * 53
    long = shortened("a" * 54)
    assert len(long) == 53
    assert long.startswith("a" * 40 + "-")


def test_values_are_merged_in_order_and_inline_ones_win(flux, release):
    spec = """
        valuesFrom:
          - {kind: ConfigMap, name: base}
          - {kind: Secret, name: more, valuesKey: prod.yaml}
          - {kind: ConfigMap, name: gone, optional: true}
        values: {who: inline}
    """
    kept = {
        "base.yaml": config_map("base", "values.yaml: |\n  base: 1\n  who: base\n  m: 1"),
        "more.yaml": """\
            kind: Secret
            metadata: {name: more, namespace: shop}
            stringData: {prod.yaml: "more: 1\\nm: 2\\n"}
        """,
    }
    (target,) = flux({**CHART, **kept, "r.yaml": release(spec)})
    assert of_layers(target.what.layers) == {"base": 1, "more": 1, "m": 2, "who": "inline"}
    assert [each.file for each in target.what.layers] == ["base.yaml", "more.yaml", "r.yaml"]


def test_values_that_are_not_here_are_said_to_be_left_out(flux, release):
    spec = """
        valuesFrom:
          - {kind: ConfigMap, name: gone}
          - {kind: Secret, name: password, targetPath: auth.password, valuesKey: password}
    """
    *notices, target = flux({**CHART, "r.yaml": release(spec)})
    assert [each.line for each in notices] == [15, 16]
    assert target.what.parameters == (Parameter("auth.password", "held by a secret", True),)


@pytest.mark.parametrize(
    ("content", "literal", "expected"),
    [
        ("5", "", Parameter("x.y", "5")),
        ("'5'", "", Parameter("x.y", "5", force_string=True)),
        ("a,b", ", literal: true", Parameter("x.y", "a,b", literal=True)),
    ],
)
def test_single_values_are_put_at_their_path(flux, release, content, literal, expected):
    spec = f"valuesFrom: [{{kind: ConfigMap, name: c, targetPath: x.y, valuesKey: k{literal}}}]\n"
    kept = {"c.yaml": config_map("c", f'k: "{content}"')}
    (target,) = flux({**CHART, **kept, "r.yaml": release(spec)})
    assert target.what.parameters == (expected,)


@pytest.mark.parametrize(
    ("before", "path", "after", "values", "stays"),
    [
        ("", "a.b", "", "{}", True),
        ("", "a.b", "", "{other: 1}", True),
        ("", "a.b", "a: {c: 1}", "{}", True),
        ("", "a.b", "a: {b: 1}", "{}", False),
        # At the top level the values of the release are merged over it again.
        ("", "a", "", "{a: 1}", False),
        # A mapping of the release that was merged with nothing keeps what is put into it.
        ("", "a.b", "", "{a: {b: 1}}", True),
        ("", "a.b", "a: {c: 1}", "{a: {b: 1}}", True),
        ("a: {c: 1}", "a.b", "", "{a: {b: 1}}", False),
        ("a: {c: 1}", "a.b", "", "{a: {d: 1}}", True),
        ("", "a[0]", "a: [1]", "{}", False),
        ("", "a[0]", "", "{a: [1]}", True),
        ("", "a.b[0]", "a: {b: [1]}", "{a: {b: [2]}}", True),
    ],
)
def test_whether_a_single_value_stays_is_told_as_flux_merges(
    flux, release, before, path, after, values, stays
):
    spec = f"""
        valuesFrom:
          - {{kind: ConfigMap, name: before, optional: true}}
          - {{kind: ConfigMap, name: c, targetPath: '{path}', valuesKey: k}}
          - {{kind: ConfigMap, name: after, optional: true}}
        values: {values}
    """
    kept = {"c.yaml": config_map("c", "k: '5'")}
    for name, content in (("before", before), ("after", after)):
        if content:
            kept[f"{name}.yaml"] = config_map(name, f"values.yaml: '{content}'")
    (target,) = flux({**CHART, **kept, "r.yaml": release(spec)})
    assert bool(target.what.parameters) is stays


def test_post_renderers_are_passes_over_the_output(flux, release):
    spec = """
        postRenderers:
          - kustomize: {patches: [{patch: a}], images: [{name: web, newTag: "2"}]}
          - kustomize: {patches: [{patch: b}]}
          - kustomize: {}
        commonMetadata: {labels: {team: a}}
    """
    (target,) = flux({**CHART, "r.yaml": release(spec)})
    assert target.passes == (
        {"patches": [{"patch": "a"}], "images": [{"name": "web", "newTag": "2"}]},
        {"patches": [{"patch": "b"}]},
        {"labels": [{"pairs": {"team": "a"}, "includeSelectors": False}]},
    )


def test_values_files_lie_over_those_of_the_chart_only_if_these_come_first(flux, release):
    kept = {**CHART, "charts/web/values.yaml": "a: 1\n", "charts/web/prod.yaml": "a: 2\n"}
    files = "valuesFiles: [./charts/web/values.yaml, charts/web/prod.yaml]"
    text = release().replace("      chart: ./charts/web", f"      chart: charts/web\n      {files}")
    (target,) = flux({**kept, "r.yaml": text})
    assert [each.file for each in target.what.layers] == ["charts/web/prod.yaml"]
    (missing,) = flux({**kept, "r.yaml": text.replace("./charts/web/values.yaml, ", "")})
    assert "in the place of the chart's own values" in missing.message


OCI = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: podinfo, namespace: shop}
spec:
  chartRef: {kind: OCIRepository, name: podinfo}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {name: podinfo, namespace: shop}
spec: {url: oci://ghcr.io/stefanprodan/charts/podinfo, ref: {tag: 6.5.0}}
"""


def test_charts_of_registries_are_missing_unless_a_copy_is_here(flux):
    (missing,) = flux({"r.yaml": OCI})
    assert (missing.line, missing.remote) == (5, ("ghcr.io/stefanprodan/charts/podinfo", True))
    assert "podinfo (OCIRepository shop/podinfo, oci://ghcr.io/" in missing.message
    chart = "name: podinfo\nversion: 6.5.0\n"
    (target,) = flux({"r.yaml": OCI, "charts/podinfo-6.5.0/podinfo/Chart.yaml": chart})
    assert target.what.folder == "charts/podinfo-6.5.0/podinfo"
    remotes = {"oci://ghcr.io/stefanprodan/charts": "third"}
    (target,) = flux({"r.yaml": OCI, "third/podinfo/Chart.yaml": chart}, remotes=remotes)
    assert target.what.folder == "third/podinfo"


def test_a_helm_chart_object_is_followed(flux):
    text = """\
        apiVersion: helm.toolkit.fluxcd.io/v2
        kind: HelmRelease
        metadata: {name: web, namespace: shop}
        spec:
          chartRef: {kind: HelmChart, name: web, namespace: flux-system}
        ---
        apiVersion: source.toolkit.fluxcd.io/v1
        kind: HelmChart
        metadata: {name: web, namespace: flux-system}
        spec: {chart: charts/web, sourceRef: {kind: GitRepository, name: flux-system}}
        ---
        apiVersion: source.toolkit.fluxcd.io/v1
        kind: GitRepository
        metadata: {name: flux-system, namespace: flux-system}
        spec: {url: https://github.com/acme/deploy}
    """
    (target,) = flux({**CHART, "r.yaml": text})
    assert target.what.folder == "charts/web"


def test_a_chart_that_is_not_at_its_path_is_told(flux, release):
    (missing,) = flux({**CHART, "r.yaml": release(chart="charts/gone")})
    assert (missing.line, missing.remote) == (9, None)

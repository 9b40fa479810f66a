"""Applications: what they name is found, with the tool, the values and the options of Argo CD."""

from __future__ import annotations

import pytest

from qoslint.finding import Notice
from qoslint.render.argo.folders import files
from qoslint.render.argo.kustomizations import image
from qoslint.render.helm.records import Chart, Parameter
from qoslint.render.helm.values import of_layers
from qoslint.render.kustomize.overlay import Overlay
from qoslint.render.sources import Repository
from qoslint.render.target import Folder, Missing, Target

CHART = {"charts/web/Chart.yaml": "name: web\nversion: 1.0.0\n", "charts/web/values.yaml": "a: 1\n"}


def _chart(found):
    (target,) = found
    assert isinstance(target, Target), target
    assert isinstance(target.what, Chart)
    return target.what


def test_a_chart_gets_its_release_namespace_and_version_from_the_application(argo, application):
    (target,) = argo({**CHART, "app.yaml": application("path: charts/web")})
    assert target == Target(
        "Application argocd/web",
        "app.yaml",
        Chart("charts/web", "web", "shop", "1.36"),
        line=11,
        namespace="shop",
    )


def test_helm_options_reach_the_chart(argo, application):
    source = """
        path: charts/web
        helm:
          releaseName: other
          namespace: elsewhere
          kubeVersion: v1.30.2
          apiVersions: [monitoring.coreos.com/v1]
          skipCrds: true
          skipTests: true
          skipSchemaValidation: true
    """
    chart = _chart(argo({**CHART, "app.yaml": application(source)}))
    assert (chart.release, chart.namespace, chart.kubernetes) == ("other", "elsewhere", "1.30.2")
    assert chart.api_versions == ("monitoring.coreos.com/v1",)
    assert (chart.skip_crds, chart.skip_tests, chart.skip_schema) == (True, True, True)


def test_later_values_files_count_more_and_inline_values_most(argo, application):
    source = """
        path: charts/web
        helm:
          valueFiles: [prod.yaml, /shared/all.yaml, ../extra.yaml]
          values: |
            inline: 1
            who: inline
    """
    files_ = {
        "charts/web/prod.yaml": "prod: 1\nwho: prod\n",
        "shared/all.yaml": "all: 1\nwho: all\n",
        "charts/extra.yaml": "extra: 1\nwho: extra\n",
    }
    chart = _chart(argo({**CHART, **files_, "app.yaml": application(source)}))
    assert of_layers(chart.layers) == {
        "prod": 1,
        "all": 1,
        "extra": 1,
        "inline": 1,
        "who": "inline",
    }
    assert [layer.file for layer in chart.layers][-1] == "app.yaml"


def test_a_values_object_replaces_values_instead_of_being_merged_with_them(argo, application):
    source = """
        path: charts/web
        helm:
          values: "from: values\\nkept: no\\n"
          valuesObject: {from: object}
    """
    chart = _chart(argo({**CHART, "app.yaml": application(source)}))
    assert of_layers(chart.layers) == {"from": "object"}


def test_parameters_are_cleaned_and_forced_ones_come_after(argo, application):
    source = """
        path: charts/web
        helm:
          fileParameters: [{name: config, path: files/config.txt}]
          parameters:
            - {name: tag, value: "1.10", forceString: true}
            - {name: args, value: "a,b"}
            - {name: list, value: "{a,b}"}
            - {name: app, value: $ARGOCD_APP_NAME-$$x}
    """
    files_ = {"charts/web/files/config.txt": "x = 1,2\n"}
    chart = _chart(argo({**CHART, **files_, "app.yaml": application(source)}))
    assert chart.parameters == (
        Parameter("args", "a\\,b"),
        Parameter("list", "{a,b}"),
        Parameter("app", "web-$x"),
        Parameter("tag", "1.10", force_string=True),
        Parameter("config", "x = 1,2\n", literal=True),
    )


def test_globs_take_values_files_in_order_but_not_those_that_are_named(argo, application):
    source = """
        path: charts/web
        helm:
          valueFiles: [envs/**/*.yaml, envs/a.yaml]
    """
    files_ = dict.fromkeys(["charts/web/envs/a.yaml", "charts/web/envs/b.yaml"], "x: 1\n")
    files_["charts/web/envs/deep/er/c.yaml"] = "x: 1\n"
    chart = _chart(argo({**CHART, **files_, "app.yaml": application(source)}))
    assert [layer.file for layer in chart.layers] == [
        "charts/web/envs/b.yaml",
        "charts/web/envs/deep/er/c.yaml",
        "charts/web/envs/a.yaml",
    ]


@pytest.mark.parametrize("file", ["gone.yaml", "gone-*.yaml"])
def test_a_missing_values_file_is_told_at_its_line_unless_it_may_be_missing(
    argo, application, file
):
    source = f"path: charts/web\nhelm:\n  valueFiles:\n    - '{file}'\n"
    (missing,) = argo({**CHART, "app.yaml": application(source)})
    assert isinstance(missing, Missing)
    assert (missing.file, missing.line, missing.remote) == ("app.yaml", 14, None)
    assert f"'{file}'" in missing.message
    source += "  ignoreMissingValueFiles: true\n"
    assert _chart(argo({**CHART, "app.yaml": application(source)})).layers == ()


@pytest.mark.parametrize(
    "file", ["../../../etc/passwd", "https://example.com/v.yaml", "secrets://x"]
)
def test_values_from_outside_are_refused(argo, application, file):
    source = f"path: charts/web\nhelm: {{valueFiles: ['{file}']}}\n"
    (missing,) = argo({**CHART, "app.yaml": application(source)})
    assert isinstance(missing, Missing)


def test_values_come_from_another_source_by_its_reference(argo, application):
    text = application("path: charts/web").replace(
        "  source:\n    repoURL: https://github.com/acme/deploy\n    path: charts/web\n",
        """  sources:
    - repoURL: https://github.com/acme/deploy
      path: charts/web
      helm: {valueFiles: [$values/envs/prod.yaml]}
    - repoURL: git@github.com:acme/deploy.git
      ref: values
""",
    )
    (target,) = argo({**CHART, "envs/prod.yaml": "a: 2\n", "app.yaml": text})
    assert target.name == "Application argocd/web, source 1"
    assert [layer.file for layer in target.what.layers] == ["envs/prod.yaml"]
    elsewhere = text.replace("git@github.com:acme/deploy.git", "https://github.com/acme/values")
    (missing,) = argo({**CHART, "envs/prod.yaml": "a: 2\n", "app.yaml": elsewhere})
    assert missing.remote
    assert missing.line == 12
    (target,) = argo(
        {**CHART, "copies/envs/prod.yaml": "a: 2\n", "app.yaml": elsewhere},
        remotes={"https://github.com/acme/values": "copies"},
    )
    assert [layer.file for layer in target.what.layers] == ["copies/envs/prod.yaml"]


def test_kustomize_options_become_what_argo_writes_into_the_kustomization(argo, application):
    source = """
        path: overlays/prod
        kustomize:
          namePrefix: p-
          nameSuffix: -s
          namespace: there
          images: ["web=registry.example.com/web:1.2", "db:5"]
          replicas: [{name: web, count: "3"}, {name: db, count: 2}]
          commonLabels: {team: a}
          commonAnnotations: {note: $ARGOCD_APP_NAME}
          components: [../../components/gone, ../../components/there]
          ignoreMissingComponents: true
          patches:
            - target: {kind: Deployment}
              patch: "- {op: remove, path: /spec/replicas}"
    """
    kept = {
        "overlays/prod/kustomization.yaml": "resources: []\n",
        "components/there/kustomization.yaml": "kind: Component\n",
    }
    (target,) = argo({**kept, "app.yaml": application(source)})
    assert isinstance(target.what, Overlay)
    assert target.what.folder == "overlays/prod"
    assert not target.what.load_restrictor_none
    assert target.what.additions == {
        "namePrefix": "p-",
        "nameSuffix": "-s",
        "namespace": "there",
        "images": [
            {"name": "web", "newName": "registry.example.com/web", "newTag": "1.2"},
            {"name": "db", "newTag": "5"},
        ],
        "replicas": [{"name": "web", "count": 3}, {"name": "db", "count": 2}],
        "commonLabels": {"team": "a"},
        "commonAnnotations": {"note": "$ARGOCD_APP_NAME"},
        "components": ["../../components/there"],
        "patches": [
            {"target": {"kind": "Deployment"}, "patch": "- {op: remove, path: /spec/replicas}"}
        ],
    }


def test_labels_without_selectors_stay_out_of_selectors(argo, application):
    source = "path: a\nkustomize: {commonLabels: {team: a}, labelWithoutSelector: true}\n"
    (target,) = argo({"a/kustomization.yaml": "", "app.yaml": application(source)})
    assert target.what.additions == {
        "labels": [{"pairs": {"team": "a"}, "includeSelectors": False, "includeTemplates": False}]
    }


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ("web=other", {"name": "web", "newName": "other"}),
        ("web=other:1", {"name": "web", "newName": "other", "newTag": "1"}),
        ("web=host:5000/other:1", {"name": "web", "newName": "host:5000/other", "newTag": "1"}),
        ("web=other@sha256:ab", {"name": "web", "newName": "other", "digest": "sha256:ab"}),
        ("web:1", {"name": "web", "newTag": "1"}),
        ("web@sha256:ab", {"name": "web", "digest": "sha256:ab"}),
        ("web=*:2", {"name": "web", "newTag": "2"}),
        ("web", {}),
        ("=x:1", {}),
        ("", {}),
    ],
)
def test_images_are_read_as_kustomize_edit_set_image_reads_them(argument, expected):
    assert image(argument) == expected


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (["Chart.yaml"], Chart),
        (["kustomization.yaml"], Overlay),
        (["Kustomization"], Overlay),
        # The last name in the order of the files counts.
        (["Chart.yaml", "kustomization.yaml"], Overlay),
        (["deployment.yaml"], Folder),
        (["inner/Chart.yaml"], Folder),
    ],
)
def test_the_tool_is_told_by_the_files_of_the_folder(argo, application, names, kind):
    (target,) = argo({**{f"x/{name}": "" for name in names}, "app.yaml": application("path: x")})
    assert isinstance(target.what, kind)


def test_stated_options_decide_and_empty_ones_do_not(argo, application):
    kept = {"x/Chart.yaml": "", "x/kustomization.yaml": ""}
    stated = application("path: x\ndirectory: {recurse: true}\nhelm: {releaseName: ''}\n")
    (target,) = argo({**kept, "app.yaml": stated})
    assert target.what == Folder("x", recurse=True)
    both = application("path: x\ndirectory: {recurse: true}\nhelm: {releaseName: a}\n")
    (missing,) = argo({**kept, "app.yaml": both})
    assert "takes only one" in missing.message


def test_plain_files_are_chosen_by_argos_globs_where_a_star_crosses_folders(argo, application):
    source = "path: x\ndirectory: {recurse: true, include: '*.yaml', exclude: '{b,c}/*'}\n"
    kept = dict.fromkeys(["x/a.yaml", "x/a.json", "x/b/b.yaml", "x/d/e/f.yaml", "x/readme.md"], "")
    kept["x/skipped.yaml"] = "# +argocd:skip-file-rendering\n"
    (target,) = argo({**kept, "app.yaml": application(source)})
    repository = Repository(sorted(kept), kept.get, "1.36")
    assert list(files(target.what, repository)) == ["x/a.yaml", "x/d/e/f.yaml"]
    flat = target.what._replace(recurse=False, include="*", exclude="")
    assert list(files(flat, repository)) == ["x/a.json", "x/a.yaml"]


def test_plugins_and_jsonnet_are_said_not_to_be_rendered(argo, application):
    plugin = application("path: x\nplugin: {name: cdk8s}\n")
    (missing,) = argo({"x/a.yaml": "", "app.yaml": plugin})
    assert "plugin" in missing.message
    assert not missing.remote
    (missing,) = argo({"x/a.jsonnet": "", "app.yaml": application("path: x")})
    assert "'x/a.jsonnet' is Jsonnet" in missing.message


def test_a_chart_of_a_repository_is_missing_unless_a_copy_is_here(argo, application):
    text = application("chart: redis\ntargetRevision: 1.2.3").replace(
        "https://github.com/acme/deploy", "https://charts.example.com"
    )
    (missing,) = argo({"app.yaml": text})
    assert missing.remote
    assert missing.line == 11
    assert "redis of https://charts.example.com, version 1.2.3" in missing.message
    right = {"charts/redis/Chart.yaml": "name: redis\nversion: 1.2.3\n"}
    assert _chart(argo({**right, "app.yaml": text})).folder == "charts/redis"
    wrong = {"charts/redis/Chart.yaml": "name: redis\nversion: 1.2.4\n"}
    (missing,) = argo({**wrong, "app.yaml": text})
    assert missing.remote
    mapped = {"third/redis/Chart.yaml": "name: redis\nversion: 9.9.9\n"}
    found = argo({**mapped, "app.yaml": text}, remotes={"https://charts.example.com/": "third"})
    assert _chart(found).folder == "third/redis"


def test_another_repository_is_missing_at_the_line_that_names_it(argo, application):
    text = application("path: charts/web").replace("acme/deploy", "acme/other")
    (missing,) = argo({**CHART, "app.yaml": text})
    assert missing.remote
    assert missing.line == 10
    # A group of repositories counts for all in it.
    found = argo(
        {"copies/other/charts/web/Chart.yaml": "", "app.yaml": text},
        remotes={"git@github.com:acme": "copies"},
    )
    assert _chart(found).folder == "copies/other/charts/web"


def test_without_remotes_the_only_address_that_fits_is_taken_and_said(argo, application):
    kept = {**CHART, "app.yaml": application("path: charts/web")}
    notice, target = argo(kept, origins=())
    assert isinstance(notice, Notice)
    assert "'https://github.com/acme/deploy' is taken for this repository" in notice.message
    assert target.what.folder == "charts/web"
    other = application("path: charts/web", name="b").replace("acme/deploy", "acme/fork")
    found = argo({**kept, "other.yaml": other}, origins=())
    assert all(isinstance(each, Missing) and each.remote for each in found)
    # In a fork, the name of the repository must be that of a remote.
    assert isinstance(argo(kept, origins=("git@github.com:me/deploy.git",))[1], Target)
    (missing,) = argo(kept, origins=("git@github.com:me/elsewhere.git",))
    assert missing.remote
    other = application("path: charts/gone", name="b").replace("acme/deploy", "acme/fork")
    _, first, second = argo({**kept, "other.yaml": other}, origins=())
    assert isinstance(first, Target)
    assert second.remote


@pytest.mark.parametrize("path", ["..", "charts/../../x", "gone", "''", "/etc"])
def test_paths_that_are_not_there_are_told(argo, application, path):
    (missing,) = argo({**CHART, "app.yaml": application(f"path: {path}")})
    assert isinstance(missing, Missing)
    assert missing.line == 11


def test_files_beside_the_chart_override_the_application(argo, application):
    kept = {
        **CHART,
        "charts/web/.argocd-source.yaml": "helm: {valuesObject: {b: 2, c: 2}}\npath: evil\n",
        "charts/web/.argocd-source-web.yaml": "helm: {releaseName: named}\n",
        "charts/web/.argocd-source-api.yaml": "helm: {releaseName: other}\n",
        "app.yaml": application("path: charts/web\nhelm: {valuesObject: {a: 1, b: 1}}\n"),
    }
    chart = _chart(argo(kept))
    assert chart.release == "named"
    assert of_layers(chart.layers) == {"a": 1, "b": 2, "c": 2}


def test_applications_in_lists_have_their_own_lines(argo, application):
    inner = application("path: gone").replace("\n", "\n    ").rstrip()
    (missing,) = argo({"all.yaml": f"apiVersion: v1\nkind: List\nitems:\n  - {inner}\n"})
    assert missing.name == "Application argocd/web"
    assert missing.line == 14


def test_hydrated_applications_render_their_dry_source(argo, application):
    text = application("path: charts/web").replace("  source:", "  sourceHydrator:\n   drySource:")
    assert _chart(argo({**CHART, "app.yaml": text})).folder == "charts/web"


@pytest.mark.parametrize(("revision", "said"), [("HEAD", 0), ("main", 0), ("v1", 1), ("''", 0)])
def test_another_revision_than_is_checked_out_is_said(argo, application, revision, said):
    text = application(f"path: charts/web\ntargetRevision: {revision}")
    found = argo({**CHART, "app.yaml": text}, branch="main")
    assert [each.line for each in found if isinstance(each, Notice)] == [12] * said

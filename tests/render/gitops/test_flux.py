"""Flux: Kustomizations, HelmReleases, and what their sources mean."""

from __future__ import annotations

import base64
from textwrap import indent

import pytest

from qoslint.finding import Notice
from qoslint.render.kustomize.overlay import Overlay
from qoslint.render.target import Missing, Target

APPS = {"apps/kustomization.yaml": "resources: []\n"}
CHART = {"charts/web/Chart.yaml": "name: web\nversion: 1.0.0\n"}


def config_map(name: str, data: str, namespace: str = "shop") -> str:
    return f"""\
apiVersion: v1
kind: ConfigMap
metadata: {{name: {name}, namespace: {namespace}}}
data:
{indent(data, "  ")}
"""


def _targets(found):
    assert all(isinstance(each, Target) for each in found), found
    return found


def test_a_kustomization_is_built_with_what_flux_adds(flux, kustomization):
    spec = """
        path: ./apps
        targetNamespace: shop
        namePrefix: p-
        components: [../components/a, ../components/gone]
        ignoreMissingComponents: true
        images: [{name: web, newTag: "2"}]
        patches: [{patch: x, target: {kind: Deployment}}]
        commonMetadata: {labels: {team: a}}
    """
    kept = {**APPS, "components/a/kustomization.yaml": ""}
    (target,) = flux({**kept, "sync.yaml": kustomization(spec)})
    assert target.name == "Kustomization flux-system/apps"
    assert (target.file, target.line, target.namespace) == ("sync.yaml", 10, "shop")
    assert target.variables is None
    assert target.what == Overlay(
        "apps",
        {
            "namespace": "shop",
            "namePrefix": "p-",
            "components": ["../components/a"],
            "images": [{"name": "web", "newTag": "2"}],
            "patches": [{"patch": "x", "target": {"kind": "Deployment"}}],
            "labels": [{"pairs": {"team": "a"}, "includeSelectors": False}],
        },
        load_restrictor_none=True,
    )


def test_common_annotations_stay_out_of_pod_templates(flux, kustomization):
    spec = "path: apps\ncommonMetadata: {annotations: {note: x}}\n"
    (target,) = flux({**APPS, "sync.yaml": kustomization(spec)})
    (transformer,) = target.what.additions["transformers"]
    assert '"metadata/annotations"' in transformer
    assert "\n" in transformer


def test_a_folder_without_kustomization_holds_all_of_its_files(flux, kustomization):
    kept = dict.fromkeys(
        [
            "apps/b.yml",
            "apps/a.yaml",
            "apps/notes.json",
            "apps/inner/c.yaml",
            "apps/built/kustomization.yaml",
            "apps/built/d.yaml",
            "apps/built/deeper/e.yaml",
            "apps/x/y/kustomization.yml",
        ],
        "",
    )
    (target,) = flux({**kept, "sync.yaml": kustomization()})
    assert target.what.additions["resources"] == [
        "./a.yaml",
        "./b.yml",
        "./built",
        "./inner/c.yaml",
        "./x/y",
    ]


@pytest.mark.parametrize("path", ["../../apps", "/apps", "./apps/"])
def test_paths_stay_inside_of_the_source(flux, kustomization, path):
    (target,) = flux({**APPS, "sync.yaml": kustomization(f"path: {path}")})
    assert target.what.folder == "apps"


def test_a_folder_that_is_not_there_is_told_at_its_line(flux, kustomization):
    (missing,) = flux({**APPS, "sync.yaml": kustomization("path: gone")})
    assert (missing.line, missing.remote) == (10, None)


def test_variables_come_from_config_maps_and_secrets_and_inline_ones_win(flux, kustomization):
    spec = """
        path: apps
        postBuild:
          substituteFrom:
            - {kind: ConfigMap, name: first}
            - {kind: Secret, name: second}
          substitute: {C: inline}
    """
    secret = base64.b64encode(b"second\n").decode()
    kept = {
        "first.yaml": config_map("first", "A: first\nB: first\nC: first", "flux-system"),
        "second.yaml": f"""\
            kind: Secret
            metadata: {{name: second, namespace: flux-system}}
            data: {{B: {secret}, bad: '%%%'}}
        """,
    }
    (target,) = flux({**APPS, **kept, "sync.yaml": kustomization(spec)})
    assert target.variables == {"A": "first", "B": "second", "C": "inline"}
    assert target.knows_variables


def test_variables_that_are_not_here_are_said_to_be_unknown(flux, kustomization):
    spec = "path: apps\npostBuild: {substituteFrom: [{kind: Secret, name: gone}]}\n"
    notice, target = flux({**APPS, "sync.yaml": kustomization(spec)})
    assert isinstance(notice, Notice)
    assert "Secret gone" in notice.message
    assert target.variables == {}
    assert not target.knows_variables


def test_an_encrypted_secret_is_not_here(flux, kustomization):
    spec = "path: apps\npostBuild: {substituteFrom: [{kind: Secret, name: s}]}\n"
    secret = """\
        kind: Secret
        metadata: {name: s, namespace: flux-system}
        stringData: {A: 'ENC[AES256_GCM,data:x]'}
        sops: {mac: x}
    """
    found = flux({**APPS, "s.yaml": secret, "sync.yaml": kustomization(spec)})
    assert not found[-1].knows_variables


def test_a_name_that_is_no_variable_stops_the_kustomization(flux, kustomization):
    spec = "path: apps\npostBuild: {substitute: {'a-b': x}}\n"
    (missing,) = flux({**APPS, "sync.yaml": kustomization(spec)})
    assert "'a-b'" in missing.message


def test_a_source_of_another_repository_is_missing_at_its_reference(flux, kustomization):
    text = kustomization("path: apps").replace("acme/deploy", "acme/other")
    (missing,) = flux({**APPS, "sync.yaml": text})
    assert missing.remote
    assert missing.line == 7
    (target,) = flux(
        {"copy/apps/a.yaml": "", "sync.yaml": text},
        remotes={"https://github.com/acme/other": "copy"},
    )
    assert target.what.folder == "copy/apps"


def test_a_source_that_is_not_stated_is_this_repository_if_all_its_paths_are_here(
    flux, kustomization
):
    text = kustomization("path: apps").partition("---")[0]
    notice, target = flux({**APPS, "sync.yaml": text}, origins=())
    assert "'GitRepository flux-system/flux-system' is taken" in notice.message
    assert target.what.folder == "apps"
    (missing,) = flux({**APPS, "sync.yaml": kustomization("path: gone").partition("---")[0]})
    assert missing.remote


def test_an_instance_syncs_its_source(flux):
    text = """\
        apiVersion: fluxcd.controlplane.io/v1
        kind: FluxInstance
        metadata: {name: flux, namespace: flux-system}
        spec:
          sync: {kind: GitRepository, url: "https://github.com/acme/deploy.git", path: apps}
    """
    (target,) = flux({**APPS, "instance.yaml": text})
    assert target.name == "Kustomization flux-system/flux-system"
    assert target.what.folder == "apps"


ARTIFACTS = """\
apiVersion: source.extensions.fluxcd.io/v1beta1
kind: ArtifactGenerator
metadata: {{name: all, namespace: flux-system}}
spec:
  sources: [{{alias: repo, kind: GitRepository, name: flux-system}}]
  artifacts:
    - name: apps
      copy: {copies}
"""


def _artifact(flux, kustomization, copies, path, **files):
    sync = kustomization(f"path: {path}").replace(
        "kind: GitRepository\n    name: flux-system", ("kind: ExternalArtifact\n    name: apps"), 1
    )
    kept = {
        "apps/base/kustomization.yaml": "",
        "apps/prod/kustomization.yaml": "resources: [../base]\n",
        "infra/a.yaml": "",
        "artifacts.yaml": ARTIFACTS.format(copies=copies),
        "sync.yaml": sync,
    }
    return flux({**kept, **files})


@pytest.mark.parametrize(
    ("copies", "path", "folder"),
    [
        (
            "[{from: '@repo/apps/base/**', to: '@artifact/base/'},"
            " {from: '@repo/apps/prod/**', to: '@artifact/prod/'}]",
            "./prod",
            "apps/prod",
        ),
        ("[{from: '@repo/apps/**', to: '@artifact/'}]", "prod", "apps/prod"),
        ("[{from: '@repo/**', to: '@artifact/'}]", "infra", "infra"),
        ("[{from: '@repo/apps', to: '@artifact/'}]", "apps/prod", "apps/prod"),
        ("[{from: '@repo/infra/**', to: '@artifact/x'}]", "x", "infra"),
        ("[{from: '@repo/infra/**', to: '@artifact/x'}]", "infra", None),
        # The base of the overlay would lie elsewhere.
        (
            "[{from: '@repo/apps/prod/**', to: '@artifact/prod/'},"
            " {from: '@repo/apps/base/**', to: '@artifact/x/base/'}]",
            "prod",
            None,
        ),
        ("[{from: '@repo/apps/*.tgz', to: '@artifact/', strategy: Extract}]", "prod", None),
        ("[{from: '@other/apps/**', to: '@artifact/'}]", "prod", None),
        ("[{from: nowhere, to: 3}]", "prod", None),
    ],
)
def test_copies_of_an_artifact_are_led_back_to_the_repository(
    flux, kustomization, copies, path, folder
):
    (found,) = _artifact(flux, kustomization, copies, path)
    if folder is None:
        assert isinstance(found, Missing)
    else:
        assert found.what.folder == folder


def test_of_equal_names_in_several_clusters_the_nearest_counts(flux, kustomization):
    kept = {}
    for cluster in ("staging", "prod"):
        sync = kustomization(
            "path: apps\npostBuild: {substituteFrom: [{kind: ConfigMap, name: vars}]}\n"
        )
        kept[f"clusters/{cluster}/sync.yaml"] = sync
        kept[f"clusters/{cluster}/vars.yaml"] = config_map("vars", f"A: {cluster}", "flux-system")
    found = _targets(flux({**APPS, **kept}))
    assert {each.file: each.variables for each in found} == {
        "clusters/staging/sync.yaml": {"A": "staging"},
        "clusters/prod/sync.yaml": {"A": "prod"},
    }


def test_another_revision_than_is_checked_out_is_said(flux, kustomization):
    text = kustomization("path: apps") + "  ref: {tag: v1}\n"
    notice, _ = flux({**APPS, "sync.yaml": text}, branch="main")
    assert "the revision 'v1' of this repository" in notice.message
    assert notice.line == 19
    assert (
        len(flux({**APPS, "sync.yaml": text.replace("tag: v1", "branch: main")}, branch="main"))
        == 1
    )

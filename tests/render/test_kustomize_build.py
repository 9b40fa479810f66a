"""Kustomizations build to a stream, and each object tells the document it is authored in."""

import pytest

from qoslint.render.failure import RenderError
from qoslint.render.kustomize.build import build
from qoslint.render.kustomize.engine import engine
from qoslint.render.kustomize.overlay import DocumentOrigin, Overlay

BASE = """
    resources: [app.yaml, list.yaml]
    configMapGenerator:
    - name: settings
      literals: [a=b]
"""
APP = """
    apiVersion: v1
    kind: Service
    metadata: {name: web}
    ---
    # Only a comment.
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: web-api}
"""
LIST = """
    apiVersion: v1
    kind: List
    items:
    - apiVersion: v1
      kind: Pod
      metadata: {name: a}
    - apiVersion: v1
      kind: Pod
      metadata: {name: b}
"""


@pytest.fixture
def kubectl(tmp_path):
    found = engine("auto", tmp_path)
    assert not isinstance(found, str)
    return found


def test_each_object_tells_its_document(repository, kubectl):
    repository.write(
        {
            "base/kustomization.yaml": BASE,
            "base/app.yaml": APP,
            "base/list.yaml": LIST,
            "prod/kustomization.yaml": "{resources: [../base], nameSuffix: -api, namespace: x}",
        }
    )
    built = build(repository.root, Overlay("prod"), kubectl)
    assert "config.kubernetes.io" not in built.text
    assert "annotations" not in built.text
    names = [line.split()[-1] for line in built.text.split("\n") if line.startswith("  name: ")]
    assert dict(zip(names, built.origins, strict=True)) == {
        "settings-api-4h2mbtbbt6": DocumentOrigin("base/kustomization.yaml"),
        "a-api": DocumentOrigin("base/list.yaml", 0, ("items", 0)),
        "b-api": DocumentOrigin("base/list.yaml", 0, ("items", 1)),
        # The one that was called so in the file is another.
        "web-api": DocumentOrigin("base/app.yaml", 0),
        "web-api-api": DocumentOrigin("base/app.yaml", 1),
    }


def test_what_does_not_build_is_said_at_the_entry_that_is_to_blame(repository, kubectl):
    repository.write(
        {
            "base/kustomization.yaml": "resources:\n- there.yaml\n- gone.yaml\n",
            "base/there.yaml": LIST,
            "prod/kustomization.yaml": "resources: [../base]",
        }
    )
    with pytest.raises(RenderError) as caught:
        build(repository.root, Overlay("prod"), kubectl)
    assert (caught.value.file, caught.value.line) == ("base/kustomization.yaml", 3)
    assert "gone.yaml" in caught.value.message
    assert str(repository.root) not in caught.value.message


def test_what_counts_only_in_the_outermost_kustomization_counts(repository, kubectl):
    repository.write(
        {
            "prod/kustomization.yaml": """
                resources: [list.yaml]
                buildMetadata: [managedByLabel]
                sortOptions: {order: fifo}
            """,
            "prod/list.yaml": """
                apiVersion: v1
                kind: Pod
                metadata: {name: a}
                ---
                apiVersion: v1
                kind: Namespace
                metadata: {name: b}
            """,
        }
    )
    built = build(repository.root, Overlay("prod"), kubectl)
    assert built.text.count("app.kubernetes.io/managed-by: kustomize-v") == 2
    assert built.text.index("kind: Pod") < built.text.index("kind: Namespace")
    assert "annotations" not in built.text


def test_additions_are_merged_as_controllers_do(repository, kubectl):
    repository.write(
        {
            "app/kustomization.yaml": """
                resources: [pod.yaml]
                nameSuffix: -old
                images:
                - {name: one, newTag: "1"}
                - {name: two, newTag: "1"}
                commonAnnotations: {a: "1", b: "1"}
                patches:
                - target: {kind: Pod}
                  patch: '[{"op": "add", "path": "/spec/hostname", "value": "first"}]'
            """,
            "app/pod.yaml": """
                apiVersion: v1
                kind: Pod
                metadata: {name: pod}
                spec: {containers: [{name: one, image: one}, {name: two, image: two}]}
            """,
        }
    )
    additions = {
        "nameSuffix": "-new",
        "images": [{"name": "two", "newName": "three", "newTag": "2"}],
        "commonAnnotations": {"b": "2"},
        "patches": [
            {
                "target": {"kind": "Pod"},
                "patch": '[{"op": "replace", "path": "/spec/hostname", "value": "second"}]',
            }
        ],
    }
    built = build(repository.root, Overlay("app", additions), kubectl)
    assert "name: pod-new\n" in built.text
    assert "image: one:1\n" in built.text
    assert "image: three:2\n" in built.text
    assert 'a: "1"\n    b: "2"\n' in built.text
    assert "hostname: second\n" in built.text


def test_a_folder_without_a_kustomization_gets_one_by_additions(repository, kubectl):
    repository.write({"app/list.yaml": LIST})
    built = build(repository.root, Overlay("app", {"resources": ["list.yaml"]}), kubectl)
    assert [origin.file for origin in built.origins] == ["app/list.yaml", "app/list.yaml"]
    assert not (repository.root / "app/kustomization.yaml").exists()


def test_objects_of_one_file_are_told_apart_whatever_becomes_of_their_names(repository, kubectl):
    names = ["web", "web-x", "x-web", "web-web"]
    repository.write(
        {
            "app/kustomization.yaml": "{resources: [all.yaml], nameSuffix: -web, namePrefix: x-}",
            "app/all.yaml": "---\n".join(
                f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\n" for name in names
            ),
        }
    )
    built = build(repository.root, Overlay("app"), kubectl)
    found = [line.split()[-1] for line in built.text.split("\n") if line.startswith("  name: ")]
    assert {name: origin.number for name, origin in zip(found, built.origins, strict=True)} == {
        f"x-{name}-web": number for number, name in enumerate(names)
    }


def test_an_object_that_a_patch_renames_is_known_by_its_kind(repository, kubectl):
    repository.write(
        {
            "app/kustomization.yaml": """
                resources: [all.yaml]
                patches:
                - target: {kind: Pod}
                  patch: '[{"op": "replace", "path": "/metadata/name", "value": "other"}]'
            """,
            "app/all.yaml": """
                apiVersion: v1
                kind: Service
                metadata: {name: web}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: web}
            """,
        }
    )
    built = build(repository.root, Overlay("app"), kubectl)
    assert {origin.number for origin in built.origins} == {0, 1}
    assert built.text.index("kind: Service") < built.text.index("kind: Pod")
    assert [origin.number for origin in built.origins] == [0, 1]


def test_an_object_whose_annotations_a_patch_replaces_is_told_where_it_stands(repository, kubectl):
    config = "apiVersion: v1\nkind: {kind}\nmetadata: {{name: web}}\n"
    patch = '[{"op": "add", "path": "/metadata/annotations", "value": {"a": "b"}}]'
    repository.write(
        {
            "base/kustomization.yaml": "resources: [service.yaml, account.yaml]\n",
            "base/service.yaml": config.format(kind="Service"),
            "base/account.yaml": config.format(kind="ServiceAccount"),
            "prod/kustomization.yaml": "namespace: shop\nresources: [../base]\n"
            f"patches: [{{target: {{kind: Service}}, patch: '{patch}'}}]\n",
        }
    )
    built = build(repository.root, Overlay("prod"), kubectl)
    assert {each.file for each in built.origins} == {"base/service.yaml", "base/account.yaml"}
    assert all(each.number == 0 for each in built.origins)

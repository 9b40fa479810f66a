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

"""Kustomize patches of resources: of the objects that they change nothing is said."""

import json

import pytest

DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: api}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec: {containers: [{name: app, image: i}]}
"""
PATCH = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: api}
spec: {template: {spec: {containers: [{name: app, resources: {requests: {cpu: 1}}}]}}}
"""
JSON_PATCH = """\
- op: add
  path: /spec/template/spec/containers/0/resources
  value: {}
"""


@pytest.fixture
def base(repository):
    repository.write("base/kustomization.yaml", "resources: [api.yaml]")
    repository.write("base/api.yaml", DEPLOYMENT)
    repository.write("overlay/patch.yaml", PATCH)
    repository.write("overlay/json.yaml", JSON_PATCH)
    return repository


def patched(repository):
    return {(file, kind, name) for file, kind, name in repository.discover().patched}


@pytest.mark.parametrize(
    "content",
    [
        "patches: [{path: patch.yaml}]",
        "patchesStrategicMerge: [patch.yaml]",
        "patches: [{path: json.yaml, target: {kind: Deployment, name: api}}]",
        "patchesJson6902: [{path: json.yaml, target: {kind: Deployment, name: api}}]",
        f"patches: [{{patch: {json.dumps(PATCH)}}}]",
    ],
)
def test_a_patch_of_resources_reaches_the_files_below_its_kustomization(base, content):
    base.write("overlay/kustomization.yaml", f"resources: [../base]\n{content}\n")
    assert patched(base) == {("base/api.yaml", "Deployment", "api")}


def test_the_patch_of_a_component_reaches_what_the_kustomization_around_it_holds(base):
    base.write("overlay/kustomization.yaml", "resources: [../base]\ncomponents: [../component]")
    base.write("component/kustomization.yaml", "kind: Component\npatches: [{path: p.yaml}]")
    base.write("component/p.yaml", PATCH)
    assert patched(base) == {("base/api.yaml", "Deployment", "api")}


def test_a_pattern_stands_for_every_name(base):
    target = "{kind: Deployment, name: a.*}"
    base.write(
        "overlay/kustomization.yaml",
        f"resources: [../base]\npatches: [{{path: json.yaml, target: {target}}}]",
    )
    assert patched(base) == {("base/api.yaml", "Deployment", "")}


def test_a_patch_of_something_else_than_resources_reaches_nothing(base):
    base.write(
        "overlay/kustomization.yaml",
        "resources: [../base]\npatches: [{patch: '[{op: remove, path: /spec/replicas}]', "
        "target: {kind: Deployment, name: api}}]",
    )
    assert patched(base) == set()


def test_a_kustomization_that_does_not_hold_the_file_patches_nothing_of_it(base):
    base.write("overlay/kustomization.yaml", "resources: []\npatches: [{path: patch.yaml}]")
    assert patched(base) == set()


def test_kustomizations_that_name_each_other_end(base):
    base.write("overlay/kustomization.yaml", "resources: [../base]\npatches: [{path: patch.yaml}]")
    base.write("base/kustomization.yaml", "resources: [../overlay, api.yaml]")
    assert ("base/api.yaml", "Deployment", "api") in patched(base)

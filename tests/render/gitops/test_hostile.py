"""Whatever stands in an object of Argo CD or Flux: an answer, soon, and never an error."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from qoslint.finding import Notice
from qoslint.render.sources import Effort
from qoslint.render.target import Missing, Target

ORIGIN = "https://github.com/acme/deploy"
WRONG = (None, 1, "..", "{{", [None], {"x": None})
KEPT = {
    "charts/web/Chart.yaml": "name: web\nversion: 1.0.0\n",
    "charts/web/values.yaml": "a: 1\n",
    "overlays/prod/kustomization.yaml": "resources: []\n",
    "plain/a.yaml": "",
}


def application(**source: object) -> dict[str, object]:
    return {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {"name": "web", "namespace": "argocd"},
        "spec": {"destination": {"namespace": "shop"}, "source": {"repoURL": ORIGIN, **source}},
    }


HELM = {
    "releaseName": "r",
    "namespace": "n",
    "kubeVersion": "1.30",
    "apiVersions": ["v1"],
    "valueFiles": ["values.yaml", "$v/x.yaml", "*.yaml"],
    "ignoreMissingValueFiles": True,
    "values": "a: 1",
    "valuesObject": {"a": 1},
    "parameters": [{"name": "a", "value": "b", "forceString": True}],
    "fileParameters": [{"name": "a", "path": "values.yaml"}],
    "skipCrds": True,
}
KUSTOMIZE = {
    "namePrefix": "a",
    "images": ["a=b:1"],
    "replicas": [{"name": "a", "count": 1}],
    "commonLabels": {"a": "b"},
    "commonAnnotations": {"a": "b"},
    "patches": [{"patch": "x", "target": {"kind": "Deployment"}}],
    "components": ["../x"],
    "ignoreMissingComponents": True,
}
GIT = {
    "git": {
        "repoURL": ORIGIN,
        "directories": [{"path": "charts/*"}],
        "values": {"a": "{{path}}"},
    }
}
FILES = {"git": {"repoURL": ORIGIN, "files": [{"path": "charts/web/*.yaml", "exclude": False}]}}
LIST = {
    "list": {"elements": [{"a": "b", "values": {"c": "d"}}], "elementsYaml": "[{a: b}]"},
    "selector": {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]},
}
SET = {
    "apiVersion": "argoproj.io/v1alpha1",
    "kind": "ApplicationSet",
    "metadata": {"name": "all", "namespace": "argocd"},
    "spec": {
        "goTemplate": True,
        "goTemplateOptions": ["missingkey=error"],
        "generators": [
            LIST,
            GIT,
            {"matrix": {"generators": [LIST, FILES]}},
            {"merge": {"mergeKeys": ["a"], "generators": [LIST, LIST]}},
        ],
        "template": {
            "metadata": {"name": "{{ .path.basename }}"},
            "spec": {"source": {"repoURL": ORIGIN, "path": "{{ .path.path }}", "helm": HELM}},
        },
        "templatePatch": "spec: {project: x}",
    },
}
ARGO = {
    "helm": application(path="charts/web", helm=HELM),
    "kustomize": application(path="overlays/prod", kustomize=KUSTOMIZE),
    "directory": application(path="plain", directory={"recurse": True, "exclude": "x"}),
    "chart": application(chart="web", targetRevision="1.0.0"),
    "set": SET,
    "plain set": {
        **SET,
        "spec": {
            "generators": [LIST, GIT],
            "template": application(path="{{path}}", helm={"values": "a: {{a}}"}),
        },
    },
}
SOURCE = {
    "apiVersion": "source.toolkit.fluxcd.io/v1",
    "kind": "GitRepository",
    "metadata": {"name": "flux-system", "namespace": "flux-system"},
    "spec": {"url": ORIGIN},
}
VALUES = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "values", "namespace": "flux-system"},
    "data": {"values.yaml": "a: 1", "A": "b"},
}
VARIABLES = {**VALUES, "metadata": {"name": "vars", "namespace": "flux-system"}, "data": {"A": "b"}}
GENERATOR = {
    "apiVersion": "source.extensions.fluxcd.io/v1beta1",
    "kind": "ArtifactGenerator",
    "metadata": {"name": "all", "namespace": "flux-system"},
    "spec": {
        "sources": [{"alias": "repo", "kind": "GitRepository", "name": "flux-system"}],
        "artifacts": [
            {
                "name": "web",
                "copy": [
                    {"from": "@repo/charts/web/**", "to": "@artifact/web/", "exclude": ["*.md"]},
                    {"from": "@repo/overlays/**", "to": "@artifact/"},
                ],
            }
        ],
    },
}
KUSTOMIZATION = {
    "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
    "kind": "Kustomization",
    "metadata": {"name": "apps", "namespace": "flux-system"},
    "spec": {
        "path": "prod",
        "sourceRef": {"kind": "ExternalArtifact", "name": "web"},
        "targetNamespace": "x",
        "components": ["../a"],
        "patches": [{"patch": "x"}],
        "images": [{"name": "a", "newTag": "1"}],
        "commonMetadata": {"labels": {"a": "b"}, "annotations": {"a": "b"}},
        "postBuild": {
            "substitute": {"A": "b"},
            "substituteFrom": [{"kind": "ConfigMap", "name": "vars"}],
        },
    },
}
RELEASE = {
    "apiVersion": "helm.toolkit.fluxcd.io/v2",
    "kind": "HelmRelease",
    "metadata": {"name": "web", "namespace": "flux-system"},
    "spec": {
        "releaseName": "x",
        "targetNamespace": "x",
        "chart": {
            "spec": {
                "chart": "charts/web",
                "version": "1.0.0",
                "valuesFiles": ["charts/web/values.yaml"],
                "sourceRef": {"kind": "GitRepository", "name": "flux-system"},
            }
        },
        "valuesFrom": [
            {"kind": "ConfigMap", "name": "values"},
            {"kind": "ConfigMap", "name": "values", "valuesKey": "A", "targetPath": "a.b"},
        ],
        "values": {"a": {"b": 1}},
        "install": {"crds": "Skip", "disableSchemaValidation": True},
        "test": {"enable": True},
        "postRenderers": [{"kustomize": {"patches": [{"patch": "x"}]}}],
        "commonMetadata": {"labels": {"a": "b"}},
    },
}
INSTANCE = {
    "apiVersion": "fluxcd.controlplane.io/v1",
    "kind": "FluxInstance",
    "metadata": {"name": "flux", "namespace": "flux-system"},
    "spec": {"sync": {"kind": "GitRepository", "url": ORIGIN, "path": "plain"}},
}
FLUX = (SOURCE, VALUES, VARIABLES, GENERATOR, KUSTOMIZATION, RELEASE, INSTANCE)


def _wrong(value: object) -> Iterator[object]:
    """The value with each of its parts replaced by something of another type."""
    yield from WRONG
    if isinstance(value, dict):
        for key, item in value.items():
            yield {each: value[each] for each in value if each != key}
            yield from ({**value, key: wrong} for wrong in _wrong(item))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from ([*value[:number], each, *value[number + 1 :]] for each in _wrong(item))


def _is_answer(found):
    return all(isinstance(each, Target | Missing | Notice) for each in found)


@pytest.mark.parametrize("case", ARGO)
def test_no_field_of_an_application_breaks_the_run(argo, case):
    found = argo({**KEPT, "a.json": json.dumps(ARGO[case])})
    assert any(isinstance(each, Target) for each in found), found
    for wrong in _wrong(ARGO[case]):
        assert _is_answer(argo({**KEPT, "a.json": json.dumps(wrong)}, origins=()))


@pytest.mark.parametrize(
    "number", range(len(FLUX)), ids=[each["metadata"]["name"] for each in FLUX]
)
def test_no_field_of_an_object_of_flux_breaks_the_run(flux, number):
    others = {f"{at}.json": json.dumps(each) for at, each in enumerate(FLUX)}
    found = flux({**KEPT, **others})
    assert [type(each) for each in found] == [Target] * 3, found
    for wrong in _wrong(FLUX[number]):
        found = flux({**KEPT, **others, f"{number}.json": json.dumps(wrong)})
        assert _is_answer(found)


def test_many_applications_end_at_a_bound(argo, monkeypatch):
    monkeypatch.setattr("qoslint.render.argo.asked.MAX_TARGETS", 50)
    one = json.dumps(application(path="plain"))
    assert len(argo({**KEPT, "a.yaml": "\n---\n".join([one] * 60)})) == 50


def test_many_objects_of_one_list_are_located_together(argo):
    one = application(path="gone")
    text = json.dumps({"kind": "List", "items": [one] * 2000}, indent=0)
    lines = [each.line for each in argo({**KEPT, "a.json": text})]
    assert len(lines) == 2000
    assert len(set(lines)) == 2000


def test_deep_objects_are_told_not_followed(argo):
    deep: object = "x"
    for _ in range(150):
        deep = {"list": {"elements": [{"a": deep}]}, "matrix": {"generators": [deep, deep]}}
        if len(json.dumps(deep)) > 100_000:
            break
    text = json.dumps({**SET, "spec": {**SET["spec"], "generators": [deep]}})
    assert _is_answer(argo({**KEPT, "a.json": text}))


def test_globs_over_many_files_end_at_a_bound(argo, flux, monkeypatch):
    many = dict.fromkeys((f"plain/{number}.yaml" for number in range(100)), "")
    for module in ("argo", "flux"):
        monkeypatch.setattr(f"qoslint.render.{module}.asked.Effort", lambda: Effort(250))
    one = json.dumps(application(path="plain"))
    first, second = argo({**many, "a.yaml": f"{one}\n---\n{one}"})
    assert isinstance(first, Target)
    assert "more files than qoslint looks through" in second.message
    text = json.dumps({**SET, "spec": {"generators": [GIT] * 3, "template": {}}})
    assert "more files than qoslint looks through" in argo({**many, "a.json": text})[-1].message
    folders = [
        {**KUSTOMIZATION, "spec": {"path": path, "sourceRef": GENERATOR["spec"]["sources"][0]}}
        for path in ("plain", ".", "plain")
    ]
    sync = "\n---\n".join(json.dumps(each) for each in (SOURCE, *folders))
    found = flux({**many, "a.yaml": sync})
    assert [type(each) for each in found] == [Target, Target, Target]
    monkeypatch.setattr("qoslint.render.flux.asked.Effort", lambda: Effort(150))
    assert [type(each) for each in flux({**many, "a.yaml": sync})] == [Target, Missing, Target]

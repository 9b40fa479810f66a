"""Each field of a built kustomization is told at the line that drives it, proven by editing it."""

import json
import shutil
from collections import defaultdict
from pathlib import Path

import pytest

from qoslint.finding import Part
from qoslint.render.helm.engine import engine as helm_engine
from qoslint.render.kustomize.build import build
from qoslint.render.kustomize.engine import engine
from qoslint.render.kustomize.files import parsed
from qoslint.render.kustomize.helm_command import write_helm_command
from qoslint.render.kustomize.leaves import below
from qoslint.render.kustomize.locate import Wanted, locate
from qoslint.render.kustomize.overlay import DocumentOrigin, Overlay
from qoslint.render.kustomize.translate import item_name
from qoslint.span import Lines, value_at

OVERLAYS = Path(__file__).parent / "overlays"
ROOT, CHARTS = OVERLAYS / "everything", OVERLAYS / "charts"
PROD = Overlay("prod")
POD = ("spec", "template", "spec")
IDENTITY = (("kind",), ("apiVersion",), ("metadata", "name"))


@pytest.fixture(scope="module")
def kubectl():
    found = engine("embedded", ROOT)
    assert not isinstance(found, str)
    return found


@pytest.fixture(scope="module")
def built(kubectl):
    return build(ROOT, PROD, kubectl)


def documents(built):
    return [document.data for document in parsed("stream", built.text)]


def number_of(built, kind, name):
    found = [
        number
        for number, data in enumerate(documents(built))
        if (data["kind"], data["metadata"]["name"]) == (kind, name)
    ]
    assert len(found) == 1
    return found[0]


def is_fixed(data, path):
    """Whether the field tells an object or an item of a list from others, or follows a name."""
    name = item_name(value_at(data, path[:-1])) if isinstance(path[-2:-1], tuple) else None
    is_item = len(path) > 1 and isinstance(path[-2], int) and name and name[0] == path[-1]
    return path in IDENTITY or bool(is_item) or "configMapRef" in path


def line_of(place, root=ROOT):
    text = (root / place.file).read_text("utf-8")
    return f"{place.file}: {Lines(text).line(place.span.start.line).strip()}"


def mark(value, number):
    if isinstance(value, bool):
        return not value
    return 1000 + number if isinstance(value, int | float) else f"mark-{number}"


def edited(text, marks):
    """The text with other values at places of values."""
    lines = Lines(text)
    for place, (value, new) in sorted(marks.items(), reverse=True):
        start, end = lines.index(place.span.start), lines.index(place.span.end)
        old, written = text[start:end], json.dumps(new)
        if old.strip("\"'") != str(value) and old.count(json.dumps(value)) == 1:
            # The whole text of an inline patch is the nearest that has a place.
            written = old.replace(json.dumps(value), written)
        text = text[:start] + written + text[end:]
    return text


def test_every_field_is_driven_by_the_line_that_is_told(built, kubectl, tmp_path):
    before = documents(built)
    fields = {
        (number, path): value
        for number, data in enumerate(before)
        for path, value in below((), data)
        if not is_fixed(data, path) and path != ("data", "level")
    }
    wanted = [Wanted(number, path, Part.VALUE) for number, path in fields]
    places = dict(zip(fields, locate(ROOT, PROD, built, wanted, kubectl), strict=True))
    assert all(place.exact for place in places.values())
    marks = defaultdict(dict)
    for number, (field, place) in enumerate(places.items()):
        marks[place.file].setdefault(place, (fields[field], mark(fields[field], number)))
    assert sum(map(len, marks.values())) > 35
    copy = shutil.copytree(ROOT, tmp_path / "copy")
    for file, changes in marks.items():
        (copy / file).write_text(edited((copy / file).read_text("utf-8"), changes), "utf-8")
    after = documents(build(copy, PROD, kubectl))
    for (number, path), place in places.items():
        now = value_at(after[number], path)
        _, new = marks[place.file][place]
        assert now == new or str(new) in str(now), (path, line_of(place))
    untold = {
        (number, path)
        for number, data in enumerate(after)
        for path, now in below((), data)
        if value_at(before[number], path) != now and not is_fixed(data, path)
    } - set(places)
    assert not untold


@pytest.mark.parametrize(
    ("kind", "name", "path", "line"),
    [
        # Both say the same; the patch counts.
        (
            "Deployment",
            "p-web",
            (*POD, "containers", 1, "resources", "limits", "memory"),
            "prod/web.yaml: memory: 128Mi",
        ),
        ("Deployment", "p-web", ("spec", "replicas"), "prod/kustomization.yaml: count: 3"),
        (
            "Deployment",
            "p-web",
            (*POD, "containers", 1, "image"),
            'prod/kustomization.yaml: newTag: "7"',
        ),
        (
            "Deployment",
            "p-web",
            (*POD, "priorityClassName"),
            "base/app.yaml: priorityClassName: high",
        ),
        ("CronJob", "p-hourly", ("spec", "suspend"), "prod/kustomization.yaml: patch: '[{"),
        (
            "Deployment",
            "p-web",
            (*POD, "containers", 0, "resources", "limits", "memory"),
            "prod/kustomization.yaml: memory: 96Mi",
        ),
        (
            "Deployment",
            "p-web",
            (*POD, "containers", 1, "env", 0, "value"),
            "classes/classes.yaml: heap: 700Mi",
        ),
        # Through an anchor.
        (
            "Deployment",
            "p-web",
            (*POD, "initContainers", 0, "resources", "limits", "cpu"),
            "base/app.yaml: cpu: 50m",
        ),
        ("PriorityClass", "p-high", ("metadata", "name"), "classes/classes.yaml: name: high"),
        (
            "ConfigMap",
            "p-settings-k4b9tgf9m9",
            ("metadata", "name"),
            "base/kustomization.yaml: - name: settings",
        ),
        (
            "Deployment",
            "p-web",
            (*POD, "containers", 3, "name"),
            "sidecar/agent.yaml: - name: agent",
        ),
        (
            "Deployment",
            "p-web",
            (*POD, "containers", 3, "resources", "requests"),
            "sidecar/agent.yaml: requests:",
        ),
        ("Deployment", "p-web", (*POD, "containers", 1, "resources"), "base/app.yaml: resources:"),
        ("Deployment", "p-web", (*POD, "containers", 1), "base/app.yaml: - name: web"),
        ("Deployment", "p-web", (*POD, "containers", 3), "sidecar/agent.yaml: - name: agent"),
    ],
)
def test_a_field_is_told_where_a_human_would_edit_it(kind, name, path, line, built, kubectl):
    wanted = Wanted(number_of(built, kind, name), path)
    (place,) = locate(ROOT, PROD, built, [wanted], kubectl)
    assert line_of(place).startswith(line)
    assert place.exact


@pytest.mark.parametrize(
    ("kind", "name", "path", "line"),
    [
        # The container is in the base, and nothing limits its CPU.
        (
            "Deployment",
            "p-web",
            (*POD, "containers", 2, "resources", "limits", "memory"),
            "base/app.yaml: resources: {requests: {cpu: 0.1, memory: 32Mi}, limits: {",
        ),
        (
            "Deployment",
            "p-web",
            (*POD, "containers", 0, "resources", "requests", "cpu"),
            "base/app.yaml: - name: bare",
        ),
        # The container is in a patch alone.
        (
            "Deployment",
            "p-web",
            (*POD, "containers", 3, "resources", "limits", "memory"),
            "sidecar/agent.yaml: resources:",
        ),
        ("Deployment", "p-web", (*POD, "nodeSelector"), "base/app.yaml: spec:"),
        (
            "CronJob",
            "p-nightly",
            ("spec", "jobTemplate", "spec", "activeDeadlineSeconds"),
            "base/jobs.yaml: spec:",
        ),
    ],
)
def test_a_field_that_is_not_there_is_told_by_what_is_around_it(
    kind, name, path, line, built, kubectl
):
    wanted = Wanted(number_of(built, kind, name), path, Part.KEY)
    (place,) = locate(ROOT, PROD, built, [wanted], kubectl)
    assert line_of(place).startswith(line)
    assert not place.exact


def test_what_a_controller_adds_is_told_in_its_own_file(repository, kubectl):
    repository.write(
        {
            "app/kustomization.yaml": "{resources: [web.yaml], namePrefix: a-}",
            "app/web.yaml": """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec:
                  replicas: 1
                  template: {spec: {containers: [{name: web, image: web:1}]}}
            """,
            "flux.yaml": """
                kind: Kustomization
                spec:
                  targetNamespace: shop
                  patches:
                  - patch: |
                      kind: Deployment
                      apiVersion: apps/v1
                      metadata: {name: web}
                      spec:
                        template:
                          spec:
                            containers:
                            - name: web
                              resources:
                                requests: {cpu: 100m}
                    target: {kind: Deployment}
            """,
        }
    )
    spec = parsed("", (repository.root / "flux.yaml").read_text())[0].data["spec"]
    overlay = Overlay(
        "app",
        additions={"namespace": "shop", "namePrefix": "b-", "patches": spec["patches"]},
        authored={
            "namespace": DocumentOrigin("flux.yaml", 0, ("spec", "targetNamespace")),
            "patches": DocumentOrigin("flux.yaml", 0, ("spec", "patches")),
        },
    )
    built = build(repository.root, overlay, kubectl)
    # Controllers replace the prefix, they do not put another before it.
    number = number_of(built, "Deployment", "b-web")
    assert built.origins == (DocumentOrigin("app/web.yaml", 0),)
    assert (repository.root / "app/kustomization.yaml").read_text().startswith("{resources")
    places = locate(
        repository.root,
        overlay,
        built,
        [
            Wanted(number, ("metadata", "namespace")),
            Wanted(number, (*POD, "containers", 0, "resources", "requests", "cpu")),
            Wanted(number, ("spec", "replicas")),
        ],
        kubectl,
    )
    assert [line_of(place, repository.root) for place in places] == [
        "flux.yaml: targetNamespace: shop",
        "flux.yaml: requests: {cpu: 100m}",
        "app/web.yaml: replicas: 1",
    ]
    assert all(place.exact for place in places)


def test_fields_of_inflated_charts_are_told_in_values_templates_and_patches(kubectl, tmp_path):
    helm = helm_engine("embedded", CHARTS)
    assert not isinstance(helm, str)
    overlay = Overlay("prod", helm_command=write_helm_command(tmp_path, helm, "1.36"))
    built = build(CHARTS, overlay, kubectl)
    number = number_of(built, "Deployment", "p-shop-web")
    assert built.origins[number] == DocumentOrigin("prod/charts/web/templates/web.yaml")
    resources = (*POD, "containers", 0, "resources")
    paths = [
        ("spec", "replicas"),
        (*resources, "limits", "cpu"),
        (*resources, "limits", "memory"),
        (*resources, "limits", "ephemeral-storage"),
        (*resources, "requests", "memory"),
        (*POD, "terminationGracePeriodSeconds"),
        (*POD, "containers", 0, "livenessProbe"),
    ]
    wanted = [Wanted(number, path) for path in paths]
    places = locate(CHARTS, overlay, built, wanted, kubectl)
    assert [(line_of(place, CHARTS), place.exact) for place in places] == [
        ("prod/kustomization.yaml: replicas: 4", True),
        ("prod/charts/web/values.yaml: cpu: 250m", True),
        ("prod/values.yaml: memory: 256Mi", True),
        ("prod/charts/web/templates/web.yaml: ephemeral-storage: 1Gi", True),
        ("prod/kustomization.yaml: value: {memory: 96Mi}", True),
        ("prod/charts/web/templates/web.yaml: terminationGracePeriodSeconds: 15", True),
        ("prod/charts/web/templates/web.yaml: - name: web", False),
    ]

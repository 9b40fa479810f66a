"""Fields lead back to the line that drives them: edit it, and exactly what is led there changes."""

import re
import shutil

import pytest

from qoslint.finding import Location
from qoslint.render.helm.origin import Wanted, locate, trace
from qoslint.render.helm.records import Chart, Layer, Parameter, Rendered
from qoslint.render.helm.render import render_charts
from qoslint.source.document import Document, Source, documents
from qoslint.span import Position, Span

from .conftest import CHARTS, pack, write

EVERYTHING = Chart("everything", "r", "n", "1.36")
FIELDS = [
    ("resources", kind, name) for kind in ("limits", "requests") for name in ("cpu", "memory")
]
NEW = "4321"


class Every:
    def __contains__(self, kind):
        return True


def containers(data, path=()):
    if isinstance(data, dict):
        for key, value in data.items():
            if key in ("containers", "initContainers"):
                yield from (((*path, key, at), each) for at, each in enumerate(value))
            else:
                yield from containers(value, (*path, key))
    elif isinstance(data, list):
        for at, each in enumerate(data):
            yield from containers(each, (*path, at))


def fields(rendered):
    """Each cpu and memory of each container by template, object and container, stated or not."""
    assert isinstance(rendered, Rendered), rendered
    found = {}
    for template in rendered.templates:
        for document in documents(Source(template.name, template.file, template.text), Every()):
            if not isinstance(document, Document):
                continue
            for path, container in containers(document.data):
                for field in FIELDS:
                    kind, name = field[1:]
                    value = ((container.get("resources") or {}).get(kind) or {}).get(name)
                    wanted = Wanted(template.name, document, (*path, *field))
                    owner = document.data["metadata"]["name"]
                    key = (template.name, owner, container["name"], kind, name)
                    found[key] = (value, wanted)
    return found


def render(root, chart, engine):
    [answer] = render_charts(root, [chart], engine)
    return fields(answer), answer


def origins(root, chart, engine):
    found, answer = render(root, chart, engine)
    traced = trace(root, chart, answer, [wanted for _, wanted in found.values()], engine)
    return found, dict(zip(found, traced.origins, strict=True)), traced.ineffective


@pytest.fixture(scope="module")
def everything(tmp_path_factory, embedded):
    root = tmp_path_factory.mktemp("everything")
    shutil.copytree(CHARTS / "everything", root / "everything")
    pack(CHARTS / "packed", root / "everything/charts/packed-2.1.4.tgz")
    return root, *origins(root, EVERYTHING, embedded)


def changed(before, after):
    assert before.keys() == after.keys()
    return {key for key in before if before[key][0] != after[key][0]}


def test_editing_the_line_of_a_field_changes_exactly_the_fields_of_that_line(
    everything, tmp_path, embedded
):
    root, before, found, _ = everything
    lines = {}
    for key, origin in found.items():
        if before[key][0] is not None and origin.location.exact:
            place = (origin.location.file, origin.location.span.start.line)
            lines.setdefault(place, set()).add(key)
    assert len(lines) >= 15
    copies = []
    for number, (file, line) in enumerate(lines):
        shutil.copytree(root, tmp_path / str(number))
        path = tmp_path / str(number) / file
        texts = path.read_text().split("\n")
        texts[line - 1], count = re.subn(r"\b\d+(?=(Mi|Gi|m)?\b)", NEW, texts[line - 1])
        assert count, (file, line, texts[line - 1])
        path.write_text("\n".join(texts))
        copies.append(EVERYTHING._replace(folder=f"{number}/everything", skip_schema=True))
    answers = render_charts(tmp_path, copies, embedded)
    for (place, keys), answer in zip(lines.items(), answers, strict=True):
        assert changed(before, fields(answer)) == keys, place


def test_setting_the_key_of_a_field_that_is_not_there_makes_it_appear(everything, embedded):
    root, before, found, _ = everything
    absent = [key for key, each in found.items() if before[key][0] is None and each.key is not None]
    assert len(absent) >= 15
    requests = []
    for key in absent:
        text = NEW
        for step in reversed(found[key].key):
            text = f"{{{step!r}: {text}}}"
        requests.append(EVERYTHING._replace(layers=(Layer("x", text),), skip_schema=True))
    for key, answer in zip(absent, render_charts(root, requests, embedded), strict=True):
        assert str(fields(answer)[key][0]) == NEW, (key, found[key].key)


def test_what_is_led_to_no_key_is_written_in_a_template(everything):
    _, _, found, _ = everything
    hard = {(name.split("/", 1)[1], container) for (name, _, container, _, _), origin
            in found.items() if origin.key is None}  # fmt: skip
    assert hard == {
        ("templates/cron.yaml", "bare"),
        ("templates/cron.yaml", "nightly"),
        ("templates/hooks.yaml", "migrate"),
        ("templates/tests/connection.yaml", "probe"),
        ("templates/web.yaml", "gold"),
        ("templates/web.yaml", "proxy"),
        ("templates/web.yaml", "metrics"),
        ("templates/web.yaml", "shallow"),
        ("templates/web.yaml", "wait"),
        ("templates/worker.yaml", "fixed"),
        ("templates/worker.yaml", "worker"),
        ("charts/cache/templates/store.yaml", "exporter"),
        ("charts/queue/templates/store.yaml", "exporter"),
        ("charts/packed/templates/packed.yaml", "packed"),
    }


def place(text, needle, line=1):
    """Where a needle stands in a text whose first line has this number."""
    before = text[: text.index(needle)]
    row = before.count("\n") + line
    column = len(before) - before.rfind("\n")
    return Span(Position(row, column), Position(row, column + len(needle)))


WEB = {
    "web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
    "web/values.yaml": "replicas: 1\npriority: low\nresources: {}\nsub:\n  resources: {}\n",
    "web/templates/a.yaml": """\
kind: Deployment
metadata: {name: web}
spec:
  replicas: {{ .Values.replicas }}
  template:
    spec:
      priorityClassName: {{ .Values.priority }}
      containers:
        - name: web
          image: web
          resources: {{ toJson .Values.resources }}
""",
    "web/charts/store/Chart.yaml": "apiVersion: v2\nname: store\nversion: 0.1.0\n",
    "web/charts/store/values.yaml": "resources:\n  limits: {memory: 1Mi}\n",
}
CHART = Chart("web", "r", "n", "1.36")
MEMORY = ("spec", "template", "spec", "containers", 0, "resources", "limits", "memory")
PRIORITY = ("spec", "template", "spec", "priorityClassName")


def located(root, engine, chart, *paths):
    [answer] = render_charts(root, [chart], engine)
    [template] = answer.templates
    source = Source(template.name, template.file, template.text)
    [document] = documents(source, Every())
    wanted = [Wanted(template.name, document, path) for path in paths]
    return locate(root, chart, answer, wanted, engine)


def test_the_last_layer_that_sets_a_key_is_shown(tmp_path, embedded):
    write(tmp_path, WEB)
    base = "resources:\n  limits:\n    memory: 1Gi\n    cpu: 1\nreplicas: 2\n"
    prod = "resources: {limits: {memory: 2Gi}}\npriority: high\n"
    chart = CHART._replace(layers=(Layer("base.yaml", base), Layer("prod.yaml", prod)))
    cpu = (*MEMORY[:-1], "cpu")
    found = located(tmp_path, embedded, chart, MEMORY, cpu, PRIORITY, ("spec", "replicas"))
    assert found == [
        Location("prod.yaml", place(prod, "memory: 2Gi")),
        Location("base.yaml", place(base, "cpu: 1")),
        Location("prod.yaml", place(prod, "priority: high")),
        Location("base.yaml", place(base, "replicas: 2")),
    ]


def test_a_key_that_is_missing_is_shown_by_its_nearest_parent(tmp_path, embedded):
    write(tmp_path, WEB)
    [found] = located(tmp_path, embedded, CHART, MEMORY)
    own = WEB["web/values.yaml"]
    assert found == Location("web/values.yaml", place(own, "resources"), exact=False)
    prod = "resources:\n  limits:\n    cpu: 1\n"
    chart = CHART._replace(layers=(Layer("prod.yaml", prod),))
    [found] = located(tmp_path, embedded, chart, MEMORY)
    assert found == Location("prod.yaml", place(prod, "limits"), exact=False)


def test_a_null_that_removes_a_default_is_shown(tmp_path, embedded):
    write(tmp_path, WEB | {"web/values.yaml": "resources: {limits: {memory: 1Gi}}\nreplicas: 1\n"})
    prod = "resources:\n  limits: null\n"
    chart = CHART._replace(layers=(Layer("prod.yaml", prod),))
    [found] = located(tmp_path, embedded, chart, MEMORY)
    assert found == Location("prod.yaml", place(prod, "limits"), exact=False)


APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
spec:
  source:
    helm:
      valuesObject:
        resources:
          limits: {memory: 3Gi}
      values: |
        # of production
        priority: high
        resources:
          limits:
            memory: 2Gi
      parameters:
        - name: replicas
          value: "7"
"""


def test_inline_values_are_shown_at_their_line_of_the_application(tmp_path, embedded):
    write(tmp_path, WEB)
    helm = ("spec", "source", "helm")
    at = Location("app.yaml", place(APPLICATION, 'value: "7"', 5))
    chart = CHART._replace(
        layers=(Layer("app.yaml", APPLICATION, (*helm, "values"), 5),),
        parameters=(Parameter("replicas", "7", at=at),),
    )
    found = located(tmp_path, embedded, chart, MEMORY, PRIORITY, ("spec", "replicas"))
    assert found == [
        Location("app.yaml", place(APPLICATION, "memory: 2Gi", 5)),
        Location("app.yaml", place(APPLICATION, "priority: high", 5)),
        at,
    ]
    more = Layer("app.yaml", APPLICATION, (*helm, "valuesObject"), 5)
    chart = chart._replace(layers=(*chart.layers, more))
    [found] = located(tmp_path, embedded, chart, MEMORY)
    assert found == Location("app.yaml", place(APPLICATION, "memory: 3Gi", 5))


def test_a_folded_text_is_shown_by_its_key(tmp_path, embedded):
    write(tmp_path, WEB)
    text = 'values: "resources:\\n  limits: {memory: 2Gi}\\n"\n'
    chart = CHART._replace(layers=(Layer("app.yaml", text, ("values",)),))
    [found] = located(tmp_path, embedded, chart, MEMORY)
    assert found.file == "web/templates/a.yaml"


def test_resources_that_arrive_beside_resources_are_told(everything):
    _, _, _, ineffective = everything
    [found] = ineffective
    assert found.key == ("indented", "resources")
    values = (CHARTS / "everything/values.yaml").read_text().split("\n")
    template = (CHARTS / "everything/templates/web.yaml").read_text().split("\n")
    assert values[found.location.span.start.line - 2 :][:2] == ["indented:", "  resources:"]
    assert template[found.template.span.start.line - 1] == "          resources:"


def test_without_a_budget_fields_are_led_to_the_template(tmp_path, embedded, monkeypatch):
    monkeypatch.setattr("qoslint.render.helm.rerender.MOST_RENDERS", 0)
    write(tmp_path, WEB)
    text = WEB["web/templates/a.yaml"]
    own = WEB["web/values.yaml"]
    found = located(tmp_path, embedded, CHART, ("spec", "template"), PRIORITY)
    assert found == [
        Location("web/templates/a.yaml", place(text, "template:")),
        Location("web/values.yaml", place(own, "priority: low"), exact=False),
    ]


@pytest.mark.parametrize(
    "tricky",
    [
        # The marker would stand within a text that is cut, or be counted.
        '{{- $text := include "t" . }}\n{{- if gt (len $text) 40 }}{{ fail "long" }}{{ end }}\n',
        '{{- range (splitList "\\n" (include "t" .)) }}\n# {{ . }}\n{{- end }}\n',
    ],
)
def test_templates_that_markers_would_change_are_still_led_to_their_lines(
    tricky, tmp_path, embedded
):
    helper = '{{- define "t" -}}\na: 1\nb: 2\n{{- end -}}\n'
    write(tmp_path, WEB | {"web/templates/_t.tpl": helper})
    text = tricky + WEB["web/templates/a.yaml"]
    write(tmp_path, {"web/templates/a.yaml": text})
    [found] = located(tmp_path, embedded, CHART, ("spec", "template"))
    assert found == Location("web/templates/a.yaml", place(text, "template:"))

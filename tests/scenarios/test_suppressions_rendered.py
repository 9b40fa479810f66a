"""Comments and annotations in what is rendered: templates, values, patches and bases."""

from textwrap import dedent

import pytest

from .two_findings import OK, SETTINGS, deployment, placed

CHART = {
    "Chart.yaml": "{apiVersion: v2, name: web, version: 1.0.0}\n",
    "values.yaml": "resources:\n  requests:\n    memory: 400\nagent: true\n",
}


def template(resources="", item="", first="", toyaml=""):
    return dedent(f"""\
        apiVersion: v1{first}
        kind: Pod
        metadata:
          name: {{{{ .Release.Name }}}}
        spec:
          containers:
            - name: app{item}
              image: x
              resources:{resources}
                {{{{- toYaml .Values.resources | nindent 8 }}}}{toyaml}
            {{{{- if .Values.agent }}}}
            - name: agent
              image: x
            {{{{- end }}}}
        """)


@pytest.mark.parametrize(
    "texts",
    [
        {"item": f" {OK}"},
        {"first": f" {OK}"},
        {"resources": f" {OK}"},
        {"toyaml": f" {OK}"},
        {"item": " {{/* qoslint: ignore[QOS701] r */}}"},
        {"first": " {{- /* qoslint: ignore[QOS701] r */}}"},
    ],
    ids=lambda texts: next(iter(texts)),
)
def test_a_comment_in_a_template_is_about_what_it_renders(told, texts):
    assert told({**CHART, "templates/pod.yaml": template(**texts)}) == ([], ["comment"])


@pytest.mark.parametrize("values", ["    memory: 400 {}\n", "    {}\n    memory: 400\n"])
def test_a_comment_in_values_is_about_its_key(told, values):
    values = f"resources:\n  requests:\n{values.format(OK)}agent: true\n"
    files = {**CHART, "values.yaml": values, "templates/pod.yaml": template()}
    assert told(files) == ([], ["comment"])


def test_the_first_line_of_values_is_no_object(told):
    values = f"agent: true {OK}\n" + CHART["values.yaml"].replace("agent: true\n", "")
    files = {**CHART, "values.yaml": values, "templates/pod.yaml": template()}
    assert told(files)[0] == ["QOS903 values.yaml:1", "QOS701 values.yaml:4"]


def test_a_comment_of_a_template_can_hold_its_own_language(told):
    text = (
        template()
        .replace("memory", "memory")
        .replace(
            "{{- toYaml .Values.resources | nindent 8 }}",
            "requests:\n          {{/* qoslint: ignore[QOS701] r */}}\n          memory: 400",
        )
    )
    assert told({**CHART, "templates/pod.yaml": text}) == ([], ["comment"])


def test_an_unused_comment_of_a_template_is_told_where_it_is_written(told):
    text = template(item=f" {OK}").replace(
        "- name: agent", f"- name: agent {OK.replace('it', 'us')}"
    )
    files = {**CHART, "templates/pod.yaml": text}
    assert told(files) == (["QOS903 templates/pod.yaml:12"], ["comment"])
    # What is not rendered is not called unused.
    off = {"values.yaml": CHART["values.yaml"].replace("agent: true", "agent: false")}
    assert told({**files, **off}) == ([], ["comment"])


def test_an_annotation_in_a_template_counts_for_each_environment(told):
    text = template().replace(
        "  name: {{ .Release.Name }}\n",
        "  name: {{ .Release.Name }}\n  annotations: {qoslint.dev/ignore: '{{ .Values.ok }}'}\n",
    )
    charts = "charts: [{path: ., environments: {a: {values: [a.yaml]}, b: {values: [b.yaml]}}}]\n"
    files = {
        **CHART,
        ".qoslint.yaml": SETTINGS[".qoslint.yaml"] + charts,
        "templates/pod.yaml": text,
        "a.yaml": "ok: QOS701 the load test\n",
        "b.yaml": "ok: ''\n",
    }
    found, accepted = told(files)
    assert found == ["QOS701 values.yaml:3"]
    assert accepted == ["annotation"]


WRONG = "# qoslint: ignore[QOS7O1] r"
FAILING = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ fail .Values.why }}\n"
MISSING = (
    "{apiVersion: v2, name: web, version: 1.0.0, dependencies: "
    "[{name: redis, version: 1.0.0, repository: 'https://charts.example.org'}]}\n"
)


@pytest.mark.parametrize(
    ("files", "renderer"),
    [
        ({"templates/pod.yaml": FAILING}, "auto"),
        ({"Chart.yaml": MISSING}, "auto"),
        ({"templates/pod.yaml": template()}, "none"),
    ],
    ids=["failing", "remote", "not asked for"],
)
def test_a_wrong_code_is_told_of_a_chart_that_is_not_rendered(told, files, renderer):
    """That a comment with a right code is of no use is not known there."""
    settings = {".qoslint.yaml": f"{SETTINGS['.qoslint.yaml']}renderer: {renderer}\n"}
    values = {
        "values.yaml": f"memory: 400 {WRONG}\nwhy: no {OK}\n",
        "values-prod.yaml": f"why: {{}} {WRONG}\n",
        "templates/other.yaml": f"{{{{- /* {WRONG[2:]} */}}}}\n{{{{- /* {OK[2:]} */}}}}\n",
    }
    assert told({**CHART, **settings, **values, **files}) == (
        ["QOS903 templates/other.yaml:1", "QOS903 values-prod.yaml:1", "QOS903 values.yaml:1"],
        [],
    )


BASE = {"base/kustomization.yaml": "resources: [a.yaml]\n", "base/a.yaml": deployment()}
PATCH = """\
apiVersion: apps/v1{first}
kind: Deployment
metadata: {{name: web, namespace: shop}}
spec:
  template:
    spec:
      containers:
        - name: app{item}
          resources:
            requests:
              memory: 300{line}
"""
OVERLAY = {"prod/kustomization.yaml": "resources: [../base]\npatches: [{path: patch.yaml}]\n"}


def overlay(base=None, **texts):
    patch = PATCH.format(**{"first": "", "item": "", "line": "", **texts})
    base = base or deployment().replace("memory: 400", "memory: 400Mi")
    return {**BASE, **OVERLAY, "base/a.yaml": base, "prod/patch.yaml": patch}


def test_a_patch_is_where_the_finding_stands(told):
    assert told(overlay()) == (["QOS701 prod/patch.yaml:11"], [])


@pytest.mark.parametrize("where", ["first", "item", "line"])
def test_a_comment_in_a_patch_counts(told, where):
    assert told(overlay(**{where: f" {OK}"})) == ([], ["comment"])


@pytest.mark.parametrize("line", [1, 12, 13])
def test_a_comment_on_an_object_or_container_of_a_base_counts_for_what_a_patch_changes(told, line):
    base = placed(deployment().replace("memory: 400", "memory: 400Mi"), {line: "behind"})
    assert told(overlay(base)) == ([], ["comment"])


def test_a_comment_on_a_line_of_a_base_is_not_about_what_a_patch_puts_there(told):
    base = placed(deployment().replace("memory: 400", "memory: 400Mi"), {17: "behind"})
    assert told(overlay(base))[0] == ["QOS903 base/a.yaml:17", "QOS701 prod/patch.yaml:11"]


@pytest.mark.parametrize(("line", "left"), [(1, []), (13, [22]), (17, [22]), (18, [17])])
def test_a_comment_in_a_base_counts_for_each_overlay(told, line, left):
    files = {
        **BASE,
        "base/a.yaml": placed(deployment(), {line: "behind"}),
        "prod/kustomization.yaml": "resources: [../base]\nnamespace: prod\n",
        "stage/kustomization.yaml": "resources: [../base]\nnamespace: stage\n",
    }
    assert told(files)[0] == [f"QOS701 base/a.yaml:{number}" for number in left]


def test_an_unused_comment_in_a_base_or_patch_is_told(told):
    base = placed(deployment().replace("memory: 400", "memory: 400Mi"), {22: "behind"})
    files = overlay(base, line=f" {OK}")
    assert told(files) == (["QOS903 base/a.yaml:22"], ["comment"])
    files = overlay(line="Mi # qoslint: ignore[QOS701] r")
    assert told(files)[0] == ["QOS903 prod/patch.yaml:11"]


def test_an_annotation_that_a_patch_adds_counts(told):
    files = overlay()
    files["prod/patch.yaml"] = files["prod/patch.yaml"].replace(
        "namespace: shop}", "namespace: shop, annotations: {qoslint.dev/ignore: QOS701 r}}"
    )
    assert told(files) == ([], ["annotation"])

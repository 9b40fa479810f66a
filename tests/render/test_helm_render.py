"""Charts render as Helm renders them, also where Helm's SDK alone would not tell."""

import gzip
import os
import re
import sys
import tempfile

import pytest

from qoslint.render.failure import RenderError
from qoslint.render.helm import embedded as embedded_engine
from qoslint.render.helm.records import Chart, Engine, Layer, Parameter, Rendered
from qoslint.render.helm.render import render_charts
from qoslint.workers import MIB, Limits

from .conftest import write

CHART = Chart("web", "r", "n", "1.36")


def chart(text):
    """A chart `web` with one template."""
    return {
        "web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
        "web/templates/a.yaml": text,
    }


def rendered(root, engine, request=CHART):
    [answer] = render_charts(root, [request], engine)
    assert isinstance(answer, Rendered), answer
    return {template.name: template.text for template in answer.templates}


def refused(root, engine, request=CHART, **limits):
    [answer] = render_charts(root, [request], engine, Limits(**limits))
    assert isinstance(answer, RenderError), answer
    return answer


def test_later_layers_count_more_and_parameters_most(tmp_path, embedded):
    write(tmp_path, chart("v: {{ .Values.a }} {{ .Values.b }} {{ .Values.c }} {{ .Values.d }}\n"))
    write(tmp_path, {"web/values.yaml": "a: 1\nb: 1\nc: 1\nd: 1\n"})
    layers = (Layer("x", "b: 2\nc: 2\nd: 2\n"), Layer("y", '{"c": 3, "d": 3}'))
    request = CHART._replace(layers=layers, parameters=(Parameter("d", "4"),))
    assert rendered(tmp_path, embedded, request) == {"web/templates/a.yaml": "v: 1 2 3 4\n"}


def test_values_may_stand_inside_of_another_document_as_mapping_or_as_text(tmp_path, embedded):
    write(tmp_path, chart("v: {{ .Values.a }} {{ .Values.b }}\n"))
    application = (
        "spec:\n  helm:\n    values: |\n      a: 1\n      b: 1\n    valuesObject: {b: 2}\n"
    )
    layers = (
        Layer("app.yaml", application, ("spec", "helm", "values")),
        Layer("app.yaml", application, ("spec", "helm", "valuesObject")),
        Layer("app.yaml", application, ("spec", "helm", "none")),
    )
    assert "v: 1 2\n" in rendered(tmp_path, embedded, CHART._replace(layers=layers)).values()


def test_a_layer_that_cannot_be_read_is_told_at_its_line(tmp_path, embedded):
    write(tmp_path, chart("a: b\n"))
    request = CHART._replace(layers=(Layer("prod.yaml", "a: 1\nb: [\n", line=11),))
    error = refused(tmp_path, embedded, request)
    assert (error.file, error.line) == ("prod.yaml", 12)
    error = refused(tmp_path, embedded, CHART._replace(layers=(Layer("prod.yaml", "- a\n"),)))
    assert error.message == "values are a mapping, but this is none"


# Trap 1: rendering changes what a loaded chart holds.
def test_a_subchart_that_one_render_switches_off_is_there_in_the_next(checkout, embedded):
    request = Chart("everything", "r", "n", "1.36")
    without = request._replace(layers=(Layer("x", "cache: {enabled: false}\n"),))
    answers = render_charts(checkout, [without, request], embedded)
    name = "everything/charts/cache/templates/store.yaml"
    assert [name in {each.name for each in a.templates} for a in answers] == [False, True]


# Trap 2: subcharts that are missing are no error to the SDK.
def test_a_subchart_that_is_not_vendored_is_told_at_its_line(tmp_path, embedded):
    write(tmp_path, chart("a: b\n"))
    needs = (
        "dependencies:\n"
        "- {name: here, version: 1.x, repository: https://example.com, condition: here.enabled}\n"
        "- {name: there, version: 2.x, repository: https://example.com, condition: there.enabled}\n"
    )
    with (tmp_path / "web/Chart.yaml").open("a") as file:
        file.write(needs)
    off = CHART._replace(layers=(Layer("x", "here: {enabled: false}\n"),))
    error = refused(tmp_path, embedded, off)
    assert error.message == (
        "web needs the subchart there 2.x from https://example.com, which is not vendored: commit"
        " what `helm dependency build` puts into charts/"
    )
    assert (error.file, error.line) == ("web/Chart.yaml", 6)


def test_a_subchart_that_is_switched_off_need_not_be_vendored(tmp_path, embedded):
    write(tmp_path, chart("a: b\n") | {"web/values.yaml": "here: {enabled: false}\n"})
    with (tmp_path / "web/Chart.yaml").open("a") as file:
        file.write("dependencies: [{name: here, version: 1.x, condition: here.enabled}]\n")
    assert rendered(tmp_path, embedded) == {"web/templates/a.yaml": "a: b\n"}


def test_a_vendored_subchart_of_another_version_is_left_out_and_told(checkout, embedded):
    path = checkout / "everything/charts/store/Chart.yaml"
    path.write_text(path.read_text().replace("0.3.1", "0.2.0"))
    request = Chart("everything", "r", "n", "1.36", (Layer("x", "imported: {memory: 1Mi}\n"),))
    [answer] = render_charts(checkout, [request], embedded)
    assert "everything/charts/queue/templates/store.yaml" not in {t.name for t in answer.templates}
    assert answer.warnings[0] == (
        "the subchart store 0.2.0 in charts/ is not the version ^0.3.0 that everything asks for"
    )


# Trap 3: the SDK does not look at kubeVersion.
def test_a_chart_for_another_kubernetes_is_refused(tmp_path, embedded):
    write(tmp_path, chart("a: b\n"))
    with (tmp_path / "web/Chart.yaml").open("a") as file:
        file.write("kubeVersion: '>=1.37.0-0'\n")
    error = refused(tmp_path, embedded)
    assert error.message == (
        "web is made for Kubernetes >=1.37.0-0, and cannot be installed on 1.36"
    )
    assert (error.file, error.line) == ("web/Chart.yaml", 4)
    assert rendered(tmp_path, embedded, CHART._replace(kubernetes="1.37"))


def test_a_library_is_not_rendered_by_itself(checkout, embedded):
    error = refused(checkout, embedded, Chart("everything/charts/library", "r", "n", "1.36"))
    assert error.message == "library is a library, which no release can install"


# Trap 4: notes and partials are among what the SDK renders.
def test_only_what_is_installed_is_left(checkout, embedded):
    request = Chart("everything", "r", "n", "1.36")
    names = [name.removeprefix("everything/") for name in rendered(checkout, embedded, request)]
    assert names == [
        "charts/cache/crds/stores.yaml",
        "charts/cache/templates/store.yaml",
        "charts/packed/templates/packed.yaml",
        "charts/queue/crds/stores.yaml",
        "charts/queue/templates/store.yaml",
        "crds/widgets.yaml",
        "templates/config.yaml",
        "templates/cron.yaml",
        "templates/hooks.yaml",
        "templates/tests/connection.yaml",
        "templates/web.yaml",
        "templates/worker.yaml",
    ]
    skipping = request._replace(skip_crds=True, skip_tests=True)
    fewer = [name.removeprefix("everything/") for name in rendered(checkout, embedded, skipping)]
    gone = ("crds/", "templates/tests/")
    assert fewer == [name for name in names if not any(each in name for each in gone)]


def test_templates_are_told_with_the_files_that_hold_them(checkout, embedded):
    [answer] = render_charts(checkout, [Chart("everything", "r", "n", "1.36")], embedded)
    places = {each.name.split("/", 1)[1]: (each.file, each.inside) for each in answer.templates}
    store = "everything/charts/store/templates/store.yaml"
    assert places["charts/cache/templates/store.yaml"] == (store, "")
    assert places["charts/queue/templates/store.yaml"] == (store, "")
    assert places["charts/packed/templates/packed.yaml"] == (
        "everything/charts/packed-2.1.4.tgz",
        "templates/packed.yaml",
    )


# Trap 5: templates that do not end, or take all memory, end the process.
HOSTILE = {
    "endless": ("{{ tpl .Values.again . }}", "again: '{{ tpl .Values.again . }}'\n"),
    "memory": (
        '{{ $x := "0123456789" }}{{ range until 60 }}{{ $x = print $x $x }}{{ end }}{{ $x }}',
        "",
    ),
    "range": ("{{ range until 2000000000 }}a{{ end }}", ""),
    "output": (
        '{{ range until 90000 }}{{ "a: 0123456789\\n" | repeat 100 }}{{ end }}',
        "",
    ),
}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits a program from outside")
@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_chart_that_takes_too_much_fails_alone(hostile, tmp_path, embedded):
    template, values = HOSTILE[hostile]
    for name in ("before", "guilty", "after"):
        write(
            tmp_path,
            {
                f"{name}/Chart.yaml": f"apiVersion: v2\nname: {name}\nversion: 0.1.0\n",
                f"{name}/values.yaml": values if name == "guilty" else "",
                f"{name}/templates/a.yaml": template if name == "guilty" else "a: b\n",
            },
        )
    requests = [Chart(name, "r", "n", "1.36") for name in ("before", "guilty", "after")]
    limits = Limits(seconds=60, cpu_seconds=3, memory=1024 * MIB, output=8 * MIB)
    before, guilty, after = render_charts(tmp_path, requests, embedded, limits)
    assert [each.text for each in before.templates] == ["a: b\n"]
    assert [each.text for each in after.templates] == ["a: b\n"]
    assert isinstance(guilty, RenderError)
    assert re.fullmatch(
        "guilty cannot be rendered: Helm (took more time|used more memory|wrote more) than it may",
        guilty.message,
    )
    assert guilty.file == "guilty/Chart.yaml"
    assert not guilty.lasting


def test_a_template_that_waits_is_ended_by_the_clock(tmp_path):
    program = tmp_path / "helm"
    program.write_text(f"#!{sys.executable}\nimport time\ntime.sleep(60)\n")
    program.chmod(0o755)
    write(tmp_path, chart("a: b\n"))
    error = refused(tmp_path, Engine("path", "4.0.0", (str(program),)), seconds=1)
    assert error.message == "web cannot be rendered: Helm took more time than it may"


# Trap 6: the SDK follows symbolic links out of the chart.
def test_a_link_out_of_the_repository_is_refused(tmp_path, embedded):
    root, secret = tmp_path / "root", tmp_path / "secret"
    secret.write_text("canary")
    write(root, chart('a: {{ .Files.Get "link" }}\n'))
    (root / "web/link").symlink_to(secret)
    error = refused(root, embedded)
    assert error.message == "a symbolic link leads out of the repository"
    assert error.file == "web/link"
    (root / "web/link").unlink()
    (root / "web/link").symlink_to("Chart.yaml")
    assert "apiVersion" in rendered(root, embedded)["web/templates/a.yaml"]


def test_a_pipe_in_a_chart_is_refused_and_not_waited_for(tmp_path, embedded):
    write(tmp_path, chart("a: b\n"))
    os.mkfifo(tmp_path / "web/pipe")
    assert refused(tmp_path, embedded).file == "web/pipe"


def test_nothing_above_the_chart_is_read_by_its_templates(tmp_path, embedded):
    write(tmp_path, chart('a: "{{ .Files.Get "../secret" }}{{ .Files.Get "/etc/passwd" }}"\n'))
    write(tmp_path, {"secret": "canary"})
    assert rendered(tmp_path, embedded) == {"web/templates/a.yaml": 'a: ""\n'}


# Trap 7: warnings go to standard error.
def test_warnings_are_told_with_the_chart_that_they_are_of(tmp_path, embedded):
    write(tmp_path, chart("a: b\n"))
    write(
        tmp_path,
        {
            "warned/Chart.yaml": "apiVersion: v2\nname: warned\nversion: 0.1.0\ndependencies:\n"
            "- {name: sub, version: 1.x, import-values: [{child: none.x, parent: y}]}\n",
            "warned/templates/a.yaml": "a: b\n",
            "warned/charts/sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
        },
    )
    noisy = CHART._replace(folder="warned")
    first, warned, last = render_charts(tmp_path, [CHART, noisy, CHART], embedded)
    assert first.warnings == last.warnings == ()
    assert warned.warnings == (
        'ImportValues missing table from chart chart=sub error="\\"none\\" is not a table"',
    )


# Trap 8: the SDK shortens Helm's own version.
def test_a_chart_that_demands_another_helm_says_so_in_its_own_words(tmp_path, embedded):
    demand = (
        '{{ if semverCompare "<5" .Capabilities.HelmVersion.Version }}'
        '{{ fail "needs Helm 5" }}{{ end }}\n'
    )
    write(tmp_path, chart(f"a: b\n{demand}"))
    error = refused(tmp_path, embedded)
    assert error.message == "web cannot be rendered: needs Helm 5"
    assert (error.file, error.line) == ("web/templates/a.yaml", 2)


# Trap 9: the SDK would parse each parameter alone, with nulls in the gaps of lists.
def test_a_parameter_changes_one_item_of_a_list_that_the_layers_give(tmp_path, embedded):
    write(tmp_path, chart("v: {{ .Values.l | toJson }} {{ .Values.big }}\n"))
    request = CHART._replace(
        layers=(Layer("x", "l: [{m: 1}, {m: 2}, {m: 3}]\n"),),
        parameters=(Parameter("l[1].m", "9"), Parameter("big", "1073741824")),
    )
    text = 'v: [{"m":1},{"m":9},{"m":3}] 1073741824\n'
    assert rendered(tmp_path, embedded, request) == {"web/templates/a.yaml": text}


# Trap 10: without a version of Kubernetes each Helm assumes one of its own.
def test_templates_are_told_the_version_of_kubernetes(tmp_path, embedded):
    write(tmp_path, chart("v: {{ .Capabilities.KubeVersion.Version }}\n"))
    for version in ("1.31", "1.36"):
        text = f"v: v{version}.0\n"
        found = rendered(tmp_path, embedded, CHART._replace(kubernetes=version))
        assert found == {"web/templates/a.yaml": text}


HELPER = '{{- define "h" -}}\nx: 1\ny: {{ .Values.a.b.c }}\n{{- end -}}\n'


@pytest.mark.parametrize(
    ("template", "message", "file", "line"),
    [
        (
            "x: 1\na: {{ .Values.a.b.c }}\n",
            "nil pointer evaluating interface {}.c (at {{ .Values.a.b.c }})",
            "a.yaml",
            2,
        ),
        ('\na: {{ required "give a limit." .Values.z }}\n', "give a limit", "a.yaml", 2),
        ("a: {{ if .Values.a }}\nb: 1\n", "unexpected EOF", "a.yaml", 3),
        ("a: 1\nb: {{ nothing 1 }}\n", 'function "nothing" not defined', "a.yaml", 2),
        (
            'a: {{ include "h" . }}\n',
            "nil pointer evaluating interface {}.c (at {{ .Values.a.b.c }})",
            "_h.tpl",
            3,
        ),
        ("a: {{ (split .Values.a.b).c.d }}\n", None, "a.yaml", 1),
    ],
)
def test_an_error_of_a_template_is_told_at_its_authored_line(
    template, message, file, line, tmp_path, embedded
):
    write(tmp_path, chart(template) | {"web/templates/_h.tpl": HELPER})
    write(tmp_path, {"web/values.yaml": "a: {}\n"})
    error = refused(tmp_path, embedded)
    assert (error.file, error.line) == (f"web/templates/{file}", line)
    assert message is None or error.message == f"web cannot be rendered: {message}"


def test_values_that_the_schema_refuses_are_told_at_the_last_layer(checkout, embedded):
    request = Chart("everything", "r", "n", "1.36", (Layer("x", "worker: {cpu: many}\n"),))
    error = refused(checkout, embedded, request)
    assert "/worker/cpu" in error.message
    assert error.file == "x"
    assert rendered(checkout, embedded, request._replace(skip_schema=True))


def test_a_broken_chart_file_is_told_at_its_line(tmp_path, embedded):
    write(tmp_path, {"web/Chart.yaml": "name: web\nversion: [\n", "none/templates/a.yaml": ""})
    assert refused(tmp_path, embedded).file == "web/Chart.yaml"
    error = refused(tmp_path, embedded, CHART._replace(folder="none"))
    assert error.message == "the chart has no Chart.yaml"


def test_a_broken_archive_is_told(checkout, embedded):
    path = checkout / "everything/charts/packed-2.1.4.tgz"
    path.write_bytes(path.read_bytes()[:60])
    error = refused(checkout, embedded, Chart("everything", "r", "n", "1.36"))
    assert error.file == "everything/charts/packed-2.1.4.tgz"
    assert error.message.startswith("the archive cannot be read: ")


def test_no_function_is_called_that_could_reach_a_network_or_a_cluster():
    called = set(re.findall(r"helm_[a-z_]+", embedded_engine.CHILD.read_text()))
    assert called == {
        "helm_python",
        "helm_sdk_version",
        "helm_chart_load",
        "helm_render",
        "helm_chart_crds",
        "helm_chart_free",
    }


def test_rendering_leaves_nothing_behind(checkout, embedded, monkeypatch, tmp_path_factory):
    scratch = tmp_path_factory.mktemp("scratch")
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    before = sorted(checkout.rglob("*"))
    request = Chart("everything", "r", "n", "1.36", parameters=(Parameter("bytes", "5"),))
    assert rendered(checkout, embedded, request)
    assert sorted(checkout.rglob("*")) == before
    assert list(scratch.iterdir()) == []


def test_an_archive_that_unpacks_to_too_much_is_refused(checkout, embedded):
    path = checkout / "everything/charts/packed-2.1.4.tgz"
    path.write_bytes(gzip.compress(bytes(200 * MIB)))
    error = refused(checkout, embedded, Chart("everything", "r", "n", "1.36"))
    assert error.message == "a chart of more than 100 MiB"


def test_aliases_of_aliases_are_bounded(tmp_path, embedded):
    folder = ""
    for depth in range(6):
        entries = "".join(
            f"- {{name: c{depth + 1}, version: 1.x, alias: a{n}}}\n" for n in range(50)
        )
        text = f"apiVersion: v2\nname: c{depth}\nversion: 1.0.0\ndependencies:\n{entries}"
        write(tmp_path, {f"c0/{folder}Chart.yaml": text if depth < 5 else text.split("dep")[0]})
        folder += f"charts/c{depth + 1}/"
    error = refused(tmp_path, embedded, CHART._replace(folder="c0"))
    assert error.message == "a chart of more than 100 MiB"

"""Discovery of files in disguise: what looks like one thing and holds another, and hostile ones."""

import json
import resource
import subprocess
import sys

import pytest

POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: i}]}\n"
CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n"
VALUES = "skipped: Helm values"
SOPS = "\nsops:\n  mac: z\n"
CHART = "skipped: Helm chart metadata"
SETTINGS = "skipped: settings of qoslint"
BROKEN = "not understood: does not parse"
VALUES_TEXT = "kind: DaemonSet\nmetadata: {}\nresources: {limits: {cpu: 1}}\n"


@pytest.mark.parametrize(
    "kustomization",
    [
        "configMapGenerator: [{files: [deep/a.yaml]}]",
        "secretGenerator: [{files: [key=deep/a.yaml]}]",
        "helmCharts: [{valuesFile: deep/a.yaml}]",
    ],
)
def test_a_workload_is_read_whatever_else_a_kustomization_uses_its_file_for(
    repository, kustomization
):
    repository.write("k/kustomization.yaml", kustomization)
    repository.write("k/deep/a.yaml", POD)
    assert repository.category("k/deep/a.yaml") == "read"


@pytest.mark.parametrize("path", ["../a.yaml", "../kk/a.yaml", "../../a.yaml"])
def test_a_kustomization_says_nothing_of_data_outside_of_its_folder(repository, path):
    repository.write("b/k/kustomization.yaml", f"configMapGenerator: [{{files: [{path}]}}]")
    file = {"../a.yaml": "b/a.yaml", "../kk/a.yaml": "b/kk/a.yaml", "../../a.yaml": "a.yaml"}[path]
    repository.write(file, CONFIG_MAP)
    assert repository.category(file) == "read"


@pytest.mark.parametrize("name", ["kustomization.yaml", "kustomization.yml", "Kustomization"])
def test_an_object_in_a_file_with_the_name_of_a_kustomization_is_read(repository, name):
    repository.write(name, POD)
    assert repository.category(name) == "read"
    assert len(repository.discover().documents) == 1


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize("first", ["resources: []\n", "kind: Component\n", "resources: [\n"])
def test_what_stands_behind_a_kustomization_is_read(repository, first):
    repository.write("kustomization.yaml", first, POD, "kind: Pod\na: [")
    discovery = repository.discover()
    assert [item.number for item in discovery.documents] == [1]
    assert 2 in [item.number for item in discovery.broken]


def test_a_list_in_a_file_with_the_name_of_a_kustomization_is_read(repository):
    repository.write("kustomization.yaml", "apiVersion: v1\nkind: List\nitems: []\n")
    assert repository.category("kustomization.yaml") == "read"


@pytest.mark.parametrize(
    ("texts", "category"),
    [
        (["kubernetes: '1.36'"], SETTINGS),
        (["clusters: [", "a: {"], SETTINGS),
        ([""], SETTINGS),
        ([POD], "read"),
        (["kubernetes: '1.36'\n", POD], "read"),
        (["kind: Pod\napiVersion: ["], BROKEN),
    ],
)
def test_settings_are_told_from_objects_by_what_they_hold(repository, texts, category):
    repository.write("a/.qoslint.yaml", *texts)
    assert repository.category("a/.qoslint.yaml") == category


@pytest.mark.parametrize(
    ("text", "category"),
    [
        (POD, "read"),
        ("{apiVersion: v1, kind: List, items: []}", "read"),
        ("{apiVersion: template.openshift.io/v1, kind: Template, objects: []}", "read"),
        ("kind: Pod\na: [", BROKEN),
        (f"{POD}{SOPS}#ENC[AES256_GCM,", "not understood: encrypted with SOPS"),
        (VALUES_TEXT, VALUES),
        (CONFIG_MAP, VALUES),
        ("a: [", VALUES),
    ],
)
def test_values_that_hold_a_workload_are_no_values(repository, text, category):
    repository.write("chart/Chart.yaml", "name: a")
    repository.write("chart/prod-values.yaml", text)
    assert repository.category("chart/prod-values.yaml") == category


@pytest.mark.parametrize("text", ["", "a: b", "name: 1", "name: ''", "name: [", "- name", "\0"])
def test_without_a_name_there_is_no_chart(repository, text):
    repository.write("Chart.yaml", text)
    repository.write("templates/a.yaml", POD)
    assert repository.category("templates/a.yaml") == "read"
    assert repository.discover().charts == ()


def test_a_workload_in_the_metadata_of_a_chart_is_read(repository):
    repository.write("Chart.yaml", "name: a", POD)
    repository.write("requirements.yaml", "dependencies: []")
    assert repository.category("Chart.yaml") == "read"
    assert repository.category("requirements.yaml") == CHART


@pytest.mark.parametrize(
    "text",
    [
        '{"kind":"Pod","apiVersion":"v1","spec":{',
        '{"apiVersion":"v1","kind":"Pod","spec":{',
        '{ "kind" : "Pod", "a": [',
        '  "kind": "Pod",\n  "a": [',
        "{kind: Pod, a: [",
        "\n  apiVersion: v1\n  kind: [",
    ],
)
def test_a_truncated_object_is_a_broken_document(repository, text):
    repository.write("a.yaml", text)
    assert repository.category("a.yaml") == BROKEN
    assert len(repository.discover().broken) == 1


def test_aliases_are_counted_over_all_files(repository):
    """Each file is within what its text allows, and all together are not."""
    items = ", ".join(["x"] * 4000)
    many = f"{POD}a: &a [{items}]\nb: [*a, *a, *a, *a, *a]\n"
    for number in range(40):
        repository.write(f"{number:02}.yaml", many)
    repository.write("zz.yaml", f"{POD}a: &a {{x: y}}\nb: {{<<: *a}}\n")
    discovery = repository.discover()
    assert discovery.read[:5] == ("00.yaml", "01.yaml", "02.yaml", "03.yaml", "04.yaml")
    assert "zz.yaml" in discovery.read
    assert 10 < len(discovery.not_understood["does not parse"]) < 30
    assert discovery.broken[-1].message.startswith("aliases expand to more than ")


def test_files_below_too_many_folders_are_counted_and_not_understood(repository):
    repository.write("a/" * 128 + "a.yaml", POD)
    repository.write("a/" * 129 + "a.yaml", POD)
    repository.write("a/" * 129 + "Chart.yaml", "name: a")
    repository.write("a/" * 129 + "a.txt", "")
    discovery = repository.discover()
    assert discovery.read == ("a/" * 128 + "a.yaml",)
    assert len(discovery.not_understood["below more than 128 folders"]) == 2
    assert discovery.files == 4
    assert repository.discover("a/" * 129 + "a.yaml").files == 1


LOOK = """
import json, sys
from qoslint.model.kinds import known_kinds, shipped_kinds
from qoslint.model.sought import sought
from qoslint.render.discovery import file_all
from qoslint.render.plain import read_text
looked_for = sought(known_kinds(shipped_kinds()), ())
found = file_all([("a.yaml", read_text("a.yaml", sys.stdin.read(), looked_for))])
print(json.dumps([*found.read, *found.skipped, *found.not_understood]))
"""
HUNDRED_KB = {
    "line ends": "\n" * 100_000 + "kind: [",
    "line ends and tabs": "\t\n" * 50_000 + "kind: [",
    "CRLF": "\r\n" * 50_000 + "kind: [",
    "blanks": " " * 100_000 + "kind: [",
    "dashes": "- " * 50_000 + "kind: [",
    "braces": "{" * 100_000 + "kind",
    "kinds": "kind \n" * 20_000 + "a: [",
    "a kind far from its colon": "kind" + " " * 100_000 + "x: [",
    "a long kind": f"kind: '{'a' * 50_000}' {' ' * 50_000}b",
    "comments and markers": "# a\n---\n# b\n" * 8_000 + "kind: Pod",
    "comments and ends": "# a\r...\r# b\r" * 8_000 + "kind: Pod",
}


@pytest.mark.parametrize("name", HUNDRED_KB)
def test_a_first_look_takes_time_in_proportion_to_the_text(name):
    done = subprocess.run(
        [sys.executable, "-c", LOOK],
        input=HUNDRED_KB[name],
        capture_output=True,
        check=False,
        text=True,
        timeout=400,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (20, 20)),
    )
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)) == 1

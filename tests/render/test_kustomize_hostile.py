"""Kustomizations of strangers: each ends in a sentence, within limits, and reaches nothing."""

import sys
from base64 import b64encode

import pytest

from qoslint.render.failure import RenderError
from qoslint.render.kustomize.build import build
from qoslint.render.kustomize.engine import Engine, engine
from qoslint.render.kustomize.overlay import Overlay
from qoslint.workers import LIMITS, MIB

POD = """
    apiVersion: v1
    kind: Pod
    metadata: {name: pod}
    spec: {containers: [{name: a, image: a:1}]}
"""
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits from outside")


@pytest.fixture(scope="module")
def kubectl():
    found = engine("embedded", __file__)
    assert not isinstance(found, str)
    return found


@pytest.fixture
def never(tmp_path):
    """An engine that leaves a trace if it is started."""
    code = f"open({str(tmp_path / 'started')!r}, 'w')"
    return Engine("path", "kubectl", "1.36.0", (sys.executable, "-c", code))


def refused(repository, kubectl, folder="prod", limits=LIMITS, **fields):
    with pytest.raises(RenderError) as caught:
        build(repository.root, Overlay(folder, **fields), kubectl, limits)
    error = caught.value
    assert "\n" not in error.message
    assert str(repository.root) not in error.message
    return f"{error.file}:{error.line}: {error.message}"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("resources:\n- https://example.com/org/repo//base?ref=v1", "remote base https://"),
        ("resources:\n- git@example.com:org/repo.git", "remote base git@"),
        ("resources:\n- github.com/org/repo/base", "remote base github.com/"),
        ("resources:\n- ssh://git@example.com/repo", "remote base ssh://"),
        ("components:\n- git::https://example.com/repo", "remote component git::"),
        ("patches:\n- path: http://example.com/patch.yaml", "remote patch http://"),
        (
            "configMapGenerator:\n- files: [x=https://example.com/x]",
            "remote content of a generated",
        ),
        ("transformers:\n- https://example.com/x.yaml", "remote plugin configuration https://"),
        ("crds:\n- https://example.com/x.yaml", "remote transformer configuration or schema"),
        ("openapi:\n  path: https://example.com/x.json", "remote transformer configuration"),
        ("resources:\n- ../../outside", "../../outside, which is outside of the repository"),
        ("resources:\n- /etc", "/etc, which is outside"),
        ("patches:\n- path: ../../../etc/passwd", "outside of the repository"),
        ("secretGenerator:\n- envs: [/etc/environment]", "outside of the repository"),
        ("helmCharts:\n- {name: web, releaseName: /, repo: https://example.com}", "never fetched"),
        (
            "helmGlobals: {chartHome: ../../..}\nhelmCharts:\n- name: web",
            "the chart web is outside of the repository",
        ),
        ("resources:\n- ../prod", "include each other: 'prod' -> 'prod'"),
    ],
)
def test_what_leads_out_is_refused_at_its_line_and_nothing_is_started(
    entry, said, repository, never
):
    repository.write({"prod/kustomization.yaml": f"# A line.\n{entry}\n"})
    message = refused(repository, never)
    assert said in message
    line = 3 if "chartHome" not in entry else 4
    assert message.startswith(f"prod/kustomization.yaml:{line}: ")
    assert not (repository.root / "started").exists()


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        ('Resources: ["http://127.0.0.1:9/x.yaml"]', "resources"),
        ('RESOURCES: ["../../outside"]', "resources"),
        ('re\u017fources: ["../../outside"]', "resources"),  # s, as Go compares letters
        ("Components: [../../outside]", "components"),
        ("patches: [{Path: ../pod.yaml}]", "path"),
        ("configMapGenerator: [{name: x, Files: [../pod.yaml]}]", "files"),
        ("HelmCharts: [{name: web, repo: https://example.com}]", "helmCharts"),
        ("helmCharts: [{name: web, Repo: https://example.com}]", "repo"),
        ('generators: ["kind: ConfigMapGenerator\\nEnvs: [../pod.yaml]"]', "envs"),
        ('transformers: ["kind: ReplacementTransformer\\nReplacements: []"]', "replacements"),
        ("Kind: Component", "kind"),
    ],
)
def test_a_field_in_other_letters_is_refused_and_nothing_is_started(
    entry, name, repository, never, tmp_path
):
    """Kustomize would take it for the field, which is looked through for what leads out."""
    repository.write({"prod/kustomization.yaml": f"resources: [pod.yaml]\n{entry}"})
    said = refused(repository, never)
    assert said.startswith("prod/kustomization.yaml:2: ")
    assert said.endswith(f"only that spelling is followed here: write '{name}'")
    assert not (tmp_path / "started").exists()


def test_labels_and_values_may_be_called_as_fields_are(repository, kubectl):
    entry = "commonAnnotations: {Resources: a, Path: b}\nlabels: [{pairs: {Name: c}}]"
    repository.write({"prod/kustomization.yaml": f"resources: [pod.yaml]\n{entry}"})
    repository.write({"prod/pod.yaml": POD})
    assert "Resources: a" in build(repository.root, Overlay("prod"), kubectl).text


def test_a_build_sees_no_file_that_its_kustomizations_do_not_name(repository, kubectl):
    """What is configured by a patch is named by nobody, and may be at hand for another build."""
    repository.write(
        {
            "prod/kustomization.yaml": "generators: [made]",
            "prod/made/kustomization.yaml": """
                resources: [maps.yaml]
                patches:
                - patch: '[{"op": "add", "path": "/files", "value": ["more.txt"]}]'
                  target: {kind: ConfigMapGenerator}
            """,
            "prod/made/maps.yaml": """
                apiVersion: builtin
                kind: ConfigMapGenerator
                metadata: {name: x}
            """,
            "prod/more.txt": "text",
        }
    )
    assert "more.txt" in refused(repository, kubectl)
    repository.write({"prod/made/kustomization.yaml": "resources: [maps.yaml]"})
    repository.write(
        {
            "prod/made/maps.yaml": "{apiVersion: builtin, kind: ConfigMapGenerator, "
            "metadata: {name: x}, files: [more.txt]}"
        }
    )
    assert "more.txt: text" in build(repository.root, Overlay("prod"), kubectl).text


@pytest.mark.parametrize(
    "entry", ["resources: [..]", "configMapGenerator: [{name: a, files: [.]}]"]
)
def test_a_folder_where_a_file_belongs_is_left_to_the_engine(entry, repository, kubectl):
    repository.write({"app/prod/kustomization.yaml": f"{entry}\n", "app/pod.yaml": POD})
    assert refused(repository, kubectl, "app/prod").startswith("app/prod/kustomization.yaml:1: ")


def test_a_circle_is_refused_before_it_is_built(repository, never):
    repository.write(
        {
            "prod/kustomization.yaml": "resources: [../base]",
            "base/kustomization.yaml": "namePrefix: x-\ncomponents:\n- ../more",
            "more/kustomization.yaml": "kind: Component\nresources: [../base]",
        }
    )
    assert refused(repository, never) == (
        "more/kustomization.yaml:2: the kustomizations include each other: "
        "'base' -> 'more' -> 'base'"
    )


@pytest.mark.parametrize("linked", ["pod.yaml", "base", "base/kustomization.yaml", "prod"])
def test_no_symbolic_link_is_followed(linked, repository, never):
    outside = repository.root / "outside"
    repository.write(
        {
            "outside/base/kustomization.yaml": "resources: []",
            "outside/pod.yaml": POD,
            "checkout/other/kustomization.yaml": "resources: [../base, ../pod.yaml]",
        }
    )
    repository.root = repository.root / "checkout"
    if linked != "base":
        repository.write({"base/kustomization.yaml": "resources: []"})
    if linked == "prod":
        (repository.root / "prod").symlink_to(repository.root / "other")
    else:
        (repository.root / "other").rename(repository.root / "prod")
    target = repository.root / linked
    target.unlink(missing_ok=True) if linked != "prod" else None
    if linked != "prod":
        target.symlink_to(outside / linked)
    assert "is a symbolic link, which is not followed" in refused(
        repository, never, load_restrictor_none=True
    )


def test_files_above_a_kustomization_are_read_only_when_that_is_allowed(repository, kubectl):
    repository.write({"prod/kustomization.yaml": "resources:\n- ../pod.yaml", "pod.yaml": POD})
    assert "security; file 'pod.yaml' is not in or below 'prod'" in refused(repository, kubectl)
    allowed = Overlay("prod", load_restrictor_none=True)
    assert build(repository.root, allowed, kubectl).text.startswith("apiVersion: v1")


def test_no_plugin_runs_a_program(repository, kubectl, tmp_path):
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n", "utf-8")
    program.chmod(0o700)
    function = """
        apiVersion: example.com/v1
        kind: Any
        metadata:
          name: any
          annotations:
            config.kubernetes.io/function: |
              exec: {path: ./program}
    """
    repository.write(
        {
            "exec/kustomization.yaml": "generators: [function.yaml]",
            "exec/function.yaml": function,
            "legacy/kustomization.yaml": "generators: [plugin.yaml]",
            "legacy/plugin.yaml": "{apiVersion: example.com/v1, kind: Any, metadata: {name: any}}",
            "container/kustomization.yaml": "transformers: [function.yaml]",
            "container/function.yaml": function.replace(
                "exec: {path: ./program}", "container: {image: example.com/any}"
            ),
        }
    )
    (repository.root / "exec/program").write_bytes(program.read_bytes())
    (repository.root / "exec/program").chmod(0o700)
    for folder in ("exec", "legacy", "container"):
        assert refused(repository, kubectl, folder)
    assert not (tmp_path / "ran").exists()


def test_aliases_without_end_are_refused_at_their_line(repository, never):
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    repository.write(
        {
            "prod/kustomization.yaml": "resources: [bomb.yaml]",
            "prod/bomb.yaml": "\n".join(["apiVersion: v1", "kind: Bomb", *lines]),
        }
    )
    assert refused(repository, never).startswith("prod/bomb.yaml:")


@LINUX
def test_a_build_that_takes_too_much_memory_or_output_is_ended(repository, kubectl):
    names = range(6)
    repository.write({f"prod/data{n}": "x" * MIB for n in names})
    files = ", ".join(f"data{n}" for n in names)
    repository.write(
        {"prod/kustomization.yaml": f"configMapGenerator: [{{name: all, files: [{files}]}}]"}
    )
    limits = LIMITS._replace(output=2 * MIB)
    assert "it wrote more than it may" in refused(repository, kubectl, limits=limits)
    limits = LIMITS._replace(memory=48 * MIB)
    assert "it used more memory than it may" in refused(repository, kubectl, limits=limits)


@LINUX
def test_a_build_that_takes_too_long_is_ended(repository, tmp_path):
    repository.write({"prod/kustomization.yaml": "resources: []"})
    endless = Engine("path", "kubectl", "1.36.0", (sys.executable, "-c", "while True: pass"))
    limits = LIMITS._replace(seconds=1)
    assert "it took more time than it may" in refused(repository, endless, limits=limits)


def test_an_engine_that_is_gone_is_said(repository):
    repository.write({"prod/kustomization.yaml": "resources: []"})
    gone = Engine("path", "kubectl", "1.36.0", ("/nowhere/kubectl", "kustomize"))
    assert "/nowhere/kubectl does not start" in refused(repository, gone)


@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("", "stringData.a.b", "expected MappingNode but got ScalarNode"),
        (", options: {delimiter: '-', index: 9}", "stringData.a", "index 9 is out of bounds"),
    ],
)
def test_no_secret_that_is_replaced_is_in_a_message(repository, kubectl, source, target, said):
    data = "stringData: {a: canary}"
    replacement = (
        f"{{source: {{kind: Secret, name: s, fieldPath: stringData.a{source}}}, "
        f"targets: [{{select: {{kind: Secret}}, fieldPaths: [{target}]}}]}}"
    )
    repository.write(
        {
            "a.yaml": f"{{apiVersion: v1, kind: Secret, metadata: {{name: s}}, {data}}}",
            "kustomization.yaml": f"{{resources: [a.yaml], replacements: [{replacement}]}}",
        }
    )
    message = refused(repository, kubectl, "")
    assert said in message
    assert "canary" not in message


def test_no_secret_of_a_generator_is_in_a_message(repository, kubectl):
    repository.write(
        {
            "prod/kustomization.yaml": "secretGenerator: [{name: s, literals: [canary]}]",
            "env/kustomization.yaml": "secretGenerator: [{name: s, envs: [s.env]}]",
            "env/s.env": "9=canary\n",
            "utf8/kustomization.yaml": "secretGenerator: [{name: s, envs: [s.env]}]",
        }
    )
    (repository.root / "utf8/s.env").write_bytes(b"\xff=canary\n")
    secret = "{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {a: canary"
    repository.write({"patch/kustomization.yaml": f"patches: [{{patch: '{secret}'}}]"})
    for folder in ("prod", "env", "utf8", "patch"):
        message = refused(repository, kubectl, folder)
        for text in ("canary", b64encode(b"canary").decode(), "99 97 110"):
            assert text not in message

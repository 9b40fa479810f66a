"""What is kept of renders: an unchanged run starts no program, and no data is left behind."""

import base64
import itertools
import json
import re
from pathlib import Path

import pytest

from qoslint import api
from qoslint.render import identity
from tests.render.cached import CANARY, CHART, OVERLAY, application, runs, same_twice


@pytest.fixture
def run(repository, tmp_path_factory):
    return runs(repository, tmp_path_factory.mktemp("cache"))


def test_an_unchanged_run_starts_no_program(repository, run):
    repository.write({**CHART, **OVERLAY})
    report, _ = same_twice(run)
    places = {(each.rule, each.location.file) for each in report.findings}
    assert {("QOS111", "charts/web/values.yaml"), ("QOS111", "base/pod.yaml")} <= places


def test_facts_of_an_unchanged_run_are_the_same(repository, run):
    repository.write({**CHART, **OVERLAY})
    same_twice(run, api.facts)


def test_places_that_no_run_has_asked_for_are_still_found(repository, run):
    repository.write({**CHART, **OVERLAY})
    run()
    after_a_check, _ = run(api.facts)
    for file in run.folder.iterdir():
        file.unlink()
    assert run(api.facts)[0] == after_a_check


def test_no_data_of_secrets_and_config_maps_is_kept(repository, run):
    repository.write({**CHART, **OVERLAY})
    same_twice(run)
    run(api.facts)
    kept = b"".join(file.read_bytes() for file in run.folder.iterdir())
    assert b"Deployment" in kept
    encoded = base64.b64encode(CANARY.encode())
    for word in (CANARY.encode(), encoded, base64.b64encode(encoded)):
        assert word[:-4] not in kept


def test_what_holds_the_value_of_a_secret_is_rendered_each_time(repository, run):
    repository.write(CHART)
    template = repository.root / "charts/web/templates/all.yaml"
    text = template.read_text().replace("image: web:1", "image: {{ .Values.password }}")
    template.write_text(text)
    first, _ = run()
    again, started = run()
    assert again == first
    assert started > 0
    assert all(CANARY.encode() not in file.read_bytes() for file in run.folder.iterdir())


@pytest.mark.parametrize(
    "image",
    [
        "{{ .Values.password | b64enc }}",  # as `data` would hold it
        "{{ .Values.password | quote | quote }}",  # with characters that are escaped
        "|-\n              first\n              {{ .Values.password }}\n              last",
    ],
    ids=["encoded", "quoted", "lines"],
)
def test_the_value_of_a_secret_is_found_in_any_form(repository, run, image):
    repository.write(CHART)
    template = repository.root / "charts/web/templates/all.yaml"
    text = template.read_text().replace("image: web:1", f"image: {image}")
    template.write_text(text.replace("twice: {{ .Values.password | b64enc }}", "a: b"))
    first, _ = run()
    assert first.report.pods
    again, started = run()
    assert again == first
    assert started > 0
    kept = b"".join(file.read_bytes() for file in run.folder.iterdir())
    assert CANARY.encode() not in kept
    assert base64.b64encode(CANARY.encode())[:-4] not in kept


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("charts/web/values.yaml", "100m", "200m"),
        ("charts/web/values.yaml", CANARY, f"{CANARY}2"),
        ("charts/web/templates/all.yaml", "image: web:1", "image: web:2"),
        ("base/pod.yaml", "100m", "200m"),
        ("base/kustomization.yaml", "resources", "namespace: other\nresources"),
    ],
)
def test_a_changed_input_is_rendered_again(repository, run, file, old, new):
    repository.write({**CHART, **OVERLAY})
    run()
    path = repository.root / file
    path.write_text(path.read_text().replace(old, new))
    changed, started = run()
    assert started > 0
    for kept in run.folder.iterdir():
        kept.unlink()
    assert run()[0] == changed


def test_another_version_of_kubernetes_is_rendered_again(repository, run):
    repository.write({**CHART, ".qoslint.yaml": "kubernetes: '1.35'\n"})
    run()
    repository.write({".qoslint.yaml": "kubernetes: '1.34'\n"})
    assert run()[1] > 0


@pytest.mark.parametrize(
    "contents",
    [
        [b"", b"nonsense", b"[]", b"null"],
        [b"{}", b'{"x": ["a", 0, 0, 0, 0, true]}', b"1"],
        [b'[["a"], [["b"]], []]', b'[[1], "b", {}]', b'[[], [["", "kind: A"]], [[1, 2]]]'],
    ],
)
def test_what_cannot_be_used_of_the_cache_is_replaced(repository, run, contents):
    repository.write({**CHART, **OVERLAY})
    first, _ = run()
    files = sorted(run.folder.iterdir())
    for file, content in zip(files, itertools.cycle(contents), strict=False):
        file.write_bytes(content)
    again, started = run()
    assert again == first
    assert started > 0
    assert sorted(run.folder.iterdir()) == files
    assert run() == (first, 0)


def test_what_many_ask_for_is_rendered_once(repository, run):
    files = {f"apps/a{n}.yaml": application(f"a{n}", "base") for n in range(60)}
    repository.write({**OVERLAY, **files})
    (report, _), started = run()
    assert report.coverage.workloads == 60
    assert started == 1
    assert run()[1] == 0


SOURCE = """
    apiVersion: source.toolkit.fluxcd.io/v1
    kind: GitRepository
    metadata: {name: me, namespace: flux-system}
    spec: {url: https://github.com/acme/fleet}
    """


def _kustomization(name, path, more="{}"):
    spec = {
        "path": path,
        "sourceRef": {"kind": "GitRepository", "name": "me"},
        "postBuild": json.loads(more),
    }
    return f"""
        apiVersion: kustomize.toolkit.fluxcd.io/v1
        kind: Kustomization
        metadata: {{name: {name}, namespace: flux-system}}
        spec: {json.dumps(spec)}
        """


FLUX = {
    "flux/source.yaml": SOURCE,
    "flux/settings.yaml": _kustomization("settings", "./settings"),
    "flux/app.yaml": _kustomization(
        "app", "./app", '{"substituteFrom": [{"kind": "ConfigMap", "name": "sizes"}]}'
    ),
    "settings/kustomization.yaml": "resources: [sizes.yaml, pod.yaml]\nnamespace: flux-system\n",
    "settings/sizes.yaml": f"""
        apiVersion: v1
        kind: ConfigMap
        metadata: {{name: sizes}}
        data: {{cpu: 150m, other: {CANARY}}}
        """,
    "settings/pod.yaml": OVERLAY["base/pod.yaml"],
    "app/kustomization.yaml": "resources: [pod.yaml]\n",
    "app/pod.yaml": OVERLAY["base/pod.yaml"]
    .replace("100m", '"${cpu}"')
    .replace("name: p}", 'name: "${other}"}'),
}


def test_data_that_others_ask_for_is_rendered_again_and_not_kept(repository, run):
    repository.write(FLUX)
    first, _ = run(api.facts)
    again, started = run(api.facts)
    assert again == first
    assert "150m" in json.dumps(first[0])
    assert started == 1  # of the settings, whose data is wanted
    assert all(CANARY.encode() not in file.read_bytes() for file in run.folder.iterdir())


RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec:
  chart:
    spec:
      chart: ./charts/web
      sourceRef: {kind: GitRepository, name: me, namespace: flux-system}
"""


def test_a_release_with_values_of_a_secret_is_rendered_each_time(repository, run):
    release = f"{RELEASE}  valuesFrom: [{{kind: Secret, name: given}}]\n"
    given = f"""
        apiVersion: v1
        kind: Secret
        metadata: {{name: given, namespace: shop}}
        stringData:
          values.yaml: |
            image: {CANARY}
        """
    files = {**CHART, "flux/source.yaml": SOURCE, "flux/web.yaml": release, "flux/s.yaml": given}
    key = "charts/web/templates/all.yaml"
    files[key] = files[key].replace("image: web:1", "image: {{ .Values.image }}")
    repository.write(files)
    first, _ = run()
    again, started = run()
    assert again == first
    assert started > 0
    assert all(CANARY.encode() not in file.read_bytes() for file in run.folder.iterdir())


def test_post_rendered_output_is_kept(repository, run):
    release = (
        RELEASE
        + """\
  postRenderers:
    - kustomize:
        patches:
          - target: {kind: Deployment}
            patch: |
              - op: add
                path: /spec/template/spec/containers/0/resources/limits
                value: {cpu: 1}
"""
    )
    repository.write({**CHART, "flux/source.yaml": SOURCE, "flux/web.yaml": release})
    same_twice(run)


def test_what_tells_two_versions_apart_is_all_code_that_rendering_imports():
    package = Path(identity.__file__).parent.parent
    hashed = {*identity._PACKAGES, *identity._MODULES}
    files = [
        *(file for name in identity._PACKAGES for file in (package / name).rglob("*.py")),
        *(package / f"{name}.py" for name in identity._MODULES),
    ]
    imports = re.compile(r"^\s*(?:from qoslint import|(?:from|import) qoslint\.)(?:\s*)(\w+)", re.M)
    imported = {name for file in files for name in imports.findall(file.read_text("utf-8"))}
    assert {"span", "finding", "workers"} <= imported <= hashed

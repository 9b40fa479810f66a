"""What is kept of renders: an unchanged run starts no program, and no data is left behind."""

import base64
import itertools
import json
import re
import sys
from pathlib import Path

import pytest

from qoslint import api
from qoslint.plugins.load import shipped
from qoslint.render import identity
from qoslint.settings.load import find, load

SHIPPED = shipped()
CANARY = "canary-7f3a91c2"

STARTED = []
sys.addaudithook(
    lambda event, given: STARTED.append(given[1]) if event == "subprocess.Popen" else None
)

CHART = {
    "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
    "charts/web/values.yaml": f"""
        password: {CANARY}
        resources:
          requests: {{cpu: 100m}}
        """,
    "charts/web/templates/all.yaml": """
        apiVersion: v1
        kind: Secret
        metadata: {name: web}
        stringData:
          password: {{ .Values.password }}
          twice: {{ .Values.password | b64enc }}
        ---
        # of the application
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: web}
        data:
          template: |
            containers: {{ .Values.password }}
        ---
        apiVersion: v1
        kind: List
        items:
          - apiVersion: v1
            kind: Secret
            metadata: {name: inner, annotations: {was: "{{ .Values.password }}"}}
            data: {password: "{{ .Values.password | b64enc }}"}
        ---
        apiVersion: example.org/v1
        kind: Schema
        metadata: {name: web}
        spec: {template: {kind: {type: string}}}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec:
              containers:
                - name: web
                  image: web:1
                  resources: {{- toYaml .Values.resources | nindent 12 }}
        """,
}
OVERLAY = {
    "base/kustomization.yaml": f"""
        resources: [pod.yaml]
        secretGenerator:
          - name: s
            literals: [password={CANARY}]
        configMapGenerator:
          - name: c
            literals: [text={CANARY}]
        """,
    "base/pod.yaml": """
        apiVersion: v1
        kind: Pod
        metadata: {name: p}
        spec:
          containers:
            - name: p
              image: p:1
              resources: {requests: {cpu: 100m}}
              envFrom: [{secretRef: {name: s}}, {configMapRef: {name: c}}]
        """,
}


@pytest.fixture
def run(repository, tmp_path_factory):
    """Checks the repository with a cache, and tells the report and how many programs it took."""
    folder = tmp_path_factory.mktemp("cache")

    def run(function=api.check):
        found = find([str(repository.root)])
        settings = load(found, SHIPPED)
        settings = settings._replace(rendering=settings.rendering._replace(cache=folder))
        STARTED.clear()
        result = function(found.paths, settings)
        return result, len(STARTED)

    run.folder = folder
    return run


def _same_twice(run, function=api.check):
    first, started = run(function)
    assert started > 0
    again, started = run(function)
    assert again == first
    assert started == 0
    return first


def _messages(checked):
    return [each.message for each in checked.report.findings]


def test_an_unchanged_run_starts_no_program(repository, run):
    repository.write({**CHART, **OVERLAY})
    report, _ = _same_twice(run)
    places = {(each.rule, each.location.file) for each in report.findings}
    assert {("QOS111", "charts/web/values.yaml"), ("QOS111", "base/pod.yaml")} <= places


def test_facts_of_an_unchanged_run_are_the_same(repository, run):
    repository.write({**CHART, **OVERLAY})
    _same_twice(run, api.facts)


def test_places_that_no_run_has_asked_for_are_still_found(repository, run):
    repository.write({**CHART, **OVERLAY})
    run()
    after_a_check, _ = run(api.facts)
    for file in run.folder.iterdir():
        file.unlink()
    assert run(api.facts)[0] == after_a_check


def test_no_data_of_secrets_and_config_maps_is_kept(repository, run):
    repository.write({**CHART, **OVERLAY})
    _same_twice(run)
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


def _application(name, path):
    return f"""
        apiVersion: argoproj.io/v1alpha1
        kind: Application
        metadata: {{name: {name}, namespace: argocd}}
        spec:
          source: {{repoURL: https://github.com/acme/fleet, path: {path}}}
          destination: {{namespace: {name}}}
        """


def test_what_many_ask_for_is_rendered_once(repository, run):
    files = {f"apps/a{n}.yaml": _application(f"a{n}", "base") for n in range(60)}
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


def test_what_fails_each_time_is_tried_once_and_names_all_that_have_it(repository, run):
    broken = {**CHART, "charts/web/templates/bad.yaml": '{{ fail "no luck" }}\n'}
    apps = {f"apps/a{n}.yaml": _application(f"a{n}", "charts/web") for n in range(2)}
    repository.write({**broken, **apps})
    first = _same_twice(run)
    (told,) = [each for each in first.report.findings if "no luck" in each.message]
    assert told.objects == ("Application argocd/a0", "Application argocd/a1")


def test_a_chart_that_fails_is_tried_again_when_it_has_changed(repository, run):
    repository.write({**CHART, "charts/web/templates/bad.yaml": '{{ fail "no luck" }}\n'})
    _same_twice(run)
    repository.write({"charts/web/templates/bad.yaml": ""})
    mended, _ = run()
    assert mended.report.pods


@pytest.mark.parametrize("quoted", [".Values.password", "(.Values.password | b64enc)"])
def test_a_failure_that_quotes_a_value_is_not_kept(repository, run, quoted):
    bad = f'{{{{ fail (printf "no luck with %s" {quoted}) }}}}\n'
    repository.write({**CHART, "charts/web/templates/bad.yaml": bad})
    first, _ = run()
    again, started = run()
    assert again == first
    assert started > 0
    kept = b"".join(file.read_bytes() for file in run.folder.iterdir())
    assert b"no luck" not in kept


def test_a_kustomization_that_fails_is_tried_again_when_what_it_names_is_there(repository, run):
    overlay = {"over/kustomization.yaml": "resources: [../base, more]\n"}
    repository.write({**OVERLAY, **overlay})
    first = _same_twice(run)
    assert any("names 'over/more', which does not exist" in m for m in _messages(first))
    repository.write({"over/more/readme.txt": "a folder without a kustomization\n"})
    still, started = run()
    assert started > 0
    assert any("over is not rendered" in each for each in _messages(still))
    more = OVERLAY["base/pod.yaml"].replace("name: p}", "name: more}")
    repository.write({"over/more/kustomization.yaml": "resources: [a.yaml]\n"})
    repository.write({"over/more/a.yaml": more})
    mended, _ = run()
    assert not any("not rendered" in each for each in _messages(mended))


def test_what_is_taken_for_empty_is_kept_with_what_is_told_of_it(repository, run):
    absent = OVERLAY["base/kustomization.yaml"].replace(
        "literals: [text", "files: [absent.txt]\n            literals: [text"
    )
    over = {f"over{n}/kustomization.yaml": "resources: [../base]\n" for n in range(2)}
    repository.write({**OVERLAY, **over, "base/kustomization.yaml": absent})
    first = _same_twice(run)
    told = [each.message for each in first.report.notices if "generators" in each.message]
    assert told == [
        f"A file that generators of over{n} name is not in the repository; an empty one was taken: "
        "the data of a ConfigMap or Secret decides nothing about pods."
        for n in range(2)
    ]


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
    _same_twice(run)


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

"""ApplicationSets: the Applications they yield, or why that cannot be told."""

from __future__ import annotations

from textwrap import indent

import pytest

from qoslint.render.argo.expressions import UnevaluatedError
from qoslint.render.argo.templates import Filling
from qoslint.render.target import Missing, Target

ORIGIN = "https://github.com/acme/deploy"
APPS = {f"apps/{name}/deployment.yaml": "" for name in ("api", "web")}


def applicationset(
    generators: str, path: str = "'{{path}}'", name: str = "x", more: str = ""
) -> str:
    return f"""\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {{name: all, namespace: argocd}}
spec:
{indent(more, "  ")}
  generators:
{indent(generators, "    ")}
  template:
    metadata: {{name: {name}}}
    spec:
      destination: {{namespace: shop}}
      source:
        repoURL: {ORIGIN}
        path: {path}
"""


def _folders(found):
    assert all(isinstance(each, Target) for each in found), found
    return [each.what.folder for each in found]


def test_a_list_yields_an_application_for_each_element(argo):
    text = applicationset(
        "- list: {elements: [{env: api, values: {x: '1'}}, {env: web}]}",
        "'apps/{{ env }}'",
        "'{{env}}-{{values.x}}'",
    )
    found = argo({**APPS, "set.yaml": text})
    assert _folders(found) == ["apps/api", "apps/web"]
    assert [each.name for each in found] == [
        "Application argocd/api-1",
        # What is no parameter stays.
        "Application argocd/web-{{values.x}}",
    ]
    assert {each.file for each in found} == {"set.yaml"}
    assert {each.line for each in found} == {14}


def test_folders_of_the_repository_yield_applications_without_hidden_and_excluded_ones(argo):
    git = f"""\
- git:
    repoURL: {ORIGIN}.git
    directories:
      - path: apps/*
      - path: apps/web
        exclude: true
    values: {{where: '{{{{path.basename}}}}-{{{{path[0]}}}}'}}
"""
    kept = {**APPS, "apps/.hidden/a.yaml": "", "apps/api/deeper/a.yaml": ""}
    (target,) = argo({**kept, "set.yaml": applicationset(git, name="'{{values.where}}'")})
    assert target.what.folder == "apps/api"
    assert target.name == "Application argocd/api-apps"


def test_files_of_the_repository_yield_their_content_as_parameters(argo):
    git = f"- git: {{repoURL: '{ORIGIN}', files: [{{path: 'envs/**/config.json'}}]}}\n"
    kept = {
        **APPS,
        "envs/prod/config.json": '{"app": {"name": "api"}, "count": 1000000}',
        "envs/dev/config.json": '[{"app": {"name": "web"}, "count": 2}]',
    }
    text = applicationset(git, "'apps/{{app.name}}'", "'{{path.basename}}-{{count}}'")
    found = argo({**kept, "set.yaml": text})
    assert _folders(found) == ["apps/web", "apps/api"]
    assert [each.name for each in found] == [
        "Application argocd/dev-2",
        # Go's float.
        "Application argocd/prod-1e+06",
    ]


def test_a_matrix_fills_in_the_second_generator_with_the_first(argo):
    matrix = f"""\
- matrix:
    generators:
      - list: {{elements: [{{kind: apps}}, {{kind: infra}}]}}
      - git: {{repoURL: {ORIGIN}, directories: [{{path: '{{{{kind}}}}/*'}}]}}
"""
    kept = {**APPS, "infra/dns/a.yaml": ""}
    text = applicationset(matrix, name="'{{kind}}-{{path.basename}}'")
    found = argo({**kept, "set.yaml": text})
    assert _folders(found) == ["apps/api", "apps/web", "infra/dns"]
    assert found[2].name == "Application argocd/infra-dns"


def test_a_merge_overrides_by_its_keys(argo):
    merge = """\
- merge:
    mergeKeys: [env]
    generators:
      - list: {elements: [{env: a, app: api}, {env: b, app: api}]}
      - list: {elements: [{env: b, app: web}, {env: c, app: web}]}
"""
    found = argo({**APPS, "set.yaml": applicationset(merge, "'apps/{{app}}'")})
    assert _folders(found) == ["apps/api", "apps/web"]


def test_go_templates_read_fields_lists_and_functions(argo):
    git = f"- git: {{repoURL: {ORIGIN}, directories: [{{path: apps/*}}]}}\n"
    text = applicationset(
        git,
        "'{{ index .path.segments 0 }}/{{.path.basename}}'",
        '\'{{ .path.basename | upper | trimSuffix "I" }}-{{ .nothing | default "none" }}\'',
        "goTemplate: true",
    )
    found = argo({**APPS, "set.yaml": text})
    assert _folders(found) == ["apps/api", "apps/web"]
    assert [each.name for each in found] == [
        "Application argocd/AP-none",
        "Application argocd/WEB-none",
    ]


def test_a_name_that_is_not_set_is_an_error_if_that_is_asked_for(argo):
    text = applicationset(
        "- list: {elements: [{env: api}]}",
        "'apps/{{.envs}}'",
        more="goTemplate: true\ngoTemplateOptions: [missingkey=error]",
    )
    (missing,) = argo({**APPS, "set.yaml": text})
    assert "'.envs', which is not set" in missing.message
    assert missing.line == 8


def test_selectors_keep_some_of_the_parameters(argo):
    text = applicationset(
        """\
- list: {elements: [{env: api}, {env: web}, {env: gone}]}
  selector:
    matchExpressions:
      - {key: env, operator: In, values: [api, web]}
      - {key: env, operator: NotIn, values: [web]}
""",
        "'apps/{{env}}'",
    )
    assert _folders(argo({**APPS, "set.yaml": text})) == ["apps/api"]


def test_the_template_of_a_generator_goes_over_that_of_the_set(argo):
    own = "- list: {elements: [{env: api}], template: {spec: {source: {path: apps/web}}}}"
    assert _folders(argo({**APPS, "set.yaml": applicationset(own, "'apps/{{env}}'")})) == [
        "apps/web"
    ]


def test_a_template_patch_changes_the_application(argo):
    patch = "templatePatch: |\n  spec:\n    source: {path: 'apps/{{env}}'}"
    text = applicationset("- list: {elements: [{env: web}]}", "apps/api", more=patch)
    assert _folders(argo({**APPS, "set.yaml": text})) == ["apps/web"]


def test_inline_values_are_those_with_the_parameters_filled_in(argo):
    text = applicationset("- list: {elements: [{env: web, memory: 1Gi}]}", "'charts/{{env}}'")
    text += "        helm: {values: 'not: this', valuesObject: {limits: {m: '{{memory}}'}}}\n"
    (target,) = argo({"charts/web/Chart.yaml": "", "set.yaml": text})
    (layer,) = target.what.layers
    assert (layer.text, layer.path, layer.line) == ('{"limits": {"m": "1Gi"}}', (), 15)


@pytest.mark.parametrize(
    "generator",
    ["clusters: {}", "pullRequest: {}", "scmProvider: {}", "plugin: {}", "somethingNew: {}"],
)
def test_generators_that_ask_elsewhere_are_said_not_to_be_rendered(argo, generator):
    (missing,) = argo({**APPS, "set.yaml": applicationset(f"- {generator}")})
    assert isinstance(missing, Missing)
    assert (missing.line, missing.remote) == (7, None)
    nested = f"- matrix: {{generators: [{{list: {{elements: [{{a: b}}]}}}}, {{{generator}}}]}}"
    (missing,) = argo({**APPS, "set.yaml": applicationset(nested)})
    assert isinstance(missing, Missing)


def test_a_git_generator_of_another_repository_is_missing(argo):
    git = "- git: {repoURL: 'https://github.com/acme/other', directories: [{path: '*'}]}"
    (missing,) = argo({**APPS, "set.yaml": applicationset(git)})
    assert missing.remote


def test_a_million_applications_are_not_made(argo):
    elements = ", ".join("{a: b}" for _ in range(100))
    inner = f"list: {{elements: [{elements}]}}"
    matrix = f"{{matrix: {{generators: [{{{inner}}}, {{{inner}}}]}}}}"
    text = applicationset(f"- matrix: {{generators: [{matrix}, {{{inner}}}]}}")
    (missing,) = argo({**APPS, "set.yaml": text})
    assert "more than 5,000" in missing.message


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("a{{ .b }}c", "abc"),
        ("a  {{- .b -}}  c", "abc"),
        ("{{/* note */}}x", "x"),
        ('{{ printf "%s" .b }}', None),
        ("{{ if .b }}x{{ end }}", None),
        ("{{ .d.e }}", "7"),
        ("{{ .d }}", None),
        ("{{ .gone }}", "<no value>"),
        ("{{ .gone.deeper }}", None),
        ("{{ .b.deeper }}", None),
        ("{{ (index .list 1) | quote }}", '"y"'),
        ('{{ join "-" .list }}', "x-y"),
        ("{{ index .list 9 }}", None),
        ("{{ .b", None),
        ("{{ b }}", None),
        ("{{ . }}", None),
        ("{{ ((((.b)))) }}", "b"),
        ("{{ " + "(" * 500 + ".b" + ")" * 500 + " }}", None),
        ("{{ .b | .b }}", None),
        ("{{ normalize `A_b` }}", "a-b"),
        ("{{ trunc 3 .long }}{{ trunc -2 .long }}", "abcef"),
        ('{{ .b | replace "b" "{{" }}', "{{"),
    ],
)
def test_go_templates_are_filled_in_exactly_or_not_at_all(template, expected):
    parameters = {"b": "b", "d": {"e": 7}, "list": ["x", "y"], "long": "abcdef"}
    filling = Filling(go=True)
    if expected is None:
        with pytest.raises(UnevaluatedError):
            filling.text(template, parameters)
    else:
        assert filling.text(template, parameters) == expected


def test_templates_may_not_grow_without_bounds():
    long = "x" * 10_000
    with pytest.raises(UnevaluatedError):
        Filling(go=False).text("{{a}}" * 1000, {"a": long})


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{one}}{{ one }}", "twotwo"),
        ("}} {{", "}} {{"),
        ("{{ }}", "{{ }}"),
        ("{{ONE}}", "{{ONE}}"),
        ("{{\none}}", "{{\none}}"),
        ("{{number}}", "{{number}}"),
        ("{{one}} {{", None),
    ],
)
def test_plain_templates_replace_whole_names_only(template, expected):
    parameters = {"one": "two", "number": 1, "": "nothing"}
    if expected is None:
        with pytest.raises(UnevaluatedError):
            Filling(go=False).text(template, parameters)
    else:
        assert Filling(go=False).text(template, parameters) == expected

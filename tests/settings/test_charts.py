"""The environments of charts that settings state."""

import pytest

from qoslint.finding import Location
from qoslint.render.helm.records import Parameter
from qoslint.render.renderspec import Environment
from qoslint.settings import charts
from qoslint.span import Position, Span


@pytest.fixture
def web(repository):
    """A repository with a chart that has values for two environments."""
    for name in ("Chart.yaml", "values.yaml", "values-staging.yaml", "values-prod.yaml"):
        repository.file(f"charts/web/{name}", "name: web")
    repository.file("env/prod/web.yaml")
    return repository


def environments(repository, text):
    found = repository.settings(text).rendering.charts
    return {
        folder: {each.name: each.values for each in entries} for folder, entries in found.items()
    }


def test_an_environment_is_what_its_entry_says(web):
    text = """\
charts:
- path: charts/web
  environments:
    staging: {values: [values-staging.yaml]}
    prod:
      values: [values-prod.yaml, /env/prod/web.yaml]
      namespace: shop
      release: shop-web
      set:
        image.tag: "1.10"
"""
    found = web.settings(text).rendering.charts
    span = Span(Position(10, 9), Position(10, 26))
    assert found == {
        "charts/web": (
            Environment("staging", ("charts/web/values-staging.yaml",)),
            Environment(
                "prod",
                ("charts/web/values-prod.yaml", "env/prod/web.yaml"),
                (Parameter("image.tag", "1.10", literal=True, at=Location(".qoslint.yaml", span)),),
                "shop",
                "shop-web",
            ),
        )
    }


@pytest.mark.parametrize(
    ("value", "text", "literal"),
    [
        ("'3'", "3", True),
        ("3", "3", False),
        ("0.5", "0.5", False),
        ("true", "true", False),
        ("null", "null", False),
        ("'{a,b}'", "{a,b}", True),
    ],
)
def test_text_stays_text_and_all_else_is_what_helm_makes_of_it(web, value, text, literal):
    settings = web.settings(
        f"charts: [{{path: charts/web, environments: {{prod: {{set: {{a.b: {value}}}}}}}}}]"
    )
    ((environment,),) = settings.rendering.charts.values()
    (parameter,) = environment.parameters
    assert (parameter.name, parameter.value, parameter.literal) == ("a.b", text, literal)


def test_an_environment_may_say_nothing_but_its_name(web):
    text = "charts: [{path: charts/web, environments: {prod: {}}}]"
    assert environments(web, text) == {"charts/web": {"prod": ()}}


def test_a_chart_may_be_the_root(repository):
    repository.file("Chart.yaml")
    repository.file("prod.yaml")
    text = "charts: [{path: ., environments: {prod: {values: [prod.yaml]}}}]"
    assert environments(repository, text) == {"": {"prod": ("prod.yaml",)}}


def test_a_pattern_names_every_folder_with_a_chart(web):
    web.file("charts/api/Chart.yaml")
    web.file("charts/api/values-prod.yaml")
    web.folder("charts/none")
    text = "charts: [{path: charts/*, environments: {prod: {values: [values-prod.yaml]}}}]"
    assert environments(web, text) == {
        "charts/api": {"prod": ("charts/api/values-prod.yaml",)},
        "charts/web": {"prod": ("charts/web/values-prod.yaml",)},
    }


def test_a_convention_makes_an_environment_of_each_match_only_when_told(web):
    web.file("charts/api/Chart.yaml")
    assert web.load().rendering.charts == {}
    text = "charts: [{path: charts/*, valuesPattern: values-*.yaml}]"
    assert environments(web, text) == {
        "charts/web": {
            "prod": ("charts/web/values-prod.yaml",),
            "staging": ("charts/web/values-staging.yaml",),
        }
    }


def test_the_star_may_stand_for_a_folder(web):
    web.file("env/staging/web.yaml")
    web.file("env/README.md")
    text = "charts: [{path: charts/web, valuesPattern: /env/*/web.yaml}]"
    assert environments(web, text) == {
        "charts/web": {"prod": ("env/prod/web.yaml",), "staging": ("env/staging/web.yaml",)}
    }


def test_an_entry_of_its_own_is_more_than_the_convention(web):
    text = """\
charts:
- path: charts/web
  environments: {prod: {values: [values.yaml]}}
  valuesPattern: values-*.yaml
"""
    assert environments(web, text)["charts/web"] == {
        "prod": ("charts/web/values.yaml",),
        "staging": ("charts/web/values-staging.yaml",),
    }


def test_a_link_is_no_match_of_a_convention(web, tmp_path_factory):
    (web.root / "charts/web/values-link.yaml").symlink_to(tmp_path_factory.mktemp("o") / "x")
    text = "charts: [{path: charts/web, valuesPattern: values-*.yaml}]"
    assert sorted(environments(web, text)["charts/web"]) == ["prod", "staging"]


def test_a_cluster_has_the_charts_with_an_environment_of_its_name(web):
    web.folder("clusters/prod", "clusters/test")
    settings = web.settings(
        """\
clusters:
- {name: prod, paths: [clusters/prod], kubernetes: '1.34'}
- {name: test, paths: [clusters/test]}
charts:
- path: charts/web
  environments: {prod: {}, staging: {}}
"""
    )
    assert [spec.charts for spec in settings.clusters] == [("charts/web",), ()]
    assert settings.clusters[0].reads == ("clusters/prod", "charts/web")
    (environments,) = settings.rendering.charts.values()
    assert [each.kubernetes for each in environments] == ["1.34", None]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "charts:\n- path: charts/wbe\n  environments: {a: {}}\n",
            "2: charts[0].path names 'charts/wbe', which does not exist",
        ),
        (
            "charts:\n- path: env/prod\n  environments: {a: {}}\n",
            "2: charts[0].path names 'env/prod', which holds no Chart.yaml",
        ),
        (
            "charts:\n- path: env/*\n  environments: {a: {}}\n",
            "2: charts[0].path is 'env/*', which no folder with a Chart.yaml matches",
        ),
        (
            "charts:\n- path: ../*\n  environments: {a: {}}\n",
            "2: charts[0].path names '../*', which is outside of the root",
        ),
        (
            "charts:\n- path: charts/web\n  enviroments: {a: {}}\n",
            "3: unknown key 'enviroments' in charts[0], did you mean 'environments'?",
        ),
        (
            "charts:\n- path: charts/web\n",
            "2: charts[0] needs `environments`, or a `valuesPattern`",
        ),
        (
            "charts:\n- path: charts/web\n  environments:\n    a: {valuse: []}\n",
            "4: unknown key 'valuse' in charts[0].environments.a, did you mean 'values'?",
        ),
        (
            "charts:\n- path: charts/web\n  environments:\n    a: {values: [values-prd.yaml]}\n",
            "4: charts[0].environments.a.values[0] names 'values-prd.yaml', which does not exist "
            "in the chart 'charts/web', did you mean 'values-prod.yaml'?",
        ),
        (
            "charts:\n- path: charts/web\n  environments:\n    a: {values: [/env/x.yaml]}\n",
            "4: charts[0].environments.a.values[0] names '/env/x.yaml', which does not exist",
        ),
        (
            "charts:\n- path: charts/web\n  environments:\n    a: {values: [../../../x.yaml]}\n",
            "4: charts[0].environments.a.values[0] names '../../../x.yaml', which is outside of "
            "the root",
        ),
        (
            "charts:\n- path: charts/web\n  environments:\n    a: {values: [..]}\n",
            "4: charts[0].environments.a.values[0] names '..', which is no file",
        ),
        (
            "charts:\n- path: charts/web\n  environments:\n    a: {set: {b: [1]}}\n",
            "4: charts[0].environments.a.set.b must be a string, a number, true or false or "
            "nothing, not a list",
        ),
        (
            "charts:\n- path: charts/web\n  environments:\n    a/b: {}\n",
            "4: key in charts[0].environments must look like 'prod', not 'a/b'",
        ),
        (
            "charts:\n- path: charts/web\n  valuesPattern: values.yaml\n",
            "3: charts[0].valuesPattern is 'values.yaml'; it needs one *, which stands for the "
            "environment",
        ),
        (
            "charts:\n- path: charts/web\n  valuesPattern: '*-*.yaml'\n",
            "3: charts[0].valuesPattern is '*-*.yaml'; it needs one *, which stands for the "
            "environment",
        ),
        (
            "charts:\n- path: charts/web\n  valuesPattern: vals-*.yaml\n",
            "3: charts[0].valuesPattern is 'vals-*.yaml', which no file in the chart 'charts/web' "
            "matches",
        ),
        (
            "charts:\n"
            "- {path: charts/*, environments: {a: {}}}\n"
            "- {path: charts/web, environments: {a: {}}}\n",
            "3: charts[1].environments.a is a second environment 'a' of 'charts/web'",
        ),
    ],
)
def test_what_cannot_be_used_is_told_at_its_line(web, text, message):
    assert web.error(text) == f".qoslint.yaml:{message}"


def test_a_link_is_no_file_of_values(web, tmp_path_factory):
    (web.root / "charts/web/link.yaml").symlink_to(tmp_path_factory.mktemp("outside") / "x")
    assert web.error("charts: [{path: charts/web, environments: {a: {values: [link.yaml]}}}]") == (
        ".qoslint.yaml:1: charts[0].environments.a.values[0] names 'link.yaml', but "
        "'charts/web/link.yaml' is a symbolic link"
    )


def test_patterns_make_no_more_environments_than_any_repository_has(web, monkeypatch):
    monkeypatch.setattr(charts, "MAX_ENVIRONMENTS", 1)
    assert web.error("charts:\n- path: charts/web\n  valuesPattern: values-*.yaml\n") == (
        ".qoslint.yaml:3: charts[0].valuesPattern makes more than 1 environments"
    )


def test_settings_in_toml_have_environments_too(web):
    web.file(
        "pyproject.toml",
        "[tool.qoslint]\nrenderer = 'none'\n[[tool.qoslint.charts]]\npath = 'charts/web'\n"
        "[tool.qoslint.charts.environments.prod]\nvalues = ['values-prod.yaml']\n",
    )
    settings = web.load()
    assert settings.rendering.renderer == "none"
    assert [*settings.rendering.charts] == ["charts/web"]

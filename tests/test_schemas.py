"""The shipped schemas, and the sentences that say what is wrong by them."""

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from qoslint.package_data import data
from qoslint.schema import _schema, check
from qoslint.schema.accept import accepts

SCHEMAS = {
    entry.name.removesuffix(".schema.json"): json.loads(entry.read_text("utf-8"))
    for entry in data("schemas").iterdir()
}


def parts(value):
    """Every mapping in a schema, depth first."""
    if isinstance(value, dict):
        yield value
        for item in value.values():
            yield from parts(item)
    elif isinstance(value, list):
        for item in value:
            yield from parts(item)


def messages(data, name="settings"):
    return [problem.message for problem in check(data, name)]


def profile(**changes):
    return {"name": "n1", "capacity": {"memory": "16Gi"}, **changes}


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_is_a_valid_schema_under_its_own_address(name):
    Draft202012Validator.check_schema(SCHEMAS[name])
    assert SCHEMAS[name]["$id"] == f"https://qoslint.dev/schemas/{name}.schema.json"


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_reference_has_only_annotations_beside_it(name):
    allowed = {"$ref", "description", "default"}
    assert all(set(part) <= allowed for part in parts(SCHEMAS[name]) if "$ref" in part)


@pytest.mark.parametrize("name", ["settings", "node-profile", "rule", "usage"])
def test_every_pattern_shows_an_example_that_matches_it(name):
    patterned = [part for part in parts(SCHEMAS[name]) if isinstance(part.get("pattern"), str)]
    for part in patterned:
        for example in part["examples"]:
            assert Draft202012Validator(part).is_valid(example)


@pytest.mark.parametrize("name", ["settings", "node-profile", "rule", "usage"])
def test_every_key_that_people_write_has_a_description(name):
    documented = [
        (key, value)
        for part in parts(SCHEMAS[name])
        for key, value in part.get("properties", {}).items()
        if isinstance(value, dict)
    ]
    bare = {key for key, value in documented if "description" not in value}
    # What Kubernetes itself defines needs no words of ours.
    assert bare <= {
        "cpu", "memory", "ephemeral-storage", "pods", "pid", "inodes",
        "key", "value", "effect", "namespace", "kind", "name", "labels", "rule",
    }  # fmt: skip


def test_a_misspelt_key_is_named_with_the_nearest_right_one():
    assert messages({"cluster": []}) == ["unknown key 'cluster', did you mean 'clusters'?"]


def test_what_is_no_setting_but_an_option_is_told_where_it_belongs():
    where = "on the command line, in a hook's `args`, or as the input"
    assert messages({"baseline": "known.json", "rules": {"fail_on": "warning"}}) == [
        f"unknown key 'baseline': give --baseline FILE {where} `baseline` of the action",
        f"unknown key 'fail_on' in rules: give --fail-on SEVERITY {where} `fail-on` of the action",
    ]


def test_the_path_of_a_misspelt_key_ends_in_the_key():
    (problem,) = check({"rules": {"presset": "strict"}}, "settings")
    assert problem.path == ("rules", "presset")
    assert problem.message == "unknown key 'presset' in rules, did you mean 'preset'?"


def test_a_misspelt_key_is_told_before_the_key_that_is_missing():
    assert messages({"clusters": [{"nmae": "a", "paths": ["a"]}]}) == [
        "unknown key 'nmae' in clusters[0], did you mean 'name'?",
        "missing key 'name' in clusters[0]",
    ]


def test_of_many_wrong_values_the_first_by_path_are_told():
    wrong = {"featureGates": {f"Gate{number:04}": "on" for number in reversed(range(2000))}}
    told = [problem.path[1] for problem in check(wrong, "settings")]
    assert told == [f"Gate{number:04}" for number in range(1000)]


def test_each_missing_key_is_told_once():
    assert messages({"clusters": [{}]}) == [
        "missing key 'name' in clusters[0]",
        "missing key 'paths' in clusters[0]",
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "the document must be a mapping, not a list"),
        (
            {"kubernetes": 1.36},
            "kubernetes must be a string, not the number 1.36; put it in quotes",
        ),
        ({"kubernetes": "newest"}, "kubernetes must look like '1.36', not 'newest'"),
        (
            {"featureGates": {"X": "on"}},
            "featureGates.X must be true or false, not the string 'on'",
        ),
        ({"featureGates": None}, "featureGates must be a mapping, not nothing"),
        ({"clusters": []}, "clusters must not be empty"),
        ({"clusters": {}}, "clusters must be a list, not a mapping"),
        ({"nodes": [True]}, "nodes[0] must be a string or a mapping, not true"),
        ({"nodes": [""]}, "nodes[0] must not be empty"),
        ({"nodes": [profile(count=0)]}, "nodes[0].count must be at least 1, not 0"),
        (
            {"nodes": [profile(count=10**9)]},
            "nodes[0].count must be at most 1000000, not 1000000000",
        ),
        (
            {"nodes": [profile(name="n" * 254)]},
            "nodes[0].name must have at most 253 characters, not 254",
        ),
        ({"nodes": [profile(pods=[{}])]}, "nodes[0].pods[0] must not be empty"),
        (
            {"rules": {"preset": "x"}},
            "rules.preset must be 'default', 'pedantic' or 'strict', not 'x'",
        ),
        (
            {"rules": {"severity": {"QOS1": "eror"}}},
            "rules.severity.QOS1 must be 'error', 'warning' or 'note', not 'eror'"
            ", did you mean 'error'?",
        ),
        ({"rules": {"select": ["qos"]}}, "rules.select[0] must look like 'QOS103', not 'qos'"),
        (
            {"rules": {"severity": {"all": "note"}}},
            "key in rules.severity must look like 'QOS103', not 'all'",
        ),
        ({"expect": [{"pods": {"name": "a"}}]}, "expect[0] must have at least 2 keys"),
        (
            {"clusters": [{"each": "*", "name": "a"}]},
            "key 'name' in clusters[0] cannot stand beside 'each'",
        ),
    ],
)
def test_a_wrong_value_is_told_in_a_sentence(data, message):
    assert messages(data) == [message]


def test_a_long_value_is_shown_in_part():
    (message,) = messages({"rules": {"preset": "x" * 1000}})
    assert len(message) < 150


@pytest.mark.parametrize("number", [10**4000, -(10**4000)])
def test_a_number_of_many_digits_is_shown_in_part(number):
    (message,) = messages(profile(count=number), "node-profile")
    assert "count must be at " in message
    assert len(message) < 150


def test_a_long_path_is_shown_by_its_end():
    found = list(messages({"rules": {"severity": {"x" * 100_000: 1}}}))
    assert found
    assert max(map(len, found)) < 1000


def test_a_profile_of_its_own_is_checked_as_one_in_the_settings_is():
    wrong = profile(capacity={"memory": "1Gi", "memroy": "1Gi"})
    assert messages(wrong, "node-profile") == ["unknown key 'memroy' in capacity"]
    assert messages({"nodes": [wrong]}) == ["unknown key 'memroy' in nodes[0].capacity"]


def test_extended_resources_and_hugepages_are_capacity():
    capacity = {"memory": "1Gi", "nvidia.com/gpu": 8, "hugepages-2Mi": "64Mi"}
    assert messages(profile(capacity=capacity), "node-profile") == []


SETTINGS = {
    "kubernetes": "1.36",
    "clusters": [
        {
            "name": "prod",
            "paths": ["clusters/prod", "apps/overlays/prod"],
            "context": ["platform/exported"],
            "kubernetes": "1.35",
            "featureGates": {"PodLevelResources": False},
            "complete": True,
            "namespace": "default",
            "nodes": ["nodes/m5.yaml", "eks/m5.large", profile()],
            "injectors": ["istio"],
        },
        {"each": "clusters/*", "complete": False},
    ],
    "remotes": {"https://github.com/acme/charts": "vendor/charts"},
    "rules": {
        "preset": "default",
        "ignore": ["QOS405"],
        "severity": {"QOS103": "error"},
        "options": {"QOS807": {"cpu-limits": "forbidden"}},
        "exceptions": [
            {
                "rule": "QOS103",
                "object": "monitoring/DaemonSet/*",
                "container": "agent",
                "reason": "vendor chart",
                "expires": "2027-06-30",
            }
        ],
    },
    "expect": [
        {
            "pods": {"namespace": "payments"},
            "qos": "Guaranteed",
            "outlives": {"namespace": "batch"},
        }
    ],
}


def test_the_settings_of_the_documentation_are_valid():
    assert messages(SETTINGS) == []


def paths(value, path=()):
    """The path of everything in the data."""
    yield path
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from paths(item, (*path, key))


def replaced(value, path, new):
    """The data with something else at a path."""
    if not path:
        return new
    head, *rest = path
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[head] = replaced(value[head], rest, new)
    return copy


WORDS = [*SETTINGS, *SETTINGS["clusters"][0], *SETTINGS["rules"], "QOS1", "memory", "x", ""]
SCALARS = st.sampled_from([None, True, False, 0, 1, -1, 1.0, 0.5, "1.36", ">=1", *WORDS])
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner),
    max_leaves=6,
)


@given(path=st.sampled_from(list(paths(SETTINGS))), new=JSON)
def test_what_is_accepted_at_once_is_what_jsonschema_finds_valid(path, new):
    data = replaced(SETTINGS, path, new)
    schema = _schema("settings")
    assert accepts(schema, data) == Draft202012Validator(schema).is_valid(data)


def test_valid_data_is_accepted_without_jsonschema(monkeypatch):
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    assert messages(SETTINGS) == []
    assert messages(profile(), "node-profile") == []


def front_matter(**changes):
    return {
        "summary": "A pod is BestEffort.",
        "severity": "warning",
        "confidence": "certain",
        "in": "default",
        "since": "0.1.0",
        **changes,
    }


@pytest.mark.parametrize(
    "severity", ["error", {"only-a-limit": "note", "nothing-at-all": "warning"}]
)
def test_a_rule_has_one_severity_or_one_by_case(severity):
    assert messages(front_matter(severity=severity), "rule") == []


def test_a_severity_by_case_has_only_severities():
    wrong = front_matter(severity={"one": "note", "two": "info"})
    assert messages(wrong, "rule") == [
        "severity.two must be 'error', 'warning' or 'note', not 'info'"
    ]

"""The injectors that settings list."""

import pytest

CONTAINER = "{name: a, in: containers}"


def profile(**changed):
    given = {"name": "own", "selection": "[{inject: true}]", "containers": f"[{CONTAINER}]"}
    return "{" + ", ".join(f"{key}: {value}" for key, value in (given | changed).items()) + "}"


def injectors(repository, *entries, top="injectors"):
    lines = "".join(f"- {entry}\n" for entry in entries)
    (spec,) = repository.settings(f"{top}:\n{lines}").clusters
    return spec.injectors


def test_they_are_named_or_written_in_place(repository):
    found = injectors(repository, "istio", profile())
    assert [injector.name for injector in found] == ["istio", "own"]
    assert found[1].product == "own"


def test_clusters_take_from_the_top_what_they_do_not_say(repository):
    one, two, three = repository.settings(
        """\
        injectors: [istio]
        clusters:
        - {name: a, paths: [.]}
        - {name: b, paths: [.], injectors: [linkerd, dapr]}
        - {name: c, paths: [.], injectors: []}
        """
    ).clusters
    assert [injector.name for injector in one.injectors] == ["istio"]
    assert [injector.name for injector in two.injectors] == ["linkerd", "dapr"]
    assert three.injectors == ()


def test_they_have_an_effect_that_needs_no_notice(repository):
    settings = repository.settings("clusters:\n- {name: a, paths: [.], injectors: [istio]}\n")
    assert settings.notices == ()


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        (
            ["linkerd", "isto"],
            "3: injectors[1] names the injector 'isto', which is not known, did you mean 'istio'?",
        ),
        (["istio", "istio"], "3: injectors[1] is a second injector named 'istio'"),
        (["istio", profile(name="istio")], "3: injectors[1] is a second injector named 'istio'"),
        ([profile(selction="[]")], "unknown key 'selction' in injectors[0]"),
        (["{name: a, containers: []}"], "2: missing key 'selection' in injectors[0]"),
        (
            [profile(containers="[{name: a, in: containers, resources: {limits: {cpu: much}}}]")],
            "2: injectors[0].containers[0].resources.limits.cpu is no quantity",
        ),
        (
            [profile(containers="[{name: a, in: containers, restartPolicy: Always}]")],
            "2: injectors[0].containers[0].restartPolicy makes a sidecar only of an init container",
        ),
        ([profile(selection="[{inject: true, labels: ['a in b']}]")], "labels[0] must look like"),
        ([profile(selection="[{inject: true, labels: [a b]}]")], "labels[0] must look like"),
        ([profile(selection="[{inject: maybe}]")], "selection[0].inject must be"),
        (
            [profile(containers="[{name: a, in: containers, annotations: {a: limit.cpu}}]")],
            "must look like 'requests.cpu'",
        ),
        (["1"], "injectors[0] must be"),
    ],
)
def test_what_cannot_be_used_is_told_at_its_line(repository, entries, message):
    text = "injectors:\n" + "".join(f"- {entry}\n" for entry in entries)
    assert message in repository.error(text)


@pytest.mark.parametrize(
    ("test", "labels", "holds"),
    [
        ("a", {"a": ""}, True),
        ("a", {}, False),
        ("'!a'", {}, True),
        ("'!a'", {"a": "b"}, False),
        ("a=b", {"a": "b"}, True),
        ("a=b", {}, False),
        ("a=", {"a": ""}, True),
        ("a!=b", {}, True),
        ("a!=b", {"a": "b"}, False),
        ('"a=b\\n"', {"a": "b"}, True),
        ("'a in (b,c)'", {"a": "c"}, True),
        ("'a in (b,c)'", {"a": "d"}, False),
        ("'a notin (b,)'", {"a": ""}, False),
        ("'a notin (b,)'", {}, True),
    ],
)
def test_tests_are_written_as_label_selectors_are(repository, test, labels, holds):
    (injector,) = injectors(repository, profile(selection=f"[{{inject: true, labels: [{test}]}}]"))
    (requirement,) = injector.selection[0].condition.labels
    assert requirement.holds(labels) is holds

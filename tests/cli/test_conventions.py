"""Conventions of the command line: colours, exit status, and what an editor pipes in."""

import os

import pytest

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: a, namespace: shop}
spec: {containers: [{name: app, image: x, resources: RESOURCES}]}
"""
REFUSED = POD.replace("RESOURCES", "{requests: {cpu: 2}, limits: {cpu: 1}}")
QUIET = POD.replace("RESOURCES", "{requests: {memory: 64Mi}}")


@pytest.fixture
def root(repository):
    return repository.write({"a.yaml": REFUSED}).root


@pytest.mark.parametrize(
    ("environment", "arguments", "colored"),
    [
        ({}, [], False),
        ({"FORCE_COLOR": "1"}, [], True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, [], False),
        ({"FORCE_COLOR": "1", "NO_COLOR": ""}, [], True),
        ({"NO_COLOR": "1"}, ["--color", "always"], True),
        ({"FORCE_COLOR": "1"}, ["--color", "never"], False),
        ({"FORCE_COLOR": "1"}, ["--format", "json"], False),
        ({"FORCE_COLOR": "1"}, ["--format", "sarif", "--color", "always"], False),
    ],
)
def test_colours_are_as_options_and_environment_say(qoslint, root, environment, arguments, colored):
    done = qoslint("check", *arguments, env={**os.environ, **environment})
    assert ("\x1b[" in done.stdout) is colored


def test_a_file_gets_no_colours(qoslint, root):
    qoslint("check", "--color", "always", "--output", "text:out.txt")
    assert "\x1b[" not in (root / "out.txt").read_text("utf-8")


def test_exit_zero_is_for_findings_alone(qoslint, root):
    assert qoslint("check").returncode == 1
    done = qoslint("check", "--exit-zero", "--require-complete")
    assert done.returncode == 0
    assert "QOS201" in done.stdout
    assert qoslint("check", "--exit-zero", "missing").returncode == 2


def test_an_editor_has_its_text_checked_in_the_place_of_the_file(qoslint, root):
    done = qoslint("check", "-", "--stdin-filename", "a.yaml", input=QUIET)
    assert (done.returncode, done.stderr) == (0, "")
    done = qoslint("check", "-", "--stdin-filename", root / "a.yaml", input=f"# new\n{REFUSED}")
    assert done.returncode == 1
    assert "a.yaml:5" in done.stdout


def test_what_decides_about_an_unsaved_file_is_read_as_the_settings_say(qoslint, repository):
    ranged = """\
        apiVersion: v1
        kind: LimitRange
        metadata: {name: d, namespace: shop}
        spec: {limits: [{type: Container, max: {memory: 32Mi}}]}
        """
    settings = "clusters: [{name: prod, paths: [.]}]\n"
    repository.write({"a.yaml": QUIET, "b.yaml": ranged, ".qoslint.yaml": settings})
    done = qoslint("check", "-", "--stdin-filename", "a.yaml", input=QUIET)
    assert done.returncode == 1
    assert "QOS202" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.yaml", "--stdin-filename", "a.yaml"], "give - alone"),
        (["-", "a.yaml", "--stdin-filename", "a.yaml"], "give - alone"),
        (["-", "--stdin-filename", "b.yaml"], "'b.yaml' does not exist"),
        (["-", "--fix", "--stdin-filename", "a.yaml"], "standard input cannot be changed"),
    ],
)
def test_what_cannot_be_meant_is_told(qoslint, root, arguments, message):
    done = qoslint("check", *arguments, input=QUIET)
    assert done.returncode == 2
    assert message in done.stderr

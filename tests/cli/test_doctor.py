"""`qoslint doctor`: what a run would work with."""

import json
import os
from pathlib import Path

import pytest

from qoslint import __version__
from qoslint.schema import check


@pytest.fixture
def program(tmp_path):
    """Makes a program that says a version, in a folder for the PATH."""

    def make(name, says, folder="bin"):
        path = tmp_path / folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\necho '{says}'\n", "utf-8")
        path.chmod(0o755)
        return str(path)

    return make


@pytest.fixture
def doctor(qoslint, tmp_path):
    """Runs it in a folder `root` beside the programs, with those alone on the PATH."""
    root = tmp_path / "root"
    root.mkdir()

    def run(*arguments, status=0):
        environment = {**os.environ, "PATH": f"{tmp_path}/bin:{root}/bin:{tmp_path}/link"}
        done = qoslint(
            *("doctor", *arguments, "--format", "json"),
            cwd=root,
            env=environment,
        )
        assert (done.returncode, done.stderr) == (status, "")
        document = json.loads(done.stdout)
        assert list(check(document, "doctor")) == []
        return document

    return run


def test_what_is_installed_is_preferred(doctor, program):
    helm = program("helm", "v3.19.0")
    document = doctor()
    assert [(use["what"], use["engine"], use["program"]) for use in document["engines"]] == [
        ("charts", "embedded", "helm"),
        ("kustomizations", "embedded", "kubectl"),
    ]
    assert document["programs"] == [{"path": helm, "version": "3.19.0", "problem": ""}]
    assert (document["version"], document["renderer"]) == (__version__, "auto")
    assert document["kubernetes"]["default"] == "1.36"
    assert document["settings"] == {"file": None, "problem": ""}


def test_each_program_on_the_path_is_told_with_what_speaks_against_it(doctor, program, tmp_path):
    old = program("helm", "v2.17.0")
    mute = program("kubectl", "")
    inside = program("kustomize", "v5.8.1", "root/bin")
    (tmp_path / "link").symlink_to(tmp_path / "bin")
    document = doctor("--renderer", "path", status=2)
    assert document["programs"] == [
        {
            "path": old,
            "version": "2.17.0",
            "problem": "is Helm 2.17.0, and 3.14 or later, below 5, is needed",
        },
        {
            "path": inside,
            "version": "",
            "problem": "lies in what is checked, of which nothing is started",
        },
        {"path": mute, "version": "", "problem": "does not say its version"},
    ]
    assert [use["program"] for use in document["engines"]] == ["", ""]
    assert document["engines"][0]["problem"] == (
        f"no Helm engine: {old} is Helm 2.17.0, and 3.14 or later, below 5, is needed"
    )


def test_where_renders_are_kept_is_told(doctor, tmp_path):
    assert doctor()["cache"] == f"{os.environ['XDG_CACHE_HOME']}/qoslint"
    assert doctor("--cache-dir", str(tmp_path / "kept"))["cache"] == str(tmp_path / "kept")
    assert doctor("--no-cache")["cache"] is None


def test_one_of_the_two_is_enough(doctor, program):
    path = program("kustomize", "v5.8.1")
    document = doctor("--renderer", "path")
    charts, kustomizations = document["engines"]
    assert charts["problem"] == "no Helm engine: there is no helm on the PATH"
    assert kustomizations == {
        "what": "kustomizations",
        "engine": "path",
        "program": "kustomize",
        "version": "5.8.1",
        "at": path,
        "problem": "",
    }


def test_the_renderer_of_the_settings_counts_unless_an_option_says_more(doctor, tmp_path):
    (tmp_path / "root/.qoslint.yaml").write_text("renderer: none")
    document = doctor(status=2)
    assert (document["renderer"], document["settings"]["file"]) == ("none", ".qoslint.yaml")
    assert doctor("--renderer", "auto")["renderer"] == "auto"


def test_settings_that_cannot_be_used_are_told_among_the_rest(doctor, tmp_path):
    (tmp_path / "root/.qoslint.yaml").write_text("rendrer: none")
    document = doctor(status=2)
    assert document["settings"] == {
        "file": None,
        "problem": ".qoslint.yaml:1: unknown key 'rendrer', did you mean 'renderer'?",
    }
    assert document["engines"][0]["engine"] == "embedded"


def test_the_text_says_the_same(qoslint, program, tmp_path):
    (tmp_path / ".qoslint.yaml").write_text("rendrer: none")
    path = program("helm", "v2.17.0", "elsewhere")
    environment = {**os.environ, "PATH": f"{tmp_path.parent}:{Path(path).parent}"}
    done = qoslint("doctor", env=environment)
    lines = {line[:16].strip(): line[18:] for line in done.stdout.splitlines()}
    assert done.returncode == 2
    assert lines["Charts"].startswith("helm 4.2.3, installed with qoslint: ")
    assert lines["On the PATH"] == f"{path} lies in what is checked, of which nothing is started"
    assert lines["Settings"].endswith("unknown key 'rendrer', did you mean 'renderer'?")
    assert lines["Plugin"] == "none"


def test_a_path_that_does_not_exist_is_an_error(qoslint):
    done = qoslint("doctor", "nowhere")
    assert (done.returncode, done.stderr) == (2, "qoslint: 'nowhere' does not exist\n")

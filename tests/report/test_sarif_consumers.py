"""SARIF as its readers see it: the standard's schema, our profile of it, and GitHub's rules."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import jsonschema
import pytest

import qoslint
from qoslint.report import render
from qoslint.schema import check

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads(
    Path(__file__).with_name("consumers").joinpath("sarif-2.1.0-rtm.5.json").read_text("utf-8")
)
EXAMPLES = sorted(folder.name for folder in (ROOT / "examples").iterdir() if folder.is_dir())
CORPUS = next(
    filter(Path.is_dir, (each / "shared/corpus/repos" for each in Path(__file__).parents)), None
)
MULTITOOL = os.environ.get("QOSLINT_SARIF_MULTITOOL")
needs_multitool = pytest.mark.skipif(
    MULTITOOL is None,
    reason="QOSLINT_SARIF_MULTITOOL does not name Microsoft's Sarif.Multitool (npm "
    "@microsoft/sarif-multitool-linux)",
)
needs_corpus = pytest.mark.skipif(
    CORPUS is None, reason="needs shared/corpus/repos beside the checkout"
)
# What the multitool would like and GitHub does not show: message ids, provenance, snippets, a
# home page, help pages. 2006: the URL of the schema was not reached.
UNWANTED = {f"SARIF{number}" for number in (2002, 2003, 2005, 2006, 2010, 2011, 2012)}


def checked(paths, cwd, *more):
    """The bytes that `check` prints as SARIF."""
    command = [sys.executable, "-m", "qoslint", "check", "--format", "sarif", *more]
    environment = os.environ | {"PYTHONPATH": str(Path(qoslint.__file__).parents[1])}
    done = subprocess.run(
        [*command, "--fail-on", "never", "--allow-empty", *map(str, paths)],
        cwd=cwd, env=environment, capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def problems(log):
    """What is wrong by the standard, by our profile, and by how GitHub tells alerts apart."""
    validator = jsonschema.Draft4Validator(SCHEMA)
    yield from (error.message for error in validator.iter_errors(log))
    yield from (problem.message for problem in check(log, "sarif-profile"))
    [run] = log["runs"]
    places = Counter(
        (result["ruleId"], json.dumps(result["locations"][0]["physicalLocation"], sort_keys=True))
        for result in run["results"]
    )
    yield from (f"two results at {place}" for place, count in places.items() if count > 1)


def verdict(text, folder):
    """The rules of the multitool, GitHub's among them, that the log violates."""
    written, told = folder / "qoslint.sarif", folder / "verdict.sarif"
    written.write_bytes(text)
    # The exit status is 0 whatever it finds; its own log has the answer.
    command = [MULTITOOL, "validate", written, "--rule-kind", "Sarif;Ghas", "-o", told]
    subprocess.run([*command, "--level", "Error;Warning;Note"], check=True, capture_output=True)
    [run] = json.loads(told.read_text("utf-8-sig"))["runs"]
    assert run["invocations"][0]["executionSuccessful"]
    return {result["ruleId"] for result in run["results"]}


@pytest.fixture(scope="module")
def example():
    """The log of an example, made once."""
    logs = {}

    def log(name):
        if name not in logs:
            logs[name] = checked([ROOT / "examples" / name], ROOT)
        return logs[name]

    return log


@pytest.fixture(scope="module")
def corpus():
    return checked([CORPUS], ROOT)


def test_the_log_of_everything_that_can_be_in_one_has_no_problem(report, texts):
    log = render("sarif", report._replace(category="prod"), texts)
    assert list(problems(json.loads(log))) == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_log_of_an_example_has_no_problem(name, example):
    assert list(problems(json.loads(example(name)))) == []


@needs_corpus
def test_the_log_of_the_corpus_has_no_problem(corpus):
    assert list(problems(json.loads(corpus))) == []


@needs_multitool
def test_microsofts_multitool_accepts_for_github_whatever_can_be_in_a_log(report, texts, tmp_path):
    assert verdict(render("sarif", report, texts).encode(), tmp_path) <= UNWANTED


@needs_multitool
@pytest.mark.parametrize("name", EXAMPLES)
def test_microsofts_multitool_accepts_an_example_for_github(name, example, tmp_path):
    assert verdict(example(name), tmp_path) <= UNWANTED


@needs_multitool
@needs_corpus
def test_microsofts_multitool_accepts_the_corpus_for_github(corpus, tmp_path):
    assert verdict(corpus, tmp_path) <= UNWANTED


@needs_multitool
def test_microsofts_multitool_tells_a_log_that_github_rejects(report, texts, tmp_path):
    log = json.loads(render("sarif", report, texts))
    del log["runs"][0]["results"][0]["locations"]
    assert not verdict(json.dumps(log).encode(), tmp_path) <= UNWANTED


def test_a_log_is_the_same_from_every_working_directory(repository):
    repository.write(
        {
            ".git/HEAD": "ref: refs/heads/main\n",
            "apps/a b.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"
            "spec: {containers: [{name: a, image: a}]}\n",
        }
    )
    root = repository.root
    first = checked(["apps"], root)
    assert b"apps/a%20b.yaml" in first
    assert first == checked(["apps"], root)
    assert first == checked(["."], root / "apps")
    assert first == checked([root / "apps"], "/")


def test_uris_start_at_the_workspace_of_github_where_there_is_no_git(repository, monkeypatch):
    repository.write(
        {
            "apps/a.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"
            "spec: {containers: [{name: a, image: a}]}\n",
        }
    )
    monkeypatch.setenv("GITHUB_WORKSPACE", str(repository.root))
    log = json.loads(checked(["."], repository.root / "apps"))
    [result] = log["runs"][0]["results"]
    [location] = result["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "apps/a.yaml"


def test_the_category_of_the_command_line_is_in_the_log(repository):
    repository.write({"a.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n"})
    log = json.loads(checked(["."], repository.root, "--sarif-category", "prod"))
    assert log["runs"][0]["automationDetails"] == {"id": "prod/"}

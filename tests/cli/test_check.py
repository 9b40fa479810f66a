"""`qoslint check` and `facts` as a user runs them: exit statuses, streams, files."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from qoslint import __version__

BARE = """
apiVersion: v1
kind: Pod
metadata: {name: bare}
spec:
  containers: [{name: app, image: x}]
"""
REFUSED = BARE.replace("image: x", "image: x, resources: {requests: {cpu: 2}, limits: {cpu: 1}}")
QUIET = BARE.replace("image: x", "image: x, resources: {requests: {memory: 64Mi}}")


def test_version_is_one_line(qoslint):
    done = qoslint("--version")
    computed = "Kubernetes 1.31 to 1.37 (1.31 to 1.36 compared with the real code)"
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"qoslint {__version__}, {computed}\n"


def test_version_imports_nothing_heavy():
    code = (
        "import sys; sys.argv = ['qoslint', '--version']\n"
        "from qoslint.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted({'ruamel', 'jsonschema', 'sarif_om', 'pluggy', 'attr'} & {*sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("text", "arguments", "status"),
    [
        (QUIET, [], 0),
        (BARE, [], 0),
        (BARE, ["--fail-on", "warning"], 1),
        (REFUSED, [], 1),
        (REFUSED, ["--fail-on", "never"], 0),
        (REFUSED, ["--ignore", "QOS2"], 0),
        (BARE, ["--select", "QOS103", "--fail-on", "note"], 1),
        (BARE, ["--select", "QOS9", "--fail-on", "note"], 0),
    ],
)
def test_the_exit_status_says_whether_findings_reach_the_level(
    qoslint, repository, text, arguments, status
):
    repository.write({"app.yaml": text})
    done = qoslint("check", *arguments, ".")
    assert done.returncode == status
    # Why it fails is plain for errors.
    level = arguments[-1] if status and "--fail-on" in arguments else ""
    said = f"qoslint: --fail-on {level}: 1 finding of that severity or above.\n" if level else ""
    assert done.stderr == said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing"], "qoslint: 'missing' does not exist\n"),
        (["--ignore", "QQS901"], "qoslint: there is no rule 'QQS901', did you mean 'QOS901'?\n"),
        (["--output", "pdf"], "--output 'pdf' is not FORMAT:FILE"),
        (["--output", "pdf:x"], "there is no format 'pdf'; there are text, concise, json, sarif, "),
        (["--config", "none.yaml"], "'none.yaml' does not exist"),
        (["--format", "jsno"], "qoslint: there is no format 'jsno', did you mean 'json'?\n"),
    ],
)
def test_a_wrong_option_is_one_line_and_status_2(qoslint, repository, arguments, message):
    repository.write({"app.yaml": BARE})
    done = qoslint("check", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_an_empty_folder_is_an_error_unless_allowed(qoslint, tmp_path):
    done = qoslint("check")
    assert done.returncode == 2
    assert done.stderr == (
        "qoslint: there is nothing to check under the current folder (see --allow-empty)\n"
    )
    assert qoslint("check", "--allow-empty").returncode == 0


def test_require_complete_fails_when_a_file_was_not_understood(qoslint, repository):
    repository.write(
        {
            "app.yaml": QUIET,
            "more.yaml": "kind: Pod\nspec:\n{{ if .more }}\n  a: b\n{{ end }}\n",
        }
    )
    assert qoslint("check").returncode == 0
    done = qoslint("check", "--require-complete", "--format", "concise")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "qoslint: --require-complete: not checked: 1 file not understood.\n"


def test_a_baseline_that_must_be_current_tells_in_every_format_what_is_gone(qoslint, repository):
    repository.write({"app.yaml": REFUSED})
    qoslint("check", "--write-baseline", "known.json")
    repository.write({"app.yaml": QUIET})
    asked = ("check", "--baseline", "known.json", "--require-current-baseline")
    done = qoslint(*asked, "--format", "concise")
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(
        r"qoslint: --require-current-baseline: \d findings? of the baseline no longer occurs?.*"
        r"QOS201 on .* Give the file as --baseline and as --write-baseline to take out what is "
        r"gone\.\n",
        done.stderr,
    )


def test_several_formats_are_written_in_one_run(qoslint, repository):
    repository.write({"app.yaml": REFUSED})
    done = qoslint(
        "check", "--output", "text:-", "--output", "sarif:out.sarif", "--output", "json:o"
    )
    assert done.returncode == 1
    assert "QOS201" in done.stdout
    sarif = json.loads((repository.root / "out.sarif").read_text("utf-8"))
    report = json.loads((repository.root / "o").read_text("utf-8"))
    assert sarif["runs"][0]["results"][0]["ruleId"] == "QOS201"
    assert report["findings"][0]["rule"] == "QOS201"


def test_a_written_file_has_the_mode_of_any_new_one_or_its_own(qoslint, repository):
    repository.write({"app.yaml": REFUSED, "old": "", "plain": ""})
    (repository.root / "old").chmod(0o640)
    qoslint("check", "--output", "json:new", "--output", "json:old")
    new, old, plain = ((repository.root / name).stat() for name in ("new", "old", "plain"))
    assert (new.st_mode, old.st_mode & 0o777) == (plain.st_mode, 0o640)


def test_a_pipe_that_is_written_to_stays_one(qoslint, repository):
    repository.write({"app.yaml": REFUSED})
    os.mkfifo(repository.root / "pipe")
    reader = os.open(repository.root / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        qoslint("check", "--output", "concise:pipe")
        assert b"QOS201" in os.read(reader, 10_000)
    finally:
        os.close(reader)
    assert (repository.root / "pipe").is_fifo()


def test_file_names_are_relative_to_the_git_root(qoslint, repository):
    repository.write({"deploy/app.yaml": BARE, ".git/HEAD": "ref: refs/heads/main"})
    done = qoslint("check", ".", cwd=repository.root / "deploy")
    assert "deploy/app.yaml:" in done.stdout


def test_two_runs_give_the_same_bytes(qoslint, repository):
    repository.write({f"{name}.yaml": BARE.replace("bare", name) for name in "cab"})
    for form in ("text", "json", "sarif"):
        first = qoslint("check", "--format", form).stdout
        assert first == qoslint("check", "--format", form).stdout


def test_color_is_only_for_those_who_ask(qoslint, repository):
    repository.write({"app.yaml": BARE})
    assert "\x1b[" not in qoslint("check").stdout
    assert "\x1b[" in qoslint("check", "--color", "always").stdout
    assert "\x1b[" not in qoslint("check", "--color", "always", "--format", "json").stdout


def test_facts_follow_their_schema(qoslint, repository):
    from qoslint.schema import check

    repository.write(
        {
            ".qoslint.yaml": "nodes: [{name: big, capacity: {memory: 8Gi}}]",
            "app.yaml": "---".join(
                [BARE, REFUSED.replace("bare", "two"), QUIET.replace("bare", "three")]
            ),
            "class.yaml": BARE.replace("spec:", "spec:\n  priorityClassName: elsewhere").replace(
                "bare", "four"
            ),
        }
    )
    facts = json.loads(qoslint("facts").stdout)
    assert [item["name"] for item in facts["clusters"][0]["pods"]] == [
        "bare",
        "four",
        "three",
        "two",
    ]
    assert list(check(facts, "facts")) == []


def test_a_closed_pipe_is_no_error(repository):
    repository.write(
        {f"{number}.yaml": BARE.replace("bare", f"p{number}") for number in range(300)}
    )
    command = f"{sys.executable} -m qoslint check --fail-on never . | head -n 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=repository.root, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a full device")
@pytest.mark.parametrize(
    ("full", "said"),
    [
        ("> /dev/full", "qoslint: cannot write to standard output: No space left on device\n"),
        ("> /dev/full 2> /dev/full", ""),
    ],
)
def test_where_standard_output_is_full_that_is_told_and_no_bug(repository, full, said):
    repository.write({"a.yaml": QUIET})
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m qoslint check . {full}"],
        cwd=repository.root,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, said)


def test_where_standard_output_is_closed_the_exit_status_tells(repository):
    repository.write({"a.yaml": REFUSED})
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m qoslint check . >&-"],
        cwd=repository.root, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "")

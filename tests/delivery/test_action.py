"""The action, played step by step as a runner does."""

import json
import re
import sys
from pathlib import Path

import pytest

from qoslint.source.document import load

ROOT = Path(__file__).parent.parent.parent
POD = """
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop}
spec:
  containers:
    - name: app
      image: app
      resources: {requests: {memory: 100Mi, cpu: 100m}, limits: {memory: %s}}
"""
GOOD = POD % "200Mi"
REFUSED = POD % "50Mi"
"""The limit is below the request: an error."""
UPLOAD = "github/codeql-action/upload-sarif"


def write(workspace, files):
    for name, text in files.items():
        path = workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def rules_of(sarif):
    """The codes of the results in a SARIF file."""
    (run,) = json.loads(Path(sarif).read_text("utf-8"))["runs"]
    return [result["ruleId"] for result in run["results"]]


def commands(log):
    """The commands that the runner would take from a log."""
    stopped, found = None, []
    for line in log.splitlines():
        command = line.strip()
        if stopped:
            if command == f"::{stopped}::":
                stopped = None
        elif command.startswith("::stop-commands::"):
            stopped = command.removeprefix("::stop-commands::")
        elif command.startswith("::"):
            found.append(command)
    return found


def test_windows_is_refused_before_anything_is_installed(runner, workspace):
    write(workspace, {"pod.yaml": GOOD})
    runner.system = "Windows"
    done = runner.run()
    assert done.failed
    (told,) = commands(done.log)
    assert told.startswith(
        "::error title=qoslint::qoslint does not run on Windows: use a runner with"
    )
    assert done.used == {}
    assert done.outputs["exit-code"] == ""
    assert done.summary == "before\n"


def why(level):
    """What the last step says before it fails."""
    return (
        f"::error title=qoslint::There are findings with which the job fails (fail-on: {level}): "
        "the summary and the log of the check tell them"
    )


def test_a_clean_repository_passes_and_closes_what_was_open(runner, workspace):
    write(workspace, {"pod.yaml": GOOD})
    done = runner.run()
    assert not done.failed, done.log
    assert done.outputs["exit-code"] == "0"
    assert done.outputs["errors"] == "0"
    assert done.used[UPLOAD] == {
        "sarif_file": done.outputs["sarif-file"],
        "category": "qoslint",
    }
    assert len(rules_of(done.outputs["sarif-file"])) == int(done.outputs["findings"])
    assert commands(done.log) == []


def test_findings_are_uploaded_and_summed_up_before_the_job_fails(runner, workspace):
    write(workspace, {"pod.yaml": REFUSED})
    done = runner.run()
    assert done.failed
    assert done.outputs["exit-code"] == "1"
    assert done.outputs["errors"] == "1"
    assert "QOS201" in rules_of(done.used[UPLOAD]["sarif_file"])
    assert done.summary.startswith("before\n<!-- qoslint -->\n")
    assert "QOS201" in done.summary
    assert "QOS201" in done.log
    assert commands(done.log) == [why("error")], "annotations come from code scanning"


def test_broken_settings_upload_nothing_and_fail_with_the_reason(runner, workspace):
    write(workspace, {"pod.yaml": REFUSED, ".qoslint.yaml": "kubernetes: 1.36\n"})
    done = runner.run()
    assert done.failed
    assert done.outputs == {"exit-code": "2", "findings": "", "errors": "", "sarif-file": ""}
    assert done.used == {}
    assert "kubernetes must be a string" in done.log
    assert commands(done.log) == [
        "::error title=qoslint::qoslint could not do the job: the log of this step says why"
    ]
    assert "could not do the job" in done.summary


def test_nothing_to_check_is_not_clean(runner):
    done = runner.run()
    assert (done.failed, done.outputs["exit-code"], done.used) == (True, "2", {})


@pytest.mark.parametrize(
    ("inputs", "annotated", "uploaded", "summed_up"),
    [
        ({}, False, True, True),
        ({"sarif": "false"}, True, False, True),
        ({"annotations": "true"}, True, True, True),
        ({"sarif": "false", "annotations": "false", "summary": "false"}, False, False, False),
    ],
)
def test_results_go_where_the_inputs_say(runner, workspace, inputs, annotated, uploaded, summed_up):
    write(workspace, {"pod.yaml": REFUSED})
    done = runner.run(fail_on="never", **inputs)
    assert not done.failed
    assert any(each.startswith("::error file=pod.yaml,") for each in commands(done.log)) is (
        annotated
    )
    assert (UPLOAD in done.used) is uploaded
    assert ("QOS201" in done.summary) is summed_up
    assert bool(done.outputs["sarif-file"]) is (inputs.get("sarif") != "false")


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        (".", "abcd"),
        ("", "abcd"),
        ("a b", "ab"),
        ("  a\t b ", "ab"),
        ("a\nb\n", "ab"),
        ("with blank\n", "c"),
        ("  with blank\r\n\n  a", "ac"),
        ("-x.yaml", "d"),
        ("-x.yaml\n--fix\n", ""),
    ],
)
def test_paths_are_words_of_a_line_or_lines(runner, workspace, paths, found):
    """A missing path is an error, so that what was meant as a path is told and not run."""
    names = {"a": "a/p.yaml", "b": "b/p.yaml", "c": "with blank/p.yaml", "d": "-x.yaml"}
    pods = {path: REFUSED.replace("name: web", f"name: {name}") for name, path in names.items()}
    write(workspace, pods)
    done = runner.run(paths=paths)
    assert done.outputs["exit-code"] == ("1" if found else "2")
    assert "".join(sorted(set(re.findall(r"Pod shop/([abcd]) ", done.log)))) == found


@pytest.mark.parametrize("value", ["$(touch pwned)", "`touch pwned`", "; touch pwned", "*\n$(x)"])
@pytest.mark.parametrize(
    "name",
    ["paths", "args", "config", "baseline", "fail_on", "since", "sarif", "annotations", "summary"],
)
def test_no_input_is_a_command(runner, workspace, name, value):
    write(workspace, {"pod.yaml": GOOD})
    done = runner.run(**{name: value})
    assert not [*workspace.rglob("pwned")]
    if name not in ("sarif", "annotations", "summary"):
        assert done.outputs["exit-code"] == "2", done.log
        assert done.failed


def test_no_file_commands_the_runner(runner, workspace):
    name = "::add-mask::x\\n::error::y"
    pod = REFUSED.replace("name: web", f'name: "{name}"')
    write(workspace, {"pod.yaml": pod, "::warning::z.yaml": REFUSED, "b.yaml": "::error::z\n- :"})
    done = runner.run(annotations="true")
    shown = commands(done.log)
    assert shown
    others = [each for each in shown if not re.match("::(error|warning|notice) file=", each)]
    assert others == [why("error")]


def test_arguments_and_another_folder(runner, workspace):
    write(workspace, {"sub/pod.yaml": REFUSED, "pod.yaml": REFUSED})
    done = runner.run(working_directory="sub", args="--ignore QOS2", paths="pod.yaml")
    assert done.outputs["exit-code"] == "0"
    assert "QOS201" not in done.log


def pull_request(runner, clone, base, head, *, fork=False):
    """A pull request, checked out as GitHub does: merged into its base."""
    repository = {"full_name": "o/r"}
    base_id = clone.commit(base)
    clone.git("checkout", "--quiet", "-b", "branch")
    clone.commit(head)
    clone.git("checkout", "--quiet", "main")
    clone.git("merge", "--quiet", "--no-ff", "--no-edit", "branch")
    runner.event |= {
        "event_name": "pull_request",
        "sha": clone.git("rev-parse", "HEAD"),
        "event": {
            "pull_request": {
                "base": {"sha": base_id, "repo": repository},
                "head": {"repo": {"full_name": "f/r"} if fork else repository},
            }
        },
    }


OTHER = REFUSED.replace("name: web", "name: other")


def test_a_pull_request_is_judged_by_what_it_changes(runner, clone):
    pull_request(runner, clone, {"old.yaml": OTHER, "pod.yaml": REFUSED}, {"pod.yaml": GOOD})
    done = runner.run()
    assert (done.failed, done.outputs["errors"]) == (False, "0"), done.log
    assert rules_of(done.outputs["sarif-file"]).count("QOS201") == 1, "or it would seem fixed"
    assert "<!-- qoslint diff -->" in done.summary
    assert "shop/web" in done.summary.partition("<!-- qoslint diff -->")[2]


def annotated(log):
    """The rules and files of the annotations in a log."""
    found = (re.match(r"::\w+ file=([^,]+),.*title=(\w+)", each) for each in commands(log))
    return [each.group(2, 1) for each in found if each]


def test_a_pull_request_is_annotated_with_what_is_no_alert(runner, clone):
    """Code scanning annotates its alerts by itself; what a change makes different is none."""
    bare = re.sub(r", limits: {memory: \w+}", "", GOOD).replace(
        "requests: {memory: 100Mi, cpu: 100m}", ""
    )
    pull_request(runner, clone, {"pod.yaml": GOOD}, {"pod.yaml": bare, "new.yaml": OTHER})
    done = runner.run()
    base = clone.git("rev-parse", "HEAD^1")
    assert annotated(done.log) == [("QOS001", "pod.yaml"), ("QOS006", "pod.yaml")]
    assert f"of the base {base[:12]}" in done.log
    assert f"From the base {base[:12]}" in done.summary
    assert {"QOS103", "QOS201"} <= {*rules_of(done.outputs["sarif-file"])}
    assert not [each for each in rules_of(done.outputs["sarif-file"]) if each < "QOS1"]
    alone = annotated(runner.run(sarif="false").log)
    assert {("QOS001", "pod.yaml"), ("QOS103", "pod.yaml"), ("QOS201", "new.yaml")} <= {*alone}
    assert annotated(runner.run(annotations="true").log) == alone
    assert annotated(runner.run(annotations="false").log) == []


def test_a_pull_request_does_not_make_its_alerts_look_fixed(runner, clone):
    head = {"new.yaml": OTHER, ".qoslint.yaml": "rules: {ignore: [QOS2]}\n"}
    pull_request(runner, clone, {"pod.yaml": REFUSED}, head)
    done = runner.run()
    assert done.failed
    assert rules_of(done.outputs["sarif-file"]).count("QOS201") == 2


def test_a_pull_request_does_not_accept_its_own_findings(runner, clone):
    accepting = "rules: {exceptions: [{rule: QOS201, object: shop/Pod/web, reason: mine}]}\n"
    pull_request(
        runner, clone, {"pod.yaml": GOOD}, {"pod.yaml": REFUSED, ".qoslint.yaml": accepting}
    )
    done = runner.run()
    assert (done.failed, done.outputs["errors"]) == (True, "1"), done.log
    assert runner.run(since="none").outputs["errors"] == "0"


def test_a_pull_request_does_not_edit_the_settings_that_the_workflow_names(runner, clone):
    accepting = "rules: {exceptions: [{rule: QOS201, object: shop/Pod/web, reason: mine}]}\n"
    base = {"pod.yaml": GOOD, "ci/own.yaml": "kubernetes: '1.35'\n"}
    pull_request(runner, clone, base, {"pod.yaml": REFUSED, "ci/own.yaml": accepting})
    done = runner.run(config="ci/own.yaml")
    assert (done.outputs["exit-code"], done.outputs["errors"]) == ("1", "1"), done.log
    assert "1.35" in done.summary
    assert runner.run(config="ci/own.yaml", since="none").outputs["errors"] == "0"


def test_the_settings_of_a_folder_are_those_of_the_base(runner, clone):
    """New folders in it have had none; what is above them counts."""
    accepting = "rules: {exceptions: [{rule: QOS201, object: shop/Pod/web, reason: known}]}\n"
    base = {"team/pod.yaml": GOOD, "team/.qoslint.yaml": accepting}
    head = {"team/new/pod.yaml": REFUSED, "team/.qoslint.yaml": "kubernetes: '1.35'\n"}
    pull_request(runner, clone, base, head)
    for folder, paths in (("team", "."), ("team", "new"), (".", "team/new")):
        done = runner.run(working_directory=folder, paths=paths)
        assert (done.outputs["exit-code"], done.outputs["errors"]) == ("0", "0"), done.log


def test_a_pull_request_does_not_extend_the_baseline(runner, clone):
    pull_request(runner, clone, {"pod.yaml": GOOD}, {"pod.yaml": REFUSED})
    done = runner.run(since="none", args="--write-baseline known.json", sarif="false")
    assert done.outputs["errors"] == "0", done.log
    assert runner.run(since="none", baseline="known.json").outputs["errors"] == "0"
    clone.git("add", "known.json")
    clone.git("commit", "--quiet", "--amend", "--no-edit")
    runner.event["sha"] = clone.git("rev-parse", "HEAD")
    assert runner.run(baseline="known.json").outputs["errors"] == "1"


def test_the_head_of_a_pull_request_is_compared_with_where_it_left_its_base(runner, clone):
    """A merge in the branch itself has a first parent too, which is no base of anything."""
    pull_request(runner, clone, {"pod.yaml": GOOD}, {"pod.yaml": REFUSED})
    clone.commit({"late.yaml": OTHER})
    done = runner.run()
    assert done.outputs["errors"] == "2", done.log


def test_a_shallow_checkout_is_told_how_deep_it_must_be(runner, clone, tmp_path):
    pull_request(runner, clone, {"pod.yaml": GOOD}, {"pod.yaml": REFUSED})
    for depth, expected in (("1", "2"), ("2", "1")):
        shallow = tmp_path / depth
        clone.git("clone", "--quiet", f"--depth={depth}", f"file://{clone.folder}", str(shallow))
        runner.workspace = shallow
        done = runner.run()
        assert done.outputs["exit-code"] == expected, done.log
        assert ("fetch-depth" in done.log) == (depth == "1")


def test_a_pull_request_from_a_fork_is_annotated_instead_of_uploaded(runner, clone):
    pull_request(runner, clone, {"pod.yaml": GOOD}, {"pod.yaml": REFUSED}, fork=True)
    done = runner.run()
    assert done.used == {}
    assert any(each.startswith("::error file=pod.yaml,") for each in commands(done.log))
    assert done.outputs["exit-code"] == "1"


def test_an_old_python_is_told_in_a_sentence(runner, tmp_path):
    old = tmp_path / "python3.9"
    old.write_text("#!/bin/sh\nexit 1\n", "utf-8")
    old.chmod(0o755)
    runner.install = None
    done = runner.run(python=str(old))
    assert done.failed
    assert done.used == {}
    assert done.outputs["exit-code"] == ""
    (line,) = done.log.splitlines()
    assert line.startswith("::error title=qoslint::qoslint needs Python 3.11 or newer as ")


def test_the_installation_comes_from_the_action_and_runs_nothing_of_the_checkout(
    runner, workspace, snapshot
):
    evil = "raise SystemExit('pwned')\n"
    names = ("venv", "ensurepip", "pip", "json", "secrets", "qoslint/__init__", "sitecustomize")
    write(workspace, {f"{name}.py": evil for name in names})
    write(workspace, {"pod.yaml": REFUSED, "pip.conf": "[global]\nindex-url = file:///pwned\n"})
    runner.install = None
    runner.event["action_path"] = str(snapshot)
    done = runner.run(python=sys.executable)
    assert done.outputs["exit-code"] == "1", done.log
    assert done.outputs["errors"] == "1"
    assert "pwned" not in done.log


def test_the_workflow_of_the_readme_gives_what_the_action_needs():
    readme = (ROOT / "README.md").read_text("utf-8")
    (text,) = re.findall(r"```yaml\n(name: qoslint\n.*?)```", readme, re.DOTALL)
    (job,) = load(text)["jobs"].values()
    checkout, action = job["steps"]
    assert checkout["with"] == {"fetch-depth": 2, "persist-credentials": False}
    assert action == {"uses": "OWNER/qoslint@v0.1.0"}
    assert job["permissions"].keys() == {"contents", "security-events", "actions"}


def test_the_workflow_of_the_readme_is_that_of_the_documentation_but_for_its_pins():
    readme = (ROOT / "README.md").read_text("utf-8")
    (text,) = re.findall(r"```yaml\n(name: qoslint\n.*?)```", readme, re.DOTALL)
    short, whole = load(text), load((ROOT / "docs/workflows/code-scanning.yml").read_text("utf-8"))
    for workflow in (short, whole):
        (job,) = workflow["jobs"].values()
        job.pop("name", None)
        for step in job["steps"]:
            step["uses"] = step["uses"].partition("@")[0]
    assert short == whole


def test_every_action_that_is_used_is_pinned():
    used = re.findall(r"uses: (\S+)(.*)", (ROOT / "action.yml").read_text("utf-8"))
    assert used
    for action, comment in used:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action)
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment)

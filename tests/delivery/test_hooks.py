"""The snapshot, installed and run by pre-commit and by prek in real commits."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text("utf-8")
LIMITS = """
    apiVersion: v1
    kind: LimitRange
    metadata: {name: limits, namespace: shop}
    spec:
      limits:
        - {type: Container, default: {cpu: 100m, memory: 100Mi}}
    """
POD = """
    apiVersion: v1
    kind: Pod
    metadata: {name: NAME, namespace: shop}
    spec:
      containers:
        - {name: app, image: app, RESOURCES}
    """
GOOD = "resources: {requests: {cpu: 100m, memory: 100Mi}, limits: {memory: 200Mi}}"
REFUSED = "resources: {requests: {cpu: 100m, memory: 100Mi}, limits: {memory: 50Mi}}"
NONE = "imagePullPolicy: Always"
CHART = {
    "chart/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
    "chart/templates/pod.yaml": POD.replace("NAME", "charted").replace(
        "RESOURCES", '{{ include "resources" . }}'
    ),
    "chart/templates/_helpers.tpl": '{{ define "resources" }}' + GOOD + "{{ end }}\n",
}


def pod(name="web", resources=GOOD):
    return POD.replace("NAME", name).replace("RESOURCES", resources)


def program(name):
    """A tool beside this Python, or where the environment says that it is."""
    places = (str(Path(sys.executable).parent), os.environ.get("QOSLINT_TOOLS"), os.environ["PATH"])
    found = shutil.which(name, path=os.pathsep.join(filter(None, places)))
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def run(*command, folder):
    return subprocess.run(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    """Where the tools keep what they installed, for all tests."""
    return tmp_path_factory.mktemp("store")


@pytest.fixture(params=["pre-commit", "prek"])
def tool(request, store, snapshot, monkeypatch):
    """A tool that runs hooks."""
    monkeypatch.setenv("PRE_COMMIT_HOME", str(store / "pre-commit"))
    monkeypatch.setenv("PREK_HOME", str(store / "prek"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(store / "cache"))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    return program(request.param)


class Hooked:
    """A repository with the hook, and what a commit in it says."""

    def __init__(self, clone, tool):
        self.clone = clone
        self.tool = tool

    def hook(self, snapshot, name, arguments=""):
        """Install the hook as the README says."""
        revision = run("git", "rev-parse", "HEAD", folder=snapshot).stdout.strip()
        (text,) = re.findall(r"```yaml\n(repos:.*?)```", README, re.DOTALL)
        for old, new in (
            ("https://github.com/OWNER/qoslint", f"file://{snapshot}"),
            ("v0.1.0", revision),
            ("{id: qoslint}", f"{{id: {name}{arguments}}}"),
        ):
            assert old in text
            text = text.replace(old, new)
        self.clone.write({".pre-commit-config.yaml": text})
        done = run(self.tool, "install", folder=self.clone.folder)
        assert done.returncode == 0, done.stdout

    def commit(self, *arguments):
        """Whether a commit is made, and what is said."""
        before = self.clone.git("rev-parse", "HEAD", check=False).stdout
        done = run("git", "commit", "-m", "A change.", *arguments, folder=self.clone.folder)
        made = self.clone.git("rev-parse", "HEAD", check=False).stdout != before
        assert made is (done.returncode == 0), done.stdout
        return made, done.stdout


@pytest.fixture
def hooked(clone, tool, snapshot):
    """A repository with the hook for whole repositories, and nothing in it."""
    made = Hooked(clone, tool)
    made.hook(snapshot, "qoslint")
    return made


def test_a_repository_is_tried_with_both_hooks(clone, tool, snapshot):
    clone.commit({"pod.yaml": pod()})
    tried = (tool, "try-repo", str(snapshot), "--all-files")
    done = run(*tried, folder=clone.folder)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("Passed") == 2
    clone.commit({"pod.yaml": pod(resources=REFUSED)})
    done = run(*tried, folder=clone.folder)
    assert done.returncode == 1, done.stdout
    assert done.stdout.count("pod.yaml:6:") == done.stdout.count("QOS201") == 2


def test_the_first_commit_is_checked_whole(hooked):
    hooked.clone.write({"pod.yaml": pod(resources=REFUSED)})
    hooked.clone.git("add", "--all")
    made, said = hooked.commit()
    assert not made
    assert "QOS201" in said
    hooked.clone.write({"pod.yaml": pod()})
    hooked.clone.git("add", "--all")
    assert hooked.commit()[0]


def test_only_what_a_commit_causes_or_touches_is_told(hooked):
    hooked.clone.commit({"old.yaml": pod("old", REFUSED), "pod.yaml": pod()})
    hooked.clone.write({"pod.yaml": pod(resources=GOOD.replace("200Mi", "300Mi"))})
    hooked.clone.git("add", "--all")
    made, said = hooked.commit()
    assert made
    assert "QOS201" not in said


def test_what_decides_about_no_pod_is_not_looked_at(hooked):
    hooked.clone.commit({"old.yaml": pod("old", REFUSED)})
    hooked.clone.write({"main.go": "package main\n"})
    hooked.clone.git("add", "--all")
    made, said = hooked.commit()
    assert made
    assert "nothing that is staged decides about pods" in said
    made, said = hooked.commit("--amend")
    assert made
    assert "QOS" not in said


def test_what_is_staged_counts_and_not_the_work_tree(hooked):
    hooked.clone.commit({"pod.yaml": pod(), "other.yaml": pod("other")})
    hooked.clone.write({"pod.yaml": pod(resources=REFUSED)})
    hooked.clone.git("add", "--all")
    hooked.clone.write({"pod.yaml": pod(), "other.yaml": pod("other", NONE)})
    hooked.clone.write({"untracked.yaml": pod("untracked", REFUSED)})
    made, said = hooked.commit()
    assert not made
    assert "QOS201" in said
    assert "shop/web" in said
    assert "shop/other" not in said
    assert "shop/untracked" not in said
    assert "memory: 200Mi" in (hooked.clone.folder / "pod.yaml").read_text("utf-8")


def test_what_is_committed_without_being_staged_counts(hooked):
    """`git commit --all` and `git commit FILE` have an index of their own."""
    hooked.clone.commit({"pod.yaml": pod(), "other.yaml": pod("other")})
    hooked.clone.write({"pod.yaml": pod(resources=REFUSED)})
    made, said = hooked.commit("--all")
    assert not made
    assert "QOS201" in said
    assert "shop/web" in said
    hooked.clone.write({"other.yaml": pod("other", GOOD.replace("200Mi", "300Mi"))})
    made, said = hooked.commit("other.yaml")
    assert made
    assert "shop/web" not in said


def test_a_commit_that_only_deletes_a_limit_range_tells_what_that_changes(hooked):
    hooked.clone.commit({"pod.yaml": pod(resources=NONE), "limits.yaml": LIMITS})
    hooked.clone.git("rm", "--quiet", "limits.yaml")
    made, said = hooked.commit()
    assert made
    assert "QOS001 Pod shop/web becomes BestEffort from Guaranteed: LimitRange shop/limits" in said


def test_own_arguments_can_make_that_stop_the_commit(clone, tool, snapshot):
    hooked = Hooked(clone, tool)
    hooked.hook(snapshot, "qoslint", ", args: [--fail-on, warning]")
    clone.commit({"pod.yaml": pod(resources=NONE), "limits.yaml": LIMITS})
    clone.git("rm", "--quiet", "limits.yaml")
    made, said = hooked.commit()
    assert not made
    assert "QOS001" in said


def test_a_commit_that_only_edits_helpers_of_a_chart_tells_what_that_changes(hooked):
    hooked.clone.commit(CHART)
    helpers = "chart/templates/_helpers.tpl"
    hooked.clone.write({helpers: CHART[helpers].replace("200Mi", "50Mi")})
    hooked.clone.git("add", "--all")
    made, said = hooked.commit()
    assert not made
    assert "QOS201" in said
    assert "charted" in said


def test_a_push_is_checked_since_where_it_began(hooked):
    first = hooked.clone.commit({"old.yaml": pod("old", REFUSED)})
    second = hooked.clone.commit({"pod.yaml": pod(resources=REFUSED)})
    refs = ("run", "--from-ref", first, "--to-ref", second)
    done = run(hooked.tool, *refs, folder=hooked.clone.folder)
    assert done.returncode == 1, done.stdout
    assert "shop/web" in done.stdout
    assert "shop/old" not in done.stdout


def test_changed_files_are_checked_in_the_light_of_all_others(clone, tool, snapshot):
    hooked = Hooked(clone, tool)
    hooked.hook(snapshot, "qoslint-files")
    clone.commit({"old.yaml": pod("old", REFUSED), "limits.yaml": LIMITS})
    clone.write({"-n.yaml": pod("dashed", NONE)})
    clone.git("add", "--all")
    assert hooked.commit()[0], "the LimitRange gives it requests"
    clone.write({"pod.yaml": pod(resources=REFUSED)})
    clone.git("add", "--all")
    made, said = hooked.commit()
    assert not made
    assert "shop/web" in said
    assert "shop/old" not in said


def test_the_hook_for_changed_files_does_not_run_without_any(clone, tool, snapshot):
    hooked = Hooked(clone, tool)
    hooked.hook(snapshot, "qoslint-files")
    clone.commit({"old.yaml": pod("old", REFUSED)})
    clone.write({"main.go": "package main\n"})
    clone.git("add", "--all")
    made, said = hooked.commit()
    assert made
    assert "Skipped" in said


@pytest.mark.parametrize("example", ["gitops", "shop"])
def test_an_example_is_checked_whole_when_nothing_is_staged(hooked, example):
    shutil.copytree(ROOT / "examples" / example, hooked.clone.folder, dirs_exist_ok=True)
    hooked.clone.commit()
    done = run(hooked.tool, "run", "--all-files", folder=hooked.clone.folder)
    own = ("env", f"PYTHONPATH={ROOT}", sys.executable, "-m", "qoslint")
    check = (*own, "check", "--format", "concise")
    every = run(*check, folder=hooked.clone.folder)
    assert done.returncode == every.returncode == 1
    assert set(every.stdout.splitlines()) <= {line.strip() for line in done.stdout.splitlines()}

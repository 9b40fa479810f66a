"""Repositories of strangers whose configuration and objects try to make Git do something."""

import os
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner

from qoslint import workers
from qoslint.cli.main import cli
from qoslint.revision import beside
from qoslint.revision.commits import resolve
from qoslint.revision.git import find_git
from qoslint.revision.index import Around
from qoslint.revision.listing import listing
from qoslint.revision.materialise import materialise
from qoslint.revision.unpacked import Unpacked, room

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: api, namespace: shop}
spec:
  containers:
    - name: app
      image: registry.example/app:1
      resources: {limits: {cpu: "1", memory: 1Gi}}
"""
HOOKS = (
    *("post-checkout", "pre-commit", "post-index-change", "reference-transaction", "post-merge"),
    *("fsmonitor-watchman", "post-rewrite", "pre-auto-gc", "proc-receive"),
)
CONFIG = """
[core]
	fsmonitor = {trap}
	hooksPath = {hooks}
	pager = {trap}
	editor = {trap}
	sshCommand = {trap}
	askPass = {trap}
	gitProxy = {trap}
	alternateRefsCommand = {trap}
	attributesFile = {attributes}
[pager]
	ls-tree = {trap}
	cat-file = {trap}
	rev-parse = {trap}
[diff]
	external = {trap}
[diff "x"]
	textconv = {trap}
	command = {trap}
[filter "x"]
	clean = {trap}
	smudge = {trap}
	process = {trap}
	required = true
[merge "x"]
	driver = {trap}
[alias]
	ls-tree = !{trap}
	cat-file = !{trap}
	merge-base = !{trap}
[credential]
	helper = {trap}
[gpg]
	program = {trap}
[uploadpack]
	packObjectsHook = {trap}
[include]
	path = {included}
[remote "origin"]
	url = ext::{trap}
	uploadpack = {trap}
	promisor = true
	partialclonefilter = blob:none
[extensions]
	partialClone = origin
[submodule "sub"]
	url = ext::{trap}
	update = !{trap}
"""


class Trapped:
    """A repository with a program that leaves a mark if anybody starts it."""

    def __init__(self, folder):
        self.root = folder / "root"
        self.mark = folder / "started"
        self.trap = folder / "trap"
        self.trap.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{self.mark}'\ncat\n", "utf-8")
        self.trap.chmod(0o755)
        self.root.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments, given=None):
        who = {"NAME": "Ada", "EMAIL": "ada@example.org", "DATE": "2026-01-02T03:04:05Z"}
        roles = ("AUTHOR", "COMMITTER")
        names = {f"GIT_{role}_{key}": value for role in roles for key, value in who.items()}
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            env={**os.environ, **names, "GIT_CONFIG_GLOBAL": os.devnull},
            input=given,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.decode().strip()

    def commit(self, files):
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "change")

    def arm(self):
        """The configuration and the hooks that name the trap for every occasion."""
        hooks, included = self.root.parent / "hooks", self.root.parent / "included"
        hooks.mkdir()
        for name in HOOKS:
            (hooks / name).symlink_to(self.trap)
        included.write_text(f"[core]\n\tfsmonitor = {self.trap}\n", "utf-8")
        attributes = self.root.parent / "attributes"
        attributes.write_text("* filter=x diff=x merge=x\n", "utf-8")
        with (self.root / ".git/config").open("a", encoding="utf-8") as stream:
            stream.write(
                CONFIG.format(trap=self.trap, hooks=hooks, included=included, attributes=attributes)
            )


@pytest.fixture
def trapped(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    made = Trapped(tmp_path)
    monkeypatch.chdir(made.root)
    return made


@pytest.fixture
def started(monkeypatch):
    """The programs that are started, by their names."""
    found = []
    start = subprocess.Popen

    def recording(command, **options):
        found.append(Path(command[0]).name)
        return start(command, **options)

    monkeypatch.setattr(workers.subprocess, "Popen", recording)
    return found


def diff(*arguments):
    done = CliRunner().invoke(cli, ["diff", *arguments])
    return done.stdout if done.exit_code == 0 else str(done.exception)


def test_no_program_that_a_repository_names_is_started(trapped, started):
    trapped.commit({"api.yaml": POD, ".gitattributes": "* filter=x diff=x merge=x ident\n"})
    trapped.commit({"api.yaml": POD.replace("1Gi", "2Gi")})
    trapped.arm()
    (trapped.root / "api.yaml").write_text(POD.replace("1Gi", "3Gi"), "utf-8")
    shown = diff("HEAD~1")
    assert "limits.memory: 1Gi → 3Gi" in shown
    assert "limits.memory: 1Gi → 2Gi" in diff("HEAD~1", "HEAD")
    assert set(started) == {"git"}
    assert not trapped.mark.exists(), trapped.mark.read_text()


def test_the_trap_catches_what_git_does_by_itself(trapped):
    trapped.commit({"api.yaml": POD})
    trapped.arm()
    subprocess.run(["git", "status"], cwd=trapped.root, capture_output=True, check=False)
    assert trapped.mark.exists()


def test_what_a_partial_clone_lacks_is_not_fetched(trapped, started):
    trapped.commit({"api.yaml": POD})
    blob = trapped.git("rev-parse", "HEAD:api.yaml")
    trapped.commit({"api.yaml": POD.replace("1Gi", "2Gi")})
    trapped.arm()
    (trapped.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    assert "git fetch --refetch --no-filter" in diff("HEAD~1")
    assert set(started) == {"git"}
    assert not trapped.mark.exists(), trapped.mark.read_text()


def test_a_program_called_git_in_the_repository_is_not_started(trapped, monkeypatch):
    trapped.commit({"api.yaml": POD, "bin/git": "#!/bin/sh\ntouch started\n"})
    (trapped.root / "bin/git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{trapped.root / 'bin'}{os.pathsep}{os.environ['PATH']}")
    assert "stay as they are in 1 workload" in diff("HEAD")
    assert not (trapped.root / "started").exists()


def test_symbolic_links_of_a_revision_lead_nowhere(trapped, tmp_path):
    outside = tmp_path / "outside.yaml"
    outside.write_text(POD.replace("name: api", "name: outside"), "utf-8")
    (trapped.root / "link.yaml").symlink_to(outside)
    (trapped.root / "folder").symlink_to(tmp_path)
    trapped.commit({"api.yaml": POD})
    (trapped.root / "link.yaml").unlink()
    (trapped.root / "folder").unlink()
    trapped.commit({"folder/api.yaml": POD.replace("name: api", "name: inner")})
    shown = diff("HEAD~1", "HEAD")
    assert "outside" not in shown
    assert "Pod shop/inner" in shown


def test_names_that_only_git_allows_are_read(trapped):
    trapped.commit({"api.yaml": POD})
    trapped.commit({'a\nb "c"\t\u202e.yaml': POD.replace("name: api", "name: odd")})
    shown = diff("HEAD~1", "HEAD")
    assert "Pod shop/odd" in shown
    assert "\u202e" not in shown


@pytest.mark.parametrize("name", ["..", ".git", ".GIT"])
def test_a_tree_whose_names_lead_out_of_its_folder_is_left_where_it_is(trapped, name, tmp_path):
    trapped.commit({"api.yaml": POD})
    content = POD.replace("name: api", "name: escaped")
    blob = trapped.git("hash-object", "-w", "--stdin", given=content.encode())
    inner = trapped.git("mktree", given=f"100644 blob {blob}\tescaped.yaml\n".encode())
    good = trapped.git("rev-parse", "HEAD:api.yaml")
    entries = f"040000 tree {inner}\t{name}\n100644 blob {good}\tapi.yaml\n"
    tree = trapped.git("mktree", given=entries.encode())
    commit = trapped.git("commit-tree", tree, "-p", "HEAD", "-m", "escape")
    shown = diff("HEAD", commit)
    assert "stay as they are in 1 workload; nothing else is compared." in " ".join(shown.split())
    assert list(tmp_path.rglob("escaped.yaml")) == []


def test_a_submodule_is_never_cloned(trapped, started):
    trapped.commit({"api.yaml": POD})
    commit = trapped.git("rev-parse", "HEAD")
    trapped.git("update-index", "--add", "--cacheinfo", f"160000,{commit},sub")
    (trapped.root / ".gitmodules").write_text(
        f'[submodule "sub"]\n\tpath = sub\n\turl = ext::{trapped.trap}\n', "utf-8"
    )
    tree = trapped.git("write-tree")
    with_module = trapped.git("commit-tree", tree, "-p", "HEAD", "-m", "module")
    trapped.arm()
    done = CliRunner().invoke(cli, ["diff", "HEAD", with_module])
    assert done.exit_code == 0
    assert "Of the submodule sub a commit holds no files" in done.stderr
    assert set(started) == {"git"}
    assert not trapped.mark.exists(), trapped.mark.read_text()


def test_ten_thousand_files_are_compared(trapped):
    containers = "[{name: a, image: b}]"
    pod = (
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: p%d}}\nspec: {{containers: {containers}}}\n"
    )
    trapped.commit({f"d{n % 100}/p{n}.yaml": pod % n for n in range(10_000)})
    trapped.commit(
        {
            "d7/p7.yaml": pod.replace(
                "{name: a, ", "{name: a, resources: {requests: {memory: 1Gi}}, "
            )
            % 7
        }
    )
    assert "1 workload changed, 9999 unchanged." in diff("HEAD~1", "HEAD")


def test_charts_that_git_ignores_are_the_same_at_both_revisions(trapped):
    dependency = "dependencies: [{name: sub, version: 1.x.x}]\n"
    trapped.commit(
        {
            ".gitignore": "charts/\n",
            "web/Chart.yaml": f"apiVersion: v2\nname: web\nversion: 1.0.0\n{dependency}",
            "web/templates/pod.yaml": POD,
        }
    )
    files = {
        "web/charts/sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
        "web/charts/sub/templates/pod.yaml": POD.replace("name: api", "name: sub"),
    }
    for name, content in files.items():
        path = trapped.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    assert "stay as they are in 2 workloads;" in " ".join(diff("HEAD").split())


KUBELET = "containerLogMaxFiles: 3\n"


def test_what_settings_name_is_there_at_each_revision_whatever_it_ends_in(trapped):
    trapped.commit({"api.yaml": POD, "nodes/kubelet.conf": KUBELET, "main.go": "package main\n"})
    folder = trapped.root.parent / "unpacked"
    folder.mkdir()
    git = find_git(trapped.root)
    materialise(git, listing(git, resolve(git, "HEAD")), Unpacked(folder))
    assert (folder / "nodes/kubelet.conf").read_text("utf-8") == KUBELET
    assert not (folder / "main.go").exists()


@pytest.fixture
def with_submodule(trapped):
    """A repository with a submodule that has a pod, and with an ignored file."""
    trapped.commit({"api.yaml": POD, ".gitignore": "ignored/\n"})
    commit = trapped.git("rev-parse", "HEAD")
    trapped.git("update-index", "--add", "--cacheinfo", f"160000,{commit},sub")
    trapped.git("commit", "--quiet", "--message", "module")
    for name in ("ignored/more.yaml", "sub/pod.yaml", "sub/Chart.yaml", "sub/templates/_helper"):
        path = trapped.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(POD, "utf-8")
    return trapped


def test_submodules_are_told_once_and_as_they_are_taken(with_submodule):
    with_submodule.commit({"api.yaml": POD.replace("1Gi", "2Gi")})
    told = [
        CliRunner().invoke(cli, ["diff", *each]).stderr for each in (["HEAD~1"], ["HEAD~1", "HEAD"])
    ]
    assert [each.count("Of the submodule sub") for each in told] == [1, 1]
    assert "are taken to be at each revision what they are now" in told[0]
    assert "are not compared" in told[1]


def test_a_chart_at_the_top_makes_no_input_of_all_that_git_ignores(with_submodule):
    with_submodule.commit({"Chart.yaml": "name: top\n"})
    for name in ("ignored/module.js", "ignored/web/Chart.yaml", "ignored/web/files/any"):
        path = with_submodule.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("name: any\n", "utf-8")
    git = find_git(with_submodule.root)
    with ExitStack() as stack:
        found = beside.beside(git, Around(git, stack), ())
    assert "ignored/web/files/any" in found
    assert "ignored/module.js" not in found


def test_what_is_large_with_all_that_stands_beside_it_is_not_unpacked_in_memory(
    with_submodule, monkeypatch, tmp_path
):
    """In a container that has few MiB of it the run would end, however much the disk has."""
    monkeypatch.delenv("TMPDIR", raising=False)
    folders = []

    def recorded(*arguments):
        folders.append(room(*arguments))
        return folders[-1]

    monkeypatch.setattr("qoslint.revision.unpacked.room", recorded)
    monkeypatch.setattr("qoslint.revision.unpacked._IN_MEMORY", tmp_path)
    monkeypatch.setattr("qoslint.revision.unpacked.MOST_IN_MEMORY", 200_000)
    for size in (1, 200_000):
        (with_submodule.root / "ignored/more.yaml").write_text("#" * size, "utf-8")
        assert CliRunner().invoke(cli, ["diff", "HEAD"]).exit_code == 0
    assert folders == [tmp_path, None]


def new(path):
    path.mkdir()
    return Unpacked(path)


def test_of_what_stands_beside_commits_the_submodules_come_first(
    with_submodule, monkeypatch, tmp_path
):
    git = find_git(with_submodule.root)
    with ExitStack() as stack:
        paths = beside.beside(git, Around(git, stack), ("sub",))
    assert beside.copy_beside(git, new(tmp_path / "all"), paths) == 0
    assert (tmp_path / "all/ignored/more.yaml").exists()
    assert (tmp_path / "all/sub/templates/_helper").exists()
    monkeypatch.setattr(beside, "MOST_BYTES", 3 * len(POD))
    assert beside.copy_beside(git, new(tmp_path / "some"), paths) == 1
    assert (tmp_path / "some/sub/pod.yaml").exists()
    assert not (tmp_path / "some/ignored").exists()
    done = CliRunner().invoke(cli, ["diff", "HEAD"])
    assert "1 file is left out of what is taken to be the same at each revision" in done.stderr

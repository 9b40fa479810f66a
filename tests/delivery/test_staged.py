"""`check --staged` and `check --context`, which hooks call."""

import os
import shutil
import subprocess
import sys

import pytest

LIMITS = """
    apiVersion: v1
    kind: LimitRange
    metadata: {name: limits, namespace: shop}
    spec:
      limits:
        - {type: Container, default: {cpu: 100m, memory: 100Mi}}
    """


def pod(name="web", limit="200Mi"):
    return f"""
        apiVersion: v1
        kind: Pod
        metadata: {{name: {name}, namespace: shop}}
        spec:
          containers:
            - name: app
              image: app
              resources: {{requests: {{memory: 100Mi, cpu: 100m}}, limits: {{memory: {limit}}}}}
        """


REFUSED = pod(limit="50Mi")


@pytest.fixture
def check(clone):
    """Runs `qoslint check --format concise`: the exit status and what is said."""

    def run(*arguments, **environment):
        done = subprocess.run(
            [sys.executable, "-m", "qoslint", "check", "--format", "concise", *arguments],
            cwd=clone.folder,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout

    return run


def test_what_is_staged_is_checked_as_it_would_be_committed(clone, check):
    clone.commit({"pod.yaml": pod(), "old.yaml": pod("old", "50Mi")})
    clone.write({"pod.yaml": REFUSED})
    clone.git("add", "--all")
    clone.write({"pod.yaml": pod(), "untracked.yaml": pod("untracked", "50Mi")})
    clone.git("rm", "--cached", "--quiet", "old.yaml")
    status, said = check("--staged")
    assert status == 1
    assert "pod.yaml:8:" in said
    assert "QOS201" in said
    assert "shop/web" in said
    assert "shop/old" not in said
    assert "shop/untracked" not in said


def test_a_staged_deletion_tells_what_it_changes(clone, check):
    bare = pod().replace("              resources:", "              #")
    clone.commit({"limits.yaml": LIMITS, "pod.yaml": bare})
    clone.git("rm", "--quiet", "limits.yaml")
    status, said = check("--staged", "--fail-on", "warning")
    assert status == 1
    assert "QOS001 Pod shop/web becomes BestEffort from Guaranteed" in said


def test_before_the_first_commit_all_that_is_staged_is_new(clone, check):
    clone.write({"pod.yaml": REFUSED, "other.yaml": pod("other", "50Mi")})
    clone.git("add", "pod.yaml")
    status, said = check("--staged")
    assert status == 1
    assert "shop/web" in said
    assert "shop/other" not in said


def test_deleting_the_last_manifest_is_fine(clone, check):
    clone.commit({"pod.yaml": REFUSED})
    clone.git("rm", "--quiet", "pod.yaml")
    assert check("--staged")[0] == 0


@pytest.mark.parametrize(
    ("file", "decides"),
    [
        ("main.go", False),
        ("docs/README.md", False),
        ("docs/notes.YAML", True),
        ("chart/files/anything", True),
        ("chart/templates/deep/_helpers.tpl", True),
        ("chart.go", False),
        ("overlay/.env", True),
    ],
)
def test_only_what_can_decide_about_pods_is_looked_at(clone, check, file, decides):
    clone.commit(
        {
            "chart/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
            "overlay/kustomization.yaml": "resources: [pod.yaml]\n",
            "overlay/pod.yaml": pod(),
        }
    )
    clone.write({file: "nothing: special\n"})
    clone.git("add", "--all")
    status, said = check("--staged")
    assert status == 0
    assert ("nothing that is staged decides about pods" in said) is not decides


def test_with_nothing_staged_everything_is_checked_unless_a_commit_is_made(clone, check):
    clone.commit({"pod.yaml": REFUSED})
    assert check("--staged")[0] == 1
    assert check("--staged", GIT_INDEX_FILE=".git/index")[0] == 0


def test_the_index_of_the_commit_counts(clone, check):
    clone.commit({"pod.yaml": pod()})
    index = str(clone.folder / ".git" / "index.other")
    clone.write({"pod.yaml": REFUSED})
    clone.git("read-tree", "HEAD", GIT_INDEX_FILE=index)
    clone.git("add", "--all", GIT_INDEX_FILE=index)
    assert check("--staged", GIT_INDEX_FILE=index)[0] == 1
    assert check("--staged", GIT_INDEX_FILE=str(clone.folder / ".git" / "index"))[0] == 0


def test_a_push_names_the_revision_since_which(clone, check):
    clone.commit({"old.yaml": pod("old", "50Mi")})
    first = clone.git("rev-parse", "HEAD")
    clone.commit({"pod.yaml": REFUSED})
    status, said = check("--staged", PRE_COMMIT_FROM_REF=first)
    assert status == 1
    assert "shop/web" in said
    assert "shop/old" not in said


def test_an_unresolved_merge_is_told(clone, check):
    clone.commit({"pod.yaml": pod()})
    clone.git("checkout", "--quiet", "-b", "other")
    clone.commit({"pod.yaml": REFUSED})
    clone.git("checkout", "--quiet", "main")
    clone.commit({"pod.yaml": pod(limit="300Mi")})
    clone.git("merge", "other", check=False)
    status, said = check("--staged")
    assert status == 2
    assert "the index has conflicts: resolve them and stage the result" in said


@pytest.mark.parametrize("more", [("--since", "HEAD"), ("--fix",)])
def test_what_goes_not_with_it_is_told(clone, check, more):
    clone.commit({"pod.yaml": pod()})
    clone.write({"pod.yaml": REFUSED})
    clone.git("add", "--all")
    status, said = check("--staged", *more)
    assert status == 2
    assert "--s" in said


def test_context_decides_about_what_is_checked_and_is_not_checked(clone, check):
    bare = pod().replace("              resources:", "              #")
    clone.write({"a/pod.yaml": bare, "b/limits.yaml": LIMITS, "b/old.yaml": pod("old", "50Mi")})
    status, alone = check("a/pod.yaml")
    assert "QOS103" in alone
    status, said = check("--context", ".", "--", "a/pod.yaml")
    assert status == 0
    assert "QOS103" not in said
    assert "shop/old" not in said


def test_declared_clusters_say_themselves_what_decides(clone, check):
    bare = pod().replace("              resources:", "              #")
    settings = "clusters: [{name: prod, paths: [a]}]\n"
    clone.write({"a/pod.yaml": bare, "b/limits.yaml": LIMITS, ".qoslint.yaml": settings})
    assert "QOS103" in check("--context", ".", "--", "a/pod.yaml")[1]


def test_a_push_of_another_branch_than_the_one_checked_out_is_checked_as_it_is(clone, check):
    clone.commit({"old.yaml": pod("old")})
    first = clone.git("rev-parse", "HEAD")
    clone.git("checkout", "--quiet", "-b", "other")
    clone.commit({"pod.yaml": REFUSED})
    pushed = clone.git("rev-parse", "HEAD")
    clone.git("checkout", "--quiet", "main")
    clone.write({"untracked.yaml": pod("untracked", "50Mi")})
    status, said = check("--staged", PRE_COMMIT_FROM_REF=first, PRE_COMMIT_TO_REF=pushed)
    assert status == 1
    assert "shop/web" in said
    assert "shop/untracked" not in said
    status, said = check("--staged", PRE_COMMIT_FROM_REF=first, PRE_COMMIT_TO_REF=first)
    assert status == 1
    assert "shop/untracked" in said


def test_a_push_lacks_what_is_only_staged(clone, check):
    clone.commit({"old.yaml": pod("old")})
    first = clone.git("rev-parse", "HEAD")
    clone.commit({"pod.yaml": REFUSED})
    clone.write({"pod.yaml": pod()})
    clone.git("add", "--all")
    status, said = check("--staged", PRE_COMMIT_FROM_REF=first, PRE_COMMIT_TO_REF="HEAD")
    assert status == 1
    assert "shop/web" in said


def everything(folder):
    """What there is below a folder: names, contents and times."""
    return {
        str(path.relative_to(folder)): (
            path.stat().st_mtime_ns,
            path.is_file() and path.read_bytes(),
        )
        for path in folder.rglob("*")
    }


@pytest.mark.parametrize(
    "arguments",
    [("--staged",), ("--since", "HEAD"), ("--since", "HEAD~1", "--settings-from", "HEAD")],
)
def test_nothing_is_written_into_the_repository(clone, check, arguments):
    clone.commit({"other.yaml": pod("other")})
    clone.commit({"folder/pod.yaml": pod()})
    clone.write({"folder/pod.yaml": REFUSED})
    clone.git("add", "--all")
    os.utime(clone.folder / "other.yaml", (1, 1))  # what Git would like to refresh its index for
    before = everything(clone.folder / ".git")
    assert check(*arguments)[0] == 1
    assert everything(clone.folder / ".git") == before


def test_nothing_is_written_into_a_repository_before_its_first_commit(clone, check):
    clone.write({"folder/pod.yaml": REFUSED})
    clone.git("add", "--all")
    before = everything(clone.folder / ".git")
    assert check("--staged")[0] == 1
    assert everything(clone.folder / ".git") == before


def test_what_is_only_intended_to_be_added_is_not_committed(clone, check):
    clone.commit({"old.yaml": pod("old")})
    clone.write({"kustomization.yaml": "resources: [old.yaml, pod.yaml]\n", "pod.yaml": pod()})
    clone.git("add", "kustomization.yaml")
    clone.git("add", "--intent-to-add", "pod.yaml")
    assert "the kustomization names 'pod.yaml', which does not exist" in check("--staged")[1]


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_the_index_is_read_in_each_form_of_objects(workspace, clone, check, form):
    shutil.rmtree(workspace / ".git")
    clone.git("init", "--quiet", f"--object-format={form}")
    clone.write({"pod.yaml": REFUSED})
    clone.git("add", "--all")
    assert check("--staged")[0] == 1
    clone.git("commit", "--quiet", "--message", "First.")
    clone.git("rm", "--quiet", "pod.yaml")
    assert check("--staged")[0] == 0


def test_what_the_command_line_names_counts_as_it_is_staged(clone, check):
    clone.write({"pod.yaml": REFUSED, "conf/strict.yaml": "rules: {severity: {QOS201: note}}\n"})
    assert check("--write-baseline", "known.json")[0] == 0
    clone.git("add", "--all")
    clone.write({"known.json": "broken", "conf/strict.yaml": "broken"})
    status, said = check("--staged", "--baseline", "known.json")
    assert status == 0, said
    assert "the baseline accepts 1 error: QOS201" in said
    status, said = check("--staged", "--config", "conf/strict.yaml")
    assert status == 0, said
    assert "note: QOS201" in said


def test_what_git_does_not_know_is_named_where_it_is(clone, check, tmp_path):
    clone.write({"pod.yaml": REFUSED})
    clone.git("add", "--all")
    clone.write({"untracked.yaml": "rules: {severity: {QOS201: note}}\n"})
    (tmp_path / "elsewhere.yaml").write_text("rules: {severity: {QOS201: note}}\n")
    for named in ("untracked.yaml", str(tmp_path / "elsewhere.yaml")):
        status, said = check("--staged", "--config", named)
        assert status == 0, said
        assert "note: QOS201" in said

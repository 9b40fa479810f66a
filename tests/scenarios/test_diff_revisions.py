"""Which revisions `qoslint diff` compares, and what it says where it cannot."""

import os

import pytest

API = """
    apiVersion: v1
    kind: Pod
    metadata: {name: api, namespace: shop}
    spec:
      containers:
        - name: app
          image: registry.example/app:1
          resources:
            limits: {cpu: "1", memory: 1Gi}
"""
OTHER = API.replace("name: api", "name: other")


def names(document):
    return [(each["name"], each["fate"]) for each in document["workloads"]]


def test_what_the_base_got_since_a_branch_left_it_is_not_told_as_taken_away(history):
    history.commit({"api.yaml": API})
    history.git("switch", "--quiet", "--create", "feature")
    history.commit({"api.yaml": API.replace('cpu: "1", ', "")})
    history.git("switch", "--quiet", "main")
    history.commit({"other.yaml": OTHER})
    history.commit({"api.yaml": API.replace("1Gi", "4Gi")})
    history.git("switch", "--quiet", "feature")
    document = history.changes("main")
    assert names(document) == [("api", "kept")]
    assert document["base"]["commit"] == history.git("rev-parse", "main~2").strip()
    assert history.changes("main", "feature")["workloads"] == document["workloads"]
    exact = history.changes("main", "--exact")
    assert names(exact) == [("api", "kept"), ("other", "removed")]


def test_without_a_second_revision_all_that_is_not_committed_counts(history):
    history.commit({"api.yaml": API})
    history.repository.write({"other.yaml": OTHER})
    assert names(history.changes("HEAD")) == [("other", "added")]
    assert names(history.changes("HEAD", "HEAD")) == []


def test_only_what_is_asked_for_is_compared(history):
    history.commit({"a/api.yaml": API, "b/other.yaml": OTHER})
    history.commit({"a/api.yaml": API.replace("1Gi", "2Gi"), "b/other.yaml": OTHER}, "b/other.yaml")
    assert names(history.changes("HEAD~1", "--path", "a")) == [("api", "kept")]
    assert names(history.changes("HEAD~1", "--path", "b")) == [("other", "removed")]


def test_a_subfolder_is_compared_from_within(history, monkeypatch):
    history.commit({"a/api.yaml": API, "b/other.yaml": OTHER})
    history.commit({"a/api.yaml": API.replace("1Gi", "2Gi")}, "b/other.yaml")
    monkeypatch.chdir(history.root / "a")
    (change,) = history.changes("HEAD~1")["workloads"]
    assert change["at"]["file"] == "a/api.yaml"


def refused(history, *arguments):
    done = history.run("diff", *arguments)
    assert done.exit_code != 0
    return str(done.exception or done.output)


def test_an_unknown_revision_is_named_with_what_to_do(history):
    history.commit({"api.yaml": API})
    assert refused(history, "mian") == (
        "there is no revision 'mian' here: fetch it, as with `git fetch origin mian`"
    )
    history.git("update-ref", "refs/remotes/origin/release", "HEAD")
    assert refused(history, "release") == (
        "there is no revision 'release' here; did you mean 'origin/release'?"
    )
    assert refused(history, "--", "--upload-pack=x") == (
        "'--upload-pack=x' is no name of a revision"
    )


def test_a_repository_without_commits_is_told(history):
    assert refused(history, "HEAD") == (
        "there is no revision 'HEAD' here: the repository has no commit yet"
    )


def test_a_shallow_clone_is_told_how_to_get_the_rest(history, tmp_path_factory, monkeypatch):
    history.commit({"api.yaml": API})
    history.git("switch", "--quiet", "--create", "feature")
    history.commit({"other.yaml": OTHER})
    history.git("switch", "--quiet", "main")
    history.commit({"more.yaml": API.replace("name: api", "name: more")})
    clone = tmp_path_factory.mktemp("clone") / "shallow"
    history.git(
        "clone", "--quiet", "--depth=1", "--no-single-branch", f"file://{history.root}", str(clone)
    )
    monkeypatch.chdir(clone)
    assert refused(history, "main~1") == (
        "there is no revision 'main~1' here: this clone is shallow, and may lack it; fetch the "
        "rest with `git fetch --unshallow`, or set `fetch-depth: 0` for actions/checkout"
    )
    assert refused(history, "origin/feature") == (
        "this clone is shallow, and does not reach back to where HEAD left origin/feature: fetch "
        "the rest with `git fetch --unshallow`, or set `fetch-depth: 0` for actions/checkout"
    )


def test_histories_without_a_common_commit_can_be_compared_exactly(history):
    history.commit({"api.yaml": API})
    history.git("switch", "--quiet", "--orphan", "other")
    history.commit({"other.yaml": OTHER.replace("1Gi", "2Gi")})
    assert refused(history, "main") == (
        "main and HEAD have no commit in common: give --exact to compare them all the same"
    )
    assert names(history.changes("main", "--exact")) == [("api", "removed"), ("other", "added")]


def test_a_folder_outside_of_any_repository_has_no_other_revision(history, tmp_path_factory):
    folder = tmp_path_factory.mktemp("plain")
    assert refused(history, "main", "--path", str(folder)) == (
        f"'{folder}' is in no Git repository, so that there is no other revision of it to compare "
        "with: run qoslint inside a clone"
    )


def test_without_git_it_is_said_what_is_missing(history, monkeypatch):
    history.commit({"api.yaml": API})
    monkeypatch.setenv("PATH", os.devnull)
    assert refused(history, "main") == (
        "no git is on the PATH, and only git can read another revision: install it, or add its "
        "folder to the PATH"
    )


def test_a_repository_of_another_user_is_only_read_if_the_user_trusts_it(history, monkeypatch):
    history.commit({"api.yaml": API})
    monkeypatch.setattr(
        "qoslint.revision.git._ENVIRONMENT", {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    )
    assert refused(history, "main") == (
        f"git does not read '{history.root}', for it belongs to another user; if you trust it: "
        f"git config --global --add safe.directory '{history.root}'"
    )
    own = history.root.parent / "gitconfig"
    own.write_text(f"[safe]\n\tdirectory = {history.root}\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(own))
    assert history.changes("main")["workloads"] == []


def test_the_settings_of_each_revision_count_unless_those_of_one_shall_judge(history):
    settings = "clusters: [{name: prod, paths: [.], kubernetes: '1.33', complete: true}]\n"
    history.commit({".qoslint.yaml": settings, "api.yaml": API})
    history.commit({".qoslint.yaml": settings.replace("prod", "live")})
    assert history.changes("HEAD~1")["workloads"] == []
    broken = "clusters: [{name: prod, paths: [.], kubernets: '1.33'}]\n"
    history.commit({".qoslint.yaml": broken})
    assert "at the work tree: .qoslint.yaml:1: unknown key 'kubernets'" in refused(
        history, "HEAD~1"
    )
    assert history.changes("HEAD~1", "--settings-from", "HEAD~1")["workloads"] == []


def test_the_work_tree_and_the_index_stay_as_they_are(history):
    history.commit({"api.yaml": API})
    history.commit({"api.yaml": API.replace("1Gi", "2Gi")})
    history.repository.write({"api.yaml": API.replace("1Gi", "3Gi"), "new.yaml": OTHER})
    before = snapshot(history.root)
    history.changes("HEAD~1")
    history.changes("HEAD~1", "HEAD")
    assert snapshot(history.root) == before


def snapshot(root):
    return {
        str(path): (path.stat().st_mtime_ns, path.read_bytes())
        for path in root.rglob("*")
        if path.is_file()
    }


def test_what_could_not_be_read_of_either_revision_is_said(history):
    history.commit({"api.yaml": API, "broken.yaml": "kind: Pod\nmetadata: {name: [\n"})
    history.commit({"other.yaml": OTHER}, "broken.yaml")
    done = history.run("diff", "HEAD~1")
    assert "qoslint: at the older revision, not checked: 1 file not understood" in done.stderr


LIMITS = """
    apiVersion: v1
    kind: LimitRange
    metadata: {name: limits, namespace: shop}
    spec:
      limits: [{type: Container, max: {memory: 2Gi}}]
"""


@pytest.fixture(params=["--no-sparse-index", "--sparse-index"])
def sparse(history, request):
    """A sparse checkout of two commits: of three folders, `app` is in the work tree."""
    history.commit({"app/api.yaml": API, "base/limits.yaml": LIMITS, "more/other.yaml": OTHER})
    history.commit({"more/other.yaml": OTHER.replace("1Gi", "2Gi"), ".gitignore": "new.yaml\n"})
    history.git("sparse-checkout", "set", "--cone", request.param, "app")
    assert not (history.root / "base").exists()
    return history


def test_what_is_outside_of_a_sparse_checkout_is_what_the_index_has(sparse):
    assert names(sparse.changes("HEAD")) == []
    assert names(sparse.changes("HEAD~1")) == [("other", "kept")]
    assert sparse.changes("HEAD~1")["workloads"] == sparse.changes("HEAD~1", "HEAD")["workloads"]
    sparse.git("rm", "--quiet", "--cached", "--sparse", "more/other.yaml")
    assert names(sparse.changes("HEAD")) == [("other", "removed")]


def test_what_is_outside_of_a_sparse_checkout_decides_about_the_work_tree(sparse):
    sparse.repository.write({"app/api.yaml": API.replace("1Gi", "3Gi"), "app/new.yaml": OTHER})
    (change,) = sparse.changes("HEAD", "--path", "app/api.yaml", "--path", "base")["workloads"]
    assert change["after"]["rejections"][0]["by"] == "LimitRanger"
    assert change["at"]["file"] == "app/api.yaml"
    assert sparse.changes("HEAD")["head"] == {"name": "", "commit": None}
    done = sparse.run("check", "--since", "HEAD", "--format", "concise")
    assert done.stdout.startswith("app/api.yaml:9:28: error: QOS203 ")
    assert "more/other.yaml" not in done.stdout


def test_what_somebody_wrote_outside_of_a_sparse_checkout_counts(sparse):
    sparse.repository.write(
        {"more/other.yaml": OTHER, "more/third.yaml": OTHER.replace("other", "third")}
    )
    assert names(sparse.changes("HEAD")) == [("other", "kept"), ("third", "added")]


def test_node_profiles_of_one_name_are_told_apart_by_their_clusters(history):
    cluster = """
        - name: {name}
          paths: [{name}]
          nodes: [{{name: n16, capacity: {{cpu: "4", memory: {memory}}}}}]
    """
    both = [
        "clusters:\n"
        + "".join(cluster.format(name=name, memory=memory) for name in ("prod", "test"))
        for memory in ("16Gi", "32Gi")
    ]
    history.commit({".qoslint.yaml": both[0], "prod/api.yaml": API, "test/api.yaml": API})
    history.commit({".qoslint.yaml": both[1]})
    told = history.diff("HEAD~1", "HEAD")
    assert told.count("Node profile n16 of cluster prod changed") == 1
    assert told.count("Node profile n16 of cluster test changed") == 1

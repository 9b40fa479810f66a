"""The folders that revisions are unpacked into."""

import errno
import os
import subprocess

import pytest

from qoslint.errors import UsageError
from qoslint.revision.commits import Commit
from qoslint.revision.git import find_git
from qoslint.revision.listing import listing
from qoslint.revision.unpacked import Unpacked, unpacked
from qoslint.source.tree import File, Skipped, WorkTree


def test_names_that_cannot_be_written_are_left_out_and_a_full_disk_is_told(tmp_path, monkeypatch):
    folder = Unpacked(tmp_path)
    deep = "n/" * 2_000 + "a.yaml"
    long = (f"{'n' * 300}.yaml", f"{'n' * 300}/b.yaml")
    for path in ("a", "a", "a/below", "nul\0.yaml", *long, deep):
        folder.write(path, b"1")
    assert [each.name for each in tmp_path.iterdir()] == [*folder.files] == ["a"]

    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("qoslint.revision.unpacked._write", full)
    with pytest.raises(UsageError, match="'b' cannot be written: No space left on device"):
        folder.write("b", b"1")


def test_what_was_unpacked_goes_with_all_that_others_put_there():
    with unpacked([1]) as folder:
        for path in ("a.yaml", "a/b/c.yaml", "a/b.yaml", ".git/config"):
            folder.write(path, b"1")
        (folder.root / "a/b/other").write_text("2", "utf-8")
        (folder.root / "a.yaml").unlink()
        assert (folder.root / "a/b/c.yaml").read_bytes() == b"1"
    assert not folder.root.exists()


def git(root, *command, given=b""):
    done = subprocess.run(["git", *command], cwd=root, input=given, check=True, capture_output=True)
    return done.stdout.strip()


def nested(root, tree, depth):
    for _ in range(depth):
        tree = git(root, "mktree", given=b"040000 tree %b\td\n" % tree)
    return tree


def commit(root, tree):
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.example")
    return git(root, *identity, "commit-tree", "-m", "a", tree.decode()).decode()


@pytest.fixture
def pod(tmp_path):
    """The tree of one file."""
    git(tmp_path, "init", "-q")
    blob = git(tmp_path, "hash-object", "-w", "--stdin", given=b"kind: Pod\n")
    return git(tmp_path, "mktree", given=b"100644 blob %b\ta.yaml\n" % blob)


def test_a_tree_in_very_many_places_is_too_many_folders(pod, tmp_path):
    """A few hundred objects of Git can stand for millions of folders."""
    deep = nested(tmp_path, pod, 124)
    lines = [b"040000 tree %b\t%05d\n" % (deep, number) for number in range(1_601)]
    bomb = commit(tmp_path, git(tmp_path, "mktree", given=b"".join(lines)))
    with pytest.raises(UsageError, match=r"1,601 files of 0 MiB in 200,125 folders, and more than"):
        listing(find_git(tmp_path), Commit("bomb", bomb))


def test_as_many_folders_count_at_a_revision_as_in_the_work_tree(pod, tmp_path):
    found = {}
    for depth in (128, 129):
        commit_id = commit(tmp_path, nested(tmp_path, pod, depth))
        found[depth] = listing(find_git(tmp_path), Commit("deep", commit_id))
        file = tmp_path / f"tree{depth}" / ("d/" * depth) / "a.yaml"
        file.parent.mkdir(parents=True)
        file.write_text("kind: Pod\n", "utf-8")
    assert [len(each.blobs) for each in found.values()] == [1, 0]
    walked = [list(WorkTree(tmp_path / f"tree{depth}").walk(["."])) for depth in found]
    assert [[type(each) for each in items] for items in walked] == [[File], [Skipped]]

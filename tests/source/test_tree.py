"""The door to files: every file accounted for, nothing outside of the root."""

import os
import shutil
import socket
import subprocess

import pytest

from qoslint.errors import UsageError
from qoslint.source.paths import Paths, covers
from qoslint.source.tree import (
    MAX_FILE_BYTES,
    MAX_FOLDERS,
    STDIN,
    File,
    Skip,
    Skipped,
    UnreadableError,
    WorkTree,
)


def write(root, *paths, content=b"a: 1\n"):
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def walked(root, *paths):
    return list(WorkTree(root).walk(paths or ["."]))


def names(root, *paths):
    return [entry.path for entry in walked(root, *paths)]


def found_by_find(*paths):
    """How many regular files `find` sees, whatever their names, outside of what is Git's own."""
    seen = ["-name", ".git", "-prune", "-o", "-type", "f", "-print0"]
    found = subprocess.run(["find", *paths, *seen], capture_output=True, check=True)
    return found.stdout.count(b"\0")


def open_descriptors():
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - a folder of the kernel's, no files


class TestAccounting:
    @pytest.fixture
    def wild(self, tmp_path):
        """A tree with everything that a file system allows."""
        write(tmp_path, "a.yaml", "b/c.yml", "b/d.JSON", "b/e.txt", "b/Kustomization")
        write(tmp_path, ".git/config", ".git/x.yaml", "sub/.git", ".hidden/f.yaml")
        write(tmp_path, "new\nline.yaml", "\x1b[31mred.yaml", "sp ace/-dash.yaml", "ünï/cödé.yaml")
        (tmp_path / os.fsdecode(b"bad\xff.yaml")).write_bytes(b"")
        (tmp_path / "link.yaml").symlink_to(tmp_path / "a.yaml")
        (tmp_path / "loop").symlink_to(tmp_path)
        (tmp_path / "broken.yaml").symlink_to("nowhere")
        os.mkfifo(tmp_path / "fifo.yaml")
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(tmp_path / "socket.yaml"))
        return tmp_path

    def test_every_regular_file_is_counted_once(self, wild):
        entries = walked(wild)
        assert len(entries) == found_by_find(wild)
        assert len({entry.path for entry in entries}) == len(entries)

    def test_what_git_keeps_for_itself_counts_where_a_path_leads_there(self, wild):
        assert walked(wild, ".git") == [
            Skipped(".git/config", Skip.GIT),
            Skipped(".git/x.yaml", Skip.GIT),
        ]
        assert walked(wild, "sub/.git") == [Skipped("sub/.git", Skip.GIT)]

    def test_files_are_read_or_skipped_with_a_reason(self, wild):
        skipped = {entry.path: entry.reason for entry in walked(wild) if isinstance(entry, Skipped)}
        assert skipped == {
            "b/e.txt": Skip.NOT_YAML,
        }

    def test_every_file_can_be_read_by_its_path(self, wild):
        tree = WorkTree(wild)
        files = [entry for entry in tree.walk(["."]) if isinstance(entry, File)]
        assert {len(tree.read(file.path)) - file.size for file in files} == {0}
        assert len(files) == 10

    def test_files_that_are_known_need_no_walk(self, wild):
        walked = list(WorkTree(wild).walk(["."]))
        assert any(isinstance(each, File) for each in walked)
        sizes = {
            path: (wild / path).stat().st_size
            for each in walked
            if not (path := each.path).endswith("/")
        }
        tree = WorkTree(wild, files={**sizes, ".git/config": 1, "b/.git": 1})
        found = [each for each in walked if not each.path.endswith("/")]
        assert list(tree.walk(["."])) == found
        assert list(tree.walk(["b"])) == [each for each in found if each.path.startswith("b/")]
        with pytest.raises(UnreadableError):
            WorkTree(wild, files={}).read("a.yaml")

    def test_overlapping_paths_count_once(self, wild):
        paths = ["b", "b/c.yml", "./b/", str(wild / "b"), "a.yaml", "sp ace/../b"]
        assert names(wild, *paths) == [
            "a.yaml",
            "b/Kustomization",
            "b/c.yml",
            "b/d.JSON",
            "b/e.txt",
        ]

    def test_paths_are_sorted_as_a_whole(self, tmp_path):
        write(tmp_path, "a/z.yaml", "a-b.yaml", "a.yaml", "a/b/c.yaml", "B.yaml", "a0.yaml")
        found = names(tmp_path, "a", ".", "B.yaml")
        assert found == sorted(found)
        assert len(found) == 6

    def test_a_file_that_shares_a_prefix_is_not_inside(self, tmp_path):
        write(tmp_path, "a/x.yaml", "ab.yaml", "a.yaml")
        assert names(tmp_path, "a", "ab.yaml", "a.yaml") == ["a.yaml", "a/x.yaml", "ab.yaml"]

    def test_deep_trees_are_walked_and_read(self, tmp_path):
        """Their paths are longer than the system takes at once, and each folder costs the same."""
        directory = os.open(tmp_path, os.O_RDONLY)
        for _ in range(128):
            os.mkdir("d" * 50, dir_fd=directory)
            inner = os.open("d" * 50, os.O_RDONLY, dir_fd=directory)
            os.close(directory)
            directory = inner
        file = os.open("a.yaml", os.O_WRONLY | os.O_CREAT, dir_fd=directory)
        os.write(file, b"a: 1\n")
        os.close(file)
        os.close(directory)
        (found,) = walked(tmp_path)
        assert WorkTree(tmp_path).read(found.path) == b"a: 1\n"
        shutil.rmtree(tmp_path / ("d" * 50))

    def test_each_folder_costs_the_same_however_deep_it_is(self, tmp_path, monkeypatch):
        """Each level has a folder that is walked after the way back up from all below."""
        depth = 500
        directory = os.open(tmp_path, os.O_RDONLY)
        for _ in range(depth):
            for name in ("d", "e"):
                os.mkdir(name, dir_fd=directory)
            os.close(os.open("a.yaml", os.O_WRONLY | os.O_CREAT, dir_fd=directory))
            inner = os.open("d", os.O_RDONLY, dir_fd=directory)
            os.close(directory)
            directory = inner
        os.close(directory)
        opened = []
        real = os.open
        monkeypatch.setattr(
            os, "open", lambda *args, **more: opened.append(1) or real(*args, **more)
        )
        found = walked(tmp_path)
        monkeypatch.undo()
        assert len(found) == depth
        assert [entry.path for entry in found] == sorted(entry.path for entry in found)
        assert [isinstance(entry, File) for entry in found].count(True) == MAX_FOLDERS + 1
        assert {entry.reason for entry in found if isinstance(entry, Skipped)} == {Skip.TOO_DEEP}
        assert len(opened) < 5 * depth
        shutil.rmtree(tmp_path / "d")

    def test_a_file_that_grows_while_it_is_read_is_read_to_its_end(self, tmp_path, monkeypatch):
        (tmp_path / "a.yaml").write_bytes(b"a: 1\n" * 3)
        fstat = os.fstat

        def shorter(descriptor):
            status = fstat(descriptor)
            return os.stat_result((*status[:6], 5, *status[7:10]))

        monkeypatch.setattr(os, "fstat", shorter)
        assert WorkTree(tmp_path).read("a.yaml") == b"a: 1\n" * 3

    def test_a_tree_is_that_of_one_moment(self, tmp_path):
        (tmp_path / ".git").mkdir()
        (tmp_path / ".git/config").write_text("[core]\n", "utf-8")
        (tmp_path / "a.yaml").write_text("a: 1\n", "utf-8")
        tree = WorkTree(tmp_path)
        found = list(tree.walk(["."]))
        (tmp_path / "b.yaml").write_text("b: 1\n", "utf-8")
        assert list(tree.walk(["."])) == found == [File("a.yaml", 5)]
        assert tree.read("a.yaml") == b"a: 1\n"
        assert tree.read(".git/config") == b"[core]\n"
        with pytest.raises(UnreadableError):
            tree.read("b.yaml")

    def test_a_folder_that_moves_during_the_walk_leads_nowhere_else(self, tmp_path):
        write(tmp_path, "root/a/b/c.yaml", "root/a/d/e.yaml", "outside/d/secret.yaml")
        walk = WorkTree(tmp_path / "root").walk(["."])
        assert next(walk).path == "a/b/c.yaml"
        (tmp_path / "root/a/b").rename(tmp_path / "outside/b")
        assert list(walk) == [File("a/d/e.yaml", 5)]

    def test_a_folder_that_cannot_be_entered_again_is_told(self, tmp_path):
        write(tmp_path, "root/a/b/c.yaml", "root/a/d/e.yaml", "root/f/g.yaml", "outside/x.yaml")
        walk = WorkTree(tmp_path / "root").walk(["."])
        assert next(walk).path == "a/b/c.yaml"
        (tmp_path / "root/a/b").rename(tmp_path / "outside/b")
        (tmp_path / "root/a").rename(tmp_path / "outside/a")
        assert list(walk) == [Skipped("a/d/", Skip.UNREADABLE_DIRECTORY), File("f/g.yaml", 5)]


class TestPaths:
    def test_a_root_that_is_reached_through_a_link_is_its_directory(self, tmp_path):
        write(tmp_path / "real", "a.yaml")
        (tmp_path / "link").symlink_to("real")
        assert names(tmp_path / "link", str(tmp_path / "link" / "a.yaml")) == ["a.yaml"]

    @pytest.mark.parametrize(
        ("path", "message"),
        [
            ("link.yaml", "'link.yaml' is a symbolic link; name the file it leads to"),
            ("linked", "'linked' is a symbolic link; name the file it leads to"),
            ("nope.yaml", "'nope.yaml' does not exist or cannot be read"),
            ("..", "'..' is outside of "),
            ("/etc/passwd", "'/etc/passwd' is outside of "),
            ("linked/../..", "'linked/../..' is outside of "),
            ("linked/secret.yaml", "'linked/secret.yaml' is outside of "),
            ("fifo", "'fifo' is neither a file nor a directory"),
            ("a.yaml/b", "'a.yaml/b' does not exist or cannot be read"),
        ],
    )
    def test_a_path_that_cannot_be_walked_is_an_error(self, tmp_path, path, message):
        root = tmp_path / "root"
        write(tmp_path, "root/a.yaml", "secret.yaml")
        (root / "link.yaml").symlink_to("a.yaml")
        (root / "linked").symlink_to(tmp_path)
        os.mkfifo(root / "fifo")
        with pytest.raises(UsageError) as caught:
            walked(root, path)
        assert str(caught.value).startswith(message)

    def test_a_root_that_is_no_directory_is_an_error(self, tmp_path):
        write(tmp_path, "a.yaml")
        with pytest.raises(UsageError, match="is not a directory"):
            WorkTree(tmp_path / "a.yaml")


class TestReading:
    @pytest.mark.parametrize(
        "path", ["../secret.yaml", "/etc/passwd", "a/../../secret.yaml", "a//b"]
    )
    def test_no_path_leads_outside(self, tmp_path, path):
        write(tmp_path, "root/a/b", "secret.yaml")
        with pytest.raises(UnreadableError):
            WorkTree(tmp_path / "root").read(path)

    def test_a_file_that_became_a_link_is_refused(self, tmp_path):
        write(tmp_path, "root/a.yaml", "secret.yaml")
        tree = WorkTree(tmp_path / "root")
        (file,) = tree.walk(["."])
        (tree.root / "a.yaml").unlink()
        (tree.root / "a.yaml").symlink_to(tmp_path / "secret.yaml")
        with pytest.raises(UnreadableError) as caught:
            tree.read(file.path)
        assert caught.value.reason is Skip.UNREADABLE

    def test_a_directory_that_became_a_link_is_refused(self, tmp_path):
        write(tmp_path, "root/a/b.yaml", "outside/b.yaml")
        tree = WorkTree(tmp_path / "root")
        (file,) = tree.walk(["."])
        shutil.rmtree(tree.root / "a")
        (tree.root / "a").symlink_to(tmp_path / "outside")
        with pytest.raises(UnreadableError):
            tree.read(file.path)

    def test_a_file_that_became_a_fifo_does_not_block(self, tmp_path):
        os.mkfifo(tmp_path / "a.yaml")
        with pytest.raises(UnreadableError) as caught:
            WorkTree(tmp_path).read("a.yaml")
        assert caught.value.reason is Skip.NOT_REGULAR

    def test_a_file_that_is_gone_is_not_readable(self, tmp_path):
        with pytest.raises(UnreadableError) as caught:
            WorkTree(tmp_path).read("a.yaml")
        assert caught.value.reason is Skip.UNREADABLE

    def test_a_file_that_is_gone_holds_nobody_who_asked_for_it(self, tmp_path):
        """One error for all of them would hold the frames of each, and with them their texts."""
        tree = WorkTree(tmp_path)
        for _ in range(3):
            with pytest.raises(UnreadableError) as error:
                tree.read("gone.yaml")
        assert len(error.traceback) <= 3

    def test_a_directory_that_cannot_be_listed_is_told_and_the_walk_goes_on(self, tmp_path):
        write(tmp_path, "a.yaml", "b/c.yaml", "d.yaml")
        walk = WorkTree(tmp_path).walk(["."])
        first = next(walk)
        shutil.rmtree(tmp_path / "b")
        assert [first.path, *walk] == [
            "a.yaml",
            Skipped("b/", Skip.UNREADABLE_DIRECTORY),
            File("d.yaml", 5),
        ]

    def test_a_file_above_the_limit_is_skipped_and_never_read(self, tmp_path):
        with (tmp_path / "a.yaml").open("wb") as file:
            file.truncate(MAX_FILE_BYTES + 1)
        assert walked(tmp_path) == [Skipped("a.yaml", Skip.TOO_LARGE)]
        with pytest.raises(UnreadableError) as caught:
            WorkTree(tmp_path).read("a.yaml")
        assert caught.value.reason is Skip.TOO_LARGE

    def test_a_file_at_the_limit_is_read(self, tmp_path):
        with (tmp_path / "a.yaml").open("wb") as file:
            file.truncate(MAX_FILE_BYTES)
        assert walked(tmp_path) == [File("a.yaml", MAX_FILE_BYTES)]
        assert len(WorkTree(tmp_path).read("a.yaml")) == MAX_FILE_BYTES

    def test_no_descriptor_stays_open_but_that_of_the_last_folder(self, tmp_path):
        write(tmp_path, "a/b/c.yaml", "d/e.yaml", "f.yaml")
        before = open_descriptors()
        tree = WorkTree(tmp_path)
        for entry in tree.walk(["."]):
            tree.read(entry.path)
            with pytest.raises(UnreadableError):
                tree.read("a/b/nope")
        assert open_descriptors() == before + 1
        del tree
        assert open_descriptors() == before


def test_what_is_given_is_a_file_of_its_own(tmp_path):
    (tmp_path / "a.yaml").write_text("a")
    (tmp_path / STDIN).write_text("a stranger's")
    tree = WorkTree(tmp_path, given=b"given")
    assert [*tree.walk([".", STDIN])] == [File(STDIN, 5), File("a.yaml", 1)]
    assert tree.read(STDIN) == b"given"
    assert STDIN not in [item.path for item in tree.walk(["."])]


def test_nothing_is_given_unless_it_is(tmp_path):
    with pytest.raises(UsageError):
        list(WorkTree(tmp_path).walk([STDIN]))
    assert [*WorkTree(tmp_path, given=b"").walk([STDIN])] == [File(STDIN, 0)]


@pytest.mark.parametrize(
    ("named", "file", "held", "held_around"),
    [
        ([], "a/b.yaml", False, False),
        (["."], "a/b.yaml", True, True),
        ([""], "b.yaml", True, True),
        (["a"], "a/b/c.yaml", True, True),
        (["a/b"], "a/bc/d.yaml", False, False),
        (["a/b.yaml"], "a/b.yaml", True, False),
        (["a/b.yaml", "a"], "a/b.yaml", True, True),
        (["b.yaml"], "a/b.yaml", False, False),
    ],
)
def test_paths_hold_themselves_and_what_lies_below_them(named, file, held, held_around):
    paths = Paths.of(named)
    assert (paths.hold(file), paths.hold_around(file)) == (held, held_around)
    assert covers(named, file) == held

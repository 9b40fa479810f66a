"""Files change as a whole or not at all, inside the tree only."""

import os

import pytest

from qoslint.errors import UsageError
from qoslint.source.rewrite import Rewrite, rewrite, write
from qoslint.source.tree import WorkTree


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "root/sub").mkdir(parents=True)
    (tmp_path / "root/sub/a.yaml").write_bytes(b"a: 1\n")
    (tmp_path / "outside.yaml").write_bytes(b"a: 1\n")
    return WorkTree(tmp_path / "root")


CHANGE = Rewrite("sub/a.yaml", b"a: 1\n", b"a: 2\n")


def test_the_new_content_takes_the_place_of_the_old(tree):
    write(tree, CHANGE)
    assert (tree.root / "sub/a.yaml").read_bytes() == b"a: 2\n"
    assert [it.name for it in (tree.root / "sub").iterdir()] == ["a.yaml"]


def test_a_file_that_changed_since_it_was_read_stays(tree):
    (tree.root / "sub/a.yaml").write_bytes(b"a: 3\n")
    with pytest.raises(UsageError, match=r"'sub/a\.yaml' was changed while it was checked"):
        write(tree, CHANGE)
    assert tree.read("sub/a.yaml") == b"a: 3\n"
    with pytest.raises(UsageError, match="was changed"):
        rewrite(tree, "sub/a.yaml", "a: 1\n", "a: 2\n")


@pytest.mark.parametrize("path", ["../outside.yaml", "sub/../../outside.yaml", "sub/gone.yaml"])
def test_nothing_outside_or_new_is_written(tree, path):
    with pytest.raises(UsageError):
        write(tree, CHANGE._replace(path=path))
    assert (tree.root.parent / "outside.yaml").read_bytes() == b"a: 1\n"
    assert not (tree.root / "sub/gone.yaml").exists()


@pytest.mark.parametrize("link", ["sub", "sub/a.yaml"])
def test_a_link_that_was_planted_meanwhile_is_not_followed(tree, link):
    target = tree.root.parent / "elsewhere"
    (tree.root / link).rename(target)
    (tree.root / link).symlink_to(target)
    with pytest.raises(UsageError):
        write(tree, CHANGE)
    kept = target / "a.yaml" if link == "sub" else target
    assert kept.read_bytes() == b"a: 1\n"


def test_a_failure_leaves_the_old_file_and_no_other(tree, monkeypatch):
    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(UsageError, match=r"cannot write 'sub/a\.yaml': No space left on device"):
        write(tree, CHANGE)
    assert [it.name for it in (tree.root / "sub").iterdir()] == ["a.yaml"]
    assert tree.read("sub/a.yaml") == b"a: 1\n"


@pytest.mark.parametrize(
    "encode",
    [
        str.encode,
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: ("\ufeff" + text).encode("utf-16-le"),
        lambda text: ("\ufeff" + text).encode("utf-16-be"),
    ],
)
def test_the_encoding_stays(tree, encode):
    (tree.root / "sub/a.yaml").write_bytes(encode("a: é\n"))
    assert rewrite(tree, "sub/a.yaml", "a: é\n", "b: 😀\n").after == encode("b: 😀\n")

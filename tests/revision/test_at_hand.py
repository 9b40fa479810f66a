"""What the work tree holds as a commit does is not asked of Git; nothing else counts as that."""

import subprocess
from pathlib import Path

import click
import pytest

from qoslint.cli.revisions import Wanted, revisions
from qoslint.plugins.load import shipped
from qoslint.revision import materialise as materialising
from qoslint.revision.athand import AtHand
from qoslint.revision.commits import resolve
from qoslint.revision.git import find_git
from qoslint.revision.listing import Blob, Listing, listing
from qoslint.revision.unpacked import Unpacked
from qoslint.source.tree import WorkTree

COMMITTED = {name: f"kind: {name}\n".encode() for name in ("a.yaml", "b.yaml", "c.yaml", "d.yaml")}


@pytest.fixture(params=["sha1", "sha256"])
def root(tmp_path, request):
    """A commit of four files; in the work tree one is another, one a link, and one is gone."""
    root = tmp_path / "repository"
    root.mkdir()
    for name, content in COMMITTED.items():
        (root / name).write_bytes(content)
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.example")
    for command in (
        ("init", "-q", f"--object-format={request.param}"),
        ("add", "."),
        (*identity, "commit", "-q", "-m", "a"),
    ):
        subprocess.run(["git", *command], cwd=root, check=True)
    # As Git writes the lines of texts on some machines.
    (root / "b.yaml").write_bytes(COMMITTED["b.yaml"].replace(b"\n", b"\r\n"))
    (root / "c.yaml").rename(tmp_path / "c.yaml")
    (root / "c.yaml").symlink_to(tmp_path / "c.yaml")
    (root / "d.yaml").unlink()
    return root


def test_only_what_differs_is_asked_of_git(root, tmp_path, monkeypatch):
    git = find_git(root)
    at_hand = AtHand(WorkTree(root))
    found = listing(git, resolve(git, "HEAD"), at_hand)
    assert {each.path for each in found.blobs if each.content is not None} == {"a.yaml"}
    assert {each.path: each.size for each in found.blobs} == {
        name: len(content) for name, content in COMMITTED.items()
    }
    asked = []
    ask = materialising.ask
    monkeypatch.setattr(
        materialising, "ask", lambda *a, given: (asked.append(given), ask(*a, given=given))[1]
    )
    folder = tmp_path / "unpacked"
    folder.mkdir()
    made = materialising.materialise(git, found, Unpacked(folder))
    assert made.contents == COMMITTED
    assert {name: (folder / name).read_bytes() for name in COMMITTED} == COMMITTED
    assert [len(each.split()) for each in asked] == [3]


def test_without_a_work_tree_all_is_asked_of_git(root):
    git = find_git(root)
    found = listing(git, resolve(git, "HEAD"))
    assert [each.content for each in found.blobs] == [None] * 4


def test_the_order_of_pointers_does_not_depend_on_the_work_tree(tmp_path):
    names = ("a.yaml", "b.yaml", "c.yaml")
    pointer = b"version https://git-lfs.github.com/spec/v1\n"
    blobs = [Blob(name, "0" * 40, len(pointer), pointer) for name in reversed(names)]
    git = find_git(Path(__file__).parents[2])
    assert (
        materialising.materialise(git, Listing(tuple(blobs), ()), Unpacked(tmp_path)).pointers
        == names
    )


def test_the_work_tree_is_judged_by_what_was_read_of_it(root):
    wanted = Wanted("HEAD", paths=(str(root),))
    context = click.Context(click.Command("check"))
    context.meta["qoslint.no_cache"] = True
    with context, revisions(wanted, shipped()) as (base, head):
        assert {each: base.tree.read(each) for each in COMMITTED} == COMMITTED
        for name in COMMITTED:
            (root / name).unlink(missing_ok=True)
        there = {"a.yaml": COMMITTED["a.yaml"], "b.yaml": b"kind: b.yaml\r\n"}
        assert {each: head.tree.read(each) for each in there} == there

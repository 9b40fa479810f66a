"""The copies that renders read: nothing gets in that is not in the tree."""

import os

import pytest

from qoslint.errors import UsageError
from qoslint.render.checkout import Checkout
from qoslint.render.failure import RenderError
from qoslint.render.helm import contents
from qoslint.source.tree import WorkTree


def test_what_vanishes_during_the_run_is_a_finding(tmp_path):
    """Between two looks a folder may go, become a file, or a link that leads out."""
    (tmp_path / "root/web").mkdir(parents=True)
    (tmp_path / "root/link").symlink_to(tmp_path)
    (tmp_path / "root/file").write_text("", "utf-8")
    checkout = Checkout(WorkTree(tmp_path / "root"))
    for folder in ("gone", "link", "/etc", ".."):
        assert checkout.add_chart(folder) == ()
    checkout.add(["/file", "../root/file", "web/../file", "//file", "link/root/file", "."])
    assert list(checkout.folder.iterdir()) == []
    with pytest.raises(RenderError, match="cannot be read"):
        contents.of_folder(checkout.folder, "gone", contents.Room())


def test_a_path_that_is_too_long_is_left_out(tmp_path):
    descriptor = os.open(tmp_path, os.O_RDONLY)
    names = ["d" * 240] * 18
    for name in names:
        os.mkdir(name, dir_fd=descriptor)
        inner = os.open(name, os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = inner
    os.close(os.open("Chart.yaml", os.O_CREAT | os.O_WRONLY, dir_fd=descriptor))
    os.close(descriptor)
    tree = WorkTree(tmp_path)
    [file] = [item.path for item in tree.walk(["."])]
    checkout = Checkout(tree)
    assert checkout.add_chart("/".join(names)) == ()
    checkout.add([file])
    assert checkout.held([file]) == ()
    with pytest.raises(UsageError):
        list(tree.walk(["/".join(names)]))

"""The folders that revisions are unpacked into."""

import errno
import os

import pytest

from qoslint.errors import UsageError
from qoslint.revision.unpacked import Unpacked, unpacked


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

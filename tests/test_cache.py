"""What is kept from run to run: bounded, whole, and believed only as far as it can be read."""

import os

import pytest

from qoslint import cache
from qoslint.cache import NO_CACHE, Cache


def test_a_value_is_found_by_its_key_in_another_run(tmp_path):
    Cache(tmp_path / "kept").put("a", {"b": [1, "ü\ud800"]})
    assert Cache(tmp_path / "kept").get("a") == {"b": [1, "ü\ud800"]}
    assert Cache(tmp_path / "kept").get("b") is None


def test_the_folder_is_of_the_user_alone(tmp_path):
    Cache(tmp_path / "kept").put("a", 1)
    [file] = (tmp_path / "kept").iterdir()
    assert (tmp_path / "kept").stat().st_mode & 0o077 == 0
    assert file.stat().st_mode & 0o077 == 0


def test_without_a_folder_nothing_is_kept():
    NO_CACHE.put("a", 1)
    assert NO_CACHE.get("a") is None


def test_a_folder_that_cannot_be_made_is_no_failure(tmp_path):
    (tmp_path / "file").write_text("x")
    kept = Cache(tmp_path / "file" / "kept")
    kept.put("a", 1)
    assert kept.get("a") is None


def _link(file, elsewhere):
    elsewhere.write_text("2")
    file.symlink_to(elsewhere)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: file.write_bytes(b""),
        lambda file: file.write_bytes(b'{"b": '),
        lambda file: file.write_bytes(b"\xff\x00"),
        lambda file: file.write_bytes(b"[" * 1_000_000),
        lambda file: _link(file, file.with_name("elsewhere")),
        lambda file: os.mkfifo(file),
        lambda file: os.truncate(os.open(file, os.O_CREAT | os.O_WRONLY), 1 << 30),
    ],
    ids=["empty", "cut off", "binary", "deep", "link", "pipe", "huge"],
)
def test_what_is_no_value_is_ignored_and_replaced(tmp_path, spoil):
    kept = Cache(tmp_path)
    kept.put("a", 1)
    [file] = tmp_path.iterdir()
    file.unlink()
    spoil(file)
    assert kept.get("a") is None
    kept.put("a", 3)
    assert kept.get("a") == 3
    assert file.is_file()
    assert not file.is_symlink()


def test_what_was_not_asked_for_longest_makes_room(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "MAX_BYTES", 1000)
    kept = Cache(tmp_path)
    for number in range(20):
        kept.put(str(number), "x" * 98)
    for number, file in enumerate(tmp_path.iterdir()):
        os.utime(file, (number, number))
    assert len(list(tmp_path.iterdir())) == 20
    Cache(tmp_path).put("new", 1)
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 501
    assert Cache(tmp_path).get("new") == 1


def test_what_is_asked_for_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "MAX_BYTES", 1000)
    kept = Cache(tmp_path)
    for number in range(20):
        kept.put(str(number), "x" * 98)
    for file in tmp_path.iterdir():
        os.utime(file, (1, 1))
    assert kept.get("7") == "x" * 98
    Cache(tmp_path).put("new", 1)
    assert Cache(tmp_path).get("7") == "x" * 98


def test_too_large_a_value_is_not_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "MAX_FILE_BYTES", 10)
    Cache(tmp_path).put("a", "x" * 10)
    assert list(tmp_path.iterdir()) == []

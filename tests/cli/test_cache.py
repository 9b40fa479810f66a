"""Where renders are kept: in a folder of the user's, never in what is checked."""

import pytest

from tests.render.test_cache import OVERLAY


@pytest.fixture
def overlay(repository, tmp_path, monkeypatch):
    """A repository, and beside it the folder in which caches are."""
    repository.root = tmp_path / "repository"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    return repository.write(OVERLAY).root


def test_renders_are_kept_in_the_cache_folder_of_the_user(qoslint, overlay, tmp_path):
    first = qoslint("check", overlay)
    assert list((tmp_path / "home/qoslint").iterdir())
    assert qoslint("check", overlay).stdout == first.stdout


def test_another_folder_can_be_named(qoslint, overlay, tmp_path, monkeypatch):
    monkeypatch.setenv("QOSLINT_CACHE_DIR", str(tmp_path / "b"))
    qoslint("check", "--cache-dir", tmp_path / "a", overlay)
    assert list((tmp_path / "a").iterdir())
    qoslint("facts", overlay)
    assert list((tmp_path / "b").iterdir())
    assert not (tmp_path / "home").exists()


def test_nothing_is_kept_without_a_cache(qoslint, overlay, tmp_path):
    assert qoslint("check", "--no-cache", overlay).returncode == 0
    assert not (tmp_path / "home").exists()


def test_a_folder_in_what_is_checked_is_refused(qoslint, overlay):
    for folder in (overlay, overlay / "a/b", overlay / "../repository/a"):
        result = qoslint("check", "--cache-dir", folder, overlay)
        assert result.returncode == 2
        assert "name one outside" in result.stderr


def test_a_link_to_what_is_checked_is_refused(qoslint, overlay, tmp_path):
    (tmp_path / "link").symlink_to(overlay)
    result = qoslint("check", "--cache-dir", tmp_path / "link/kept", overlay)
    assert result.returncode == 2
    assert not (overlay / "kept").exists()


def test_who_keeps_the_own_home_in_git_does_without(qoslint, overlay, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(overlay / ".cache"))
    assert qoslint("check", overlay).returncode == 0
    assert not (overlay / ".cache").exists()

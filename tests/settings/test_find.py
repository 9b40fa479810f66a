"""Where the root is, and which file holds the settings."""

import io

import pytest

from qoslint.errors import SettingsError, UsageError
from qoslint.settings.find import find


def test_the_root_is_the_git_root_of_the_path(repository):
    repository.folder("apps/web")
    found = find([str(repository.root / "apps/web")])
    assert (found.root, found.paths, found.file) == (repository.root, ("apps/web",), None)


def test_the_root_of_several_paths_is_the_git_root_of_their_common_ancestor(repository):
    repository.folder("apps/web/.git", "apps/api/.git")
    found = find([str(repository.root / "apps/web"), str(repository.root / "apps/api")])
    assert found.root == repository.root
    assert found.paths == ("apps/web", "apps/api")


def test_the_root_of_a_file_without_git_is_its_folder(tmp_path):
    (tmp_path / "pod.yaml").write_text("kind: Pod\n")
    found = find([str(tmp_path / "pod.yaml")])
    assert (found.root, found.paths) == (tmp_path, ("pod.yaml",))


def test_without_git_settings_above_the_ancestor_do_not_count(tmp_path):
    (tmp_path / ".qoslint.yaml").write_text("kubernetes: '1.31'\n")
    (tmp_path / "apps").mkdir()
    assert find([str(tmp_path / "apps")]).file is None


def test_a_git_file_marks_the_root_of_a_work_tree(tmp_path):
    (tmp_path / ".git").write_text("gitdir: elsewhere\n")
    (tmp_path / "apps").mkdir()
    assert find([str(tmp_path / "apps")]).root == tmp_path


def test_without_paths_the_current_folder_is_checked(repository, monkeypatch):
    repository.folder("apps")
    monkeypatch.chdir(repository.root / "apps")
    assert find([]).paths == ("apps",)


def test_the_nearest_settings_count(repository):
    repository.file(".qoslint.yaml", "kubernetes: '1.31'\n")
    repository.file("apps/.qoslint.yaml", "kubernetes: '1.32'\n")
    repository.folder("apps/web", "infra")
    assert find([str(repository.root / "apps/web")]).file.name == "apps/.qoslint.yaml"
    assert find([str(repository.root / "infra")]).file.name == ".qoslint.yaml"


def test_yaml_counts_before_a_pyproject_beside_it(repository):
    repository.file("pyproject.toml", "[tool.qoslint]\n")
    repository.file(".qoslint.yaml")
    assert find([str(repository.root)]).file.name == ".qoslint.yaml"


def test_a_pyproject_without_the_table_is_passed_by(repository):
    repository.file("apps/pyproject.toml", "[project]\nname = 'qoslint-user'\n")
    repository.file("pyproject.toml", "[tool.qoslint]\nkubernetes = '1.31'\n")
    found = find([str(repository.root / "apps")])
    assert (found.file.name, found.file.data) == ("pyproject.toml", {"kubernetes": "1.31"})


def test_a_broken_pyproject_that_does_not_speak_of_qoslint_is_passed_by(repository):
    repository.file("pyproject.toml", "[[[\n")
    assert find([str(repository.root)]).file is None


def test_a_given_file_counts_before_all_others(repository):
    repository.file(".qoslint.yaml", "kubernetes: '1.31'\n")
    given = repository.file("ci/other.yaml", "kubernetes: '1.32'\n")
    file = find([str(repository.root)], str(given)).file
    assert (file.name, file.folder, file.data) == ("ci/other.yaml", "ci", {"kubernetes": "1.32"})


def test_a_given_file_outside_of_the_root_names_paths_from_the_root(repository, tmp_path_factory):
    given = tmp_path_factory.mktemp("elsewhere") / "shared.yaml"
    given.write_text("kubernetes: '1.32'\n")
    file = find([str(repository.root)], str(given)).file
    assert (file.name, file.folder) == (str(given), "")


def test_a_given_file_that_does_not_exist_is_an_error(repository):
    missing = repository.root / "missing.yaml"
    with pytest.raises(UsageError, match=rf"^'{missing}' does not exist$"):
        find([str(repository.root)], str(missing))


def test_a_given_toml_file_without_the_table_is_an_error(repository):
    given = repository.file("other.toml", "[tool.black]\n")
    with pytest.raises(UsageError, match=rf"^'{given}' has no table \[tool.qoslint\]$"):
        find([str(repository.root)], str(given))


def test_a_path_that_does_not_exist_is_an_error(repository):
    missing = repository.root / "missing"
    with pytest.raises(UsageError, match=rf"^'{missing}' does not exist$"):
        find([str(missing)])


def test_a_path_through_a_link_out_of_the_root_is_an_error(repository, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "inner").mkdir()
    (repository.root / "link").symlink_to(outside)
    path = repository.root / "link" / "inner"
    with pytest.raises(UsageError, match=r"leads out of .* through a symbolic link$"):
        find([str(path)])


def test_settings_that_are_a_link_are_an_error(repository, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "settings.yaml"
    outside.write_text("kubernetes: '1.31'\n")
    (repository.root / ".qoslint.yaml").symlink_to(outside)
    with pytest.raises(SettingsError, match=r"^\.qoslint\.yaml: the file is a symbolic link$"):
        find([str(repository.root)])


def test_a_pyproject_that_is_a_link_is_passed_by(repository, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "pyproject.toml"
    outside.write_text("[tool.qoslint]\n")
    (repository.root / "pyproject.toml").symlink_to(outside)
    assert find([str(repository.root)]).file is None


def test_a_root_that_is_reached_through_a_link_is_the_folder_itself(repository, tmp_path_factory):
    repository.folder("apps")
    link = tmp_path_factory.mktemp("links") / "link"
    link.symlink_to(repository.root)
    found = find([str(link / "apps")])
    assert (found.root, found.paths) == (repository.root, ("apps",))


@pytest.fixture
def piped(monkeypatch):
    """Gives the text of standard input."""

    def give(text):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    return give


def test_standard_input_is_asked_about_in_the_current_folder(repository, monkeypatch, piped):
    repository.file("apps/.qoslint.yaml", "renderer: none")
    repository.folder("apps/web")
    monkeypatch.chdir(repository.root / "apps/web")
    piped("kind: Pod\n")
    found = find(["-"])
    assert (found.root, found.paths, found.beside) == (repository.root, ("<stdin>",), ())
    assert found.file.name == "apps/.qoslint.yaml"
    assert found.given == b"kind: Pod\n"


def test_what_stands_beside_it_may_lie_anywhere_in_the_root(repository, monkeypatch, piped):
    repository.file("apps/.qoslint.yaml", "renderer: none")
    repository.folder("platform")
    monkeypatch.chdir(repository.root / "apps")
    piped("")
    found = find(["../platform", "-"])
    assert (found.paths, found.beside) == (("<stdin>",), ("platform",))
    assert found.file.name == "apps/.qoslint.yaml"


def test_nothing_is_read_from_standard_input_unless_it_is_asked_for(repository, piped):
    piped("kind: Pod\n")
    found = find([str(repository.root)])
    assert (found.given, found.beside) == (None, ())

"""Files that cannot be read as settings, and hostile ones."""

import time

import pytest

from qoslint.errors import SettingsError


def test_empty_settings_state_nothing(repository):
    assert repository.settings("# nothing yet\n").clusters[0].kubernetes == "1.36"


def test_yaml_that_does_not_parse_is_told_with_its_line(repository):
    assert repository.error("kubernetes: '1.36'\nclusters: [}\n").startswith(".qoslint.yaml:2: ")


def test_a_key_that_stands_twice_is_an_error(repository):
    assert repository.error("kubernetes: '1.36'\nkubernetes: '1.35'\n").startswith(
        ".qoslint.yaml:2: "
    )


def test_a_second_document_is_an_error(repository):
    assert repository.error("kubernetes: '1.36'\n---\nkubernetes: '1.35'\n") == (
        ".qoslint.yaml:2: a second document starts here"
    )


def test_a_kind_is_an_unknown_key_and_hides_nothing(repository):
    assert repository.error("kind: ConfigMap\n") == ".qoslint.yaml:1: unknown key 'kind'"


def test_settings_that_are_a_list_are_an_error(repository):
    message = ".qoslint.yaml:1: the document must be a mapping, not a list"
    assert repository.error("- a\n") == message


def test_settings_that_are_not_utf8_are_an_error(repository):
    (repository.root / ".qoslint.yaml").write_bytes(b"kubernetes: '\xff'\n")
    with pytest.raises(SettingsError, match=r"^\.qoslint\.yaml: the file is not UTF-8 text$"):
        repository.load()


def test_settings_that_are_a_folder_are_an_error(repository):
    repository.folder(".qoslint.yaml")
    with pytest.raises(SettingsError, match=r"^\.qoslint\.yaml: the file is "):
        repository.load()


def test_large_settings_are_an_error(repository):
    message = ".qoslint.yaml: the file is larger than 5 MiB"
    assert repository.error("#" * (5 * 1024 * 1024 + 1)) == message


def test_aliases_that_multiply_are_stopped_early(repository):
    lines = ["expect:", "- &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"- &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 6)]
    started = time.process_time()
    repository.error("\n".join(lines))
    assert time.process_time() - started < 5


def test_deep_nesting_is_stopped(repository):
    assert repository.error("expect: " + "[" * 10_000).startswith(".qoslint.yaml:")

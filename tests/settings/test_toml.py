"""Settings in a pyproject.toml."""

import datetime
import time

import pytest

from qoslint.errors import SettingsError
from qoslint.settings.toml import line_of, settings_of

TEXT = """\
[project]
name = "clusters"

[tool.qoslint]
kubernetes = "1.35"
featureGates.PodLevelResources = false

[[tool.qoslint.clusters]]
name = "a"
paths = ["a"]

[[tool.qoslint.clusters]]
name = "b"
nodes = [
  {name = "n1", capacity = {memory = "1Gi"}},
]

[tool.qoslint.rules]
exceptions = [{rule = "QOS103", object = "a/Pod/b", reason = "r", expires = 2027-06-30}]

[tool.qoslint.rules.severity]
QOS103 = "error"
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ((), 4),
        (("kubernetes",), 5),
        (("featureGates", "PodLevelResources"), 6),
        (("clusters",), 8),
        (("clusters", 0, "name"), 9),
        (("clusters", 0, "paths", 0), 10),
        (("clusters", 1), 12),
        (("clusters", 1, "name"), 13),
        (("clusters", 1, "nodes", 0, "capacity", "memory"), 15),
        (("rules", "exceptions", 0, "expires"), 19),
        (("rules", "severity", "QOS103"), 22),
    ],
)
def test_the_line_of_a_setting_is_found(path, line):
    assert line_of(TEXT, path) == line


def test_the_line_of_a_setting_that_does_not_exist_is_its_parents():
    assert line_of(TEXT, ("clusters", 1, "nowhere")) == 12


def test_a_date_is_its_text():
    data = settings_of("pyproject.toml", TEXT)
    assert data["rules"]["exceptions"][0]["expires"] == "2027-06-30"


def test_settings_in_a_pyproject_are_settings(repository):
    repository.folder("a", "b")
    repository.file("pyproject.toml", TEXT.replace("nodes = [", 'paths = ["b"]\nnodes = ['))
    settings = repository.load()
    assert [spec.name for spec in settings.clusters] == ["a", "b"]
    assert settings.clusters[0].feature_gates == {"PodLevelResources": False}
    assert settings.selection.exceptions[0].expires == datetime.date(2027, 6, 30)


def test_a_mistake_in_a_pyproject_is_told_with_its_line(repository):
    repository.file("pyproject.toml", '[tool.qoslint]\n\n[tool.qoslint.rules]\npreset = "x"\n')
    with pytest.raises(SettingsError, match=r"^pyproject\.toml:4: rules\.preset must be "):
        repository.load()


def test_toml_that_does_not_parse_is_told_with_its_line():
    with pytest.raises(SettingsError) as raised:
        settings_of("pyproject.toml", "[tool.qoslint]\nkubernetes = \n")
    assert str(raised.value) == "pyproject.toml:2: Invalid value"


def test_toml_that_ends_early_is_told_with_its_last_line():
    with pytest.raises(SettingsError) as raised:
        settings_of("pyproject.toml", "[tool.qoslint]\nkubernetes = [1,\n")
    assert str(raised.value) == "pyproject.toml:3: Invalid value"


def test_a_table_that_is_no_table_is_an_error(repository):
    repository.file("pyproject.toml", "[tool]\nqoslint = 1\n")
    with pytest.raises(SettingsError, match=r"the document must be a mapping, not the number 1$"):
        repository.load()


def test_a_tool_that_is_no_table_holds_no_settings():
    assert settings_of("pyproject.toml", "tool = 1 # qoslint\n") is None


@pytest.mark.parametrize(
    "text",
    [
        "[tool.qoslint]\n" + "a." * 100_000 + "b = 1\n",
        "[tool.qoslint]\na = " + "[" * 100_000,
        "[tool.qoslint]\n" + "\n".join(f"a{n}." + "b." * 900 + "c = 1" for n in range(400)),
        "[tool.qoslint]\n" + "#" * 1_000_000,
        "[tool.qoslint]\nkubernetes = " + "9" * 100_000,
        "[tool.qoslint]\nkubernetes = 0x" + "f" * 100_000,
        "[tool.qoslint]\nkubernetes = 18446744073709551616",
    ],
    ids=["dots", "brackets", "many dots", "long", "digits", "hexadecimal digits", "65 bits"],
)
def test_hostile_toml_is_stopped_early(text):
    started = time.process_time()
    with pytest.raises(SettingsError, match=r"^pyproject\.toml") as raised:
        settings_of("pyproject.toml", text)
    assert len(str(raised.value)) < 200
    assert "set_int_max_str_digits" not in str(raised.value)
    assert time.process_time() - started < 5

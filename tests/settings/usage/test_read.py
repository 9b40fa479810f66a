"""Which format a file is of, and files that are of none."""

import pytest

from qoslint.errors import SettingsError
from qoslint.settings.usage.read import read_usage

KNOWN = (
    "u:1: the file holds no measured usage that is known: a usage file of qoslint (YAML with "
    "`usage`), an answer of Prometheus' query API, KRR's JSON (krr simple -f json) or what "
    "`kubectl top pod --containers` prints."
)


@pytest.mark.parametrize("text", ["", "hello", "[1]", "kind: Deployment\n", "a b\n", "1m 2Mi\n"])
def test_a_file_of_no_known_format_is_told_which_there_are(usage, text):
    assert usage.error(text) == KNOWN


def test_the_nearest_key_is_told(usage):
    assert usage.error("usages: {}\n") == f"{KNOWN} Did you mean 'usage'?"


@pytest.mark.parametrize("text", ['{"status": "success",\n"data": {"x" 1}}', "usage:\n a: [\n"])
def test_what_does_not_parse_is_told_with_its_line(usage, text):
    assert usage.error(text).startswith(("u:2: ", "u:3: "))


def test_a_second_document_is_told(usage):
    assert usage.error("usage: {}\n---\nusage: {}\n") == "u:2: a second document starts here"


def test_a_file_above_the_limit_is_refused_unread(tmp_path):
    path = tmp_path / "big.json"
    with path.open("wb") as file:
        file.truncate(50 * 2**20)
    with pytest.raises(SettingsError, match=r"big\.json: the file is larger than 20 MiB"):
        read_usage(path, "big.json")


def test_a_file_of_binary_data_is_refused(tmp_path):
    path = tmp_path / "u"
    path.write_bytes(b"\0\1\2")
    with pytest.raises(SettingsError, match="u: the file is binary"):
        read_usage(path, "u")

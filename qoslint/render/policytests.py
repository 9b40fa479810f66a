"""Tests: which files are only their input, not meant to run in any cluster."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.source.paths import joined
from qoslint.source.tree import SUFFIXES

NAMES = frozenset(
    {"chainsaw-test.yaml", "chainsaw-test.yml", "kyverno-test.yaml", "kyverno-test.yml"}
)
KINDS = ("Test",)
_GROUPS = ("chainsaw.kyverno.io/", "cli.kyverno.io/")


def inputs(folder: str, test: object) -> Iterator[str]:
    """The files that a test of Chainsaw or the Kyverno CLI names; the test comes with its folder.

    What lies elsewhere may be deployed too, and so may all in a folder that is the whole
    repository: only files inside the folder of the test count, and none if it is the root.
    """
    if not folder or not _is_test(test):
        return
    waiting = [test]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, str) and value.endswith(SUFFIXES):
            path = joined(folder, value)
            if path.startswith(f"{folder}/"):
                yield path


def is_testdata(path: str) -> bool:
    """Whether the path leads into a folder `testdata`: the name that Go reserves for such files."""
    return "testdata" in path.split("/")


def _is_test(value: object) -> bool:
    if not isinstance(value, dict) or value.get("kind") not in KINDS:
        return False
    api_version = value.get("apiVersion")
    return isinstance(api_version, str) and api_version.startswith(_GROUPS)

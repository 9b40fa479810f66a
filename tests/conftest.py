"""What all tests share: a scrubbed environment and small repositories."""

import itertools
import textwrap

import pytest
from hypothesis import settings

from qoslint import api
from qoslint.plugins.load import shipped
from qoslint.settings.load import find, load

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

SHIPPED = shipped()
_SCRUBBED = ("CI", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "TZ", "GITHUB_WORKSPACE")
_NUMBERS = itertools.count()


@pytest.fixture(autouse=True)
def scrubbed_environment(monkeypatch, tmp_path_factory):
    for name in _SCRUBBED:
        monkeypatch.delenv(name, raising=False)
    # What one test rendered must not help another one.
    kept = tmp_path_factory.getbasetemp() / f"kept-{next(_NUMBERS)}"
    monkeypatch.setenv("XDG_CACHE_HOME", str(kept))


class Repository:
    """A folder of its own, filled with texts."""

    def __init__(self, root):
        self.root = root

    def write(self, files):
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text).lstrip("\n"), "utf-8")
        return self

    def check(self, *paths):
        found = find([str(self.root / path) for path in paths] or [str(self.root)])
        report, _ = api.check(found.paths, load(found, SHIPPED))
        return report

    def facts(self, *paths):
        found = find([str(self.root / path) for path in paths] or [str(self.root)])
        document, _, _ = api.facts(found.paths, load(found, SHIPPED))
        return document


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path)

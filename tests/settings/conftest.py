"""A repository to write settings into."""

import pytest

from qoslint.errors import SettingsError
from qoslint.plugins.load import shipped
from qoslint.settings.load import find, load


class Repository:
    """A git repository in a folder of its own."""

    def __init__(self, root):
        self.root = root
        (root / ".git").mkdir()

    def file(self, name, text=""):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def folder(self, *names):
        for name in names:
            (self.root / name).mkdir(parents=True, exist_ok=True)

    def load(self, *paths, config=None):
        paths = [str(self.root / path) for path in paths or ["."]]
        return load(find(paths, config and str(self.root / config)), shipped())

    def settings(self, text):
        """Load a .qoslint.yaml with this text."""
        self.file(".qoslint.yaml", text)
        return self.load()

    def error(self, text):
        """The message of the error that a .qoslint.yaml with this text ends in."""
        with pytest.raises(SettingsError) as raised:
            self.settings(text)
        return str(raised.value)


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path)

"""Texts of measured usage, and what is read from them."""

import json
import textwrap

import pytest

from qoslint.errors import SettingsError
from qoslint.settings.usage.read import usage_of


class Reader:
    """Reads texts as files named `u`."""

    def file(self, text, unnamed=None):
        text = textwrap.dedent(text) if isinstance(text, str) else json.dumps(text, indent=1)
        return usage_of(text, "u", unnamed)

    def rows(self, text, unnamed=None):
        """Each measurement without its place."""
        return [tuple(each[:-1]) for each in self.file(text, unnamed).usages]

    def notices(self, text, unnamed=None):
        file = self.file(text, unnamed)
        found = map(file.notice, file.unused)
        return [f"{notice.line}: {notice.message}" for notice in found]

    def error(self, text, unnamed=None):
        with pytest.raises(SettingsError) as raised:
            self.file(text, unnamed)
        return str(raised.value)


@pytest.fixture
def usage():
    return Reader()

"""Plugins written for one test: distributions in a folder, as an installer leaves them."""

import sys
import textwrap
from itertools import count

import pytest

from qoslint.errors import PluginError
from qoslint.plugins.load import installed

_NUMBERS = count()

HOOKS = "from qoslint.plugins.hooks import RulePack, hookimpl\nfrom pathlib import Path\n"


class Installation:
    """A folder that modules are imported from, with distributions in it."""

    def __init__(self, folder):
        self.folder = folder

    def write(self, files):
        for name, text in files.items():
            file = self.folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(textwrap.dedent(text).encode("utf-8", "surrogateescape"))

    def distribution(self, name, entry_points, version="1.0"):
        """The metadata of a distribution, and nothing else."""
        folder = f"{name.replace('-', '_')}-{version}.dist-info"
        self.write(
            {
                f"{folder}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
                f"{folder}/entry_points.txt": entry_points,
            }
        )
        return self.folder / folder

    def plugin(self, code, name="acme"):
        """A distribution whose plugin is a module of this code; returns the module's name."""
        module = f"plugin_of_a_test_{next(_NUMBERS)}"
        self.write({f"{module}.py": HOOKS + textwrap.dedent(code).replace("MODULE", module)})
        self.distribution(name, f"[qoslint]\n{name} = {module}\n")
        return module

    def pack(self, files, name="acme", folder="pages", package="MODULE_checks"):
        """A plugin with a rule pack: pages by name, and modules of checks by theirs."""
        code = f"""
        @hookimpl
        def qoslint_rule_packs():
            return [RulePack("{name}", Path(__file__).parent / "{folder}", "{package}")]
        """
        module = self.plugin(code, name)
        (self.folder / folder).mkdir(exist_ok=True)
        for file, text in files.items():
            place = f"{module}_checks" if file.endswith(".py") else folder
            self.write({f"{place}/{file}": text})
        return module

    def error(self):
        """What the run ends with: one line."""
        with pytest.raises(PluginError) as raised:
            installed()
        message = str(raised.value)
        assert "\n" not in message
        return message


@pytest.fixture
def installation(tmp_path, monkeypatch):
    folder = tmp_path / "site-packages"
    folder.mkdir()
    before = {*sys.modules}
    # Not at the start of the path, where the folder of the script stands.
    monkeypatch.setattr(sys, "path", [*sys.path[:1], str(folder), *sys.path[1:]])
    yield Installation(folder)
    for name in {*sys.modules} - before:
        if name.startswith("plugin_of_a_test_"):
            del sys.modules[name]

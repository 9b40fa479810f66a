"""What the documents say is so."""

import re
from pathlib import Path

from click.testing import CliRunner

from qoslint.cli.main import cli
from qoslint.source.document import load

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def test_every_link_of_the_readme_leads_to_a_file():
    links = re.findall(r"\]\((?!https?:)([^)]+)\)", README)
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_readme_names_only_options_that_exist():
    check = CliRunner().invoke(cli, ["check", "--help"]).output
    options = set(re.findall(r"--[a-z-]+", "\n".join(re.findall(r"qoslint check[^\n]*", README))))
    assert options
    assert [option for option in options if option not in check] == []


def test_the_settings_of_the_readme_are_valid():
    from qoslint.schema import check

    settings = re.findall(r"```yaml\n(kubernetes:.*?)```", README, re.DOTALL)
    assert len(settings) == 1
    assert list(check(load(settings[0]), "settings")) == []

"""A rule is two files: with nothing else touched it is found, listed, tested and run."""

import shutil
import sys
from pathlib import Path

import pytest

import qoslint.checks
from qoslint import api
from qoslint.engine.page import RulePack
from qoslint.engine.registry import pages, select
from qoslint.engine.selection import Selection
from qoslint.examples import proof
from qoslint.package_data import data
from qoslint.plugins.load import shipped
from qoslint.plugins.validate import validate_pack
from qoslint.settings.load import find, load

OLD, NEW = "QOS103", "QOS199"
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: x}]}\n"


@pytest.fixture
def plugins(tmp_path, monkeypatch):
    """The shipped rules, copied to another folder and another package, and one more."""
    shutil.copytree(data("rules"), tmp_path / "rules")
    shutil.copytree(Path(qoslint.checks.__file__).parent, tmp_path / "copied_checks")
    before = {*tmp_path.rglob("*")}
    page = (tmp_path / "rules/QOS103-best-effort-pod.md").read_text("utf-8")
    page = page.replace(f"~ {OLD}", f"~ {OLD}, {NEW}")
    (tmp_path / f"rules/{NEW}-added-rule.md").write_text(page, "utf-8")
    shutil.copy(
        tmp_path / "copied_checks/best_effort_pod.py", tmp_path / "copied_checks/added_rule.py"
    )
    assert len({*tmp_path.rglob("*")} - before) == 2
    monkeypatch.syspath_prepend(tmp_path)
    pack = RulePack("copied", tmp_path / "rules", "copied_checks")
    yield shipped()._replace(rule_packs=(pack,))
    for name in [name for name in sys.modules if name.startswith("copied_checks")]:
        del sys.modules[name]


def test_a_new_rule_is_found_and_valid(plugins):
    (pack,) = plugins.rule_packs
    validate_pack(pack)
    old = {page.code for page in pages(shipped().rule_packs)}
    assert {page.code for page in pages([pack])} - old == {NEW}


def test_a_new_rule_is_selected(plugins):
    assert NEW in {rule.page.code for rule in select(Selection(), plugins.rule_packs)}
    (rule,) = select(Selection(select=(NEW,)), plugins.rule_packs)
    assert rule.check[1].__module__ == "copied_checks.added_rule"


def test_a_new_rule_is_tested(plugins):
    known = {page.code: page for page in pages(plugins.rule_packs)}
    proven = dict(proof(known[NEW], known, plugins))
    assert len(proven) > 3
    assert not any(proven.values())


def test_a_new_rule_is_run_and_listed(plugins, repository):
    repository.write({"app.yaml": POD})
    found = find([str(repository.root)])
    report, _ = api.check(found.paths, load(found, plugins))
    assert [finding.rule for finding in report.findings] == [OLD, NEW]
    assert NEW in {rule.code for rule in report.rules}

"""Whatever is wrong with a plugin ends the run in one line that names it."""

import os
import subprocess
import sys

import pytest

from qoslint.engine.registry import select
from qoslint.engine.selection import Selection
from qoslint.errors import PluginError, UsageError
from qoslint.plugins.load import installed
from qoslint.report import render, reporter

PAGE = """\
---
summary: A pod is there.
severity: warning
confidence: certain
in: default
since: 1.0.0
---
# Title
"""
CHECK = "def check_pod(verdict):\n    yield from ()\n"

PLUGINS = {
    "import missing_of_acme": " cannot be loaded: ModuleNotFoundError: No module named",
    "raise ValueError('early')": " cannot be loaded: ValueError: early",
    "raise SystemExit(0)": " cannot be loaded: SystemExit: 0",
    "def a(:": " cannot be loaded: SyntaxError: ",
    "": ": it implements no hook; each needs qoslint.plugins.hooks.hookimpl",
    "def qoslint_reporters(): return {}": ": it implements no hook",
    "@hookimpl\ndef qoslint_rule_pakcs(): return []": (
        ": there is no hook 'qoslint_rule_pakcs', did you mean 'qoslint_rule_packs'?"
    ),
    "@hookimpl\ndef qoslint_reporters(report): return {}": "Argument(s) {'report'} are declared",
    "@hookimpl\ndef qoslint_reporters(): return {}['x']": "cannot be loaded: KeyError: 'x'",
    "@hookimpl\ndef qoslint_rule_packs():\n yield from ()\n raise OSError('late')": "OSError: late",
    "@hookimpl\ndef qoslint_rule_packs(): return RulePack('a', Path('.'), '')": (
        ": qoslint_rule_packs must return several, not RulePack"
    ),
    "@hookimpl\ndef qoslint_rule_packs(): return ['a']": (
        ": qoslint_rule_packs returns 'a', which is no RulePack"
    ),
    "@hookimpl\ndef qoslint_rule_packs(): return [RulePack('a', Path('/none'), '')]": (
        ": the rule pack 'a' cannot be read in /none: No such file or directory"
    ),
    "@hookimpl\ndef qoslint_workload_kinds(): return {'kinds': []}": (
        ": qoslint_workload_kinds must return several, not dict"
    ),
    "@hookimpl\ndef qoslint_workload_kinds(): return [{'source': 'https://a', 'kinds': {}}]": (
        ": qoslint_workload_kinds: item 0: kinds must be a list, not a mapping"
    ),
    "@hookimpl\ndef qoslint_workload_kinds(): return [{1: {2}}]": (
        ": qoslint_workload_kinds: item 0 is no JSON data: "
    ),
    "@hookimpl\ndef qoslint_node_profiles(): return [{'name': 'a', 'capacity': {}}]": (
        ": qoslint_node_profiles: item 0: missing key 'memory' in capacity"
    ),
    "@hookimpl\ndef qoslint_node_profiles():"
    " return [{'name': 'a', 'capacity': {'memory': '1 GB'}}]": (
        ": qoslint_node_profiles: item 0: capacity.memory is no quantity: "
    ),
    "@hookimpl\ndef qoslint_node_profiles():"
    " return [{'name': 'a', 'capacity': {'memory': 1}, 'kubeletConfig': 'a.yaml'}]": (
        ": qoslint_node_profiles: item 0: no file of a plugin can be its kubeletConfig"
    ),
    "@hookimpl\ndef qoslint_injectors(): return [{'a': object()}]": (
        ": qoslint_injectors: item 0 is no JSON data: "
    ),
    "@hookimpl\ndef qoslint_injectors(): return [{'name': 'a', 'containers': []}]": (
        ": qoslint_injectors: item 0: missing key 'selection'"
    ),
    "@hookimpl\ndef qoslint_reporters(): return ['csv']": (
        ": qoslint_reporters must return a mapping, not ['csv']"
    ),
    "@hookimpl\ndef qoslint_reporters(): return {'a:b': 'c.d'}": (
        ": qoslint_reporters: a format cannot be named 'a:b'"
    ),
    "@hookimpl\ndef qoslint_reporters(): return {'csv': 'acme.table:render'}": (
        ": qoslint_reporters: 'csv' must be the dotted name of a function, not 'acme.table:render'"
    ),
}


@pytest.mark.parametrize(("code", "message"), PLUGINS.items())
def test_a_wrong_plugin_is_named(installation, code, message):
    module = installation.plugin(code)
    error = installation.error()
    assert error.startswith("plugin acme 1.0")
    assert message.replace("MODULE", module) in error


def test_unreadable_metadata_ends_the_run_by_name(installation):
    folder = installation.distribution("acme", "[qoslint]\nacme\n")
    assert installation.error().startswith("plugin acme 1.0 cannot be loaded: ")
    (folder / "entry_points.txt").write_text("[qoslint]\nacme = 1 2\n", "utf-8")
    assert installation.error().startswith("plugin acme 1.0 cannot be loaded: ")


PACKS = {
    "no page": ({}, ": the rule pack 'acme' has no page in "),
    "file name": ({"readme.md": PAGE}, ": readme.md: a rule page is named CODE-name.md"),
    "no front matter": (
        {"ACME101-a.md": "# Title\n"},
        ": ACME101-a.md:1: a rule page starts with front matter",
    ),
    "not UTF-8": ({"ACME101-a.md": PAGE + "\udcff"}, ": ACME101-a.md: the page cannot be read: "),
    "broken front matter": (
        {"ACME101-a.md": PAGE.replace("severity: ", "severity: [")},
        ": ACME101-a.md:4: ",
    ),
    "empty front matter": (
        {"ACME101-a.md": "---\n\n---\n"},
        ": ACME101-a.md:1: the document must be a mapping, not nothing",
    ),
    "unknown key": (
        {"ACME101-a.md": PAGE.replace("confidence", "confidense")},
        ": ACME101-a.md:4: unknown key 'confidense', did you mean 'confidence'?",
    ),
    "wrong value": (
        {"ACME101-a.md": PAGE.replace("warning", "warnin")},
        ": ACME101-a.md:3: severity must be 'error', 'warning' or 'note', not 'warnin', did you",
    ),
    "no check": (
        {"ACME101-a.md": PAGE, "__init__.py": ""},
        ": ACME101-a.md: its check MODULE_checks.a cannot be imported: ModuleNotFoundError: ",
    ),
    "no such check": (
        {"ACME101-a.md": PAGE.replace("since", "check: best_effort\nsince")},
        ": ACME101-a.md: its check qoslint.checks.best_effort cannot be imported: ",
    ),
    "no subject": (
        {"ACME101-a.md": PAGE, "a.py": ""},
        ": ACME101-a.md: its check MODULE_checks.a must define one of check_document, ",
    ),
    "two subjects": (
        {"ACME101-a.md": PAGE, "a.py": CHECK + CHECK.replace("pod", "object")},
        " and defines check_object and check_pod",
    ),
    "options of the check": (
        {"ACME101-a.md": PAGE.replace("since", "check: tiny_memory\nsince")},
        ": ACME101-a.md: its check qoslint.checks.tiny_memory has options; the page states none",
    ),
    "options of the page": (
        {
            "ACME101-a.md": PAGE.replace(
                "---\n#", "options: {a: {description: b, type: integer, default: 1}}\n---\n#"
            ),
            "a.py": CHECK,
        },
        ": ACME101-a.md: states options, but its check MODULE_checks.a has none",
    ),
    "default of an option": (
        {
            "ACME101-a.md": PAGE.replace(
                "---\n#", "options: {a: {description: b, type: quantity, default: 1x}}\n---\n#"
            ),
            "a.py": CHECK.replace("verdict", "verdict, options"),
        },
        ": ACME101-a.md: the default of options.a must be a quantity: ",
    ),
}


@pytest.mark.parametrize(("files", "message"), PACKS.values(), ids=PACKS)
def test_a_wrong_rule_pack_is_named_with_its_page(installation, files, message):
    module = installation.pack(files)
    assert message.replace("MODULE", module) in installation.error()


def test_a_pack_without_checks_must_name_them(installation):
    installation.plugin(
        """
        @hookimpl
        def qoslint_rule_packs():
            return [RulePack("acme", Path(__file__).parent / "pages")]
        """
    )
    installation.write({"pages/ACME101-a.md": PAGE})
    assert installation.error().endswith(
        ": ACME101-a.md: names no `check`, and its pack has no package of checks"
    )


def test_two_packs_with_one_code_are_both_named(installation):
    installation.pack({"ACME101-a.md": PAGE, "a.py": CHECK}, "acme", "one")
    installation.pack({"ACME101-b.md": PAGE, "b.py": CHECK}, "other", "two")
    with pytest.raises(PluginError) as raised:
        select(Selection(), installed().rule_packs)
    assert str(raised.value) == (
        "the rule packs 'acme' and 'other' both have a rule ACME101: ACME101-a.md and ACME101-b.md"
    )


def test_a_pack_cannot_take_a_code_of_a_shipped_rule(installation):
    installation.pack({"QOS103-a.md": PAGE, "a.py": CHECK})
    with pytest.raises(PluginError, match="'qoslint' and 'acme' both have a rule QOS103"):
        select(Selection(), installed().rule_packs)


TWICE = {
    "qoslint_reporters": (
        "{'csv': 'a.b'}",
        "acme 1.0 and other 1.0 both give the format 'csv'",
    ),
    "qoslint_node_profiles": (
        "[{'name': 'a', 'capacity': {'memory': 1}}]",
        "acme 1.0 and other 1.0 both give the node profile 'a'",
    ),
    "qoslint_workload_kinds": (
        "[{'source': 'https://a',"
        " 'kinds': [{'groups': ['a.b'], 'kinds': ['C'], 'builtBy': 'it'}]}]",
        "acme 1.0 and other 1.0 both give the kind 'C.a.b'",
    ),
}


@pytest.mark.parametrize("hook", TWICE)
def test_a_name_that_two_plugins_give_is_an_error_with_both(installation, hook):
    value, message = TWICE[hook]
    for name in ("other", "acme"):
        installation.plugin(f"@hookimpl\ndef {hook}(): return {value}", name)
    assert installation.error() == message


def test_a_shipped_format_cannot_be_given_anew(installation):
    installation.plugin("@hookimpl\ndef qoslint_reporters(): return {'json': 'a.b'}")
    assert installation.error() == "qoslint and acme 1.0 both give the format 'json'"


def test_a_reporter_that_is_missing_or_raises_is_named(installation):
    module = installation.plugin(
        """
        @hookimpl
        def qoslint_reporters():
            return {"none": "MODULE.nothing", "bad": "MODULE.bad"}
        def bad(report, texts, style):
            raise ValueError("no report")
        """
    )
    formats = installed().formats
    with pytest.raises(PluginError, match=rf"'none' \({module}\.nothing\) cannot be loaded: Att"):
        reporter("none", formats)
    with pytest.raises(PluginError, match=rf"'bad' \({module}\.bad\) failed: ValueError: no rep"):
        render("bad", None, None, formats=formats)
    with pytest.raises(UsageError, match="there is no format 'nome', did you mean 'none'"):
        reporter("nome", formats)


def test_the_command_line_ends_with_status_2_and_one_line(installation, repository):
    repository.write({"app.yaml": "kind: ConfigMap\n"})
    installation.plugin("import missing_of_acme")
    path = os.pathsep.join([str(installation.folder), *filter(None, sys.path[:1]), *sys.path[1:]])
    done = subprocess.run(
        [sys.executable, "-m", "qoslint", "check", "."],
        cwd=repository.root, env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "qoslint: plugin acme 1.0 cannot be loaded: ModuleNotFoundError: "
    )
    assert done.stderr.count("\n") == 1

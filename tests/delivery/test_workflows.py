"""The workflows, the action and the schemas, as those who read them judge them."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from qoslint.cli.main import cli
from qoslint.settings.find import YAML_NAME
from qoslint.source.document import load

ROOT = Path(__file__).parent.parent.parent
WORKFLOWS = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in (".github/workflows", "docs/workflows")
    for path in (ROOT / folder).glob("*.yml")
)
ACTION = load((ROOT / "action.yml").read_text("utf-8"))
SCHEMAS = {
    path.name: json.loads(path.read_text("utf-8")) for path in (ROOT / "schemas").glob("*.json")
}


def run(name, *arguments):
    """Runs a tool beside this Python, or where the environment says that it is."""
    places = (str(Path(sys.executable).parent), os.environ.get("QOSLINT_TOOLS"), os.environ["PATH"])
    found = shutil.which(name, path=os.pathsep.join(filter(None, places)))
    if found is None:
        pytest.skip(f"{name} is not installed")
    done = subprocess.run(
        [found, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_zizmor_finds_nothing_even_as_a_pedant():
    run("zizmor", "--offline", "--persona=pedantic", "action.yml", ".github", *WORKFLOWS)


def test_the_audit_in_ci_reads_every_example():
    text = (ROOT / ".github/workflows/ci.yml").read_text("utf-8")
    audited = re.search(r"inputs: >-\n(.*?)\n +persona", text, re.DOTALL)[1].split()
    examples = [each for each in WORKFLOWS if each.startswith("docs/")]
    assert audited == ["action.yml", ".github", *examples]


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("vendor.github-actions", ["action.yml"]),
        ("vendor.github-workflows", WORKFLOWS),
        ("vendor.dependabot", [".github/dependabot.yml"]),
    ],
)
def test_the_schemas_of_github_are_kept(schema, files):
    run("check-jsonschema", "--builtin-schema", schema, *files)


def steps(file):
    """The steps of all jobs of a workflow."""
    workflow = load((ROOT / file).read_text("utf-8"))
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("file", WORKFLOWS)
def test_workflows_give_the_action_inputs_that_it_has(file):
    uses = [step for step in steps(file) if step.get("uses") in ("./", "OWNER/qoslint@v0.1.0")]
    assert uses or file == ".github/workflows/release.yml"
    assert [
        name for step in uses for name in step.get("with", {}) if name not in ACTION["inputs"]
    ] == []


@pytest.mark.parametrize("file", WORKFLOWS)
def test_every_action_of_others_is_pinned_and_no_checkout_keeps_the_token(file):
    used = re.findall(r"uses: (?!\./|OWNER/)(\S+)(.*)", (ROOT / file).read_text("utf-8"))
    assert used
    for action, comment in used:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action)
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment)
    checkouts = [step for step in steps(file) if "actions/checkout" in step.get("uses", "")]
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)


def test_one_version_of_an_action_is_used_everywhere():
    texts = [(ROOT / file).read_text("utf-8") for file in ("action.yml", *WORKFLOWS)]
    used = set(re.findall(r"uses: ([\w./-]+)@([0-9a-f]{40})", "\n".join(texts)))
    assert len(used) == len(dict(used))


def test_the_action_calls_options_that_exist():
    script = "\n".join(step.get("run", "") for step in ACTION["runs"]["steps"])
    options = CliRunner().invoke(cli, ["check", "--help"]).output
    options += CliRunner().invoke(cli, ["diff", "--help"]).output
    own = {"--quiet", "--disable-pip-version-check", "--verify"}
    called = set(re.findall(r"(?<=[ (])--[a-z-]+", script)) - own
    assert {"--since", "--settings-from", "--format", "--path"} <= called
    assert [each for each in called if each not in options] == []
    # Inputs reach the scripts as variables; one in their text would be a way to inject commands.
    assert "${{" not in script


def test_hooks_call_options_that_exist():
    options = CliRunner().invoke(cli, ["check", "--help"]).output
    for hook in load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")):
        program, command, *arguments = hook["entry"].split()
        assert (program, command) == ("qoslint", "check")
        assert [each for each in arguments if each.startswith("--") and each not in options] == []


@pytest.mark.parametrize(
    ("file", "matches"),
    [
        ("deploy/pod.yaml", True),
        ("deploy/pod.YML", True),
        ("chart/templates/_helpers.tpl", True),
        ("chart/charts/redis-1.0.0.tgz", True),
        ("chart/Chart.lock", True),
        ("pod.json", True),
        ("base/settings.env", True),
        ("base/.env.prod", True),
        ("base/.env", True),
        ("base/kustomization", True),
        ("base/Kustomization", True),
        ("base/app.properties", True),
        ("pyproject.toml", True),
        ("main.go", False),
        ("README.md", False),
        ("yaml", False),
        ("my-kustomization", False),
    ],
)
def test_the_pattern_of_changed_files_covers_what_renders_read(file, matches):
    whole, changed = load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert "files" not in whole, "what a commit deletes matches no pattern"
    assert bool(re.search(changed["files"], file)) is matches


def test_each_schema_has_an_id_of_its_own_that_ends_in_its_name():
    assert {name: schema["$id"] for name, schema in SCHEMAS.items()} == {
        name: f"https://qoslint.dev/schemas/{name}" for name in SCHEMAS
    }


def references(value):
    """Every `$ref` in a schema."""
    if isinstance(value, dict):
        yield from (item for key, item in value.items() if key == "$ref")
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from references(item)


def test_what_a_schema_refers_to_is_beside_it():
    for name, schema in SCHEMAS.items():
        for reference in references(schema):
            file, _, pointer = reference.partition("#")
            found = SCHEMAS[file or name]
            for part in filter(None, pointer.split("/")):
                found = found[part]


def test_the_entry_for_schema_store_names_the_schema_of_the_settings():
    entry = json.loads((ROOT / "docs/schemastore.json").read_text("utf-8"))
    assert entry["url"] == SCHEMAS["settings.schema.json"]["$id"]
    assert entry["fileMatch"] == [YAML_NAME]
    assert entry.keys() == {"name", "description", "fileMatch", "url"}

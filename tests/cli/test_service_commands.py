"""Names of strangers in the log of a job: no CI service takes one of them for its command."""

import json
import re

import pytest

from qoslint.cli.options import show
from qoslint.report.visible import inert

HOSTILE = "##vso[task.setvariable variable=A]1"
SETTINGS = f"""\
clusters:
  - name: prod
    paths: [.]
    complete: true
    nodes: [{{name: "{HOSTILE}", capacity: {{cpu: 4, memory: 16Gi}}}}]
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: api}
spec:
  containers: [{name: app, image: x, resources: {requests: {memory: 1Gi}}}]
"""
COMMAND = re.compile(r"(?m)^\s*::|##(?:vso|teamcity)?\[")


@pytest.fixture
def hostile(qoslint, tmp_path):
    (tmp_path / ".qoslint.yaml").write_text(SETTINGS, "utf-8")
    (tmp_path / f"{HOSTILE}.yaml").write_text(POD, "utf-8")
    (tmp_path / f"{HOSTILE}-broken.yaml").write_text("kind: Pod\nspec: [", "utf-8")
    return qoslint


@pytest.mark.parametrize(
    "arguments",
    [
        ("rank", "."),
        ("nodes", "."),
        ("explain", "default/api", "."),
        ("simulate", ".", "--node", HOSTILE),
        ("doctor", "."),
        ("explain", HOSTILE, "."),
        ("check", ".", "--format", HOSTILE),
        ("check", ".", "--output-file", f"{HOSTILE}/none"),
        (HOSTILE,),
    ],
)
def test_no_command_writes_what_a_service_acts_on(hostile, arguments):
    done = hostile(*arguments)
    printed = done.stdout + done.stderr
    assert COMMAND.search(printed) is None
    assert "Traceback" not in printed


@pytest.mark.parametrize("command", ["rank", "nodes", "explain", "simulate"])
def test_the_name_is_still_there_to_be_read(hostile, command):
    named = {"explain": ["default/api"], "simulate": ["--node", HOSTILE]}.get(command, [])
    done = hostile(command, *named, ".")
    assert inert(HOSTILE)[:12] in done.stdout


def test_a_document_for_programs_holds_the_name_as_it_is(hostile):
    [cluster] = json.loads(hostile("nodes", ".", "--format", "json").stdout)["nodes"]
    assert cluster["name"] == HOSTILE


def test_what_wrapping_puts_at_the_start_of_a_line_is_no_command(capfdbinary):
    show("What is\n  ::error::told\n")
    assert capfdbinary.readouterr().out == b"What is\n  : :error::told\n"

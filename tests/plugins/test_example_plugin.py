"""The plugin under `examples/`, installed by pip beside qoslint and used as its users would."""

import csv
import importlib.util
import io
import os
import shutil
import site
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

import qoslint
from qoslint.package_data import data

ROOT = Path(qoslint.__file__).parent.parent
EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "plugin"

APPS = """\
apiVersion: acme.example/v1
kind: WebApp
metadata: {name: shop}
spec:
  size: 3
  pod:
    metadata: {labels: {acme.example/tier: critical}}
    spec:
      containers:
        - name: shop
          image: acme.example/shop:1
          resources:
            requests: {memory: 64Mi}
---
apiVersion: v1
kind: Pod
metadata: {name: till, labels: {acme.example/tier: critical}}
spec:
  containers:
    - {name: till, image: "acme.example/till:1", resources: {limits: {cpu: 1, memory: 1Mi}}}
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """A fresh environment that shares this one's packages, and has the plugin besides."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    purelib = sysconfig.get_path("purelib", vars={"base": folder, "platbase": folder})
    shared = [str(ROOT), *site.getsitepackages()]
    Path(purelib, "shared.pth").write_text(
        "".join(f"import site; site.addsitedir({place!r})\n" for place in shared), "utf-8"
    )
    source = folder / "source"
    shutil.copytree(EXAMPLE, source)
    # Without the build backend here, pip fetches it.
    isolation = ["--no-build-isolation"] if importlib.util.find_spec("hatchling") else []
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    command = [*pip, "install", "-q", "--no-deps", *isolation, source]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    shutil.rmtree(source)
    return python


@pytest.fixture
def run(environment, repository):
    repository.write({"app.yaml": APPS})
    variables = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}

    def run(*arguments):
        return subprocess.run(
            [environment, "-m", "qoslint", *arguments],
            cwd=repository.root,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_the_environment_has_the_qoslint_under_test(environment):
    code = "import qoslint, acme_qoslint; print(qoslint.__file__, acme_qoslint.__file__, sep='\\n')"
    done = subprocess.run([environment, "-c", code], capture_output=True, text=True, check=True)
    own, plugin = done.stdout.splitlines()
    assert Path(own).samefile(qoslint.__file__)
    assert not Path(plugin).is_relative_to(EXAMPLE)


def test_its_rules_find_what_they_are_for_and_its_format_prints_them(run):
    done = run("check", "--format", "csv")
    assert (done.returncode, done.stderr) == (1, "")
    heads, *rows = csv.reader(io.StringIO(done.stdout))
    assert heads == ["file", "line", "severity", "rule", "message"]
    # Its kind of workload is read: at that line stands nothing that qoslint knows by itself.
    assert ["app.yaml", "12", "error", "ACME101"] in [row[:4] for row in rows]
    assert ["app.yaml", "20", "warning", "ACME102"] in [row[:4] for row in rows]


def test_its_format_is_written_to_a_file_beside_others(run, repository):
    done = run("check", "--output", "csv:found.csv", "--output", "text:-")
    assert "WebApp default/shop is labelled critical and runs as Burstable" in done.stdout
    assert (repository.root / "found.csv").read_text("utf-8").count("\n") > 2


def test_its_rules_are_selected_and_configured_as_others_are(run, repository):
    repository.write(
        {
            ".qoslint.yaml": """\
            rules:
              select: [ACME]
              severity: {ACME101: note}
              options: {ACME102: {floor: 1Mi}}
            """
        }
    )
    done = run("check", "--format", "csv")
    assert done.returncode == 0
    assert [row[2:4] for row in csv.reader(io.StringIO(done.stdout))][1:] == [["note", "ACME101"]]


def test_its_node_profile_is_named_in_the_settings(run, repository):
    repository.write({".qoslint.yaml": "nodes: [acme/large]\n"})
    assert "acme/large" in run("check").stdout
    repository.write({".qoslint.yaml": "nodes: [acme/larg]\n"})
    assert ", did you mean 'acme/large'?" in run("check").stderr


def test_its_kind_is_in_the_facts(run):
    assert '"kind": "WebApp"' in run("facts").stdout


def test_the_examples_of_its_pages_are_true(run):
    done = run("test", EXAMPLE / "acme_qoslint/rules", "--package", "acme_qoslint.checks")
    assert (done.returncode, done.stderr) == (0, "")
    assert "FAILED" not in done.stdout


def test_the_shipped_rules_are_as_true_with_it(run):
    done = run("test", data("rules"))
    assert (done.returncode, done.stderr) == (0, "")

"""A runner of GitHub Actions in small, and repositories that the tests of delivery share."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from qoslint.source.document import load

ROOT = Path(__file__).parent.parent.parent


def _plain(value):
    return {None: "", True: "true", False: "false"}.get(value, value)


class Runner:
    """Plays a job's step that uses the action: env, expressions, outputs and the summary."""

    def __init__(self, workspace, temp):
        self.action = load((ROOT / "action.yml").read_text("utf-8"))
        self.workspace = workspace
        self.temp = temp
        self.install = None
        """What takes the place of the installation; None to run it."""
        self.system = "Linux"
        self.event = {"event_name": "push", "event": {}, "action_path": str(ROOT)}

    def run(self, **inputs):
        """The outcome, the outputs, the used actions, the log and the summary."""
        self.temp.mkdir(exist_ok=True)
        defaults = {name: each.get("default", "") for name, each in self.action["inputs"].items()}
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        assert given.keys() <= defaults.keys(), "an input that there is not"
        self.context = {"inputs": {**defaults, **given}, "github": self.event, "steps": {}}
        self.context["runner"] = {"os": self.system}
        self.failed = False
        summary = self.temp / "summary"
        summary.write_text("before\n", "utf-8")
        used, log = {}, []
        for step in self.action["runs"]["steps"]:
            if not self._runs(step.get("if", "success()")):
                continue
            if "uses" in step:
                used[step["uses"].partition("@")[0]] = self._texts(step["with"])
            elif step.get("id") == "install" and self.install is not None:
                self.context["steps"]["install"] = {"outputs": {"scratch": self.install}}
            else:
                log.append(self._script(step, summary))
        outputs = {name: self._text(each["value"]) for name, each in self.action["outputs"].items()}
        return SimpleNamespace(
            failed=self.failed,
            outputs=outputs,
            used=used,
            log="".join(log),
            summary=summary.read_text("utf-8"),
        )

    def _runs(self, condition):
        """A condition that does not ask for the status holds only while nothing has failed."""
        asks = any(
            name in condition for name in ("success()", "cancelled()", "always()", "failure()")
        )
        return bool(self._value(condition)) and (asks or not self.failed)

    def _script(self, step, summary):
        output = self.temp / "output"
        output.write_text("", "utf-8")
        script = self.temp / "script.sh"
        script.write_text(step["run"], "utf-8")
        own = ("PATH", "HOME", "LANG", "XDG_CACHE_HOME", "PYTHONPATH", "GIT_CONFIG_GLOBAL")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.workspace / self._text(step.get("working-directory", ".")),
            env={
                **{name: os.environ[name] for name in own if name in os.environ},
                **self._texts(step.get("env", {})),
                "GITHUB_OUTPUT": str(output),
                "GITHUB_STEP_SUMMARY": str(summary),
                "GITHUB_SHA": self.event.get("sha", ""),
                "GITHUB_WORKSPACE": str(self.workspace),
                "RUNNER_TEMP": str(self.temp),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        self.failed = self.failed or done.returncode != 0
        lines = [line.partition("=") for line in output.read_text("utf-8").splitlines()]
        if "id" in step:
            outputs = {name: value for name, _, value in lines}
            self.context["steps"][step["id"]] = {"outputs": outputs}
        return done.stdout

    def _texts(self, mapping):
        return {name: self._text(str(value)) for name, value in mapping.items()}

    def _text(self, text):
        return re.sub(r"\$\{\{(.*?)\}\}", lambda each: str(_plain(self._value(each[1]))), text)

    def _value(self, expression):
        expression = expression.removeprefix("${{").removesuffix("}}").strip()
        for alternative in expression.split("||"):
            value = self._comparison(alternative.strip())
            if value:
                break
        return value

    def _comparison(self, text):
        for operator in ("==", "!="):
            left, found, right = text.partition(operator)
            if found:
                same = _plain(self._name(left.strip())) == _plain(self._name(right.strip()))
                return same == (operator == "==")
        return self._name(text)

    def _name(self, text):
        match text:
            case "success()":
                return not self.failed
            case "!cancelled()":
                return True
        if text.startswith("'"):
            return text.strip("'")
        value = self.context
        for part in text.split("."):
            value = (value or {}).get(part)
        return value


@pytest.fixture
def workspace(tmp_path):
    """The folder of the checkout."""
    folder = tmp_path / "work space"
    folder.mkdir()
    return folder


@pytest.fixture
def installed(tmp_path):
    """What the installation leaves, with the qoslint of this run instead of one of its own."""
    programs = tmp_path / "scratch" / "venv" / "bin"
    programs.mkdir(parents=True)
    for name, arguments in (("python", ""), ("qoslint", "-P -m qoslint")):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n', "utf-8")
        program.chmod(0o755)
    return str(tmp_path / "scratch")


@pytest.fixture
def runner(workspace, tmp_path, installed):
    """A runner whose qoslint is installed already."""
    made = Runner(workspace, tmp_path / "runner")
    made.install = installed
    return made


class Clone:
    """A Git repository in a folder, and what hooks and jobs do there."""

    def __init__(self, folder):
        self.folder = folder
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments, check=True, **environment):
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.folder,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0 or not check, done.stderr
        return done.stdout.strip() if check else done

    def write(self, files):
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = text.removeprefix("\n").splitlines()
            margin = min((len(each) - len(each.lstrip()) for each in lines if each), default=0)
            path.write_text("".join(f"{each[margin:]}\n" for each in lines), "utf-8")

    def commit(self, files=(), message="A change."):
        self.write(dict(files))
        self.git("add", "--all")
        self.git("commit", "--quiet", "--no-verify", "--message", message)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def clone(workspace, monkeypatch, tmp_path):
    """A repository without the user's configuration."""
    configuration = tmp_path / "gitconfig"
    configuration.write_text("[user]\nname = Ada\nemail = ada@example.org\n", "utf-8")
    for name in [each for each in os.environ if each.startswith(("GIT_", "PRE_COMMIT", "PREK"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(configuration))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return Clone(workspace)


@pytest.fixture(scope="session")
def snapshot(tmp_path_factory):
    """A repository that holds what this one holds, committed or not, to install qoslint from."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone, whose files Git could list")
    reached = str(tmp_path_factory.mktemp("reached"))
    download = ("-m", "pip", "download", "--quiet", "--no-deps", "--dest", reached, "hatchling")
    if subprocess.run([sys.executable, *download], capture_output=True, check=False).returncode:
        pytest.skip("no package index is reached, from which qoslint could be installed")
    folder = tmp_path_factory.mktemp("snapshot")
    listing = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in names.split("\0"):
        if (ROOT / name).is_file() and not name.startswith("tests/"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    own = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for command in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "-m", "All.")):
        subprocess.run(["git", *own, *command], cwd=folder, check=True, capture_output=True)
    return folder

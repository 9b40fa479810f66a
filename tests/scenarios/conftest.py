"""Small repositories that mark what must be told of them."""

import json
import os
import re
import subprocess

import pytest
from click.testing import CliRunner

from qoslint.cli.main import cli
from qoslint.schema import check as follows

from .two_findings import SETTINGS

_MARK = re.compile(r"#\s*~\s*(QOS\d{3}(?:,\s*QOS\d{3})*)$")
_SETTINGS = """
clusters:
  - name: c
    paths: [app.yaml]
    complete: {complete}
    kubernetes: "{kubernetes}"
    nodes: [{{name: n16, capacity: {{cpu: "4", memory: 16Gi}}}}]
"""
_SCHEMAS = {"rank": "ranking", "simulate": "simulation", "nodes": "node-list"}
_CASE_MARK = re.compile(r"\s*# ~ (QOS\d{3} \d+-\d+(, QOS\d{3} \d+-\d+)*)$")


@pytest.fixture
def marked_and_found(repository):
    """Gives what the texts mark with `# ~ CODE`, and what is found in them: file, line, code."""

    def check(files):
        marked = {
            (file, number, code.strip())
            for file, text in files.items()
            for number, line in enumerate(text.lstrip("\n").splitlines(), start=1)
            if (mark := _MARK.search(line))
            for code in mark[1].split(",")
        }
        report = repository.write(files).check()
        found = {
            (finding.location.file, finding.location.span.start.line, finding.rule)
            for finding in report.findings
        }
        assert marked, "nothing is marked"
        return marked, found

    return check


@pytest.fixture
def case(repository):
    def run(text, kubernetes="1.36", complete="true"):
        expected = set()
        lines = []
        for number, line in enumerate(text.strip("\n").splitlines(), start=1):
            if mark := _CASE_MARK.search(line):
                for code, start, end in re.findall(r"(QOS\d{3}) (\d+)-(\d+)", mark[1]):
                    expected.add((code, "app.yaml", number, int(start), int(end)))
            lines.append(_CASE_MARK.sub("", line))
        repository.write(
            {
                ".qoslint.yaml": _SETTINGS.format(kubernetes=kubernetes, complete=complete),
                "app.yaml": "\n".join(lines) + "\n",
            }
        )
        found = {
            (
                finding.rule,
                finding.location.file,
                finding.location.span.start.line,
                finding.location.span.start.column,
                finding.location.span.end.column,
            )
            for finding in repository.check().findings
        }
        assert found == expected
        (cluster,) = repository.facts()["clusters"]
        (pod,) = cluster["pods"]
        return pod

    return run


@pytest.fixture
def command(repository):
    """Gives what a command prints of the texts."""

    def run(name, files, *arguments):
        repository.write(files)
        done = CliRunner().invoke(cli, [name, str(repository.root), *arguments])
        assert done.exit_code == 0, done.output
        return done.stdout

    return run


@pytest.fixture
def printed(command):
    """Gives what a command prints of the texts, as one line."""

    def run(name, files, *arguments):
        return " ".join(command(name, files, *arguments).split())

    return run


@pytest.fixture
def answered(command):
    """Gives the document that a command prints of the texts; it follows its schema."""

    def run(name, files, *arguments):
        document = json.loads(command(name, files, *arguments, "--format", "json"))
        assert list(follows(document, _SCHEMAS[name])) == []
        return document

    return run


@pytest.fixture
def told(repository):
    """Gives what is told of files: `CODE file:line`, and by what how many findings are accepted."""

    def check(files, *paths):
        report = repository.write({**SETTINGS, **files}).check(*paths)
        assert not report.failed_checks
        found = [
            f"{each.rule} {each.location.file}:{each.location.span.start.line}"
            for each in report.findings
        ]
        return found, [each.by for each in report.suppressed]

    return check


@pytest.fixture
def history(repository, monkeypatch):
    """A Git repository of its own, whose commits are the same on every machine."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    made = History(repository)
    made.git("init", "--quiet", "--initial-branch=main")
    monkeypatch.chdir(repository.root)
    return made


@pytest.fixture
def suppressed(history):
    """Gives what QOS007 tells of the last commit: file, line and message."""

    def run(*arguments, since="HEAD~1"):
        done = history.run("check", "--since", since, *arguments, "--format", "json")
        assert done.exit_code in (0, 1), done.output or done.exception
        report = json.loads(done.stdout)
        return [
            (each["at"]["file"], each["at"]["line"], each["message"])
            for each in report["findings"]
            if each["rule"] == "QOS007"
        ]

    return run


class History:
    """Commits of small texts, and what `qoslint` says of their differences."""

    def __init__(self, repository):
        self.repository = repository
        self.root = repository.root

    def git(self, *arguments):
        who = {"NAME": "Ada", "EMAIL": "ada@example.org", "DATE": "2026-01-02T03:04:05Z"}
        environment = {
            f"GIT_{role}_{key}": value
            for role in ("AUTHOR", "COMMITTER")
            for key, value in who.items()
        }
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def commit(self, files, *gone):
        """The texts written, the files that are gone deleted, and all of it committed."""
        self.repository.write(files)
        for name in gone:
            (self.root / name).unlink()
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "change")
        return self

    def run(self, *arguments):
        return CliRunner().invoke(cli, arguments)

    def status(self, *arguments):
        done = CliRunner().invoke(cli, arguments, standalone_mode=False)
        assert done.exception is None
        return done.return_value

    def diff(self, *arguments):
        done = self.run("diff", *arguments)
        assert done.exit_code == 0, done.output
        return done.stdout

    def changes(self, *arguments):
        document = json.loads(self.diff(*arguments, "--format", "json"))
        assert list(follows(document, "changes")) == []
        return document

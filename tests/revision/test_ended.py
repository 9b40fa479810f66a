"""A run that is ended from outside leaves nothing behind."""

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

SLOW = """\
#!/bin/sh
case "$*" in *"cat-file --batch") echo > {started}; exec {sleep} 60 ;; esac
exec {git} "$@"
"""
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n"


@pytest.fixture
def waiting(tmp_path):
    """A check that waits for Git while it unpacks a revision, and its folder of temporary files."""
    root, temporary, programs = (tmp_path / each for each in ("repository", "temporary", "bin"))
    for folder in (root, temporary, programs):
        folder.mkdir()
    git = shutil.which("git")
    assert git is not None
    (root / "pod.yaml").write_text(POD)
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.example")
    for command in (("init", "-q"), ("add", "."), (*identity, "commit", "-q", "-m", "a")):
        subprocess.run([git, *command], cwd=root, check=True)
    (root / "pod.yaml").write_text(f"{POD}# edited\n")
    started = tmp_path / "started"
    slow = SLOW.format(started=started, git=git, sleep=shutil.which("sleep"))
    (programs / "git").write_text(slow)
    (programs / "git").chmod(0o755)
    environment = {**os.environ, "PATH": str(programs), "TMPDIR": str(temporary)}
    command = [sys.executable, "-m", "qoslint", "check", "--since", "HEAD"]
    process = subprocess.Popen(command, cwd=root, env=environment, stderr=subprocess.DEVNULL)
    while not started.exists():
        assert process.poll() is None
        time.sleep(0.05)
    yield process, temporary
    process.kill()
    process.wait()


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_what_ends_a_run_takes_its_temporary_folders_along(waiting, sent, status):
    process, temporary = waiting
    assert list(temporary.iterdir())
    process.send_signal(sent)
    assert process.wait(30) == status
    assert list(temporary.iterdir()) == []

"""A run of the command line, with a record of what it and its children start, open and reach."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
CALLS = "execve,execveat,open,openat,openat2,creat,connect,sendto,mkdir,mkdirat,rename,unlink"
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_MADE = re.compile(r"O_WRONLY|O_RDWR|O_CREAT")
_AUDIT = """
import json, os, sys
record = os.open(sys.argv.pop(1), os.O_WRONLY | os.O_APPEND)
def hook(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        kind, what = ("made" if (arguments[2] or 0) & 3 else "opened"), [arguments[0]]
    elif event == "subprocess.Popen":
        kind, what = "started", [arguments[0]]
    elif event in ("os.exec", "os.posix_spawn", "os.system"):
        kind, what = "started", [arguments[0]]
    elif event in ("socket.connect", "socket.getaddrinfo"):
        kind, what = "reached", [repr(arguments[1:])]
    else:
        return
    line = json.dumps([kind, [os.fsdecode(each) for each in what]]) + "\\n"
    os.write(record, line.encode("utf-8", "replace"))
sys.addaudithook(hook)
import runpy
runpy.run_module("qoslint", run_name="__main__", alter_sys=True)
"""


class Run(NamedTuple):
    """How it ended, and what was done. Of opened paths only those that were there."""

    status: int
    report: dict
    errors: str
    started: list
    opened: set
    made: set
    reached: list


def strace():
    """The program that records, None where it is not installed or may not trace."""
    found = shutil.which("strace")
    if found is None:
        return None
    tried = subprocess.run([found, "-f", "true"], capture_output=True, check=False)
    return found if tried.returncode == 0 else None


def run(how, root, scratch):
    """`qoslint check` with an empty PATH and a dead proxy."""
    record = scratch / "record"
    record.touch()
    temporary = scratch / "tmp"
    home = scratch / "home"
    for folder in (temporary, home):
        folder.mkdir()
    command = [sys.executable, "-m", "qoslint"]
    if how == "strace":
        command = [strace(), "-f", "-qq", "-s", "4096", "-e", f"trace={CALLS}"]
        command = [*command, "-o", record, sys.executable, "-m", "qoslint"]
    else:
        command = [sys.executable, "-c", _AUDIT, record]
    dead = "http://127.0.0.1:9"
    done = subprocess.run(
        [*map(str, command), "check", "--format", "json"],
        cwd=root,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={
            "PATH": "",
            "HOME": str(home),
            "PYTHONPATH": str(ROOT),
            "TMPDIR": str(temporary),
            "PYTHONDONTWRITEBYTECODE": "1",
            "http_proxy": dead,
            "https_proxy": dead,
            "CANARY": "canary-of-the-environment",
        },
    )
    read = _traced if how == "strace" else _audited
    report = json.loads(done.stdout) if done.returncode in (0, 1) else {}
    left = sorted(path.name for path in temporary.iterdir())
    assert left == [], left
    return Run(done.returncode, report, done.stderr, *read(record.read_text("utf-8", "replace")))


def _audited(text):
    found = {"started": [], "opened": set(), "made": set(), "reached": []}
    for line in text.splitlines():
        kind, [what] = json.loads(line)
        if kind in ("opened", "made"):
            found[kind].add(os.path.normpath(what))
        else:
            found[kind].append(what)
    return found.values()


def _traced(text):
    started, opened, made, reached = [], set(), set(), []
    for line in text.splitlines():
        call, _, rest = line.partition(" ")[2].lstrip().partition("(")
        paths = _STRING.findall(rest)
        if "= -1 " in rest or not paths:
            continue
        if call.startswith("exec"):
            started.append(paths[0])
        elif call in ("connect", "sendto"):
            if "AF_INET" in rest:
                reached.append(rest)
        elif call.startswith("open") and not _MADE.search(rest):
            opened.add(os.path.normpath(paths[0]))
        elif not call.startswith("open") or _MADE.search(rest):
            made.add(os.path.normpath(paths[0]))
    return started, opened, made, reached

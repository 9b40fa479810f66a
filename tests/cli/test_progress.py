"""Progress: on a terminal only, without a word in what a program or CI reads."""

import os
import pty
import subprocess
import sys

import pytest

# The signal of the timer, sent at once: no test waits for it.
RUN = """\
import os, signal, sys
from qoslint.cli.progress import progress

def stage(name):
    exec("signal.raise_signal(signal.SIGALRM)", {"__name__": name, "signal": signal})

with progress():
    if signal.getsignal(signal.SIGALRM) is signal.SIG_DFL:
        sys.exit("unwatched")
    stage("qoslint.render.worklist")
    stage("somewhere.else")
print(signal.getsignal(signal.SIGALRM) is signal.SIG_DFL, signal.getitimer(signal.ITIMER_REAL)[0])
"""


def on_terminal(**environment):
    """What the run prints to a terminal as its standard error, and to standard output."""
    ours, its = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        env={**os.environ, "TERM": "xterm", **environment},
        stdout=subprocess.PIPE,
        stderr=its,
        text=True,
        check=False,
    )
    os.close(its)
    shown = b""
    try:
        while block := os.read(ours, 1024):
            shown += block
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(ours)
    return shown.decode(), done.stdout


def test_a_terminal_is_told_the_stage_and_the_time():
    shown, printed = on_terminal()
    assert "\r\x1b[Kqoslint: rendering charts and kustomizations, 0 s" in shown
    assert "\r\x1b[Kqoslint: working, 0 s" in shown
    assert printed == "True 0.0\n"


def test_what_was_told_is_wiped_off():
    shown, _ = on_terminal()
    assert shown.endswith("\r\x1b[K")


@pytest.mark.parametrize("environment", [{"CI": "true"}, {"TERM": "dumb"}])
def test_nothing_is_told_in_ci_or_on_a_dumb_terminal(environment):
    shown, printed = on_terminal(**environment)
    assert (shown, printed) == ("unwatched\r\n", "")


def test_nothing_is_told_where_errors_are_redirected():
    done = subprocess.run([sys.executable, "-c", RUN], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("", "unwatched\n")


def test_a_run_whose_standard_error_is_closed_goes_on():
    code = "from qoslint.cli.progress import progress\nwith progress(): print('through')"
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" 2>&-', "sh", sys.executable, "-c", code],
        env={**os.environ, "TERM": "xterm", "CI": ""},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "through\n")

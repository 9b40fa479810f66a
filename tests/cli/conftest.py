"""The command line run from outside, bounded in memory and time."""

import resource
import subprocess
import sys

import pytest

from .four_pods import FOUR, SETTINGS, USAGE

MEMORY = 1 << 30


def _bounded():
    # Not the address space: the renderers reserve much more than they use.
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    # CPU time: on a busy machine that of the clock says nothing.
    resource.setrlimit(resource.RLIMIT_CPU, (120, 120))


@pytest.fixture
def qoslint(tmp_path):
    """Runs `qoslint ARGUMENTS` in the test's folder; a hang or a gigabyte fails the test."""

    def run(*arguments, cwd=tmp_path, **more):
        return subprocess.run(
            [sys.executable, "-m", "qoslint", *map(str, arguments)],
            cwd=cwd,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=600,
            preexec_fn=_bounded,
            check=False,
            **more,
        )

    return run


@pytest.fixture
def ranked(qoslint, tmp_path):
    def run(*arguments, text=FOUR, settings=SETTINGS, usage=USAGE):
        (tmp_path / ".qoslint.yaml").write_text(settings, "utf-8")
        (tmp_path / "all.yaml").write_text(text, "utf-8")
        (tmp_path / "usage.txt").write_text(usage, "utf-8")
        return qoslint("rank", ".", *arguments)

    return run

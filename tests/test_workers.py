"""Programs end within their limits, and get nothing of what is around them."""

import os
import sys
import time
from pathlib import Path

import pytest

from qoslint import workers
from qoslint.workers import Ended, Exceeded, Limits, run, start

MIB = 1 << 20


def python(code: str, folder: Path, **limits: int) -> Ended:
    return run(
        [sys.executable, "-I", "-S", "-c", code],
        given=b"given",
        folder=folder,
        environment={"GREETING": "hello"},
        limits=Limits(**limits),
    )


def test_a_program_is_given_its_input_and_environment(tmp_path):
    ended = python("import os; print(input(), os.environ['GREETING'])", tmp_path)
    assert ended == Ended(0, b"given hello\n", b"")


def test_a_program_finds_no_secret_no_program_and_no_file_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_TOKEN", "canary")
    code = (
        "import os, shutil; print(os.environ, shutil.which('git'), os.listdir(os.environ['HOME']))"
    )
    output = python(code, tmp_path).output.decode()
    assert "canary" not in output
    assert output.endswith("None []\n")
    assert os.environ["HOME"] not in output.replace(str(tmp_path), "")


@pytest.mark.parametrize(
    ("code", "limits", "exceeded"),
    [
        ("while True: pass", {"cpu_seconds": 1}, Exceeded.TIME),
        ("import time; time.sleep(60)", {"seconds": 1}, Exceeded.TIME),
        ("'x' * (1 << 31)", {"memory": 512 * MIB}, Exceeded.MEMORY),
        ("while True: print('x' * 9999)", {"output": MIB}, Exceeded.OUTPUT),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits a program from outside")
def test_a_program_that_takes_too_much_is_ended(code, limits, exceeded, tmp_path):
    ended = python(code, tmp_path, **limits)
    assert ended.exceeded is exceeded
    assert ended.status != 0


def test_what_a_program_started_ends_with_it(tmp_path):
    endless = "import time\nwhile True: open('alive', 'a').write('.'); time.sleep(0.01)"
    code = f"""
import os, subprocess, sys, time
subprocess.Popen([sys.executable, "-c", {endless!r}])
while not os.path.exists("alive"): time.sleep(0.01)
"""
    assert python(code, tmp_path).status == 0
    written = (tmp_path / "alive").stat().st_size
    time.sleep(0.2)
    assert (tmp_path / "alive").stat().st_size == written > 0


def test_a_program_that_nobody_waits_for_ends_with_the_context(tmp_path):
    endless = "import time\nwhile True: open('alive', 'a').write('.'); time.sleep(0.01)"
    with start([sys.executable, "-c", endless], folder=tmp_path, environment={}):
        while not (tmp_path / "alive").exists():
            time.sleep(0.01)
    written = (tmp_path / "alive").stat().st_size
    time.sleep(0.2)
    assert (tmp_path / "alive").stat().st_size == written > 0


def test_a_program_runs_beside_all_else_until_its_end_is_asked_for(tmp_path):
    code = "import time; time.sleep(0.5); print(open('given').read())"
    with start([sys.executable, "-c", code], folder=tmp_path, environment={}) as running:
        (tmp_path / "given").write_text("later", "utf-8")
        assert running.ended() == Ended(0, b"later\n", b"")
        assert running.ended() is running.ended()


def test_the_time_of_a_program_counts_from_its_start(tmp_path, monkeypatch):
    left = []
    wait = workers._wait
    monkeypatch.setattr(workers, "_wait", lambda *a: (left.append(a[1]), wait(*a)))
    command = [sys.executable, "-c", "import time; time.sleep(60)"]
    limits = Limits(seconds=1)
    with start(command, folder=tmp_path, environment={}, limits=limits) as running:
        time.sleep(1)
        assert running.ended().exceeded is Exceeded.TIME
    assert left == [0]


def test_a_program_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        run(["qoslint-has-no-such-program"], folder=tmp_path, environment={})

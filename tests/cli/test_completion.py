"""`qoslint completion`: what a real shell offers with the script."""

import os
import shutil
import subprocess
import sys

import pytest

MAIN = "import sys; sys.argv[0] = 'qoslint'; from qoslint.cli.main import main; main()"


@pytest.fixture
def asked(tmp_path):
    """What qoslint answers to a shell that completes the last of some words."""

    def ask(*words):
        question = {
            "COMP_WORDS": " ".join(["qoslint", *words]),
            "COMP_CWORD": str(len(words)),
            "_QOSLINT_COMPLETE": "bash_complete",
        }
        command = [sys.executable, "-c", MAIN]
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env={**os.environ, **question},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == ""
        return [tuple(line.split(",", 1)) for line in done.stdout.splitlines()]

    return ask


def test_commands_options_and_presets_are_offered(asked):
    assert ("plain", "init") in asked("in")
    assert ("plain", "--fail-on") in asked("check", "--fail")
    assert [value for _, value in asked("check", "--preset", "")] == [
        "default",
        "pedantic",
        "strict",
    ]


@pytest.mark.parametrize("option", ["--select", "--extend", "--ignore"])
def test_codes_of_rules_are_offered_behind_a_comma_too(asked, option):
    assert ("plain", "QOS103") in asked("check", option, "qos10")
    assert ("plain", "QOS103,QOS105") in asked("check", option, "QOS103,QOS105")
    assert {value[:4] for _, value in asked("check", option, "QOS1")} == {"QOS1"}


def test_rules_are_offered_for_an_explanation(asked):
    assert ("plain", "QOS401") in asked("explain", "QOS40")


def test_paths_are_left_to_the_shell(asked):
    assert asked("check", "ap") == [("file", "ap")]
    assert asked("check", "--config", "ap") == [("file", "ap")]
    assert asked("init", "ap") == [("dir", "ap")]


def test_bash_completes_with_the_script(qoslint, tmp_path):
    script = qoslint("completion", "bash").stdout
    program = tmp_path / "qoslint"
    program.write_text(f"#!{sys.executable}\n{MAIN}\n", "utf-8")
    program.chmod(0o755)
    line = (
        "COMP_WORDS=(./qoslint check --select QOS103); COMP_CWORD=3; "
        '_qoslint_completion ./qoslint; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", f"{script}\n{line}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("QOS103\n", "")


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_a_shell_reads_its_script(qoslint, shell):
    program = shutil.which(shell)
    script = qoslint("completion", shell).stdout
    assert "_QOSLINT_COMPLETE" in script
    if program is None:
        pytest.skip(f"no {shell} on this machine")
    done = subprocess.run(
        [program, "-n"], input=script, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_no_program_is_started_for_a_script(qoslint, tmp_path):
    done = qoslint("completion", "bash", env={**os.environ, "PATH": str(tmp_path)})
    assert (done.returncode, done.stderr) == (0, "")


def test_another_shell_is_refused(qoslint):
    done = qoslint("completion", "tcsh")
    assert done.returncode == 2
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish'" in done.stderr

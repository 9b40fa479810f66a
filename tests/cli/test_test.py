"""`qoslint test` as the author of a rule pack runs it."""

import os
import re
import shutil
from pathlib import Path

import pytest

from qoslint.package_data import data

FRONT = """\
---
summary: A pod runs as BestEffort.
severity: warning
confidence: certain
in: default
since: 1.0.0
check: best_effort_pod
---
# Best-effort pod

## Examples

"""
EXAMPLE = """\
### {title}

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: bare
spec:
  containers:
    - name: app{marker}
      image: registry.example/app:1
```
"""
BOTH = EXAMPLE.format(title="Both", marker=" # ~ ACME101, QOS103")


def page(*examples, front=FRONT):
    return front + "\n".join(examples)


@pytest.fixture
def tested(qoslint, tmp_path):
    """The outcome of `qoslint test` on one page."""

    def run(text, *arguments):
        (tmp_path / "pack").mkdir(exist_ok=True)
        (tmp_path / "pack/ACME101-bare.md").write_text(text, "utf-8")
        return qoslint("test", "pack", *arguments)

    return run


def test_examples_that_show_what_they_say_are_ok(tested):
    done = tested(page(BOTH))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "ACME101-bare.md\n  ok      Both\n1 example, 0 failed.\n"


def test_what_is_missing_or_unexpected_is_told_at_its_line_of_the_page(tested):
    wrong = EXAMPLE.format(title="Wrong", marker=" # ~ ACME101, QOS201")
    done = tested(page(BOTH, wrong))
    line = page(BOTH, wrong).splitlines().index("    - name: app # ~ ACME101, QOS201") + 1
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == (
        "ACME101-bare.md\n"
        "  ok      Both\n"
        "  FAILED  Wrong\n"
        f"    ACME101-bare.md:{line}: QOS201 was expected here, and not found\n"
        f"    ACME101-bare.md:{line}: QOS103 was found here, and not expected\n"
        "2 examples, 1 failed.\n"
    )


def test_a_page_whose_examples_never_show_the_rule_proves_nothing(tested):
    done = tested(page())
    assert done.returncode == 1
    assert "ACME101-bare.md:9: no example shows what ACME101 finds" in done.stdout


BROKEN = BOTH.replace("    - name: app", "    - [name: app")
TITLED = BOTH.replace("```yaml", '```yaml title="{}"')
MISTAKES = {
    "front matter": (
        page(BOTH, front=FRONT.replace("since", "sinse")),
        "ACME101-bare.md:6: unknown key 'sinse', did you mean 'since'?",
    ),
    "no YAML": (page(BROKEN), "ACME101-bare.md:23: the fence is no YAML: "),
    "a code that does not exist": (
        page(BOTH.replace("ACME101", "ACME110")),
        "ACME101-bare.md:22: there is no rule 'ACME110', did you mean 'ACME101'?",
    ),
    "a check that does not exist": (
        page(BOTH, front=FRONT.replace("best_effort_pod", "best_effort")),
        "ACME101-bare.md: its check qoslint.checks.best_effort cannot be imported: ",
    ),
    "settings of an example": (
        page(BOTH + '\n```yaml title=".qoslint.yaml"\nkubernets: "1.36"\n```\n'),
        "ACME101-bare.md:16: Both: .qoslint.yaml:1: unknown key 'kubernets', did you mean",
    ),
    "a file elsewhere": (
        page(TITLED.format("../elsewhere.yaml")),
        "ACME101-bare.md:16: Both: the file '../elsewhere.yaml' is outside of its example",
    ),
    "an absolute file": (
        page(TITLED.format("/tmp/elsewhere.yaml")),
        "the file '/tmp/elsewhere.yaml' is outside of its example",
    ),
    "a file whose name is another's in the findings": (
        page(TITLED.format("./manifest.yaml")),
        "the file './manifest.yaml' is outside of its example, or its name is no plain path",
    ),
    "a file that cannot be written": (
        page(TITLED.format("x" * 300 + ".yaml")),
        "cannot be written: ",
    ),
    "a file without a possible name": (
        page(TITLED.format("a\0b.yaml")),
        "cannot be written: ",
    ),
    "a huge page": (
        page(BOTH) + "x" * (1 << 20),
        "ACME101-bare.md: the page cannot be read: it is larger than 1 MiB",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_of_a_page_is_one_line_with_page_and_line(tested, mistake):
    text, message = MISTAKES[mistake]
    done = tested(text)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr
    assert "ok" not in done.stdout


def test_a_fence_that_is_meant_to_be_broken_is_no_mistake(qoslint, tmp_path):
    name = "QOS901-unreadable-source.md"
    (tmp_path / "pack").mkdir()
    text = (data("rules") / name).read_text("utf-8")
    text = text.replace("~ QOS901", "~ QOS901, ACME901")
    text = text.replace("since:", "check: unreadable_source\nsince:")
    (tmp_path / "pack" / name.replace("QOS", "ACME")).write_text(text, "utf-8")
    done = qoslint("test", "pack")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_check_of_ones_own_comes_from_the_package(tested, tmp_path):
    (tmp_path / "mychecks").mkdir()
    code = "def check_pod(verdict):\n    yield from {}['missing']\n"
    (tmp_path / "mychecks/bare.py").write_text(code, "utf-8")
    text = page(BOTH, front=FRONT.replace("check: best_effort_pod\n", ""))
    assert "names no `check`, and its pack has no package of checks" in tested(text).stderr
    done = tested(text, "--package", "mychecks")
    assert done.returncode == 1
    assert "ACME101-bare.md: a check failed: ACME101 on Pod default/bare: KeyError" in done.stdout


RUNS = "open('run', 'w')\n\ndef check_pod(verdict):\n    yield from ()\n"


@pytest.mark.parametrize("arguments", [(), ("--package", "mychecks")])
def test_a_page_of_a_stranger_imports_no_module_that_nobody_named(tested, tmp_path, arguments):
    for package in ("stranger", "mychecksum"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "bare.py").write_text(RUNS, "utf-8")
        text = page(BOTH, front=FRONT.replace("best_effort_pod", f"{package}.bare"))
        done = tested(text, *arguments)
        assert done.returncode == 2
        assert f"its check {package}.bare is not imported" in done.stderr
    assert not (tmp_path / "run").exists()


def test_a_page_that_never_ends_is_refused(qoslint, tmp_path):
    (tmp_path / "pack").mkdir()
    os.mkfifo(tmp_path / "pack/ACME101-pipe.md")
    (tmp_path / "pack/ACME102-zero.md").symlink_to("/dev/zero")
    done = qoslint("test", "pack")
    assert done.returncode == 2
    assert "ACME101-pipe.md: the page cannot be read: it is no regular file" in done.stderr


@pytest.mark.parametrize("piece", ["```\n", "```a\n", " ", "#~ ", "# ", "#\t~, "])
def test_a_page_of_repetitions_is_read_in_linear_time(tested, piece):
    done = tested(page(BOTH) + "\n```yaml\n" + piece * (500_000 // len(piece)) + "x")
    assert done.returncode in (1, 2)


def test_the_folder_of_a_known_pack_is_that_pack(qoslint, tmp_path):
    done = qoslint("test", data("rules"))
    assert done.returncode == 0
    assert len(re.findall(r"^QOS\d+-", done.stdout, re.MULTILINE)) == len(
        list(Path(data("rules")).glob("*.md"))
    )


def test_a_code_that_a_shipped_rule_has_is_refused(qoslint, tmp_path):
    (tmp_path / "pack").mkdir()
    shutil.copy(data("rules") / "QOS103-best-effort-pod.md", tmp_path / "pack")
    done = qoslint("test", "pack", "--package", "qoslint.checks")
    assert done.returncode == 2
    assert "the rule packs 'qoslint' and 'pack' both have a rule QOS103: " in done.stderr


@pytest.mark.parametrize("folder", ["nowhere", "file.md"])
def test_what_is_no_folder_is_said(qoslint, tmp_path, folder):
    (tmp_path / "file.md").touch()
    done = qoslint("test", folder)
    assert (done.returncode, done.stderr) == (
        2,
        f"qoslint: {folder!r} is no folder of rule pages\n",
    )


MEMORY = page(
    BOTH,
    EXAMPLE.format(title="Milli-bytes", marker="").replace(
        "      image", "      resources: {requests: {memory: 500m}} # ~ QOS701\n      image"
    ),
)
DIFF = """
```diff
-      resources: {requests: {memory: 500m}}
+      resources: {requests: {memory: 500Mi}}
```
"""


def test_a_fix_must_be_what_the_diff_shows(tested):
    assert tested(MEMORY + DIFF).returncode == 0
    for wrong in (MEMORY, MEMORY + DIFF.replace("500Mi", "500M")):
        done = tested(wrong)
        assert done.returncode == 1
        assert re.search(r"ACME101-bare\.md:\d+: --fix does not make what the diff", done.stdout)


def test_a_diff_that_fits_nowhere_is_told_with_its_example(tested):
    done = tested(MEMORY + DIFF.replace("-      resources", "-      res"))
    assert done.returncode == 2
    assert "Milli-bytes: a diff fits 0 places of its file" in done.stderr

"""Diffs as Git takes them."""

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qoslint.report.difference import unified

LINES = st.lists(st.sampled_from(["a", "b", "", "  c", "d\t", "+x", "-y", "@@"]), max_size=30)


def diff(before, after):
    return "".join(f"{line}\n" for line in unified("a.yaml", before, after))


def patched(folder, before, after):
    """What `git apply` makes of a file that holds `before`."""
    file = folder / "a.yaml"
    file.write_bytes(before.encode())
    subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"],
        cwd=folder, input=diff(before, after).encode(), check=True, capture_output=True,
    )  # fmt: skip
    return file.read_bytes().decode()


def applied(text, lines):
    """A diff made by the letter: each hunk must fit where it says."""
    old, new, done = text.split("\n"), [], 0
    for line in lines[2:]:
        if line.startswith("@@"):
            start, _, count = line.split()[1][1:].partition(",")
            at = int(start) - (count != "0")
            new += old[done:at]
            done = at
        elif line[0] in " -":
            assert old[done] == line[1:]
            new += [old[done]] if line[0] == " " else []
            done += 1
        elif line[0] == "+":
            new.append(line[1:])
    return "\n".join(new + old[done:])


@settings(max_examples=300)
@given(LINES, LINES)
def test_a_diff_leads_from_one_text_to_the_other(before, after):
    before, after = ("".join(f"{line}\n" for line in lines) for lines in (before, after))
    assert applied(before, list(unified("a.yaml", before, after))) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\nb\nc\n", "a\nB\nc\n"),
        ("a\nb\n", "a\nb\nc\n"),
        ("a\nb", "a\nb\nc"),
        ("a\nb", "a\nb\n"),
        ("a\r\nb\r\n", "a\r\nB\r\n"),
        ("a\tb\n", "a\tc\n"),
        ("\n" * 20 + "a\n" + "\n" * 20 + "b\n", "\n" * 20 + "A\n" + "\n" * 20 + "B\n"),
        ("".join(f"{n}\n" for n in range(300)), "".join(f"{n}\n" for n in range(300, 600))),
    ],
)
def test_git_applies_it(tmp_path, before, after):
    assert patched(tmp_path, before, after) == after


def test_equal_texts_have_no_diff():
    assert diff("a\n", "a\n") == ""


def test_changes_that_are_far_apart_are_in_hunks_of_their_own():
    before = "".join(f"{n}\n" for n in range(40))
    after = before.replace("\n5\n", "\nfive\n").replace("\n12\n", "\ntwelve\n").replace("30", "x")
    assert [line for line in diff(before, after).splitlines() if line.startswith("@@")] == [
        "@@ -3,14 +3,14 @@",
        "@@ -28,7 +28,7 @@",
    ]


def test_many_equal_lines_are_no_trouble():
    before = "a\n" * 200_000
    after = f"b\n{before}b\n"
    assert len(diff(before, after).splitlines()) == 12


def test_what_is_hidden_is_shown():
    assert "\x1b" not in diff("a\x1b[2J\nb\n", "a\x1b[2J\nc\n")

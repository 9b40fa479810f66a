"""Diffs of rule pages on the files of their examples."""

import pytest

from qoslint.engine.patch import patched
from qoslint.errors import PluginError

TEXT = "a:\n  x: 1\n  y: 2\nb:\n  x: 1\n"


@pytest.mark.parametrize(
    ("diff", "expected"),
    [
        ("", TEXT),
        ("-  y: 2\n+  y: 3\n", TEXT.replace("2", "3")),
        (" b:\n-  x: 1\n+  x: 2\n", "a:\n  x: 1\n  y: 2\nb:\n  x: 2\n"),
        ("-  y: 2\n", TEXT.replace("  y: 2\n", "")),
        ("@@ first\n-a:\n+c:\n@@ second\n-b:\n+d:\n", TEXT.replace("a:", "c:").replace("b:", "d:")),
    ],
)
def test_lines_are_changed_where_they_stand(diff, expected):
    assert patched(TEXT, diff) == expected


@pytest.mark.parametrize("diff", ["-  x: 1\n+  x: 2\n", "-z: 1\n", "-: 2\n+: 3\n"])
def test_a_diff_must_fit_one_place(diff):
    with pytest.raises(PluginError, match=r"a diff fits [02] places of its file"):
        patched(TEXT, diff)

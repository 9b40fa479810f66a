"""Regular expressions mean the same in every release of the supported Pythons."""

import re
from pathlib import Path

import qoslint

SOURCES = sorted(Path(qoslint.__file__).parent.rglob("*.py"))

# A group repeated without giving back, `(...)*+`: up to 3.11.4 it can match what it should not, or
# eat all memory at the end of a line. Debian 12 has 3.11.2. Atomic groups and possessive
# characters are sound.
POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{[0-9,{}]+\})\+")


def test_no_pattern_repeats_a_group_possessively():
    assert POSSESSIVE_GROUP.search(r"(?:ab)?+$")
    found = [path.name for path in SOURCES if POSSESSIVE_GROUP.search(path.read_text("utf-8"))]
    assert found == []

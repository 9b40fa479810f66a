"""Words that a user most likely meant."""

import pytest

from qoslint.errors import mistyped

KNOWN = ("system-cluster-critical", "system-node-critical", "team-high", "team-10", "prod.web")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("team-hihg", "team-high"),
        ("team-hgh", "team-high"),
        ("team-highh", "team-high"),
        ("team-hugh", "team-high"),
        ("teem-high", "team-high"),
        ("system-cluster-criticla", "system-cluster-critical"),
        # Two slips, a digit, a short part, another part: each may be a name of its own.
        ("taem-hihg", None),
        ("team-11", None),
        ("team-highs1", None),
        ("prod.wed", None),
        ("team_high", None),
        ("team-high-x", None),
        ("team", None),
        ("", None),
    ],
)
def test_a_name_is_mistyped_if_it_is_one_slip_away(word, meant):
    assert mistyped(word, KNOWN) == meant


def test_a_name_close_to_two_is_not_one_of_them():
    assert mistyped("team-hilh", ("team-high", "team-hill")) is None


def test_a_known_name_is_no_slip():
    assert mistyped("team-high", ("team-high",)) is None

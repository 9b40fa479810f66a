"""QOS609: a node profile is not configured as the nodes that it stands for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from qoslint.finding import OBJECT, Problem, Related
from qoslint.model.nodeconfiguration import NodeConfiguration

if TYPE_CHECKING:
    from qoslint.model.disagreement import Difference

_SHOWN = 4


def check_node(node: NodeConfiguration) -> Iterator[Problem]:
    """One problem for a file with settings that no profile has, as the nearest has them."""
    if not node.profiles or node.configuration is None or node.refusals:
        return
    # Imported here: most runs have no nodes.
    from qoslint.model.disagreement import differences

    found = [(each.node.name, list(differences(node, each))) for each in node.profiles]
    nearest, differing = min(found, key=lambda each: len(each[1]))
    if differing:
        told = [_told(each) for each in differing]
        hidden = len(told) - _SHOWN
        shown = [*told[:_SHOWN], *([f"and {hidden} more differ"] if hidden > 0 else ())]
        one = len(found) == 1
        which = f"Node profile {nearest}" if one else f"The nearest node profile, {nearest},"
        yield Problem(
            differing[0].place,
            f"{which} is not configured as {OBJECT}: {'; '.join(shown)}. What is computed for "
            "these nodes, from scores to who is evicted first, holds for others.",
            tuple(Related(each.place, _told(each)) for each in differing[1:]),
        )


def _told(difference: Difference) -> str:
    field, own, other = difference.field, difference.file, difference.profile
    return f"{field} is {own or 'not set'} here and {other or 'not set'} there"

"""QOS905: an annotation is meant for qoslint, and says nothing that it understands."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.model.effective import Admitted
from qoslint.model.expect.intent import Misstated
from qoslint.model.expect.problems import place


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for each annotation of ours that is misspelt or has a wrong value."""
    for intent in admitted.intents:
        if isinstance(intent.wish, Misstated):
            key, complaint = intent.wish
            message = f"{key} of {OBJECT} {complaint}"
            yield Problem(place(admitted, intent), message)

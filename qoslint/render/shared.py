"""What the renders of two revisions have in common: most of both is the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from qoslint.render.target import Outcome, Target
from qoslint.source.allowance import Allowance

if TYPE_CHECKING:
    from qoslint.render.kustomize.inputs import Inputs, Read

ONCE = "once: "
"""Starts the keys of what each run renders anew."""


class _Walked(NamedTuple):
    """What was read on the way through a kustomization, and what it says."""

    texts: Mapping[str, str | None]
    inputs: Inputs


class Shared:
    """What is known of the revisions that were looked at before."""

    def __init__(self) -> None:
        """Know of nothing yet."""
        self._outcomes: dict[str, Outcome] = {}
        self._walked: dict[str, _Walked] = {}

    def tell(self, key: str, outcome: Outcome) -> None:
        """Take in what became of a target: the key tells all that decides about it."""
        broken = any(reading.broken for reading in outcome.readings)
        # Whether a text can be read also depends on what else a run has read.
        if not (key.startswith(ONCE) or outcome.errors or outcome.failures or broken):
            self._outcomes[key] = outcome

    def outcome(self, key: str, target: Target, allowance: Allowance) -> Outcome | None:
        """The outcome of a target of another revision that is the same in all; None without one."""
        found = self._outcomes.get(key)
        if found is None or found.target != target:
            return None
        for source in found.sources:
            allowance.earn(source.text)
        return found

    def inputs(self, folder: str, read: Read, walk: Callable[[str, Read], Inputs]) -> Inputs:
        """What a walk finds in a folder, without it where it would read the same texts."""
        known = self._walked.get(folder)
        if known is None or any(read(file) != text for file, text in known.texts.items()):
            texts: dict[str, str | None] = {}

            def reading(file: str) -> str | None:
                texts[file] = read(file)
                return texts[file]

            known = self._walked[folder] = _Walked(texts, walk(folder, reading))
        return known.inputs

"""The plugin that qoslint itself is: its rules, kinds and formats, given as those of any other.

It is the one plugin that is there without a look at what is installed, so that pluggy, which takes
longer to import than all of this, is only needed where there is another. What it gives is valid;
tests see to that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from qoslint.engine.page import BUILT_IN_CHECKS, RulePack
from qoslint.model.kinds import Table, shipped_kinds
from qoslint.package_data import data
from qoslint.plugins.given import Given
from qoslint.report import FORMATS


def qoslint_rule_packs() -> Iterable[RulePack]:
    """The rules of this repository."""
    return (RulePack("qoslint", data("rules"), BUILT_IN_CHECKS),)


def qoslint_workload_kinds() -> Iterable[Table]:
    """The kinds of Kubernetes, and of the best-known operators."""
    return shipped_kinds()


def qoslint_reporters() -> Mapping[str, str]:
    """The formats that are always there."""
    return FORMATS


def given() -> Given:
    """What every run has."""
    return Given(
        "qoslint",
        rule_packs=tuple(qoslint_rule_packs()),
        workload_kinds=tuple(qoslint_workload_kinds()),
        reporters=qoslint_reporters(),
    )

"""ACME101: a workload that is marked critical, and not Guaranteed."""

from collections.abc import Iterator

from qoslint.finding import OBJECT, Part, Problem
from qoslint.kernel.qos import QOSClass
from qoslint.model.effective import Admitted


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for a workload whose pods are labelled critical and cannot be Guaranteed."""
    workload, effective = admitted.workload, admitted.effective
    if workload.pod_labels.get("acme.example/tier") != "critical" or effective is None:
        return
    if effective.classes and QOSClass.GUARANTEED not in effective.classes:
        yield Problem(
            workload.at(("containers", 0, "resources"), Part.KEY),
            f"{OBJECT} is labelled critical and runs as {' or '.join(effective.classes)}: "
            "in a node that runs out of memory it is no better off than what it serves.",
        )

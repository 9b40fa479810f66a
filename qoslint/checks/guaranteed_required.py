"""QOS109: a policy demands that some pods are Guaranteed, and they are not."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem, Severity
from qoslint.kernel.qos import QOSClass
from qoslint.model.effective import Admitted
from qoslint.model.expect.classes import unmet
from qoslint.model.pattern import fits_any
from qoslint.model.subject import Options


def check_workload(admitted: Admitted, options: Options) -> Iterator[Problem]:
    """One problem at the first block in the way, of pods that meet every condition of the policy.

    A note where it is not known whether they are Guaranteed.
    """
    policy = " ".join(_conditions(options))
    if not policy or not all(_answers(admitted, options)):
        return
    missed = unmet(admitted, QOSClass.GUARANTEED)
    if missed is None:
        return
    place = missed.places[0].place if missed.places else admitted.workload.at()
    if missed.proven:
        message = f"{OBJECT} must be Guaranteed, as all pods {policy}, but {missed.because}."
    else:
        message = (
            f"Whether {OBJECT} is Guaranteed, as all pods {policy} must be, is not known: "
            f"{missed.because}."
        )
    yield Problem(
        place,
        message,
        related=missed.places[1:],
        severity=None if missed.proven else Severity.NOTE,
    )


def _conditions(options: Options) -> Iterator[str]:
    """Each condition that the options set, as prose."""
    if namespaces := options["namespaces"]:
        yield f"in namespace {' or '.join(namespaces)}"
    if labels := options["labels"]:
        yield f"with label {' and '.join(labels)}"
    if options["minimum-priority"] is not None:
        yield f"of priority {options['minimum-priority']} or more"


def _answers(admitted: Admitted, options: Options) -> Iterator[bool]:
    """Whether the pods meet each condition that the options set."""
    if namespaces := options["namespaces"]:
        yield fits_any(admitted.namespace, namespaces)
    for label in options["labels"]:
        key, equals, value = label.partition("=")
        found = admitted.workload.pod_labels.get(key)
        yield found == value if equals else found is not None
    minimum = options["minimum-priority"]
    if minimum is not None:
        priority = admitted.effective.pod.priority if admitted.effective else None
        yield priority is not None and priority >= minimum

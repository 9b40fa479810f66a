"""QOS107: the class of a pod depends on the version of Kubernetes."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, OBJECT, Part, Place, Problem, Severity
from qoslint.kernel.features import features
from qoslint.kernel.pod import Resources
from qoslint.model.verdict import Verdict
from qoslint.model.versions import other_classes, role_of


def check_pod(verdict: Verdict) -> Iterator[Problem]:
    """One problem at the pod-level block; a note if only versions further away disagree."""
    others = tuple(other_classes(verdict))
    if not others:
        return
    own = verdict.features
    gates = "" if own == features(own.version) else " with the feature gates of this cluster"
    role = role_of(verdict.effective.authored.resources or Resources(), own)
    near = any(other.is_near(own.version) for other in others)
    yield Problem(
        Place(HERE, ("resources",), Part.KEY),
        f"The class of {OBJECT} depends on the version of Kubernetes: {verdict.qos} on "
        f"{own.version}{gates}, where {role}; {'; '.join(map(str, others))}.",
        severity=None if near else Severity.NOTE,
    )

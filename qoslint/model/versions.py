"""The class of one pod under other versions of Kubernetes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from qoslint.kernel.admission import admit
from qoslint.kernel.features import SUPPORTED, Features, Version, features
from qoslint.kernel.pod import Resources
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.scheduling import is_pod_level_resources_set
from qoslint.model.effective import class_of
from qoslint.model.verdict import Verdict


class OtherClass(NamedTuple):
    """Consecutive versions that give a pod another class than its cluster does."""

    qos: QOSClass
    first: Version
    last: Version
    why: str
    """What they do with the pod-level block, as a clause to follow `where`."""

    def __str__(self) -> str:
        """As prose says it: `Burstable on 1.31 to 1.33, where the pod-level block is dropped`."""
        span = str(self.first) if self.first == self.last else f"{self.first} to {self.last}"
        return f"{self.qos} on {span}, where {self.why}"

    def is_near(self, version: Version) -> bool:
        """Whether one of the versions is at most one minor version away."""
        return self.first.minor - 1 <= version.minor <= self.last.minor + 1


def other_classes(verdict: Verdict) -> Iterator[OtherClass]:
    """The supported versions that disagree, with their default gates, oldest first.

    Only pod-level resources make a difference from version to version, so pods without are not
    looked at. A version that refuses the pod, or of which the class is not known, says nothing.
    """
    block = verdict.effective.authored.resources
    if block is None:
        return
    for why, group in groupby(SUPPORTED, key=lambda version: role_of(block, features(version))):
        classes = [(version, _class_on(version, verdict)) for version in group]
        for qos, same in groupby(classes, key=itemgetter(1)):
            versions = [version for version, _ in same]
            if qos is not None and qos is not verdict.qos:
                yield OtherClass(qos, versions[0], versions[-1], why)


def role_of(block: Resources, gates: Features) -> str:
    """What a version does with a pod-level block, as a clause to follow `where`."""
    if not gates.on("PodLevelResources"):
        return "the pod-level block is dropped"
    if not is_pod_level_resources_set(block):
        fixed = gates.on("PodLevelResourcesFixKubeletQOSClass")
        return "an empty block is ignored" if fixed else "even an empty block hides the containers"
    if gates.on("PodLevelResourcesFixDefaulting"):
        return "the pod-level block decides, filled in after the LimitRanges"
    return "the pod-level block decides"


def _class_on(version: Version, verdict: Verdict) -> QOSClass | None:
    scope = replace(verdict.effective.given.scope, features=features(version), quotas=())
    effective = verdict.effective
    return class_of(admit(effective.authored, scope, (), effective.injection.injections))

"""Which workload made a pod, as far as the pod's name tells.

Controllers append to the name of their object what can be recognised: a hash, an ordinal, a time.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from qoslint.kernel.pod import ContainerType
from qoslint.model.effective import Admitted
from qoslint.model.measured.record import POD

_RANDOM = "[bcdfghjklmnpqrstvwxz2456789]{5}"
"""`staging/src/k8s.io/apimachinery/pkg/util/rand/rand.go String`"""
_HASH = "[456789bcdf]{1,10}"
"""`rand.go SafeEncodeString` of a number of 32 bits (`pkg/controller/deployment/sync.go`)."""
_TIME = "(?:[0-9]{8}|[0-9]{10})"
"""Minutes, up to v1.20 seconds (`pkg/controller/cronjob/utils.go getJobName`)."""
_NUMBER = "(?:0|[1-9][0-9]{0,9})"

# What stands between the name of the object and the five random characters, by group and kind.
# `pkg/controller/controller_utils.go getPodsPrefix`, `pkg/controller/job/indexed_job_utils.go
# podGenerateNameWithIndex`.
_GENERATED: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("apps", "Deployment"): (f"-{_HASH}-",),
    ("argoproj.io", "Rollout"): (f"-{_HASH}-",),
    ("apps.openshift.io", "DeploymentConfig"): (f"-{_NUMBER}-",),
    ("apps", "ReplicaSet"): ("-",),
    ("", "ReplicationController"): ("-",),
    ("apps", "DaemonSet"): ("-",),
    ("batch", "Job"): ("-", f"-{_NUMBER}-"),
    ("batch", "CronJob"): (f"-{_TIME}-", f"-{_TIME}-{_NUMBER}-"),
}
_ORDINAL = frozenset({("apps", "StatefulSet")})
_PARTS = [
    (re.compile(f"(.+){part}"), frozenset(type for type in _GENERATED if part in _GENERATED[type]))
    for part in dict.fromkeys(chain(*_GENERATED.values()))
]
_ENDS_RANDOM = re.compile(f"(.+)({_RANDOM})")
_ENDS_ORDINAL = re.compile(f"(.+)-{_NUMBER}")
_INDEXED = re.compile(f"(.+)-{_NUMBER}-")
# What is left of such a part, behind its dash, when the whole is cut.
_CUT_PARTS = {
    "Deployment": re.compile("[456789bcdf]{0,10}"),
    "Rollout": re.compile("[456789bcdf]{0,10}"),
    "DeploymentConfig": re.compile("[0-9]{0,10}"),
    "CronJob": re.compile("[0-9]{0,10}(?:-[0-9]{0,10})?"),
}
_NOTHING = re.compile("")
_LONGEST_POD = 253
_CUT = 58
"""Characters that are kept before the random ones
(`staging/src/k8s.io/apiserver/pkg/storage/names/generate.go`)."""
_LONGEST_PART = 24
"""Characters between the name and the random ones, at the most."""


class PodOwner(NamedTuple):
    """A workload whose pods may have been measured; its containers are empty if not known."""

    namespace: str
    group: str
    kind: str
    name: str
    running: frozenset[str]
    """The names of the containers and sidecars."""
    ended: frozenset[str]
    """The names of the init containers that end before the others start."""

    @property
    def label(self) -> str:
        """For messages: `Deployment shop/api`."""
        return f"{self.kind} {self.namespace}/{self.name}"

    @property
    def type(self) -> tuple[str, str]:
        """Group and kind."""
        return self.group, self.kind


def pod_owner(admitted: Admitted) -> PodOwner:
    """The workload, with the containers of its effective pods, as far as they are known."""
    obj = admitted.workload.object
    owner = PodOwner(admitted.namespace, obj.group, obj.kind, obj.name, frozenset(), frozenset())
    if admitted.effective is not None:
        pod = admitted.effective.pod
        sidecars = {each.name for each in pod.init_containers if each.type is ContainerType.SIDECAR}
        return owner._replace(
            running=frozenset({each.name for each in pod.containers} | sidecars),
            ended=frozenset(each.name for each in pod.init_containers) - sidecars,
        )
    return owner


class Owners:
    """The workloads of a cluster, found by the names of their pods."""

    def __init__(self, owners: Iterable[PodOwner]) -> None:
        """Index them once."""
        self.all = tuple(dict.fromkeys(owners))
        self._by_name: defaultdict[str, list[PodOwner]] = defaultdict(list)
        for owner in self.all:
            self._by_name[owner.name].append(owner)
        self._cut = [
            owner
            for owner in self.all
            if len(owner.name) > _CUT - _LONGEST_PART and owner.type in _GENERATED
        ]

    def of_workload(self, namespace: str | None, kind: str, name: str) -> list[PodOwner]:
        """The workloads of a kind and a name."""
        return [
            owner
            for owner in self._by_name.get(name, ())
            if owner.kind == kind and namespace in (None, owner.namespace)
        ]

    def of_pod(self, namespace: str | None, pod: str) -> list[PodOwner]:
        """The workloads that can have made a pod of the name.

        A Pod object of that name is the pod: there can be no other beside it.
        """
        found = dict.fromkeys(self._of_pod(pod))
        inside = [owner for owner in found if namespace in (None, owner.namespace)]
        themselves = {owner.namespace for owner in inside if owner.kind == POD}
        return [owner for owner in inside if owner.kind == POD or owner.namespace not in themselves]

    def _of_pod(self, pod: str) -> Iterator[PodOwner]:
        if len(pod) > _LONGEST_POD:
            return
        for owner in self._by_name.get(pod, ()):
            if owner.type == ("", POD):
                yield owner
        if match := _ENDS_ORDINAL.fullmatch(pod):
            for owner in self._by_name.get(match[1], ()):
                if owner.type in _ORDINAL:
                    yield owner
        if match := _ENDS_RANDOM.fullmatch(pod):
            yield from self._generated(match[1])

    def _generated(self, prefix: str) -> Iterator[PodOwner]:
        for pattern, types in _PARTS:
            match = pattern.fullmatch(prefix)
            for owner in self._by_name.get(match[1], ()) if match else ():
                if owner.type in types:
                    yield owner
        if len(prefix) == _CUT:
            yield from (owner for owner in self._cut if _was_cut(owner, prefix))


def _was_cut(owner: PodOwner, prefix: str) -> bool:
    """Whether the prefix is the start of what the pods of the owner are named by."""
    whole = f"{owner.name}-"
    if whole.startswith(prefix):
        return True
    index = _INDEXED.fullmatch(prefix)
    if index and owner.kind == "Job" and owner.name.startswith(index[1]):
        return True
    rest = prefix.removeprefix(whole)
    return rest != prefix and _CUT_PARTS.get(owner.kind, _NOTHING).fullmatch(rest) is not None

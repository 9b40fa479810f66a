"""QOS312: a PriorityClass is created after pods that need it, and the release waits for those."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qoslint.finding import Problem, Related
from qoslint.kernel.priority import KIND
from qoslint.model.effective import Admitted
from qoslint.model.judged import JudgedCluster
from qoslint.model.objects import KubeObject
from qoslint.model.priorities import stated_classes
from qoslint.model.wording import counted, some

_HELM_HOOK, _ARGO_HOOK = "helm.sh/hook", "argocd.argoproj.io/hook"
_HELM_WEIGHT, _ARGO_WAVE = "helm.sh/hook-weight", "argocd.argoproj.io/sync-wave"
# Hooks of other moments, such as an upgrade, do not run when the class is first created.
_PHASES = {"pre-install": -1, "PreSync": -1, "Sync": 0, "post-install": 1, "PostSync": 1}
_WAVE = re.compile(r"-?[0-9]{1,9}")


def check_cluster(judged: JudgedCluster) -> Iterator[Problem]:
    """One problem for each class that hooks or sync waves put behind a workload that names it."""
    users: dict[str, list[Admitted]] = {}
    for item in judged.admitted:
        if item.effective and item.effective.authored.priority_class_name:
            users.setdefault(item.effective.authored.priority_class_name, []).append(item)
    checked = frozenset(judged.cluster.objects)
    for record, obj in stated_classes(judged.cluster):
        created = _order(obj)
        if created is None or obj not in checked:
            continue
        early = [
            item
            for item in users.get(record.name, ())
            if (order := _order(item.workload.object)) and order < created
        ]
        if early:
            names = some((item.label for item in early), len(early))
            yield Problem(
                obj.at(("metadata", "name")),
                f"PriorityClass {record.name} is created after {counted(len(early), 'workload')} "
                f"that {'names' if len(early) == 1 else 'name'} it ({names}), by hooks or "
                "sync waves. Until it exists their pods are refused, and the release waits for "
                "them first.",
                related=(Related(early[0].workload.at(("priorityClassName",)), "named here"),),
                about=f"{KIND} {record.name}",
            )


def _order(obj: KubeObject) -> tuple[int, int] | None:
    """Phase and wave in which a first installation creates the object; None if it does not."""
    annotations = obj.annotations
    hooks = annotations.get(_ARGO_HOOK) or annotations.get(_HELM_HOOK, "")
    phases = [_PHASES[hook] for each in hooks.split(",") if (hook := each.strip()) in _PHASES]
    if hooks and not phases:
        return None
    wave = annotations.get(_ARGO_WAVE) or (annotations.get(_HELM_WEIGHT, "") if hooks else "")
    return min(phases, default=0), int(wave) if _WAVE.fullmatch(wave) else 0

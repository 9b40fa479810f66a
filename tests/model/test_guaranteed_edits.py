"""Every edit that is said to make a pod Guaranteed does, when it is made in the files."""

from __future__ import annotations

import copy
import json
import random

import pytest

from qoslint.kernel.qos import QOSClass
from qoslint.model.explain_guaranteed import proposals
from qoslint.plugins.load import shipped
from qoslint.settings.load import find, load
from qoslint.world import judge

NAMESPACES = 12
PODS = 240
NAMES = ("cpu", "memory", "ephemeral-storage")
AMOUNTS = {
    "cpu": ("0", "50m", "100m", "0.5", "1", "2"),
    "memory": ("0", "64Mi", "128Mi", "1500m", "1Gi", "1G"),
    "ephemeral-storage": ("0", "1Gi"),
}


@pytest.mark.parametrize("version", ["1.31", "1.33", "1.36", "1.37"])
def test_every_proposed_edit_makes_the_pod_guaranteed(tmp_path, version):
    choice = random.Random(version)
    scopes = [item for n in range(NAMESPACES) for item in some_scope(choice, f"n{n}")]
    pods = [a_pod(choice, number) for number in range(PODS)]
    improved, possible = [], 0
    for admitted, cluster in admitted_pods(tmp_path / "before", [*scopes, *pods], version):
        effective = admitted.effective
        if effective is None or effective.admitted is False:
            continue
        every = list(proposals(admitted.workload, effective, cluster.cluster))
        if effective.classes == (QOSClass.GUARANTEED,):
            assert every == []
            continue
        assert every
        possible += 1
        for proposal in every:
            if proposal.works:
                made = written(admitted.workload.object.data, proposal.edits)
                made["metadata"]["name"] = f"edit-{len(improved)}"
                improved.append(made)
            else:
                after = proposal.after
                assert after.refusals or len(after.effective.classes) > 1
    assert possible > PODS // 5
    assert len(improved) > possible
    became = {
        admitted.workload.object.name: admitted.effective
        for admitted, _ in admitted_pods(tmp_path / "after", [*scopes, *improved], version)
    }
    assert len(became) == len(improved)
    for effective in became.values():
        assert effective.admitted is not False
        assert effective.classes == (QOSClass.GUARANTEED,)


def admitted_pods(folder, items, version):
    """What becomes of the pods of a repository with these objects."""
    folder.mkdir()
    listed = {"apiVersion": "v1", "kind": "List", "items": items}
    (folder / "all.json").write_text(json.dumps(listed), "utf-8")
    settings = f'kubernetes: "{version}"\nclusters: [{{name: c, paths: [.]}}]\n'
    (folder / ".qoslint.yaml").write_text(settings, "utf-8")
    found = find([str(folder)])
    for cluster in judge(found.paths, load(found, shipped())).clusters:
        for admitted in cluster.admitted:
            yield admitted, cluster


def written(data, edits):
    """The pod as a person would write it after the advice, without the code under test."""
    data = copy.deepcopy(data)
    for path, value in edits:
        target = data["spec"]
        for step in path[:-1]:
            target = target[step] if isinstance(step, int) else target.setdefault(step, {})
        target[path[-1]] = value
    return data


def a_pod(choice, number):
    spec = {
        "containers": [a_container(choice, f"c{n}") for n in range(choice.randint(1, 3))],
        "initContainers": [
            a_container(choice, f"i{n}") for n in range(choice.choice((0, 0, 1, 2)))
        ],
    }
    for container in spec["initContainers"]:
        if choice.random() < 0.5:
            container["restartPolicy"] = "Always"
    if choice.random() < 0.25:
        spec["resources"] = some_resources(choice, ("cpu", "memory"))
    namespace = f"n{choice.randrange(NAMESPACES)}"
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": f"p{number}", "namespace": namespace},
        "spec": spec,
    }


def a_container(choice, name):
    container = {"name": name, "image": "i"}
    if choice.random() < 0.8:
        container["resources"] = some_resources(choice, NAMES)
    return container


def some_resources(choice, names):
    """Mostly requests that do not exceed their limits, so that many pods are admitted."""
    resources = {"requests": {}, "limits": {}}
    for name in names:
        if choice.random() < 0.6:
            request, limit = sorted(choice.choices(range(len(AMOUNTS[name])), k=2))
            if choice.random() < 0.7:
                resources["requests"][name] = AMOUNTS[name][request]
            if choice.random() < 0.7:
                resources["limits"][name] = AMOUNTS[name][limit]
    return {key: given for key, given in resources.items() if given or choice.random() < 0.2}


def some_scope(choice, namespace):
    """LimitRanges, some of which conflict or bound the pods, and a quota now and then."""
    for number in range(choice.choice((0, 0, 1, 2))):
        item = {"type": "Container"}
        if choice.random() < 0.7:
            item["default"] = {"cpu": choice.choice(("1", "2")), "memory": "1Gi"}
        if choice.random() < 0.5:
            item["defaultRequest"] = {choice.choice(("cpu", "memory")): "50m"}
        if choice.random() < 0.3:
            item["max"] = {"cpu": "2", "memory": "2Gi"}
        if choice.random() < 0.2:
            item["maxLimitRequestRatio"] = {"cpu": "4"}
        yield an_object("LimitRange", namespace, f"l{number}", {"limits": [item]})
    if choice.random() < 0.2:
        bounds = {"type": "Pod", "max": {"memory": "2Gi"}}
        yield an_object("LimitRange", namespace, "pods", {"limits": [bounds]})
    if choice.random() < 0.2:
        yield an_object("ResourceQuota", namespace, "quota", {"hard": {"requests.cpu": "2"}})


def an_object(kind, namespace, name, spec):
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata, "spec": spec}

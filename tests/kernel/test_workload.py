"""Workload objects, and the pods that their controllers would create, against Kubernetes' answers.

The comparison is that of `test_admission`.
"""

from __future__ import annotations

import pytest

from qoslint.kernel.admission import Stage, admit_object
from qoslint.kernel.defaults import default_template
from qoslint.kernel.validation.field import ROOT
from qoslint.kernel.warnings import pod_warnings
from qoslint.kernel.workload import decode_workload, template_of

from .test_admission import loaded_scope, object_answers, pod_answer, reconciled
from .test_raw_pod import lists

STAGES = {Stage.DECODE: "decode-workload", Stage.VALIDATION: "validation-workload"}


@pytest.mark.vectors("workload")
def test_workloads_and_their_pods_are_admitted_as_kubernetes_admits_them(vectors):
    vectors.check(lambda row: answer(row, vectors.features))


def answer(row, features):
    asked, workload = row["in"], row["in"]["object"]
    loaded = loaded_scope(asked, features)
    result = object_answers(asked, loaded)
    rejections = admit_object(workload, features)
    if rejections:
        texts = sorted(rejection.message for rejection in rejections)
        refused = {"accepted": False, "stage": STAGES[rejections[0].by], "errors": texts}
        if rejections[0].by is Stage.VALIDATION:
            refused |= {"workloadAccepted": False, **result}
        return reconciled(row, refused, features)
    template = template_of(decode_workload(workload))
    stored = default_template(template.spec, features)
    containers = [shown(container) for _, container in stored.containers_with_paths()]
    result |= {"workloadAccepted": True, "templateContainers": containers}
    if texts := sorted(w.message for w in pod_warnings(stored, ROOT.at((*template.path, "spec")))):
        result["workloadWarnings"] = texts
    got = result | pod_answer(row, template.spec, loaded.scope, ())
    return reconciled(row, got, features)


def shown(container):
    blocks = {key: block for key, block in lists(container.resources).items() if block}
    return {"name": container.name, **blocks}

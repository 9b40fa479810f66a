"""Objects out of any values in any place: nothing of it may crash the model."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from qoslint.model.cluster import assemble
from qoslint.model.clusterspec import ClusterSpec
from qoslint.model.inventory import Inventory
from qoslint.model.kinds import known_kinds, shipped_kinds
from qoslint.model.sought import sought
from qoslint.render.discovery import file_all
from qoslint.render.plain import read_text

KINDS = known_kinds(shipped_kinds())
KEYS = (
    "apiVersion", "kind", "metadata", "name", "namespace", "generateName", "labels", "annotations",
    "spec", "template", "jobTemplate", "containers", "initContainers", "resources", "limits",
    "replicas", "items", "objects", "value", "templates", "nodeSets", "podTemplate", "tasks",
    "trialTemplate", "trialSpec", "helm.sh/hook",
)  # fmt: skip
WORDS = (
    "v1", "apps/v1", "batch/v1", "scheduling.k8s.io/v1", "argoproj.io/v1alpha1", "kubeflow.org/v1",
    "template.openshift.io/v1", "Pod", "Deployment", "CronJob", "List", "PodList", "Template",
    "LimitRange", "ResourceQuota", "PriorityClass", "Namespace", "Experiment", "Rollout", "",
    "a", "${X}", "{{ x }}", "/", "a/b/c",
)  # fmt: skip
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = st.recursive(
    SCALARS | st.sampled_from(WORDS),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)
    ),
    max_leaves=20,
)
THINGS = st.fixed_dictionaries(
    {"apiVersion": st.sampled_from(WORDS), "kind": st.sampled_from(WORDS)},
    optional={key: VALUES for key in KEYS[2:] if key != "items"} | {"items": st.lists(VALUES)},
)


@settings(deadline=None)
@given(st.lists(THINGS | VALUES, min_size=1, max_size=6))
def test_any_values_in_any_place_make_clusters(things):
    text = "".join(f"---\n{json.dumps(thing)}\n" for thing in things)
    discovery = file_all([("a.yaml", read_text("a.yaml", text, sought(KINDS, ())))])
    inventory = Inventory(discovery, KINDS)
    for spec in (ClusterSpec(complete=False, declared=False), ClusterSpec(name="all")):
        clusters, _ = assemble([spec], inventory)
        for cluster in clusters:
            for workload in cluster.workloads:
                assert isinstance(workload.pod_labels, dict)
                assert cluster.qualified_name(workload.object).count("/") >= 1
                assert cluster.scope_of(workload.object) is cluster.scope_of(workload.object)
            assert all(each.errors for each in cluster.invalid())

"""Mutating policies in a repository: which pods they may change, and what is unknown then."""

from __future__ import annotations

import pytest

from qoslint.model.admitting import admit_cluster
from qoslint.model.clusterspec import ClusterSpec
from qoslint.model.policies import MOST_POLICIES

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: app, namespace: shop, labels: {app: shop}}
spec: {containers: [{name: app, image: i, resources: {limits: {cpu: 1, memory: 1Gi}}}]}
"""
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: app, namespace: shop}
spec:
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec: {containers: [{name: app, image: i, resources: {limits: {cpu: 1, memory: 1Gi}}}]}
"""
ALL = ["BestEffort", "Burstable", "Guaranteed"]


@pytest.fixture
def judged(repository):
    """Gives what becomes of the only workload beside a policy."""

    def judge(policy, workload=POD, namespace=""):
        repository.write("workload.yaml", workload)
        repository.write("policy.yaml", policy)
        repository.write(
            "namespace.yaml",
            f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: shop, labels: {{{namespace}}}}}\n",
        )
        clusters, _ = repository.assemble(ClusterSpec())
        (admitted,) = admit_cluster(clusters["default"])
        return admitted

    return judge


def classes(admitted):
    return list(map(str, admitted.effective.classes))


def acts(admitted):
    return bool(admitted.effective.injection.uncertain)


def kyverno(match, mutate, kind="ClusterPolicy", namespace=""):
    where = f", namespace: {namespace}" if namespace else ""
    return (
        f"apiVersion: kyverno.io/v1\nkind: {kind}\nmetadata: {{name: p{where}}}\n"
        f"spec: {{rules: [{{name: r, match: {match}, mutate: {mutate}}}]}}\n"
    )


PODS = "{any: [{resources: {kinds: [Pod]}}]}"
SETS = "{patchStrategicMerge: {spec: {containers: [{(name): '*', resources: {limits: {cpu: 1}}}]}}}"


def test_a_policy_that_sets_resources_leaves_class_and_admission_open(judged):
    admitted = judged(kyverno(PODS, SETS))
    assert classes(admitted) == ALL
    assert admitted.admitted is None
    assert admitted.unknowns == ("mutation by ClusterPolicy p",)
    (uncertain,) = admitted.effective.injection.uncertain
    assert uncertain.why == "its rule 'r' sets what decides about pods"
    assert uncertain.asked.cause.path == ("spec", "rules", 0, "mutate")


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        (PODS, True),
        ("{all: [{resources: {kinds: [v1/Pod]}}]}", True),
        ("{resources: {kinds: ['*']}}", True),
        ("{any: [{resources: {kinds: [Service]}}]}", False),
        ("{any: [{resources: {kinds: [Service]}}, {resources: {kinds: [Pod]}}]}", True),
        ("{all: [{resources: {kinds: [Pod], namespaces: [shop]}}]}", True),
        ("{any: [{resources: {kinds: [Pod], namespaces: ['sh*']}}]}", True),
        ("{any: [{resources: {kinds: [Pod], namespaces: ['sho?']}}]}", True),
        ("{any: [{resources: {kinds: [Pod], namespaces: ['[s]hop', 'sh', 'no?']}}]}", False),
        ("{any: [{resources: {kinds: [Pod], namespaces: [other]}}]}", False),
        ("{any: [{resources: {kinds: [Pod], selector: {matchLabels: {app: shop}}}}]}", True),
        ("{any: [{resources: {kinds: [Pod], selector: {matchLabels: {app: b}}}}]}", False),
        ("{any: [{resources: {kinds: [Pod], selector: {matchLabels: {app: 's*'}}}}]}", True),
        ("{any: [{resources: {kinds: [Pod], namespaceSelector: {matchLabels: {a: b}}}}]}", False),
        ("{any: [{resources: {kinds: [Pod], namespaceSelector: {matchLabels: {t: a}}}}]}", True),
        ("{any: [{resources: {kinds: [Pod], namespaceSelector: {matchLabels: {t: '?'}}}}]}", True),
        ("{}", False),
        ("[]", False),
    ],
)
def test_a_rule_of_kyverno_acts_upon_what_it_matches(match, expected, judged):
    assert acts(judged(kyverno(match, SETS), namespace="t: a")) is expected


def test_a_rule_for_the_workload_changes_its_pods(judged):
    match = "{any: [{resources: {kinds: [Deployment]}}]}"
    assert acts(judged(kyverno(match, SETS), DEPLOYMENT))
    assert not acts(judged(kyverno(match, SETS)))
    assert acts(judged(kyverno(PODS, SETS), DEPLOYMENT))


@pytest.mark.parametrize(
    ("mutate", "expected"),
    [
        ("{patchStrategicMerge: {spec: {priorityClassName: high}}}", True),
        ("{patchStrategicMerge: {spec: {+(runtimeClassName): kata}}}", True),
        ("{patchStrategicMerge: {metadata: {labels: {a: b}}}}", False),
        (
            "{patchStrategicMerge: {spec: {containers: [{(name): '*', imagePullPolicy: Always}]}}}",
            False,
        ),
        ("{patchStrategicMerge: {spec: {containers: [{(name): '*', image: a}]}}}", False),
        ("{patchStrategicMerge: {spec: {containers: [{name: side, image: a}]}}}", True),
        ("{patchStrategicMerge: {spec: {initContainers: [{name: a, image: b}]}}}", True),
        ("{patchesJson6902: '[{op: add, path: /spec/containers/-, value: {}}]'}", True),
        ("{patchesJson6902: '[{op: add, path: /spec/hostNetwork, value: true}]'}", False),
        ("{foreach: [{list: a, patchStrategicMerge: {spec: {overhead: {cpu: 1}}}}]}", True),
        ("{targets: [{kind: Secret}], patchStrategicMerge: {spec: {overhead: {cpu: 1}}}}", False),
    ],
)
def test_a_rule_counts_if_it_sets_what_decides(mutate, expected, judged):
    assert acts(judged(kyverno(PODS, mutate))) is expected


def test_a_policy_of_a_namespace_acts_there(judged):
    assert acts(judged(kyverno(PODS, SETS, "Policy", "shop")))
    assert not acts(judged(kyverno(PODS, SETS, "Policy", "other")))


def webhook(rules="{apiGroups: [''], resources: [pods], operations: [CREATE]}", more="", name="w"):
    return (
        "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\n"
        f"metadata: {{name: hooks}}\nwebhooks: [{{name: {name}, rules: [{rules}]{more}}}]\n"
    )


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("{apiGroups: [''], resources: [pods], operations: [CREATE]}", True),
        ("{apiGroups: ['*'], resources: ['*'], operations: ['*']}", True),
        ("{apiGroups: [apps], resources: [pods], operations: [CREATE]}", False),
        ("{apiGroups: [''], resources: [services], operations: [CREATE]}", False),
        ("{apiGroups: [''], resources: [pods], operations: [DELETE]}", False),
        ("{apiGroups: [''], resources: [pods/eviction], operations: [CREATE]}", False),
        ("5", False),
    ],
)
def test_a_webhook_acts_if_it_is_called_for_new_pods(rules, expected, judged):
    assert acts(judged(webhook(rules))) is expected


@pytest.mark.parametrize(
    ("selectors", "expected"),
    [
        ("objectSelector: {matchLabels: {app: shop}}", True),
        ("objectSelector: {matchLabels: {app: b}}", False),
        ("objectSelector: {matchExpressions: [{key: app, operator: Exists}]}", True),
        ("objectSelector: {matchExpressions: [{key: app, operator: DoesNotExist}]}", False),
        (
            "objectSelector: {matchExpressions: [{key: app, operator: NotIn, values: [shop]}]}",
            False,
        ),
        ("objectSelector: {matchExpressions: [{key: app, operator: Odd}]}", True),
        ("namespaceSelector: {matchLabels: {t: a}}", True),
        ("namespaceSelector: {matchLabels: {t: b}}", False),
        ("namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shop}}", True),
        (
            "namespaceSelector: {matchExpressions: "
            "[{key: kubernetes.io/metadata.name, operator: NotIn, values: [shop]}]}",
            False,
        ),
    ],
)
def test_its_selectors_are_asked(selectors, expected, judged):
    assert acts(judged(webhook(more=f", {selectors}"), namespace="t: a")) is expected


@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("matchLabels: {t: a}", False),
        ("matchExpressions: [{key: t, operator: Exists}]", False),
        ("matchExpressions: [{key: t, operator: NotIn, values: [a]}]", True),
        ("matchExpressions: [{key: t, operator: DoesNotExist}]", True),
    ],
)
def test_a_namespace_that_is_not_there_has_no_label_but_its_name_and_a_notice_says_so(
    selector, expected, complete, repository
):
    repository.write("workload.yaml", POD)
    repository.write("policy.yaml", webhook(more=f", namespaceSelector: {{{selector}}}"))
    clusters, (notice,) = repository.assemble(ClusterSpec(complete=complete))
    (admitted,) = admit_cluster(clusters["default"])
    assert acts(admitted) is expected
    assert notice.message == (
        "Labels or annotations of namespaces decide which pods are changed by "
        "MutatingWebhookConfiguration hooks. No object of Namespace shop is in cluster default: "
        "such a namespace is taken to have no annotations, and no label but its name."
    )


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("{}", True),
        ("{matchLabels: {kubernetes.io/metadata.name: shop}}", True),
        ("{matchLabels: {kubernetes.io/metadata.name: other}}", False),
    ],
)
def test_the_name_of_a_namespace_that_is_not_there_is_known(selector, expected, repository):
    more = f", namespaceSelector: {selector}"
    repository.write("workload.yaml", POD)
    repository.write("policy.yaml", webhook(more=more))
    clusters, notices = repository.assemble(ClusterSpec())
    (admitted,) = admit_cluster(clusters["default"])
    assert acts(admitted) is expected
    assert not notices


@pytest.mark.parametrize(
    "policy",
    [
        kyverno(
            "{any: [{resources: {kinds: [Pod], namespaceSelector: {matchLabels: {t: a}}}}]}", SETS
        ),
        "apiVersion: apps.kruise.io/v1alpha1\nkind: SidecarSet\nmetadata: {name: p}\nspec:\n"
        "  namespaceSelector: {matchLabels: {t: a}}\n  containers: [{name: side}]\n",
    ],
)
def test_every_policy_that_asks_for_labels_of_namespaces_is_in_the_notice(policy, repository):
    repository.write("workload.yaml", POD)
    repository.write("policy.yaml", policy)
    _, (notice,) = repository.assemble(ClusterSpec())
    assert " by ClusterPolicy p. No" in notice.message or " by SidecarSet p. No" in notice.message


def test_the_webhook_of_an_injector_that_is_known_is_no_policy(judged):
    assert not acts(judged(webhook(name="rev.namespace.sidecar-injector.istio.io")))


def test_an_admission_policy_acts_upon_what_it_matches(judged):
    text = (
        "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\n"
        "metadata: {name: p}\nspec:\n  matchConstraints:\n    resourceRules:\n"
        "    - {apiGroups: [''], apiVersions: [v1], resources: [pods], operations: [CREATE]}\n"
    )
    assert classes(judged(text)) == ALL
    assert not acts(judged(text.replace("[pods]", "[services]")))


@pytest.mark.parametrize(
    ("head", "containers"),
    [
        ("apiVersion: kubeflow.org/v1alpha1\nkind: PodDefault", "sidecars"),
        ("apiVersion: apps.kruise.io/v1alpha1\nkind: SidecarSet", "containers"),
    ],
)
def test_what_only_adds_containers_leaves_a_smaller_range(head, containers, judged):
    text = (
        f"{head}\nmetadata: {{name: p, namespace: shop}}\n"
        "spec:\n  selector: {matchLabels: {app: shop}}\n"
        f"  {containers}: [{{name: side, image: i, resources: {{}}}}]\n"
    )
    admitted = judged(text)
    assert classes(admitted) == ["Burstable", "Guaranteed"]
    assert admitted.admitted is True
    bare = judged(text.replace(", resources: {}", ""))
    assert classes(bare) == classes(admitted)
    assert not acts(judged(text.replace("app: shop", "app: b")))
    assert not acts(judged(text.replace(f"{containers}: [", f"{containers}: [] # [")))


def test_a_refusal_that_a_policy_may_prevent_says_so(judged):
    pod = POD.replace("limits: {cpu: 1, memory: 1Gi}", "limits: {cpu: 1}, requests: {cpu: 2}")
    admitted = judged(kyverno(PODS, SETS), pod)
    assert admitted.admitted is None
    assert admitted.refusals[0].message.endswith(", unless ClusterPolicy p changes the pod")


def test_of_very_many_policies_the_last_are_one(judged):
    policy = kyverno(PODS, SETS)
    many = "---\n".join(policy.replace("name: p", f"name: p{n}") for n in range(MOST_POLICIES + 50))
    found = judged(many).effective.injection.uncertain
    assert len(found) == MOST_POLICIES + 1
    assert found[-1].by == f"ClusterPolicy p{MOST_POLICIES} and 49 more policies"


def test_a_mutation_that_is_nested_without_end_counts(judged):
    deep = "{a: " * 60 + "1" + "}" * 60
    assert acts(judged(kyverno(PODS, f"{{patchStrategicMerge: {deep}}}")))


@pytest.mark.parametrize("kind", ["ClusterPolicy", "Policy"])
@pytest.mark.parametrize(
    "spec", ["1", "[]", "{rules: 1}", "{rules: [1, {mutate: 1}, {match: []}]}"]
)
def test_a_policy_of_another_form_says_nothing(kind, spec, judged):
    text = f"apiVersion: kyverno.io/v1\nkind: {kind}\nmetadata: {{name: resources}}\nspec: {spec}\n"
    assert not acts(judged(text))

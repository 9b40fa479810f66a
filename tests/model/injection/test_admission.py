"""What is unknown of injection, and what admission makes of injected containers."""

from __future__ import annotations

from qoslint.kernel.pod import ContainerType
from qoslint.model.admitting import admit_cluster
from qoslint.model.clusterspec import ClusterSpec

from .conftest import (
    BOTH,
    INJECTORS,
    asking,
    classes,
    containers,
)


class TestUnknownNamespace:
    def test_in_a_complete_cluster_it_asks_for_nothing_and_a_notice_says_so(self, pod, repository):
        pod()
        spec = ClusterSpec(injectors=(INJECTORS["istio"],))
        clusters, notices = repository.assemble(spec)
        (admitted,) = admit_cluster(clusters["default"])
        assert classes(admitted) == ["Guaranteed"]
        assert ["Namespace shop" in notice.message for notice in notices] == [True]

    def test_in_an_incomplete_cluster_its_labels_are_not_known(self, pod, namespace, judged):
        pod()
        assert classes(judged("istio", complete=False)) == BOTH
        namespace()
        assert classes(judged("istio", complete=False)) == ["Guaranteed"]

    def test_a_pod_that_refuses_is_left_alone_all_the_same(self, pod, judged):
        pod(labels="sidecar.istio.io/inject: 'false'")
        assert classes(judged("istio", complete=False)) == ["Guaranteed"]
        pod(annotations="linkerd.io/inject: disabled")
        assert classes(judged("linkerd", complete=False)) == ["Guaranteed"]


class TestAdmission:
    def test_what_more_containers_can_break_leaves_admission_open(self, pod, repository, judged):
        pod(**asking("istio"))
        assert judged().admitted is True
        repository.write(
            "limits.yaml",
            "apiVersion: v1\nkind: LimitRange\nmetadata: {name: caps, namespace: shop}\n"
            "spec: {limits: [{type: Pod, max: {cpu: 2}}]}\n",
        )
        assert judged().admitted is None
        assert judged("istio").admitted is False

    def test_a_pod_that_is_burstable_stays_it(self, pod, judged):
        pod(**asking("istio"), resources="resources: {requests: {cpu: 1}}")
        assert classes(judged()) == ["Burstable"]

    def test_a_best_effort_pod_may_become_burstable(self, pod, judged):
        pod(**asking("istio"), resources="ports: []")
        assert classes(judged()) == ["BestEffort", "Burstable"]

    def test_the_reason_of_a_refusal_names_the_container(self, pod, repository, judged):
        pod(**asking("istio"))
        repository.write(
            "limits.yaml",
            "apiVersion: v1\nkind: LimitRange\nmetadata: {name: caps, namespace: shop}\n"
            "spec: {limits: [{type: Container, max: {cpu: 1}}]}\n",
        )
        refusals = judged("istio").refusals
        assert [refusal.injected for refusal in refusals] == ["istio-init", "istio-proxy"]
        assert {refusal.path for refusal in refusals} == {
            ("spec", "initContainers"),
            ("spec", "containers"),
        }

    def test_several_injectors_act_in_their_order(self, pod, judged):
        pod(
            labels="sidecar.istio.io/inject: 'true'",
            annotations="dapr.io/enabled: 'true'",
        )
        assert [name for _, name in containers(judged("istio", "dapr"))][1:] == [
            "app",
            "istio-proxy",
            "daprd",
        ]
        assert [name for _, name in containers(judged("dapr", "istio"))][1:] == [
            "app",
            "daprd",
            "istio-proxy",
        ]

    def test_a_static_pod_passes_no_webhook(self, pod, judged):
        pod(**asking("istio", "kubernetes.io/config.source: file"))
        assert not judged("istio").effective.injected

    def test_a_template_of_a_workload_is_injected_as_a_pod_is(self, repository, deployment, judged):
        text = deployment(namespace="shop").replace(
            "metadata: {labels: {app: api}}",
            "metadata: {labels: {app: api, sidecar.istio.io/inject: 'true'}}",
        )
        repository.write("deployment.yaml", text)
        admitted = judged("istio")
        assert ContainerType.INIT in {c.type for c in admitted.effective.pod.init_containers}

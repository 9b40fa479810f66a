"""Linkerd, Vault, Dapr, Datadog and OpenTelemetry: what each injects where."""

from __future__ import annotations

import pytest

from .conftest import (
    BOTH,
    asking,
    classes,
    containers,
    sized,
)


class TestLinkerd:
    @pytest.mark.parametrize(
        ("of_pod", "of_namespace", "injected"),
        [
            ("enabled", "", True),
            ("ingress", "", True),
            ("disabled", "enabled", False),
            ("", "enabled", True),
            ("enabled", "disabled", True),
            ("", "disabled", False),
            ("enabled", "typo", False),
            ("typo", "enabled", False),
            ("", "", False),
        ],
    )
    def test_the_pod_counts_before_its_namespace(
        self, of_pod, of_namespace, injected, pod, namespace, judged
    ):
        pod(annotations=f"linkerd.io/inject: {of_pod}" if of_pod else "")
        namespace(annotations=f"linkerd.io/inject: {of_namespace}" if of_namespace else "")
        assert bool(judged("linkerd").effective.injected) is injected

    def test_sizes_are_inherited_from_the_namespace(self, pod, namespace, judged):
        pod(annotations="linkerd.io/inject: enabled")
        namespace(annotations=", ".join(sized("linkerd")))
        assert classes(judged("linkerd")) == ["Guaranteed"]

    def test_what_is_no_quantity_is_ignored(self, pod, judged):
        pod(**asking("linkerd", "config.linkerd.io/proxy-cpu-request: much"))
        admitted = judged("linkerd")
        assert classes(admitted) == ["Burstable"]
        assert admitted.effective.injection.uncertain == ()

    def test_an_annotation_chooses_the_mode(self, pod, judged):
        native = [("init", "linkerd-init"), ("sidecar", "linkerd-proxy"), ("container", "app")]
        pod(**asking("linkerd"))
        assert containers(judged("linkerd")) == native
        pod(**asking("linkerd", "config.linkerd.io/proxy-enable-native-sidecar: 'false'"))
        assert containers(judged("linkerd")) == [
            ("init", "linkerd-init"),
            ("container", "linkerd-proxy"),
            ("container", "app"),
        ]

    def test_the_debug_container_keeps_the_pod_from_being_guaranteed(self, pod, judged):
        debug = "config.linkerd.io/enable-debug-sidecar: 'true'"
        pod(**asking("linkerd", *sized("linkerd"), debug))
        assert classes(judged("linkerd")) == ["Burstable"]


class TestVault:
    def test_containers_and_their_order(self, pod, judged):
        spec = "initContainers: [{name: own, image: i, resources: {limits: {cpu: 1, memory: 1Gi}}}]"
        pod(**asking("vault-agent"), spec=spec)
        assert [name for _, name in containers(judged("vault-agent"))] == [
            "own",
            "vault-agent-init",
            "app",
            "vault-agent",
        ]
        pod(**asking("vault-agent", "vault.hashicorp.com/agent-init-first: 'true'"), spec=spec)
        assert containers(judged("vault-agent"))[0] == ("init", "vault-agent-init")

    def test_an_init_container_alone(self, pod, judged):
        pod(**asking("vault-agent", "vault.hashicorp.com/agent-pre-populate-only: 'true'"))
        assert containers(judged("vault-agent")) == [
            ("init", "vault-agent-init"),
            ("container", "app"),
        ]

    def test_each_annotation_replaces_one_value_and_an_empty_one_takes_it_away(self, pod, judged):
        pod(**asking("vault-agent", "vault.hashicorp.com/agent-limits-cpu: ''"))
        resources = judged("vault-agent").effective.pod.containers[-1].resources
        assert list(resources.limits) == ["memory"]
        assert {key: str(each) for key, each in resources.requests.items()} == {
            "cpu": "250m",
            "memory": "64Mi",
        }

    def test_a_patch_of_the_container_is_not_known(self, pod, judged):
        pod(**asking("vault-agent", "vault.hashicorp.com/agent-json-patch: '[]'"))
        assert classes(judged("vault-agent")) == BOTH


class TestDapr:
    def test_a_native_sidecar_on_request(self, pod, judged):
        pod(**asking("dapr", "dapr.io/enable-native-sidecar: 'true'"))
        assert containers(judged("dapr")) == [("sidecar", "daprd"), ("container", "app")]

    def test_a_pod_that_has_the_sidecar_gets_no_second(self, pod, judged):
        pod(**asking("dapr"), spec="initContainers: [{name: daprd, image: i}]")
        assert not judged("dapr").effective.injected

    def test_pluggable_components_are_not_known(self, pod, judged):
        pod(**asking("dapr", *sized("dapr"), "dapr.io/inject-pluggable-components: 'true'"))
        assert classes(judged("dapr")) == BOTH


class TestDatadog:
    def test_the_agent_is_of_equal_requests_and_limits(self, pod, judged):
        pod(labels="agent.datadoghq.com/sidecar: fargate")
        admitted = judged("datadog")
        assert containers(admitted) == [
            ("container", "app"),
            ("container", "datadog-agent-injected"),
        ]
        assert classes(admitted) == ["Guaranteed"]
        assert classes(judged()) == BOTH

    def test_how_a_library_comes_in_is_not_known(self, pod, judged):
        asked = "admission.datadoghq.com/java-lib.version: v1"
        pod(labels="admission.datadoghq.com/enabled: 'true'", annotations=asked)
        assert classes(judged("datadog")) == BOTH
        pod(labels="admission.datadoghq.com/enabled: 'false'", annotations=asked)
        assert classes(judged("datadog")) == ["Guaranteed"]


COLLECTOR = """\
apiVersion: opentelemetry.io/v1beta1
kind: OpenTelemetryCollector
metadata: {name: side, namespace: shop}
spec: {mode: sidecar, resources: {limits: {cpu: 100m, memory: 64Mi}}}
"""
INSTRUMENTATION = """\
apiVersion: opentelemetry.io/v1alpha1
kind: Instrumentation
metadata: {name: tracing, namespace: shop}
spec: {java: {resources: <R>}}
"""


class TestOpenTelemetry:
    @pytest.mark.parametrize("value", ["'true'", "side", "shop/side"])
    def test_the_sidecar_has_the_size_of_its_collector(self, value, pod, repository, judged):
        pod(annotations=f"sidecar.opentelemetry.io/inject: {value}")
        repository.write("collector.yaml", COLLECTOR)
        admitted = judged("opentelemetry")
        assert containers(admitted) == [("sidecar", "otc-container"), ("container", "app")]
        assert classes(admitted) == ["Guaranteed"]

    @pytest.mark.parametrize(
        ("value", "namespace", "mode"),
        [("other", "shop", "sidecar"), ("'true'", "b", "sidecar"), ("'true'", "shop", "daemonset")],
    )
    def test_without_its_collector_the_size_is_not_known(
        self, value, namespace, mode, pod, repository, judged
    ):
        pod(annotations=f"sidecar.opentelemetry.io/inject: {value}")
        text = COLLECTOR.replace("namespace: shop", f"namespace: {namespace}")
        repository.write("collector.yaml", text.replace("mode: sidecar", f"mode: {mode}"))
        assert classes(judged("opentelemetry")) == BOTH

    @pytest.mark.parametrize(
        ("resources", "expected"),
        [
            ("{}", ["Burstable"]),
            ("{limits: {cpu: 50m, memory: 64Mi}}", ["Guaranteed"]),
            ("{requests: {cpu: 500m, memory: 256Mi}}", ["Guaranteed"]),
            ("{limits: {cpu: 50m}}", ["Burstable"]),
        ],
    )
    def test_lists_of_an_instrumentation_replace_the_default_as_a_whole(
        self, resources, expected, pod, repository, judged
    ):
        pod(annotations="instrumentation.opentelemetry.io/inject-java: 'true'")
        repository.write("inst.yaml", INSTRUMENTATION.replace("<R>", resources))
        admitted = judged("opentelemetry")
        assert containers(admitted)[0] == ("init", "opentelemetry-auto-instrumentation-java")
        assert classes(admitted) == expected

    @pytest.mark.parametrize("value", ["'false'", "''"])
    def test_it_can_be_refused(self, value, pod, namespace, judged):
        pod(annotations=f"sidecar.opentelemetry.io/inject: {value}")
        namespace()
        assert classes(judged("opentelemetry")) == ["Guaranteed"]

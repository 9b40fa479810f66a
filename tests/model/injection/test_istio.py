"""Istio: what it injects where, and the values of the mesh in the repository."""

from __future__ import annotations

import pytest

from .conftest import (
    BOTH,
    ISTIO,
    asking,
    classes,
    containers,
    sized,
)

OLD_ISTIO = {
    "name": "istio-1.7",
    "product": "Istio",
    "selection": [{"inject": True, "labels": ["sidecar.istio.io/inject=true"]}],
    "containers": [
        {
            "name": "istio-init",
            "in": "initContainers",
            "resources": {
                "requests": {"cpu": "10m", "memory": "40Mi"},
                "limits": {"cpu": "2", "memory": "1Gi"},
            },
        },
        {
            "name": "istio-proxy",
            "in": "containers",
            "drops": "all",
            "annotations": {
                key: f"{owner}.{resource}"
                for resource, keys in ISTIO.items()
                for owner, key in zip(("requests", "limits"), keys, strict=True)
            },
        },
    ],
}


class TestIncident:
    """istio/istio#16126: the proxy's annotations did not reach the init container."""

    def test_an_init_container_of_a_size_of_its_own_breaks_the_class(self, pod, judged):
        pod(**asking("istio", *sized("istio")))
        assert classes(judged(OLD_ISTIO)) == ["Burstable"]

    def test_with_the_network_plugin_there_is_none(self, pod, judged):
        pod(**asking("istio", *sized("istio")))
        without = {**OLD_ISTIO, "containers": OLD_ISTIO["containers"][1:]}
        assert classes(judged(without)) == ["Guaranteed"]

    def test_without_a_profile_the_class_is_a_range(self, pod, judged):
        pod(**asking("istio", *sized("istio")))
        assert classes(judged()) == BOTH


class TestIstio:
    def test_one_annotation_drops_all_default_sizes(self, pod, judged):
        pod(**asking("istio", "sidecar.istio.io/proxyCPU: 200m"))
        proxy = judged("istio").effective.pod.containers[-1]
        assert dict(proxy.resources.limits) == {}
        assert {key: str(each) for key, each in proxy.resources.requests.items()} == {"cpu": "200m"}

    @pytest.mark.parametrize(
        ("name", "annotation", "expected"),
        [
            (
                "istio",
                "",
                [("init", "istio-init"), ("container", "app"), ("container", "istio-proxy")],
            ),
            (
                "istio",
                "sidecar.istio.io/nativeSidecar: 'true'",
                [("init", "istio-init"), ("sidecar", "istio-proxy"), ("container", "app")],
            ),
            (
                "istio-native",
                "",
                [("init", "istio-init"), ("sidecar", "istio-proxy"), ("container", "app")],
            ),
            (
                "istio-native",
                "sidecar.istio.io/nativeSidecar: 'false'",
                [("init", "istio-init"), ("container", "app"), ("container", "istio-proxy")],
            ),
        ],
    )
    def test_the_annotation_chooses_the_mode(self, name, annotation, expected, pod, judged):
        pod(**asking(name, *filter(None, [annotation])))
        assert containers(judged(name)) == expected

    @pytest.mark.parametrize(
        ("pod_label", "namespace_label", "injected"),
        [
            ("", "istio-injection: enabled", True),
            ("sidecar.istio.io/inject: 'false'", "istio-injection: enabled", False),
            ("", "istio-injection: disabled", False),
            ("sidecar.istio.io/inject: 'true'", "istio-injection: disabled", False),
            ("sidecar.istio.io/inject: 'true'", "", True),
            ("", "istio.io/rev: stable", True),
            ("sidecar.istio.io/inject: 'false'", "istio.io/rev: stable", False),
            ("istio.io/rev: stable", "", True),
            ("istio.io/rev: stable", "istio-injection: disabled", False),
            ("", "", False),
        ],
    )
    def test_labels_of_pod_and_namespace_decide(
        self, pod_label, namespace_label, injected, pod, namespace, judged
    ):
        pod(labels=pod_label)
        namespace(namespace_label)
        assert bool(judged("istio").effective.injected) is injected

    def test_the_label_counts_before_the_annotation(self, pod, namespace, judged):
        namespace("istio-injection: enabled")
        refusing = "sidecar.istio.io/inject: 'false'"
        pod(annotations=refusing)
        assert not judged("istio").effective.injected
        pod(labels="sidecar.istio.io/inject: 'true'", annotations=refusing)
        assert judged("istio").effective.injected

    def test_a_pod_in_the_network_of_its_node_is_left_alone(self, pod, judged):
        pod(**asking("istio"), spec="hostNetwork: true")
        assert not judged("istio").effective.injected

    def test_a_container_of_the_manifest_overrides_the_template(self, pod, repository, judged):
        pod(**asking("istio"))
        text = (repository.root / "pod.yaml").read_text()
        own = "  - {name: istio-proxy, image: auto, resources: {limits: {cpu: 3}}}\n"
        (repository.root / "pod.yaml").write_text(text + own)
        proxy = judged("istio").effective.pod.containers[-1]
        assert (proxy.name, str(proxy.resources.limits["cpu"])) == ("istio-proxy", "3")
        assert str(proxy.resources.limits["memory"]) == "1Gi"

    def test_templates_of_the_mesh_are_not_known(self, pod, judged):
        pod(**asking("istio", "inject.istio.io/templates: custom"))
        assert classes(judged("istio")) == BOTH
        pod(**asking("istio", "inject.istio.io/templates: sidecar"))
        assert classes(judged("istio")) == ["Burstable"]

    def test_an_annotation_that_is_no_quantity_leaves_the_answer_open(self, pod, judged):
        pod(**asking("istio", "sidecar.istio.io/proxyCPU: much"))
        (uncertain,) = judged("istio").effective.injection.uncertain
        assert uncertain.why == "annotation sidecar.istio.io/proxyCPU is no quantity"

    def test_the_other_mode_answers_for_the_product(self, pod, judged):
        pod(**asking("istio"))
        assert judged("istio-native").effective.injection.uncertain == ()


OPERATOR = """\
apiVersion: install.istio.io/v1alpha1
kind: IstioOperator
metadata: {name: mesh, namespace: istio-system}
spec:
  values:
    global:
      proxy:
        resources:
          requests: {cpu: 300m, memory: 256Mi}
          limits: {cpu: 300m, memory: 256Mi}
"""


class TestValuesOfTheMesh:
    @pytest.mark.parametrize(
        "text",
        [
            OPERATOR,
            OPERATOR.replace("install.istio.io/v1alpha1", "sailoperator.io/v1").replace(
                "IstioOperator", "Istio"
            ),
            OPERATOR.replace("install.istio.io/v1alpha1", "helm.toolkit.fluxcd.io/v2")
            .replace("IstioOperator", "HelmRelease")
            .replace("spec:\n", "spec:\n  chart: {spec: {chart: istiod}}\n"),
        ],
    )
    def test_they_win_over_the_default(self, text, pod, repository, judged):
        pod(**asking("istio"))
        repository.write("mesh.yaml", text)
        admitted = judged("istio")
        assert classes(admitted) == ["Guaranteed"]
        assert str(admitted.effective.pod.containers[-1].resources.limits["cpu"]) == "300m"

    def test_a_value_alone_leaves_the_other_defaults(self, pod, repository, judged):
        pod(**asking("istio"))
        one = OPERATOR.replace("requests: {cpu: 300m, memory: 256Mi}", "requests: {memory: 256Mi}")
        repository.write(
            "mesh.yaml", one.replace("limits: {cpu: 300m, memory: 256Mi}", "limits: {cpu: null}")
        )
        resources = judged("istio").effective.pod.containers[-1].resources
        assert {key: str(each) for key, each in resources.requests.items()} == {
            "cpu": "100m",
            "memory": "256Mi",
        }
        assert list(resources.limits) == ["memory"]

    def test_annotations_win_over_them(self, pod, repository, judged):
        pod(**asking("istio", "sidecar.istio.io/proxyCPU: 200m"))
        repository.write("mesh.yaml", OPERATOR)
        resources = judged("istio").effective.pod.containers[-1].resources
        assert (len(resources.requests), len(resources.limits)) == (1, 0)

    def test_two_that_disagree_leave_the_answer_open(self, pod, repository, judged):
        pod(**asking("istio"))
        repository.write("mesh.yaml", OPERATOR)
        repository.write(
            "other.yaml", OPERATOR.replace("name: mesh", "name: b").replace("300m", "1")
        )
        (uncertain,) = judged("istio").effective.injection.uncertain
        assert uncertain.why == "IstioOperator mesh and b give it different sizes"

    def test_a_release_of_another_chart_says_nothing(self, pod, repository, judged):
        pod(**asking("istio"))
        release = OPERATOR.replace("install.istio.io/v1alpha1", "helm.toolkit.fluxcd.io/v2")
        repository.write("mesh.yaml", release.replace("IstioOperator", "HelmRelease"))
        assert classes(judged("istio")) == ["Burstable"]

    @pytest.mark.parametrize("value", ["[]", "{limits: 1}", "{limits: [a]}", "text"])
    def test_values_of_another_form_say_nothing(self, value, pod, repository, judged):
        pod(**asking("istio"))
        start = OPERATOR.index("resources:")
        repository.write("mesh.yaml", f"{OPERATOR[:start]}resources: {value}\n")
        assert classes(judged("istio")) == ["Burstable"]

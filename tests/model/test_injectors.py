"""Injection in a repository: every shipped injector, what it needs to be told, what is unknown."""

from __future__ import annotations

from importlib.resources import files

import pytest

from qoslint.kernel.pod import ContainerType
from qoslint.model.clusterspec import ClusterSpec
from qoslint.model.effective import admit_cluster
from qoslint.model.injection import HINTS
from qoslint.model.injector import known_injectors, read_injector
from qoslint.schema import check
from qoslint.source.document import load

PAGES = sorted((files("qoslint") / "data" / "injectors").iterdir(), key=lambda page: page.name)
INJECTORS = known_injectors()
BOTH = ["Burstable", "Guaranteed"]
EQUAL = "resources: {limits: {cpu: 1, memory: 1Gi}}"

ISTIO = {
    "cpu": ("sidecar.istio.io/proxyCPU", "sidecar.istio.io/proxyCPULimit"),
    "memory": ("sidecar.istio.io/proxyMemory", "sidecar.istio.io/proxyMemoryLimit"),
}
LINKERD = {
    name: (f"config.linkerd.io/proxy-{name}-request", f"config.linkerd.io/proxy-{name}-limit")
    for name in ("cpu", "memory")
}
VAULT = {
    name: (
        f"vault.hashicorp.com/agent-requests-{short}",
        f"vault.hashicorp.com/agent-limits-{short}",
    )
    for name, short in (("cpu", "cpu"), ("memory", "mem"))
}
DAPR = {
    name: (f"dapr.io/sidecar-{name}-request", f"dapr.io/sidecar-{name}-limit")
    for name in ("cpu", "memory")
}

# By name: a label or annotation that asks, annotations of sizes, and one that leaves out the init
# container where there is such a thing.
ASKING = {
    "istio": ("labels", "sidecar.istio.io/inject: 'true'", ISTIO),
    "istio-native": ("labels", "sidecar.istio.io/inject: 'true'", ISTIO),
    "linkerd": ("annotations", "linkerd.io/inject: enabled", LINKERD),
    "vault-agent": ("annotations", "vault.hashicorp.com/agent-inject: 'true'", VAULT),
    "dapr": ("annotations", "dapr.io/enabled: 'true'", DAPR),
}
WITHOUT_INIT = {
    "istio": "sidecar.istio.io/interceptionMode: NONE",
    "istio-native": "sidecar.istio.io/interceptionMode: NONE",
    "vault-agent": "vault.hashicorp.com/agent-pre-populate: 'false'",
}


class TestProfiles:
    @pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
    def test_a_page_follows_its_schema_and_is_named_after_its_injector(self, page):
        profile = load(page.read_text("utf-8"))
        assert list(check(profile, "injector")) == []
        assert page.name == f"{profile['name']}.yaml"
        assert profile["sources"]
        assert profile["versions"]

    def test_the_shipped_injectors_are_those_that_the_documentation_names(self):
        assert set(INJECTORS) == {
            *ASKING,
            "datadog",
            "opentelemetry",
        }

    @pytest.mark.parametrize("name", INJECTORS)
    def test_whatever_asks_for_a_shipped_injector_is_noticed_without_reading_profiles(self, name):
        for rule in INJECTORS[name].selection:
            if rule.inject:
                condition = rule.condition
                tests = (
                    *condition.labels,
                    *condition.annotations,
                    *condition.namespace_labels,
                    *condition.namespace_annotations,
                )
                assert any(hint in test.key for test in tests for hint in HINTS)

    def test_an_own_profile_counts_instead_of_the_shipped_one_of_its_name(self):
        own = {"name": "istio", "selection": [{"inject": True}], "containers": []}
        assert known_injectors([own])["istio"].containers == ()
        assert known_injectors([own])["linkerd"] is INJECTORS["linkerd"]


@pytest.fixture
def judged(repository):
    """Gives what becomes of the only workload of a repository with the injectors."""

    def judge(*injectors, complete=True):
        chosen = tuple(
            INJECTORS[each] if isinstance(each, str) else read_injector(each) for each in injectors
        )
        spec = ClusterSpec(injectors=chosen, complete=complete)
        clusters, _ = repository.assemble(spec)
        (admitted,) = admit_cluster(clusters["default"])
        return admitted

    return judge


@pytest.fixture
def pod(repository):
    """Writes a pod whose own container is Guaranteed."""

    def write(labels="", annotations="", spec="", namespace="shop", resources=EQUAL):
        repository.write(
            "pod.yaml",
            f"apiVersion: v1\nkind: Pod\nmetadata:\n  name: app\n  namespace: {namespace}\n"
            f"  labels: {{{labels}}}\n  annotations: {{{annotations}}}\n"
            f"spec:\n  {spec or 'restartPolicy: Always'}\n"
            f"  containers:\n  - {{name: app, image: i, {resources}}}\n",
        )

    return write


@pytest.fixture
def namespace(repository):
    def write(labels="", annotations=""):
        repository.write(
            "namespace.yaml",
            "apiVersion: v1\nkind: Namespace\n"
            f"metadata: {{name: shop, labels: {{{labels}}}, annotations: {{{annotations}}}}}\n",
        )

    return write


def classes(admitted):
    return list(map(str, admitted.effective.classes))


def containers(admitted):
    pod = admitted.effective.pod
    return [(str(each.type), each.name) for _, each in pod.containers_with_paths()]


def asking(name, *more):
    """The metadata that asks for an injector, as arguments of `pod`."""
    field, text, _ = ASKING[name]
    given = {"labels": "", "annotations": ", ".join(more)}
    given[field] = ", ".join(filter(None, (text, given[field])))
    return given


def sized(name, *, request="100m", limit="100m"):
    """Annotations of the four sizes of an injected container."""
    sizes = ASKING[name][2]
    cpu, memory = sizes["cpu"], sizes["memory"]
    return (
        f"{cpu[0]}: {request}",
        f"{cpu[1]}: {limit}",
        f"{memory[0]}: 96Mi",
        f"{memory[1]}: 96Mi",
    )


@pytest.mark.parametrize("name", ASKING)
class TestSizes:
    """A pod that is Guaranteed as written, in a mesh."""

    def test_by_default_the_pod_is_burstable(self, name, pod, judged):
        pod(**asking(name))
        admitted = judged(name)
        assert classes(admitted) == ["Burstable"]
        assert admitted.effective.injected

    def test_with_all_sizes_by_annotation_it_stays_guaranteed(self, name, pod, judged):
        pod(**asking(name, *sized(name)))
        admitted = judged(name)
        assert classes(admitted) == ["Guaranteed"]
        assert admitted.admitted is True

    def test_with_a_part_of_them_it_is_burstable(self, name, pod, judged):
        for left_out in (1, 3):  # the limits: a limit alone would be the request too
            kept = [size for index, size in enumerate(sized(name)) if index != left_out]
            pod(**asking(name, *kept))
            assert classes(judged(name)) == ["Burstable"]

    def test_with_a_request_below_the_limit_it_is_burstable(self, name, pod, judged):
        pod(**asking(name, *sized(name, request="50m")))
        assert classes(judged(name)) == ["Burstable"]

    def test_without_the_injector_declared_it_can_be_either(self, name, pod, judged):
        pod(**asking(name))
        admitted = judged()
        assert classes(admitted) == BOTH
        assert admitted.unknowns == (f"injection by {INJECTORS[name].product}",)
        assert admitted.admitted is True

    def test_another_injector_does_not_answer_for_it(self, name, pod, judged):
        pod(**asking(name))
        other = "dapr" if name != "dapr" else "istio"
        assert classes(judged(other)) == BOTH

    def test_a_pod_that_asks_for_nothing_is_left_alone(self, name, pod, namespace, judged):
        pod()
        namespace()
        admitted = judged(name)
        assert containers(admitted) == [("container", "app")]
        assert classes(admitted) == ["Guaranteed"]

    def test_its_steps_name_the_injector(self, name, pod, judged):
        pod(**asking(name, *sized(name)))
        steps = judged(name).effective.steps
        added = {step.path[:2] for step in steps if step.by == name and step.path[-1] == "name"}
        assert added == {path for path, _ in judged(name).effective.injected}


@pytest.mark.parametrize("name", WITHOUT_INIT)
def test_an_annotation_leaves_out_the_init_container(name, pod, judged):
    pod(**asking(name))
    types = {kind for kind, _ in containers(judged(name))}
    pod(**asking(name, WITHOUT_INIT[name]))
    assert "init" in types
    assert "init" not in {kind for kind, _ in containers(judged(name))}


@pytest.mark.parametrize("name", WITHOUT_INIT)
def test_the_init_container_shares_the_sizes_of_the_others(name, pod, judged):
    pod(**asking(name, *sized(name, request="70m", limit="80m")))
    effective = judged(name).effective
    for _, each in effective.pod.containers_with_paths():
        if each.name != "app":
            assert str(each.resources.requests["cpu"]) == "70m"
            assert str(each.resources.limits["cpu"]) == "80m"


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

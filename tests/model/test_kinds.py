"""The table of kinds: the data files, and that the paths in them can work."""

from importlib.resources import files

import pytest

from qoslint.model.kinds import (
    ANY,
    EACH,
    Pods,
    WorkloadKind,
    bind,
    known_kinds,
    match,
    pattern,
    shipped_kinds,
)
from qoslint.schema import check
from qoslint.source.document import load

PAGES = sorted((files("qoslint") / "data" / "kinds").iterdir(), key=lambda page: page.name)
KINDS = known_kinds(shipped_kinds())
PLACES = [
    pytest.param(place, id=f"{kind.kind}.{kind.group} {'.'.join(place.spec)}")
    for kind in KINDS.table.values()
    for place in kind.pods
]

# What real repositories hold, by the number of its row in the survey.
SURVEYED = {
    1: [("argoproj.io", "Rollout")],
    2: [("argoproj.io", "Experiment")],
    3: [("argoproj.io", "AnalysisTemplate"), ("argoproj.io", "ClusterAnalysisTemplate")],
    4: [("argoproj.io", k) for k in ("Workflow", "WorkflowTemplate", "ClusterWorkflowTemplate")],
    5: [("argoproj.io", "CronWorkflow")],
    6: [("argoproj.io", kind) for kind in ("Sensor", "EventSource", "EventBus")],
    7: [("serving.knative.dev", "Service"), ("serving.knative.dev", "Configuration")],
    8: [("serving.knative.dev", "Revision")],
    9: [("sources.knative.dev", "ContainerSource")],
    10: [
        ("monitoring.coreos.com", kind)
        for kind in ("Prometheus", "PrometheusAgent", "Alertmanager", "ThanosRuler")
    ],
    11: [("monitoring.grafana.com", "GrafanaAgent")],
    12: [("kafka.strimzi.io", "Kafka")],
    13: [("kafka.strimzi.io", "KafkaNodePool")],
    14: [
        ("kafka.strimzi.io", kind) for kind in ("KafkaConnect", "KafkaBridge", "KafkaMirrorMaker2")
    ],
    15: [("core.strimzi.io", "StrimziPodSet")],
    16: [("tekton.dev", "Task")],
    17: [("tekton.dev", "TaskRun")],
    18: [("tekton.dev", "PipelineRun")],
    19: [("operator.tekton.dev", "TektonConfig")],
    20: [
        ("sparkoperator.k8s.io", kind) for kind in ("SparkApplication", "ScheduledSparkApplication")
    ],
    21: [("flink.apache.org", "FlinkDeployment")],
    22: [("ray.io", "RayCluster")],
    23: [("ray.io", "RayJob")],
    24: [("ray.io", "RayService")],
    25: [
        ("kubeflow.org", kind)
        for kind in ("PyTorchJob", "TFJob", "MPIJob", "XGBoostJob", "PaddleJob", "JAXJob")
    ],
    26: [
        ("trainer.kubeflow.org", "TrainingRuntime"),
        ("trainer.kubeflow.org", "ClusterTrainingRuntime"),
        ("trainer.kubeflow.org", "TrainJob"),
        ("jobset.x-k8s.io", "JobSet"),
    ],
    27: [("kubeflow.org", "Notebook")],
    28: [("kubeflow.org", "Experiment")],
    29: [("kubeflow.org", "PodDefault")],
    30: [("serving.kserve.io", "InferenceService")],
    31: [("serving.kserve.io", "ServingRuntime"), ("serving.kserve.io", "ClusterServingRuntime")],
    32: [
        ("serving.kserve.io", "LLMInferenceService"),
        ("serving.kserve.io", "LLMInferenceServiceConfig"),
    ],
    33: [("postgresql.cnpg.io", "Cluster")],
    34: [("postgresql.cnpg.io", "Pooler")],
    35: [("opentelemetry.io", "OpenTelemetryCollector"), ("opentelemetry.io", "TargetAllocator")],
    36: [
        ("operators.coreos.com", "ClusterServiceVersion"),
        ("operators.coreos.com", "Subscription"),
    ],
    37: [("sailoperator.io", "Istio"), ("sailoperator.io", "IstioRevision")],
    38: [("kubevirt.io", "VirtualMachine"), ("kubevirt.io", "VirtualMachineInstance")],
    39: [("solr.apache.org", "SolrCloud")],
    40: [("zookeeper.pravega.io", "ZookeeperCluster")],
    41: [("opensearch.opster.io", "OpenSearchCluster")],
    42: [("vault.banzaicloud.com", "Vault")],
    43: [("zalando.org", "Stack"), ("zalando.org", "StackSet")],
    44: [("grafana.integreatly.org", "Grafana")],
    45: [("apps.openshift.io", "DeploymentConfig"), ("template.openshift.io", "Template")],
    46: [("keda.sh", "ScaledJob")],
    47: [
        ("elasticsearch.k8s.elastic.co", "Elasticsearch"),
        ("kibana.k8s.elastic.co", "Kibana"),
        ("beat.k8s.elastic.co", "Beat"),
        ("logstash.k8s.elastic.co", "Logstash"),
    ],
    48: [
        ("apps.kruise.io", kind)
        for kind in ("CloneSet", "StatefulSet", "DaemonSet", "BroadcastJob")
    ],
    49: [("apps.kruise.io", "UnitedDeployment"), ("apps.kruise.io", "AdvancedCronJob")],
    50: [("apps.kruise.io", "SidecarSet")],
    51: [("batch.volcano.sh", "Job")],
    52: [("acid.zalan.do", "postgresql")],
    53: [("leaderworkerset.x-k8s.io", "LeaderWorkerSet")],
    54: [("actions.github.com", "AutoscalingRunnerSet")],
}  # fmt: skip


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_data_file_follows_its_schema(page):
    assert list(check(load(page.read_text("utf-8")), "kinds")) == []


def test_every_row_of_the_survey_is_known():
    assert sorted(SURVEYED) == list(range(1, 55))
    missing = [name for row in SURVEYED.values() for name in row if KINDS.find(*name) is None]
    assert missing == []


def test_no_kind_is_described_twice():
    entries = [
        (group, kind)
        for page in PAGES
        for entry in load(page.read_text("utf-8"))["kinds"]
        for group in entry["groups"]
        for kind in entry["kinds"]
    ]
    assert len(entries) == len(set(entries))


@pytest.mark.parametrize("place", PLACES)
def test_wildcards_of_replicas_and_metadata_are_those_of_the_pod_spec(place: Pods):
    for other in filter(None, (place.metadata, *place.replicas)):
        wild = [index for index, step in enumerate(other) if step in (EACH, ANY)]
        if wild:
            assert other[: wild[-1] + 1] == place.spec[: wild[-1] + 1]


@pytest.mark.parametrize("place", PLACES)
def test_a_number_of_pods_that_can_be_stated_stands_near_the_template(place: Pods):
    for replicas in place.replicas:
        assert replicas[0] == place.spec[0]


def test_a_kind_without_templates_says_who_builds_its_pods():
    for kind in KINDS.table.values():
        assert kind.pods or kind.objects or kind.built_by


def test_only_kinds_of_the_api_server_name_served_versions():
    built_in = {kind.group for kind in KINDS.table.values() if kind.built_in}
    assert built_in == {"", "apps", "extensions", "batch"}


def test_kinds_to_parse_include_those_that_decide_about_pods():
    assert {"Pod", "CronJob", "Prometheus", "LimitRange", "Namespace"} <= KINDS.names
    assert "ConfigMap" not in KINDS.names


def test_an_extra_kind_wins_over_a_shipped_one():
    mine = {"kinds": [{"groups": ["argoproj.io"], "kinds": ["Rollout"], "builtBy": "me"}]}
    rollout = known_kinds([*shipped_kinds(), mine]).find("argoproj.io", "Rollout")
    assert rollout == WorkloadKind("argoproj.io", "Rollout", built_by="me")


def test_a_pattern_is_a_dotted_path_with_wildcards():
    assert pattern("spec.tasks[].a.*.b") == ("spec", "tasks", EACH, "a", ANY, "b")


def test_match_finds_each_item_and_each_value():
    value = {"a": [{"b": 1}, {"c": 2}, {"b": 3}], "m": {"x": {"b": 4}, "y": {"b": 5}}}
    assert list(match(value, pattern("a[].b"))) == [(("a", 0, "b"), 1), (("a", 2, "b"), 3)]
    assert [found for _, found in match(value, pattern("m.*.b"))] == [4, 5]


@pytest.mark.parametrize("value", [None, 1, "text", [], {}, {"a": {"b": 1}}, {"a": [[1]]}])
def test_match_finds_nothing_in_values_of_other_types(value):
    assert list(match(value, pattern("a[].b"))) == []


def test_bind_takes_the_wildcards_of_a_path():
    spec = pattern("spec.groups[].sets.*.spec")
    path = ("spec", "groups", 3, "sets", "worker", "spec")
    assert bind(pattern("spec.groups[].replicas"), path, spec) == ("spec", "groups", 3, "replicas")
    assert bind(pattern("spec.groups[].sets.*.n"), path, spec)[-2:] == ("worker", "n")

"""Where each kind of object keeps its pod templates, and which kinds only look as if."""

import pytest

from qoslint.model.workloads import REMOVED_API, UNKNOWN_KIND


@pytest.fixture
def found(made):
    """Gives for each workload of an object its path, dotted, and how many pods it is."""
    return lambda *given: {
        ".".join(map(str, each.template)): each.replicas for each in made(*given)
    }


@pytest.mark.parametrize(
    ("api_version", "kind", "spec", "path", "replicas"),
    [
        ("v1", "Pod", "<P>", "spec", 1),
        ("v1", "ReplicationController", "{template: <T>}", "spec.template.spec", 1),
        ("apps/v1", "ReplicaSet", "{template: <T>}", "spec.template.spec", 1),
        ("apps/v1", "Deployment", "{replicas: 3, template: <T>}", "spec.template.spec", 3),
        ("apps/v1", "StatefulSet", "{replicas: 0, template: <T>}", "spec.template.spec", 0),
        ("apps/v1", "DaemonSet", "{template: <T>}", "spec.template.spec", None),
        ("batch/v1", "Job", "{parallelism: 4, template: <T>}", "spec.template.spec", 4),
        (
            "batch/v1",
            "CronJob",
            "{jobTemplate: {spec: {template: <T>}}}",
            "spec.jobTemplate.spec.template.spec",
            1,
        ),
    ],
)
def test_built_in_kinds(found, api_version, kind, spec, path, replicas):
    assert found(api_version, kind, spec) == {path: replicas}


def test_a_pod_template_holds_its_template_at_the_root(workloads_of):
    text = "{apiVersion: v1, kind: PodTemplate, template: {metadata: {}, spec: {containers: []}}}"
    (workload,) = workloads_of(text)
    assert workload.template == ("template", "spec")
    assert workload.metadata == ("template", "metadata")
    assert workload.replicas is None


@pytest.mark.parametrize(
    ("api_version", "kind", "spec", "places"),
    [
        (
            "argoproj.io/v1alpha1",
            "Rollout",
            "{replicas: 2, template: <T>}",
            {"spec.template.spec": 2},
        ),
        (
            "argoproj.io/v1alpha1",
            "Experiment",
            "{templates: [{name: a, template: <T>}, {name: b, replicas: 2, template: <T>}]}",
            {"spec.templates.0.template.spec": 1, "spec.templates.1.template.spec": 2},
        ),
        (
            "argoproj.io/v1alpha1",
            "AnalysisTemplate",
            "{metrics: [{provider: {web: {}}}, {provider: {job: {spec: {template: <T>}}}}]}",
            {"spec.metrics.1.provider.job.spec.template.spec": 1},
        ),
        ("serving.knative.dev/v1", "Revision", "<P>", {"spec": None}),
        (
            "core.strimzi.io/v1beta2",
            "StrimziPodSet",
            "{pods: [{spec: <P>}, {spec: <P>}]}",
            {"spec.pods.0.spec": 1, "spec.pods.1.spec": 1},
        ),
        (
            "ray.io/v1",
            "RayCluster",
            "{headGroupSpec: {template: <T>}, workerGroupSpecs: [{replicas: 5, template: <T>}]}",
            {"spec.headGroupSpec.template.spec": 1, "spec.workerGroupSpecs.0.template.spec": 5},
        ),
        (
            "kubeflow.org/v1",
            "PyTorchJob",
            "{pytorchReplicaSpecs: {Master: {template: <T>}, "
            "Worker: {replicas: 3, template: <T>}}}",
            {
                "spec.pytorchReplicaSpecs.Master.template.spec": 1,
                "spec.pytorchReplicaSpecs.Worker.template.spec": 3,
            },
        ),
        (
            "jobset.x-k8s.io/v1alpha2",
            "JobSet",
            "{replicatedJobs: [{replicas: 2, template: {spec: {parallelism: 3, template: <T>}}}]}",
            {"spec.replicatedJobs.0.template.spec.template.spec": 6},
        ),
        (
            "kubeflow.org/v1beta1",
            "Experiment",
            "{trialTemplate: {trialSpec: {apiVersion: batch/v1, kind: Job, "
            "spec: {template: <T>}}}}",
            {"spec.trialTemplate.trialSpec.spec.template.spec": 1},
        ),
        (
            "serving.kserve.io/v1alpha1",
            "LLMInferenceService",
            "{template: <P>, prefill: {worker: <P>}}",
            {"spec.template": None, "spec.prefill.worker": None},
        ),
        (
            "operators.coreos.com/v1alpha1",
            "ClusterServiceVersion",
            "{install: {spec: {deployments: [{name: a, spec: {replicas: 2, template: <T>}}]}}}",
            {"spec.install.spec.deployments.0.spec.template.spec": 2},
        ),
        (
            "apps.openshift.io/v1",
            "DeploymentConfig",
            "{replicas: 2, template: <T>}",
            {"spec.template.spec": 2},
        ),
        (
            "elasticsearch.k8s.elastic.co/v1",
            "Elasticsearch",
            "{nodeSets: [{count: 3, podTemplate: <T>}]}",
            {"spec.nodeSets.0.podTemplate.spec": 3},
        ),
        (
            "apps.kruise.io/v1alpha1",
            "UnitedDeployment",
            "{replicas: 6, template: {cloneSetTemplate: {spec: {template: <T>}}}}",
            {"spec.template.cloneSetTemplate.spec.template.spec": 6},
        ),
        (
            "batch.volcano.sh/v1alpha1",
            "Job",
            "{tasks: [{replicas: 2, template: <T>}]}",
            {"spec.tasks.0.template.spec": 2},
        ),
        (
            "leaderworkerset.x-k8s.io/v1",
            "LeaderWorkerSet",
            "{leaderWorkerTemplate: {workerTemplate: <T>}}",
            {"spec.leaderWorkerTemplate.workerTemplate.spec": None},
        ),
        (
            "zalando.org/v1",
            "StackSet",
            "{stackTemplate: {spec: {replicas: 4, podTemplate: <T>}}}",
            {"spec.stackTemplate.spec.podTemplate.spec": 4},
        ),
    ],
)
def test_custom_resources(found, api_version, kind, spec, places):
    assert found(api_version, kind, spec) == places


@pytest.mark.parametrize(
    ("api_version", "kind", "spec"),
    [
        ("monitoring.coreos.com/v1", "Prometheus", "<L>"),
        ("monitoring.coreos.com/v1", "Alertmanager", "<L>"),
        ("monitoring.coreos.com/v1", "ThanosRuler", "<L>"),
        ("monitoring.coreos.com/v1alpha1", "PrometheusAgent", "<L>"),
        ("monitoring.grafana.com/v1alpha1", "GrafanaAgent", "<L>"),
        ("serving.kserve.io/v1beta1", "InferenceService", "{predictor: <L>}"),
        ("serving.kserve.io/v1alpha1", "ServingRuntime", "<L>"),
        ("serving.kserve.io/v1alpha1", "ClusterServingRuntime", "<L>"),
        ("zookeeper.pravega.io/v1beta1", "ZookeeperCluster", "<L>"),
        ("kyverno.io/v1", "ClusterPolicy", "{rules: [{validate: {pattern: {spec: <L>}}}]}"),
        ("kyverno.io/v1", "Policy", "{rules: [{mutate: {patchStrategicMerge: {spec: <L>}}}]}"),
        (
            "operator.tekton.dev/v1alpha1",
            "TektonConfig",
            "{pipeline: {options: {deployments: {x: {spec: {template: <T>}}}}}}",
        ),
        ("grafana.integreatly.org/v1beta1", "Grafana", "{deployment: {spec: {template: <T>}}}"),
        ("tekton.dev/v1", "TaskRun", "{podTemplate: <L>}"),
        ("argoproj.io/v1alpha1", "Sensor", "{template: <T>}"),
        ("argoproj.io/v1alpha1", "Workflow", "{templates: [{containerSet: <L>}]}"),
        ("apps.kruise.io/v1alpha1", "SidecarSet", "<L>"),
        ("kubeflow.org/v1alpha1", "PodDefault", "<L>"),
        ("kubevirt.io/v1", "VirtualMachine", "{template: {spec: <L>}}"),
    ],
)
def test_what_looks_like_a_pod_and_is_none(made, api_version, kind, spec):
    assert made(api_version, kind, spec) == []


def test_measured_pods_are_no_pods(workloads_of):
    text = "{apiVersion: metrics.k8s.io/v1beta1, kind: PodMetrics, containers: [{name: c}]}"
    assert workloads_of(text) == []


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ("{template: <T>}", "spec.template.spec"),
        ("{jobTemplate: {spec: {template: <T>}}}", "spec.jobTemplate.spec.template.spec"),
    ],
)
def test_an_unknown_kind_with_a_usual_template_is_marked(made, spec, path):
    (workload,) = made("example.com/v1", "Widget", spec)
    assert (".".join(workload.template), workload.tags) == (path, (UNKNOWN_KIND,))
    assert workload.replicas is None


@pytest.mark.parametrize(
    "spec",
    [
        "<P>",
        "{template: {spec: {containers: text}}}",
        "{template: {spec: {}}}",
        "{podTemplate: <T>}",
        "{pattern: {spec: <P>}}",
    ],
)
def test_an_unknown_kind_without_a_usual_template_is_left_alone(made, spec):
    assert made("example.com/v1", "Widget", spec) == []


@pytest.mark.parametrize(
    ("api_version", "kind"),
    [
        ("extensions/v1beta1", "Deployment"),
        ("extensions/v1beta1", "DaemonSet"),
        ("apps/v1beta1", "StatefulSet"),
        ("apps/v1beta2", "ReplicaSet"),
        ("batch/v1beta1", "CronJob"),
        ("batch/v2alpha1", "ScheduledJob"),
    ],
)
def test_a_removed_version_is_read_and_marked(made, api_version, kind):
    (workload,) = made(api_version, kind, "{template: <T>}")
    assert workload.tags == (REMOVED_API,)


def test_a_served_version_is_not_marked(made):
    (workload,) = made("batch/v1", "CronJob", "{}")
    assert workload.tags == ()

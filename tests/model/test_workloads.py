"""Workloads: how many pods, with which tags, labels and placeholders; hostile objects too."""

import pytest

POD_SPEC = "{containers: [{name: c, image: i}]}"


@pytest.mark.parametrize("spec", ["null", "text", "[1]", "{template: 1}", "{template: {spec: []}}"])
def test_a_built_in_kind_stands_for_pods_whatever_its_spec_is(made, spec):
    (workload,) = made("apps/v1", "Deployment", spec)
    assert workload.pod_spec == {}
    assert workload.pod_labels == {}


@pytest.mark.parametrize("replicas", ["-1", "1.5", "true", "text", "[1]", "{a: b}"])
def test_replicas_that_are_no_number_of_pods_are_unknown(made, replicas):
    (workload,) = made("apps/v1", "Deployment", f"{{replicas: {replicas}}}")
    assert workload.replicas is None


@pytest.mark.parametrize(("replicas", "number"), [("null", 1), ("2.0", 2)])
def test_replicas_are_read_as_the_api_server_reads_them(made, replicas, number):
    (workload,) = made("apps/v1", "Deployment", f"{{replicas: {replicas}}}")
    assert workload.replicas == number


@pytest.mark.parametrize(
    ("annotations", "tags"),
    [
        ("{helm.sh/hook: pre-install}", ("hook",)),
        ("{argocd.argoproj.io/hook: Sync}", ("hook",)),
        ("{helm.sh/hook: 'post-install, test'}", ("hook", "test")),
        ("{helm.sh/hook: test-success}", ("hook", "test")),
        ("{kubernetes.io/config.mirror: x}", ("mirror",)),
        ("{kubernetes.io/config.source: file}", ("static",)),
        ("{kubernetes.io/config.source: api}", ()),
        ("{other: hook}", ()),
    ],
)
def test_annotations_that_tag_a_pod(workloads_of, annotations, tags):
    text = (
        f"{{apiVersion: v1, kind: Pod, metadata: {{annotations: {annotations}}}, spec: {POD_SPEC}}}"
    )
    (workload,) = workloads_of(text)
    assert workload.tags == tags


def test_only_a_pod_is_a_mirror(workloads_of):
    annotated = "metadata: {annotations: {kubernetes.io/config.mirror: x}}"
    text = f"{{apiVersion: apps/v1, kind: Deployment, {annotated}}}"
    (workload,) = workloads_of(text)
    assert workload.tags == ()


def test_an_operator_that_changes_the_pods_is_told(made):
    (workload,) = made("serving.knative.dev/v1", "Service", "{template: <T>}")
    assert workload.partial == "Knative adds the container queue-proxy"


def test_labels_and_annotations_of_the_pods_are_those_of_the_template(workloads_of):
    text = """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: a, labels: {of: object}}
        spec: {template: {metadata: {labels: {of: pod}, annotations: {x: z}}, spec: {}}}
        """
    (workload,) = workloads_of(text)
    assert (workload.pod_labels, workload.pod_annotations) == ({"of": "pod"}, {"x": "z"})


def test_a_place_in_the_pod_is_a_place_in_the_object(made):
    (workload,) = made("apps/v1", "Deployment", "{template: <T>}")
    assert workload.at(("containers", 0)).path == ("spec", "template", "spec", "containers", 0)


@pytest.mark.parametrize(
    ("pod_spec", "paths"),
    [
        (
            "{containers: [{resources: {limits: {cpu: '${X}'}}}]}",
            ["containers.0.resources.limits.cpu"],
        ),
        ("{initContainers: [{resources: '{{ .Values.r }}'}]}", ["initContainers.0.resources"]),
        (
            "{containers: [{ports: [{containerPort: '${P}'}, {protocol: '${X}'}]}]}",
            ["containers.0.ports.1.protocol"],
        ),
        ("{priorityClassName: 'x-${ENV}'}", ["priorityClassName"]),
        ("{containers: [{command: [sh, '${X}'], env: [{value: '{{ x }}'}]}]}", []),
        ("{containers: [{resources: {limits: {cpu: '$5'}}}]}", []),
        ("{containers: {a: '${X}'}, initContainers: ['${X}', 1]}", []),
    ],
)
def test_placeholders_count_where_they_decide(made, pod_spec, paths):
    (workload,) = made("apps/v1", "Deployment", f"{{template: {{spec: {pod_spec}}}}}")
    assert [".".join(map(str, path)) for path in workload.unresolved] == paths

"""Objects that have no pod template and still count: sizes of a JVM, and autoscalers."""

SPARK = """
    apiVersion: sparkoperator.k8s.io/v1beta2
    kind: SparkApplication
    metadata: {{name: report}}
    spec: {{driver: {{memory: {memory}}}}}
"""
PODS = """
    apiVersion: v1
    kind: Pod
    metadata: {name: app}
    spec: {containers: [{name: app, image: x, resources: {requests: {memory: 1Gi}}}]}
"""


def test_objects_without_templates_are_checked_and_are_no_pods(repository):
    repository.write({"a/spark.yaml": SPARK.format(memory="1Gi"), "a/app.yaml": PODS})
    report = repository.check()
    assert [finding.rule for finding in report.findings] == ["QOS707"]
    assert report.coverage.other_kinds == {"SparkApplication": 1}
    assert report.coverage.workloads == 1


def test_two_definitions_of_one_of_them_are_each_checked(repository):
    repository.write(
        {
            "a/spark.yaml": SPARK.format(memory="1Gi"),
            "b/spark.yaml": SPARK.format(memory="2Gi"),
            "app.yaml": PODS,
        }
    )
    found = [finding.location.file for finding in repository.check().findings]
    assert found == ["a/spark.yaml", "b/spark.yaml"]


VPA = """
    apiVersion: autoscaling.k8s.io/v1
    kind: VerticalPodAutoscaler
    metadata: {{name: app}}
    spec:
      targetRef: {{apiVersion: apps/v1, kind: Deployment, name: app}}
      resourcePolicy: {{containerPolicies: [{{containerName: "*", controlledValues: {values}}}]}}
"""
DEPLOYMENT = """
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: app}
    spec:
      selector: {matchLabels: {app: app}}
      template:
        metadata: {labels: {app: app}}
        spec: {containers: [{name: app, image: x, resources: {limits: {cpu: 1, memory: 1Gi}}}]}
"""


def test_each_environment_has_its_own_autoscaler(repository):
    repository.write(
        {
            "base/app.yaml": DEPLOYMENT,
            "base/prod/vpa.yaml": VPA.format(values="RequestsOnly"),
            "base/staging/vpa.yaml": VPA.format(values="RequestsAndLimits"),
        }
    )
    (finding,) = repository.check().findings
    assert (finding.rule, finding.clusters) == ("QOS806", ("prod",))

"""What was not checked is counted, whatever the reason, and `complete` is then false."""

from __future__ import annotations

POD = """
apiVersion: v1
kind: Pod
metadata: {{name: {name}}}
spec:
  containers: [{{name: app, image: x, resources: {{requests: {{memory: 64Mi}}}}}}]
"""
CHART = {"c/Chart.yaml": "name: c\n", "c/templates/a.yaml": "kind: {{ .x }}\n"}


def gaps(repository, files):
    return dict(repository.write(files).check().coverage.gaps)


def test_a_repository_that_is_all_read_has_no_gaps(repository):
    assert gaps(repository, {"a.yaml": POD.format(name="a")}) == {}


def test_charts_and_kustomizations_that_cannot_be_rendered_are_gaps(repository):
    files = CHART | {"k/kustomization.yaml": "resources: [none.yaml]\n"}
    assert gaps(repository, files) == {"file not understood": 2, "target not rendered": 2}


def test_gitops_objects_are_gaps(repository):
    text = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\n"
    assert gaps(repository, {"a.yaml": text}) == {"target not rendered": 1}


def test_workloads_in_no_cluster_are_gaps(repository):
    files = {
        ".qoslint.yaml": "clusters: [{name: a, paths: [a]}]",
        "a/a.yaml": POD.format(name="a"),
        "b/b.yaml": POD.format(name="b"),
    }
    assert gaps(repository, files) == {"workload in no cluster": 1}


def test_a_copy_of_a_judged_workload_is_no_gap(repository):
    files = {"a/a.yaml": POD.format(name="a"), "b/b.yaml": POD.format(name="a")}
    assert gaps(repository, files) == {}


def test_a_placeholder_leaves_a_pod_unknown(repository):
    text = POD.format(name="a").replace("64Mi", '"${MEMORY}"')
    assert gaps(repository, {"a.yaml": text}) == {"pod unknown": 1}


def test_only_the_paths_are_counted_and_the_whole_cluster_decides(repository):
    repository.write(
        {
            ".git/HEAD": "",
            ".qoslint.yaml": "clusters: [{name: c, paths: [.]}]",
            "apps/a.yaml": POD.format(name="a").replace(
                "spec:", "spec:\n  priorityClassName: high"
            ),
            "apps/b.yaml": POD.format(name="b"),
            "platform/class.yaml": (
                "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\n"
                "metadata: {name: high}\nvalue: 7\n"
            ),
        }
    )
    report = repository.check("apps/a.yaml")
    assert (report.coverage.files, report.coverage.workloads) == (1, 1)
    assert [(pod.name, pod.priority) for pod in report.pods] == [("a", 7)]
    assert report.findings == ()

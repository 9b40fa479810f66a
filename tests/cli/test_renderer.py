"""What renders, by the settings and by --renderer."""

import json

import pytest

POD = """
apiVersion: v1
kind: Pod
metadata: {name: bare}
spec:
  containers: [{name: app, image: x}]
"""
OVERLAY = {
    "base/kustomization.yaml": "resources: [pod.yaml]",
    "base/pod.yaml": POD,
    "prod/kustomization.yaml": "{resources: [../base], namePrefix: built-}",
}
NODE = "nodes: [{name: n1, capacity: {memory: 8Gi, cpu: 4}}]\n"


@pytest.mark.parametrize(
    ("settings", "arguments", "name"),
    [
        ("", [], "built-bare"),
        ("renderer: none", [], "bare"),
        ("renderer: none", ["--renderer", "auto"], "built-bare"),
        ("renderer: embedded", ["--renderer", "none"], "bare"),
    ],
)
def test_the_option_counts_more_than_the_settings(qoslint, repository, settings, arguments, name):
    repository.write({**OVERLAY, ".qoslint.yaml": settings})
    done = qoslint("facts", *arguments)
    (cluster,) = json.loads(done.stdout)["clusters"]
    assert [pod["name"] for pod in cluster["pods"]] == [name]


@pytest.mark.parametrize(
    "command",
    [
        ["check", "--fail-on", "never"],
        ["facts"],
        ["rank"],
        ["explain", "bare"],
        ["simulate"],
    ],
)
def test_every_command_that_renders_has_the_option(qoslint, repository, command):
    repository.write({**OVERLAY, ".qoslint.yaml": NODE})
    done = qoslint(*command, "--renderer", "none")
    assert done.returncode == 0
    assert "bare" in done.stdout
    assert "built-bare" not in done.stdout
    assert "Nothing that was built includes" in done.stdout + done.stderr


def test_an_unknown_one_is_one_line(qoslint):
    done = qoslint("check", "--renderer", "docker")
    assert done.returncode == 2
    assert "'docker' is not one of 'auto', 'embedded', 'path', 'none'" in done.stderr


def test_a_program_that_is_not_there_is_a_finding_at_what_it_would_render(
    qoslint, repository, tmp_path
):
    repository.write(OVERLAY)
    done = qoslint(
        *("check", "--renderer", "path", "--format", "json"),
        env={"PATH": str(tmp_path)},
    )
    (finding,) = [each for each in json.loads(done.stdout)["findings"] if each["rule"] == "QOS901"]
    assert finding["at"]["file"] == "prod/kustomization.yaml"
    assert "no engine builds kustomizations here" in finding["message"]

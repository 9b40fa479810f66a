"""What is piped into a command."""

import json

import pytest

from qoslint.schema import check

STREAM = """\
---
# Source: web/templates/service.yaml
apiVersion: v1
kind: Service
metadata: {name: web}
---
# Source: web/templates/deployment.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: main
          image: image
          resources: {requests: {cpu: 2}, limits: {cpu: 1}}
---
apiVersion: v1
kind: Pod
metadata: {name: bare}
spec:
  containers:
    # Source: of this image
    - {name: main, image: image, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}
"""
QUIET = STREAM.replace("cpu: 2", "cpu: 1, memory: 1Gi").replace(
    "{cpu: 1}}", "{cpu: 1, memory: 1Gi}}"
)
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
    - name: main
      image: image
      resources: {{- toYaml .Values.resources | nindent 8 }}
"""
APPLICATION = """\
---
# Source: apps/templates/web.yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  destination: {namespace: shop}
  source:
    repoURL: https://example.com/here.git
    path: charts/web
    helm:
      valuesObject:
        resources: {limits: {cpu: 1}, requests: {cpu: 2}}
"""
LIMITS = """\
apiVersion: v1
kind: LimitRange
metadata: {name: limits}
spec: {limits: [{type: Container, max: {memory: 512Mi}}]}
"""


def findings(done):
    return [
        (item["at"]["file"], item["at"]["line"], item["rule"], item["clusters"])
        for item in json.loads(done.stdout)["findings"]
    ]


def test_a_finding_names_the_line_and_the_template(qoslint):
    done = qoslint("check", "-", "--select", "QOS201", input=STREAM)
    assert done.returncode == 1
    first, second = done.stdout.split("\n\n")[:2]
    assert first.splitlines() == [
        "<stdin>:19:34: error QOS201 request-above-limit",
        "  The API server refuses Deployment default/web because of container 'main': "
        'spec.template.spec.containers[0].resources.requests: Invalid value: "2": must be less '
        "than or equal to cpu limit of 1.",
        "    19 |           resources: {requests: {cpu: 2}, limits: {cpu: 1}}",
        "       |                                  ^^^^^^",
        "  note: <stdin>:7:1: rendered from web/templates/deployment.yaml",
        "     7 | # Source: web/templates/deployment.yaml",
        "  note: <stdin>:19:52: the limit",
        "    19 |           resources: {requests: {cpu: 2}, limits: {cpu: 1}}",
        "  help: Lower the request or raise the limit.",
    ]
    assert second.startswith("<stdin>:27:")
    assert "rendered from" not in second


def test_json_has_the_template_as_a_related_place(qoslint):
    done = qoslint("check", "-", "--select", "QOS201", "--format", "json", input=STREAM)
    document = json.loads(done.stdout)
    assert list(check(document, "report")) == []
    related = [[each["message"] for each in item["related"]] for item in document["findings"]]
    assert related == [["rendered from web/templates/deployment.yaml", "the limit"], ["the limit"]]
    assert document["coverage"]["files"] == 1


def test_sarif_names_standard_input_by_a_valid_uri(qoslint):
    done = qoslint("check", "-", "--select", "QOS201", "--format", "sarif", input=STREAM)
    log = json.loads(done.stdout)
    assert list(check(log, "sarif-profile")) == []
    result = log["runs"][0]["results"][0]
    (place,) = result["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "%3Cstdin%3E"
    related = result["relatedLocations"][0]
    assert related["message"]["text"] == "rendered from web/templates/deployment.yaml"
    assert related["physicalLocation"]["region"]["startLine"] == 7
    assert "fixes" not in result


def test_what_stands_beside_it_decides_and_is_not_checked(qoslint, repository):
    repository.write({"platform/limits.yaml": LIMITS, "platform/pod.yaml": STREAM})
    done = qoslint("check", "-", "--format", "json", "--fail-on", "never", input=QUIET)
    assert [rule for _, _, rule, _ in findings(done) if rule.startswith("QOS2")] == []
    assert "Only standard input was read" in json.loads(done.stdout)["notices"][0]["message"]
    done = qoslint("check", "-", "platform", "--select", "QOS2", "--format", "json", input=QUIET)
    assert findings(done) == [
        ("<stdin>", 19, "QOS203", ["default"]),
        ("<stdin>", 27, "QOS203", ["default"]),
    ]
    assert json.loads(done.stdout)["notices"] == []
    assert json.loads(done.stdout)["coverage"]["files"] == 1


def test_settings_are_those_of_the_current_folder(qoslint, repository):
    repository.write(
        {
            "team/.qoslint.yaml": "clusters: [{name: a, paths: [a]}, {name: b, paths: [b]}]",
            "team/a/limits.yaml": LIMITS,
            "team/b/none.yaml": "",
            "team/deeper/none.yaml": "",
            "other/limits.yaml": LIMITS,
            ".qoslint.yaml": "rules: {select: [QOS1]}",
        }
    )
    (repository.root / ".git").mkdir()
    arguments = ("check", "-", "--format", "json", "--fail-on", "never")
    done = qoslint(*arguments, input=QUIET, cwd=repository.root / "team/deeper")
    refused = [each for each in findings(done) if each[2] == "QOS203"]
    assert refused == [("<stdin>", 19, "QOS203", ["a"]), ("<stdin>", 27, "QOS203", ["a"])]
    done = qoslint(*arguments, "../../other", input=QUIET, cwd=repository.root / "team/deeper")
    refused = [each for each in findings(done) if each[2] == "QOS203"]
    assert [clusters for *_, clusters in refused] == [["a", "b"], ["a", "b"]]


def test_all_that_there_is_may_stand_beside_it(qoslint, repository):
    repository.write(
        {
            ".qoslint.yaml": "clusters: [{name: a, paths: [a]}, {name: b, paths: [b]}]",
            "a/limits.yaml": LIMITS,
            "b/same.yaml": STREAM,
        }
    )
    done = qoslint("check", "-", ".", "--format", "json", "--fail-on", "never", input=QUIET)
    assert [each for each in findings(done) if each[2].startswith("QOS2")] == [
        ("<stdin>", 19, "QOS203", ["a", "b"]),
        ("<stdin>", 27, "QOS203", ["a", "b"]),
    ]
    assert json.loads(done.stdout)["notices"] == []


def test_the_root_may_be_a_chart_which_is_not_rendered_then(qoslint, repository):
    repository.write({"Chart.yaml": "apiVersion: v2\nname: x\nversion: 1.0.0\n"})
    done = qoslint("check", "-", "--format", "json", "--fail-on", "never", input=QUIET)
    assert {file for file, *_ in findings(done)} <= {"<stdin>"}


@pytest.mark.parametrize(
    ("arguments", "seen"),
    [
        (["facts", "-"], '"file": "<stdin>"'),
        (["explain", "web", "-"], "<stdin>:19"),
        (["rank", "-"], "no node"),
    ],
)
def test_other_commands_read_it_too(qoslint, arguments, seen):
    done = qoslint(*arguments, input=QUIET)
    assert done.returncode == (2 if arguments[0] == "rank" else 0)
    assert seen in done.stdout + done.stderr


@pytest.mark.parametrize("content", ["", "Error: no chart\n"])
def test_a_stream_without_objects_is_an_error(qoslint, content):
    done = qoslint("check", "-", input=content)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "qoslint: there is nothing to check in standard input (see --allow-empty)\n"
    )


def test_it_cannot_be_fixed(qoslint):
    done = qoslint("check", "-", "--fix", input=STREAM)
    assert (done.returncode, done.stderr) == (
        2,
        "qoslint: --fix changes files; standard input cannot be changed\n",
    )


def test_it_may_be_as_long_as_a_file(qoslint):
    done = qoslint("check", "-", input=" " * (20 * 1024 * 1024 + 1))
    assert (done.returncode, done.stderr) == (
        2,
        "qoslint: standard input is larger than 20 MiB\n",
    )


def test_a_stream_that_does_not_parse_is_a_finding(qoslint):
    done = qoslint("check", "-", input="kind: Pod\napiVersion: v1\nspec: [\n")
    assert done.returncode == 1
    assert done.stdout.startswith("<stdin>:")
    assert "QOS901" in done.stdout


def test_a_comment_of_a_stranger_is_one_word_of_a_note(qoslint):
    stream = STREAM.replace("web/templates/deployment.yaml", "\x1b[31m](http://evil)\u202e")
    for form in ("text", "sarif"):
        done = qoslint("check", "-", "--select", "QOS201", "--format", form, input=stream)
        assert "\x1b" not in done.stdout
        assert "\u202e" not in done.stdout


def test_an_application_that_is_piped_in_is_followed_into_the_repository(qoslint, repository):
    repository.write(
        {
            "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
            "charts/web/templates/pod.yaml": POD,
            "charts/web/values.yaml": "resources: {}\n",
        }
    )
    done = qoslint(
        *("check", "-", "--select", "QOS201", "--format", "json"),
        input=APPLICATION,
    )
    (finding,) = json.loads(done.stdout)["findings"]
    assert (finding["at"]["file"], finding["at"]["line"]) == ("<stdin>", 13)
    assert finding["related"][0]["message"] == "rendered from apps/templates/web.yaml"

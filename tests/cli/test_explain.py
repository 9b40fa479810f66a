"""`qoslint explain` and `qoslint rules` as a user runs them."""

import json

import pytest

from qoslint import api
from qoslint.engine.registry import pages
from qoslint.plugins.load import shipped
from qoslint.schema import check
from qoslint.settings.load import find, load

POD = """
    apiVersion: v1
    kind: {kind}
    metadata: {{name: {name}, namespace: {namespace}}}
    spec:
      containers: [{{name: app, image: x, resources: {{requests: {{memory: 64Mi}}}}}}]
    ---
"""
SETTINGS = "nodes: [{name: big, capacity: {memory: 8Gi}}]\n"


@pytest.fixture
def shop(repository):
    """Two workloads of one name, and one of its own."""
    pods = [("Pod", "api", "shop"), ("Pod", "api", "other"), ("Pod", "web", "shop")]
    text = "".join(POD.format(kind=kind, name=name, namespace=ns) for kind, name, ns in pods)
    return repository.write({"app.yaml": text, ".qoslint.yaml": SETTINGS})


@pytest.mark.parametrize(
    "name",
    ["web", "shop/web", "Pod/web", "pod/web", "Pod/shop/web", "POD/shop/web", "shop/Pod/web",
     "Pod shop/web"],
)  # fmt: skip
def test_a_workload_goes_by_each_of_its_names(shop, name):
    found = find([str(shop.root)])
    document, _, _ = api.explain(name, found.paths, load(found, shipped()))
    assert [(pod["namespace"], pod["name"]) for pod in document["pods"]] == [("shop", "web")]


def test_a_workload_is_explained_with_its_formula(qoslint, shop):
    done = qoslint("explain", "web")
    assert done.returncode == 0
    assert done.stdout.startswith("Pod shop/web (app.yaml:17)\n")
    assert (
        "1000 - 1000 * memory request 64Mi (67108864) / node memory 8Gi (8589934592) = 1000 - 7 = "
        "993 (7.812… is cut to 7)" in " ".join(done.stdout.split())
    )


def test_a_name_from_the_table_of_check_can_be_explained(qoslint, shop):
    table = qoslint("check", "--fail-on", "never").stdout
    assert "shop/Pod/web" in table
    assert qoslint("explain", "shop/Pod/web").stdout == qoslint("explain", "Pod/shop/web").stdout
    assert "as in the table of `qoslint check`" in " ".join(
        qoslint("explain", "--help").stdout.split()
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["api"], "'api' means 2 workloads: Pod/other/api, Pod/shop/api"),
        (["wbe"], "there is no workload 'wbe', did you mean 'Pod/shop/web'?"),
        (["shop/wbe"], "there is no workload 'shop/wbe', did you mean 'Pod/shop/web'?"),
        (["Deployment/web"], "there is no workload 'Deployment/web'"),
        (["QOS199"], "there is no rule 'QOS199', did you mean 'QOS1"),
        (["qos1033"], "there is no rule 'qos1033', did you mean 'QOS103'"),
        (["QOS103", "app.yaml"], "QOS103 is a rule: it takes no PATH and no --what-if"),
        (["web", "missing.yaml"], "'missing.yaml' does not exist"),
        (["web", "--what-if", "limits.cpu"], "'limits.cpu' is not [CONTAINER:]FIELD=VALUE"),
        (["web", "--what-if", ":limits.cpu=1"], "':limits.cpu=1' is not [CONTAINER:]FIELD=VALUE"),
        (["web", "--what-if", "limits.cup=1"], "no field 'limits.cup', did you mean 'limits.cpu'?"),
        (["web", "--what-if", "priorityClasName=x"], "did you mean 'priorityClassName'?"),
        (["web", "--what-if", "app:priorityClassName=x"], "knows no field 'priorityClassName'"),
        (["web", "--what-if", "limits.cpu=1x"], "--what-if limits.cpu='1x' is no quantity: "),
        (["web", "--what-if", "resources={}"], "can only take 'resources' out as a whole"),
        (["web", "--what-if", "ap:limits.cpu=1"], "has no container 'ap', did you mean 'app'?"),
    ],
)  # fmt: skip
def test_what_cannot_be_explained_is_one_line_and_status_2(qoslint, shop, arguments, message):
    done = qoslint("explain", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.startswith("qoslint: ")
    assert done.stderr.count("\n") == 1


def test_what_if_tells_each_key_number_before_and_after(qoslint, shop):
    done = qoslint(
        "explain", "web", "--what-if", "requests.memory=1Gi", "--what-if", "app:limits.cpu=1",
        "--what-if", "priorityClassName=system-cluster-critical",
    )  # fmt: skip
    lines = [line.split() for line in done.stdout.splitlines()]
    for row in (
        "admission accepted, as before",
        "class Burstable, as before",
        "priority 0 -> 2000000000",
        "memory reserved for each pod 64Mi -> 1Gi",
        "cpu reserved for each pod 0 -> 1",
        "oom_score_adj of container 'app' on big 993 -> 875",
    ):
        assert row.split() in lines


def test_a_value_can_be_taken_out_and_the_file_stays_as_it_is(qoslint, shop):
    before = (shop.root / "app.yaml").read_text("utf-8")
    done = qoslint("explain", "web", "--what-if", "requests.memory=")
    assert "Burstable -> BestEffort" in done.stdout
    assert (shop.root / "app.yaml").read_text("utf-8") == before


def test_what_if_reaches_init_containers_and_the_pod_as_a_whole(qoslint, repository):
    repository.write(
        {
            "app.yaml": """
            apiVersion: v1
            kind: Pod
            metadata: {name: p}
            spec:
              initContainers: [{name: setup, image: x}]
              containers: [{name: app, image: x}]
            """
        }
    )
    every = qoslint("explain", "p", "--what-if", "limits.cpu=1", "--what-if", "limits.memory=1Gi")
    assert "BestEffort -> Guaranteed" in every.stdout
    assert "container 'setup': limits.cpu: not stated -> 1 (app.yaml:5)" in every.stdout
    level = qoslint("explain", "p", "--what-if", "resources.limits.cpu=1")
    assert "  - resources.limits.cpu: not stated -> 1 (app.yaml:4)" in level.stdout
    assert "BestEffort -> Burstable" in level.stdout
    sidecar = qoslint("explain", "p", "--what-if", "setup:restartPolicy=Always")
    assert "container 'setup': restartPolicy: not stated -> Always" in sidecar.stdout
    assert "BestEffort, as before" in sidecar.stdout


def test_what_if_does_not_write_into_what_is_no_mapping(qoslint, repository):
    text = POD.format(kind="Pod", name="p", namespace="ns").replace(
        "{requests: {memory: 64Mi}}", "7"
    )
    repository.write({"app.yaml": text})
    done = qoslint("explain", "p", "--what-if", "limits.cpu=1")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "qoslint: spec.containers[0].resources is no mapping, so no field can be set in it"
    )


@pytest.mark.parametrize("more", [[], ["--what-if", "limits.memory=1Gi"]])
def test_the_document_follows_its_schema_and_is_the_same_each_time(qoslint, shop, more):
    done = qoslint("explain", "web", "--format", "json", *more)
    assert list(check(json.loads(done.stdout), "explain")) == []
    assert done.stdout == qoslint("explain", "web", "--format", "json", *more).stdout


def test_a_workload_of_several_clusters_is_explained_for_each(qoslint, repository):
    repository.write(
        {
            "app.yaml": POD.format(kind="Pod", name="p", namespace="ns"),
            ".qoslint.yaml": """
            clusters:
              - {name: one, paths: [.], kubernetes: "1.35"}
              - {name: two, paths: [.]}
            """,
        }
    )
    done = qoslint("explain", "p")
    assert "cluster one, Kubernetes 1.35" in done.stdout
    assert "cluster two, Kubernetes 1.36" in done.stdout


def test_a_workload_may_be_called_like_a_rule(qoslint, repository):
    repository.write({"app.yaml": POD.format(kind="Pod", name="qos103", namespace="ns")})
    assert qoslint("explain", "qos103").stdout.startswith("QOS103 best-effort-pod: ")
    assert qoslint("explain", "Pod/qos103").stdout.startswith("Pod ns/qos103 ")


@pytest.mark.parametrize("name", ["QOS103", "qos103", "best-effort-pod"])
def test_a_rule_page_is_readable_text(qoslint, tmp_path, name):
    done = qoslint("explain", name)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("QOS103 best-effort-pod: warning, preset default")
    assert "\nWhat it finds\n" in done.stdout
    assert "\n    apiVersion: v1\n" in done.stdout
    key = "\nExamples\n\n`# ~ QOS103` marks the line where the finding stands.\n\n"
    assert done.stdout.count(key) == 1
    assert "```" not in done.stdout
    assert "\x1b[" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100
    assert "\x1b[1m" in qoslint("explain", name, "--color", "always").stdout


@pytest.mark.parametrize("page", list(pages(shipped().rule_packs)), ids=lambda page: page.code)
def test_every_word_of_a_page_is_printed(page):
    from qoslint.report.rules import page_document, render_page
    from qoslint.report.style import PLAIN_STYLE

    printed = " ".join(render_page(page_document(page), PLAIN_STYLE).split())
    for line in page.text.splitlines():
        if not line.startswith("```"):
            assert " ".join(line.lstrip("# ").split()) in printed


def test_the_rules_are_a_table_of_all_of_them(qoslint, tmp_path):
    done = qoslint("rules")
    assert (done.returncode, done.stderr) == (0, "")
    head, *rows = done.stdout.split("\n\n")[0].splitlines()
    assert head.split() == ["code", "name", "severity", "preset", "confidence", "summary"]
    assert [row.split()[:3] for row in rows] == [
        [page.code, page.name, str(page.severity)] for page in pages(shipped().rule_packs)
    ]
    columns = [head.index(word) for word in head.split()]
    assert all(row[column - 1] == " " != row[column] for row in rows for column in columns[1:])


def test_the_rules_as_json_follow_their_schema(qoslint, tmp_path):
    every = json.loads(qoslint("rules", "--format", "json").stdout)
    assert list(check(every, "rules")) == []
    assert [rule["code"] for rule in every["rules"]] == [
        page.code for page in pages(shipped().rule_packs)
    ]
    one = json.loads(qoslint("explain", "QOS103", "--format", "json").stdout)
    assert list(check(one, "rules")) == []
    assert one["rules"][0]["text"].startswith("# Best-effort pod\n")


TEMPLATE = {"chart/a.yaml": "kind: Pod\nspec:\n{{ if .more }}\n  a: b\n{{ end }}\n"}


def test_a_file_that_was_not_understood_is_told_of_once(qoslint, shop):
    shop.write(TEMPLATE)
    lines = qoslint("explain", "web").stderr.splitlines()
    (line,) = (line for line in lines if "chart/a.yaml" in line)
    assert line.endswith(" What is in it is missing from this answer.")
    assert not [line for line in lines if "not understood" in line]


def test_a_file_that_no_notice_tells_of_is_still_counted(qoslint, shop):
    shop.write({**TEMPLATE, "broken.yaml": "apiVersion: v1\nkind: Pod\nspec: [\n"})
    assert (
        "qoslint: not checked: 1 file not understood. What is in it is missing from this answer."
        in qoslint("explain", "web").stderr.splitlines()
    )

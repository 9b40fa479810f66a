"""Hostile repositories: no crash, no hang, no lost neighbour, and something said about each."""

# ruff: noqa: E501 - a hostile text is one line, however long

import json
import os

import pytest

NEIGHBOUR = """
apiVersion: v1
kind: Pod
metadata: {name: neighbour}
spec:
  containers: [{name: app, image: x}]
"""
POD = "apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\nspec: {spec}\n"


def pod(spec, name="hostile"):
    return POD.format(name=name, spec=spec)


def container(resources):
    return pod(f"{{containers: [{{name: c, image: x, resources: {resources}}}]}}")


ALIAS_BOMB = "\n".join(
    ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    + ["kind: Pod", "spec: {containers: *a11}"]
)
THREE = "\n---\n".join(
    [
        pod("{containers: [{name: a, image: x}]}", "one"),
        "kind: Pod\nspec: {containers: [",
        pod("{}", "three"),
    ]
)

TEXTS = {
    "brackets": "kind: Pod\nspec: " + "[" * 100_000,
    "mappings": "kind: Pod\nspec:\n" + "".join(f"{' ' * n}k:\n" for n in range(1, 10_001)),
    "flow-mappings": "kind: Pod\nspec: " + "{a: " * 10_000,
    "aliases": ALIAS_BOMB,
    "merge-bomb": "kind: Pod\nbase: &b {a: 1}\nspec:\n"
    + "  <<: ["
    + ", ".join(["*b"] * 100_000)
    + "]\n",
    "tabs": "kind: Pod\nspec:\n\tcontainers: []\n",
    "three": THREE,
    "exponent": container("{requests: {memory: 1e2147483650}}"),
    "negative-exponent": container("{requests: {memory: 1e-2147483650}}"),
    "nan": container("{requests: {memory: NaN}}"),
    "yaml-nan": container("{requests: {memory: .nan}}"),
    "digits": container("{requests: {memory: " + "9" * 10_000 + "}}"),
    "containers-null": pod("{containers: null}"),
    "containers-mapping": pod("{containers: {a: b}}"),
    "containers-text": pod("hello"),
    "resources-list": container("[]"),
    "resources-text": container("much"),
    "requests-number": container("{requests: 5}"),
    "many": pod(
        "{containers: [" + ", ".join(f"{{name: c{n}, image: x}}" for n in range(5_000)) + "]}"
    ),
    "ansi": pod(r'{containers: [{name: "\e[31mred\a\u202e", image: "x"}]}', r'"\e]0;title\a"'),
    "deep-selector": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {selector: 7, template: []}\n",
    "limit-range-types": "apiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\nspec: {limits: {type: 5}}\n",
    "limit-range-text": "apiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\nspec: {limits: [7, {max: x}]}\n",
    "list-of-nothing": "apiVersion: v1\nkind: List\nitems: [null, 5, [], {kind: 7}, {kind: Pod, spec: 1}]\n",
    "kind-list": "apiVersion: [v1]\nkind: Pod\nmetadata: []\nspec: {containers: [{name: {}, image: []}]}\n",
    "replicas": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {replicas: 1e999}\n",
    "huge-int": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {replicas: "
    + "9" * 5_000
    + "}\n",
    "empty-keys": "kind: Pod\n? \n: \n'': {'': }\nspec: {containers: [{'': ''}]}\n",
    "surrogate": 'apiVersion: v1\nkind: Pod\nmetadata: {name: "\\ud800"}\nspec: {containers: [{name: a}]}\n',
    "priority": pod("{priority: 99999999999999999999, containers: [{name: a, image: x}]}"),
    "long-line": "kind: Pod\nmetadata: {name: "
    + "x" * 1_000_000
    + "}\nspec: {containers: [{name: a, image: x}]}\n",
    "placeholders": container(
        '{requests: {cpu: "' + "{{" * 50_000 + '", memory: "' + "${" * 50_000 + '"}}'
    ),
    "conflicting-limit-ranges": "---\n".join(
        [
            "apiVersion: v1\nkind: LimitRange\nmetadata: {{name: l{}}}\nspec: {{limits: [{{type: Container, default: {{{}}}}}]}}\n".format(
                n, ", ".join(f"x.y/r{r}: {n + 1}" for r in range(n, n + 30))
            )
            for n in range(100)
        ]
        + [pod("{containers: [{name: c, image: x}]}")]
    ),
    "object-in-names": pod(
        "{containers: [{name: '" + "{object}" * 1_300 + "', image: x}]}", "n" * 1_000_000
    ),
    "shared-spec": "base: &s {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: x}]}}}\nkind: List\napiVersion: v1\nitems:\n"
    + "".join(
        f"- {{apiVersion: apps/v1, kind: Deployment, metadata: {{name: d{n}}}, spec: *s}}\n"
        for n in range(4_000)
    ),
    "many-classes": "---\n".join(
        [
            f"apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {{name: {'x' * 60}{n}}}\nvalue: {n}\n"
            for n in range(200)
        ]
        + [
            pod(
                "{priorityClassName: " + "x" * 60 + "y, containers: [{name: c, image: x}]}",
                f"p{n}",
            )
            for n in range(200)
        ]
    ),
    "unicode-breaks": pod('{containers: [{name: "a\\u2028b\\x85c", image: x}]}'),
}


def run(qoslint, *more):
    done = qoslint("check", "--format", "json", *more)
    assert done.returncode in (0, 1), done.stderr
    assert done.stderr == ""
    report = json.loads(done.stdout)
    coverage = report["coverage"]
    lost = sum(coverage["skipped"].values()) + sum(coverage["notUnderstood"].values())
    assert coverage["files"] == coverage["read"] + lost
    assert "Pod default/neighbour" in {
        name for item in report["findings"] for name in item["objects"]
    }
    return report


@pytest.mark.parametrize("name", TEXTS)
def test_a_hostile_file_costs_only_itself(qoslint, repository, name):
    repository.write({"neighbour.yaml": NEIGHBOUR})
    (repository.root / "hostile.yaml").write_text(TEXTS[name], "utf-8")
    report = run(qoslint)
    said = [item for item in report["findings"] if item["at"]["file"] == "hostile.yaml"]
    unread = report["coverage"]["read"] < 2
    quiet = name in ("list-of-nothing", "merge-bomb", "empty-keys")
    assert said or unread or quiet


@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_escapes_in_names_are_shown_harmless(qoslint, repository, form):
    repository.write({"neighbour.yaml": NEIGHBOUR})
    (repository.root / "hostile\x1b[2J.yaml").write_text(TEXTS["ansi"], "utf-8")
    done = qoslint("check", "--format", form)
    assert done.returncode in (0, 1)
    assert not {"\x1b", "\x07", "\u202e"} & set(done.stdout)


def test_a_broken_document_leaves_its_neighbours_in_the_file(qoslint, repository):
    repository.write({"neighbour.yaml": NEIGHBOUR})
    (repository.root / "hostile.yaml").write_text(THREE, "utf-8")
    found = [item for item in run(qoslint)["findings"] if item["at"]["file"] == "hostile.yaml"]
    assert {"Pod default/one", "Pod default/three"} <= {
        n for item in found for n in item["objects"]
    }
    assert "QOS901" in {item["rule"] for item in found}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x00\x01kind: Pod\n", "binary"),
        (b"kind: Pod\nmetadata: {name: \xff\xfe}\n", "not UTF-8 text"),
        (b"kind: Pod\n#" + b"x" * 50_000_000, "larger than 20 MiB"),
        (b"\x00GITCRYPT\x00secret kind: Pod", "encrypted with git-crypt"),
        (
            b"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ENC}\ndata: ENC[AES256_GCM,x]\nsops: {version: '3'}\n",
            "encrypted with SOPS",
        ),
    ],
)
def test_a_file_that_is_no_text_is_counted_by_reason(qoslint, repository, content, reason):
    repository.write({"neighbour.yaml": NEIGHBOUR})
    (repository.root / "hostile.yaml").write_bytes(content)
    coverage = run(qoslint)["coverage"]
    assert {**coverage["skipped"], **coverage["notUnderstood"]} == {reason: 1}


def test_utf_16_is_read_or_named(qoslint, repository):
    repository.write({"neighbour.yaml": NEIGHBOUR})
    (repository.root / "hostile.yaml").write_bytes(
        NEIGHBOUR.replace("neighbour", "wide").encode("utf-16")
    )
    report = run(qoslint)
    names = {name for item in report["findings"] for name in item["objects"]}
    assert "Pod default/wide" in names or report["coverage"]["notUnderstood"]


def test_a_hundred_thousand_documents_are_read(qoslint, repository):
    repository.write({"neighbour.yaml": NEIGHBOUR})
    text = "---\nkind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\n" * 100_000
    (repository.root / "hostile.yaml").write_text(text, "utf-8")
    report = run(qoslint)
    assert report["coverage"]["otherKinds"] == {"ConfigMap": 100_000}


def test_links_and_pipes_are_left_alone(qoslint, repository, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.yaml").write_text(NEIGHBOUR.replace("neighbour", "secret"), "utf-8")
    repository.write({"neighbour.yaml": NEIGHBOUR})
    root = repository.root
    (root / "loop").symlink_to(root)
    (root / "out").symlink_to(outside)
    (root / "out.yaml").symlink_to(outside / "secret.yaml")
    (root / "dangling.yaml").symlink_to(root / "nowhere")
    os.mkfifo(root / "pipe.yaml")
    report = run(qoslint)
    assert report["coverage"]["files"] == 1
    assert "secret" not in json.dumps(report)


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read every file")
def test_an_unreadable_file_is_counted(qoslint, repository):
    repository.write({"neighbour.yaml": NEIGHBOUR, "hostile.yaml": NEIGHBOUR})
    (repository.root / "hostile.yaml").chmod(0)
    assert run(qoslint)["coverage"]["notUnderstood"] == {"not readable": 1}


def test_facts_speak_no_escapes_to_the_terminal(qoslint, repository):
    name = r'"a\x9b31m\u202e\x7f\e[2J"'
    repository.write({"a.yaml": pod("{containers: [{name: c, image: x}]}", name)})
    done = qoslint("facts")
    assert done.returncode == 0
    assert not {"\x9b", "\u202e", "\x7f", "\x1b"} & set(done.stdout)
    (cluster,) = json.loads(done.stdout)["clusters"]
    assert cluster["pods"][0]["name"] == "a\x9b31m\u202e\x7f\x1b[2J"


def test_facts_of_many_containers_are_linear(qoslint, repository):
    containers = ", ".join(f"{{name: c{n}, image: x}}" for n in range(3_000))
    limits = "{limits: [{type: Container, default: {memory: 1Gi}}]}"
    repository.write(
        {
            "a.yaml": pod(f"{{containers: [{containers}]}}"),
            "l.yaml": f"apiVersion: v1\nkind: LimitRange\nmetadata: {{name: l}}\nspec: {limits}\n",
        }
    )
    (cluster,) = json.loads(qoslint("facts").stdout)["clusters"]
    assert len(cluster["pods"][0]["trace"]) >= 6_000


def test_thousands_of_exceptions_are_not_compared_with_thousands_of_problems(qoslint, repository):
    pods = [pod("{containers: [{name: c, image: x}]}", f"p{n}") for n in range(6_000)]
    exceptions = [f"{{rule: QOS103, object: '*/Pod/p{n}', reason: r}}" for n in range(1, 6_000)]
    settings = f"rules: {{exceptions: [{', '.join(exceptions)}]}}\n"
    repository.write({"a.yaml": "---\n".join(pods), ".qoslint.yaml": settings})
    report = json.loads(qoslint("check", "--format", "json").stdout)
    found = [item["objects"] for item in report["findings"] if item["rule"] == "QOS103"]
    assert found == [["Pod default/p0"]]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--config", "ci/file.yaml"),
        ("--baseline", "ci/file.yaml"),
        ("--write-baseline", "ci/new.json"),
        ("--output", "text:ci/new.txt"),
    ],
)
@pytest.mark.parametrize("folder", ["outside", "outside/of-another"])
def test_no_file_of_a_command_line_is_behind_a_link_that_leads_out(
    qoslint, repository, tmp_path_factory, arguments, folder
):
    outside = tmp_path_factory.mktemp("any") / folder
    outside.mkdir(parents=True)
    if folder != "outside":
        (outside / ".git").mkdir()
    (outside / "file.yaml").write_text("secret: hunter2\n", "utf-8")
    repository.write({"pod.yaml": NEIGHBOUR, ".git/HEAD": "ref: refs/heads/main\n"})
    (repository.root / "ci").symlink_to(outside)
    done = qoslint("check", *arguments, "pod.yaml")
    assert done.returncode == 2
    assert "a symbolic link leads" in done.stderr
    assert "secret" not in done.stderr
    assert {each.name for each in outside.iterdir()} <= {"file.yaml", ".git"}

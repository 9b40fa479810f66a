"""The baseline: what was there before is accepted, and nothing else is."""

import json

import pytest
from click.testing import CliRunner

from qoslint.cli.main import cli
from qoslint.errors import QoslintError
from qoslint.schema import check as follows

FILE = "baseline.json"


def manifest(name="web", containers=("app", "agent"), memory="400", gap=""):
    """A Deployment whose containers ask for a few bytes each, which is one finding a container."""
    items = "".join(
        f"        - name: {each}\n          image: x\n{gap}"
        f"          resources: {{requests: {{memory: {memory}}}}}\n"
        for each in containers
    )
    return (
        f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}, namespace: shop}}\n"
        "spec:\n  selector: {matchLabels: {app: web}}\n  template:\n"
        f"    metadata: {{labels: {{app: web}}}}\n    spec:\n      containers:\n{items}"
    )


SETTINGS = {".qoslint.yaml": "rules: {select: [QOS701, QOS903]}\n", ".git/config": ""}


@pytest.fixture
def run(repository, monkeypatch):
    """Runs `check` on files, and gives the exit status, what is found by line, and the output."""

    def invoke(files, *arguments, gone=()):
        repository.write({**SETTINGS, **files})
        for name in gone:
            (repository.root / name).unlink()
        monkeypatch.chdir(repository.root)
        command = ["check", *arguments, "--output", "json:r.json"]
        done = CliRunner().invoke(cli, command, standalone_mode=False)
        if isinstance(done.exception, QoslintError):
            return 2, [], str(done.exception)
        assert done.exception is None
        report = json.loads((repository.root / "r.json").read_text("utf-8"))
        found = [f"{each['at']['file']}:{each['at']['line']}" for each in report["findings"]]
        return done.return_value, found, " ".join(each["message"] for each in report["notices"])

    return invoke


@pytest.fixture
def held(repository):
    """What a baseline holds: it follows its schema."""

    def read():
        data = json.loads((repository.root / FILE).read_text("utf-8"))
        assert list(follows(data, "baseline")) == []
        return {(each["object"], each["field"]): each.get("count", 1) for each in data["accepted"]}

    return read


def field(container):
    return f"spec.template.spec.containers[{container}].resources.requests.memory"


WEB = "Deployment shop/web"


def test_what_is_written_is_accepted_by_the_run_that_writes_and_by_the_next(run, held):
    assert run({"a.yaml": manifest()})[:2] == (1, ["a.yaml:12", "a.yaml:15"])
    assert run({}, "--write-baseline", FILE)[:2] == (0, [])
    assert held() == {(WEB, field("app")): 1, (WEB, field("agent")): 1}
    assert run({}, "--baseline", FILE, "--require-current-baseline") == (0, [], "")


def test_a_baseline_is_one_line_an_entry_sorted_and_the_same_each_time(run, repository):
    files = {"b.yaml": manifest("b"), "a.yaml": manifest("z", ("v", "u"))}
    run(files, "--write-baseline", FILE)
    text = (repository.root / FILE).read_text("utf-8")
    run({"0.yaml": manifest("z", ("v", "u")), "a.yaml": "\n"}, "--write-baseline", FILE)
    assert (repository.root / FILE).read_text("utf-8") == text
    assert text.splitlines()[3:] == [
        *(
            f'    {{"object": "Deployment shop/{name}", "rule": "QOS701", '
            f'"field": "{field(each)}"}}{comma}'
            for name, each, comma in (
                ("b", "agent", ","),
                ("b", "app", ","),
                ("z", "u", ","),
                ("z", "v", ""),
            )
        ),
        "  ]",
        "}",
    ]


@pytest.mark.parametrize(
    ("files", "gone"),
    [
        ({"a.yaml": "# one\n# two\n" + manifest(gap="\n\n")}, ()),
        ({"other/b.yaml": manifest()}, ("a.yaml",)),
        ({"a.yaml": manifest(containers=("agent", "app"))}, ()),
        ({"a.yaml": manifest(memory="300")}, ()),
    ],
    ids=["lines moved", "file renamed", "containers swapped", "other number"],
)
def test_a_baseline_survives(run, files, gone):
    run({"a.yaml": manifest()}, "--write-baseline", FILE)
    assert run(files, "--baseline", FILE, gone=gone) == (0, [], "")


def test_a_workload_of_another_name_is_another_one(run):
    run({"a.yaml": manifest()}, "--write-baseline", FILE)
    status, found, notices = run({"a.yaml": manifest("shop")}, "--baseline", FILE)
    assert (status, found) == (1, ["a.yaml:12", "a.yaml:15"])
    assert "2 findings of the baseline no longer occur, such as QOS701 on" in notices


def test_of_half_of_the_findings_exactly_the_rest_stays_accepted(run, held):
    names = [f"c{number}" for number in range(10)]
    run({"a.yaml": manifest(containers=names)}, "--write-baseline", FILE)
    text = manifest(containers=names)
    for _ in range(5):
        text = text.replace("memory: 400}", "memory: 400Mi}", 1)
    status, found, notices = run({"a.yaml": text}, "--baseline", FILE)
    assert (status, found) == (0, [])
    assert notices.startswith(
        "5 findings of the baseline no longer occur, such as QOS701 on Deployment shop/web at "
        f"{field('c0')}."
    )
    assert run({}, "--baseline", FILE, "--require-current-baseline")[0] == 1
    run({}, "--baseline", FILE, "--write-baseline", FILE)
    assert held() == {(WEB, field(name)): 1 for name in names[5:]}
    assert run({}, "--baseline", FILE, "--require-current-baseline")[0] == 0
    # What was fixed and comes back is new.
    again = {"a.yaml": manifest(containers=names)}
    assert run(again, "--baseline", FILE)[:2] == (1, [f"a.yaml:{12 + 3 * n}" for n in range(5)])


def test_beside_a_baseline_nothing_new_gets_into_what_is_written(run, held):
    run({"a.yaml": manifest()}, "--write-baseline", FILE)
    before = held()
    more = {"b.yaml": manifest("new")}
    status, found, _ = run(more, "--baseline", FILE, "--write-baseline", FILE)
    assert (status, found) == (1, ["b.yaml:12", "b.yaml:15"])
    assert held() == before


def test_a_second_equal_finding_of_an_object_is_new(run, held):
    """Two files that state one object, as two overlays do: its sign is the same twice."""
    files = {
        "a/kustomization.yaml": "resources: [x.yaml]\n",
        "b/kustomization.yaml": "resources: [x.yaml]\n",
        "a/x.yaml": manifest(containers=("app",)),
        "b/x.yaml": manifest(containers=("app",), memory="401Mi"),
    }
    run(files, "--write-baseline", FILE)
    assert held() == {(WEB, field("app")): 1}
    tiny = {"b/x.yaml": manifest(containers=("app",), memory="401")}
    assert run(tiny, "--baseline", FILE)[:2] == (1, ["b/x.yaml:12"])
    run({}, "--write-baseline", FILE)
    assert held() == {(WEB, field("app")): 2}
    assert run({}, "--baseline", FILE)[:2] == (0, [])
    run(files, "--baseline", FILE, "--write-baseline", FILE)
    assert held() == {(WEB, field("app")): 1}


def test_an_object_that_joins_a_finding_is_told_alone(run, repository):
    base = {
        "base/kustomization.yaml": "resources: [x.yaml]\n",
        "base/x.yaml": manifest(containers=("app",)),
        "prod/kustomization.yaml": "resources: [../base]\nnamespace: prod\n",
    }
    run(base, "--write-baseline", FILE)
    more = {"stage/kustomization.yaml": "resources: [../base]\nnamespace: stage\n"}
    assert run(more, "--baseline", FILE)[:2] == (1, ["base/x.yaml:12"])
    (finding,) = json.loads((repository.root / "r.json").read_text("utf-8"))["findings"]
    assert finding["objects"] == ["Deployment stage/web"]
    assert "Deployment stage/web" in finding["message"]


def test_gone_is_told_only_of_what_was_checked(run, held):
    files = {"x/a.yaml": manifest("a"), "y/b.yaml": manifest("b")}
    run(files, "--write-baseline", FILE)
    fixed = {"x/a.yaml": manifest("a", memory="4Gi"), "y/b.yaml": manifest("b", memory="4Gi")}
    assert run(fixed, "x", "--baseline", FILE)[2].count("2 findings of the baseline") == 1
    assert run({}, "x/a.yaml", "--baseline", FILE)[2].count("of the baseline") == 0
    assert run({}, "--baseline", FILE, "--ignore", "QOS701")[2].count("of the baseline") == 0
    broken = {"z.yaml": "kind: Pod\nspec: [\n"}
    run(broken, "x", "--baseline", FILE, "--write-baseline", FILE)
    assert {name for name, _ in held()} == {"Deployment shop/b"}


def test_an_object_that_may_be_where_nothing_was_understood_is_not_gone(run):
    run({"a.yaml": manifest()}, "--write-baseline", FILE)
    files = {"z.yaml": "kind: Pod\nspec: [\n"}
    assert "of the baseline" not in run(files, "--baseline", FILE, gone=["a.yaml"])[2]


def test_what_a_comment_accepts_is_not_written(run, held):
    text = manifest().replace("- name: app", "- name: app # qoslint: ignore[QOS701] why")
    run({"a.yaml": text}, "--write-baseline", FILE)
    assert held() == {(WEB, field("agent")): 1}


def test_a_strict_rule_is_neither_written_nor_accepted(run, held):
    run({"a.yaml": manifest()}, "--write-baseline", FILE)
    strict = {".qoslint.yaml": "rules: {select: [QOS701], strict: [QOS7]}\n"}
    assert run(strict, "--baseline", FILE)[:2] == (1, ["a.yaml:12", "a.yaml:15"])
    assert run({**strict}, "--write-baseline", FILE)[:2] == (1, ["a.yaml:12", "a.yaml:15"])


def test_a_suppression_out_of_use_can_be_in_a_baseline(run, held):
    text = manifest(memory="4Gi").replace("- name: app", "- name: app # qoslint: ignore[QOS701] y")
    assert run({"a.yaml": text})[:2] == (0, ["a.yaml:10"])
    run({}, "--write-baseline", FILE)
    assert held() == {("a.yaml", ""): 1}
    assert run({}, "--baseline", FILE)[:2] == (0, [])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", f"{FILE}:1: "),
        ("[]", f"{FILE}:1: "),
        ('{"schemaVersion": 2, "accepted": []}', f"{FILE}:1: "),
        ('{"schemaVersion": 1, "accepted": [{"rule": "QOS103"}]}', f"{FILE}:1: "),
        (
            '{"schemaVersion": 1,\n "accepted": [\n'
            '{"rule": "QOS103", "object": "Pod a/b", "field": ""},\n'
            '{"rule": "QOS103", "object": "Pod a/b", "field": ""}]}',
            f"{FILE}:4: an entry before is the same",
        ),
    ],
)
def test_a_baseline_that_is_none_ends_the_run_at_its_line(run, text, message):
    status, _, output = run({"a.yaml": manifest(), FILE: text}, "--baseline", FILE)
    assert status == 2
    assert message in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--baseline", "none.json"], "the baseline 'none.json' does not exist"),
        (["--require-current-baseline"], "give both"),
        (["--fix", "--dry-run", "--write-baseline", FILE], "--dry-run writes nothing"),
    ],
)
def test_options_that_do_not_go_together_are_refused(run, arguments, message):
    status, _, output = run({"a.yaml": manifest()}, *arguments)
    assert status == 2
    assert message in output


def test_the_summary_says_by_what_findings_are_accepted(run, repository):
    text = manifest().replace("- name: app", "- name: app # qoslint: ignore[QOS701] why")
    run({"a.yaml": text}, "--write-baseline", FILE)
    done = CliRunner().invoke(cli, ["check", "--baseline", FILE])
    assert "Accepted          2 findings: 1 by the baseline, 1 by comments" in done.stdout

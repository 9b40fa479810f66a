"""What a change suppresses is a finding of its own, which nothing suppresses."""

import json

import pytest

from .two_findings import OK, deployment, placed

SETTINGS = "rules: {select: [QOS007, QOS701, QOS903]}\n"
WITH = "rules:\n  select: [QOS007, QOS701, QOS903]\n"
WEB = "QOS701 on Deployment shop/web"


@pytest.fixture
def suppressed(history):
    """Gives what QOS007 tells of the last commit: file, line and message."""

    def run(*arguments, since="HEAD~1"):
        done = history.run("check", "--since", since, *arguments, "--format", "json")
        assert done.exit_code in (0, 1), done.output or done.exception
        report = json.loads(done.stdout)
        return [
            (each["at"]["file"], each["at"]["line"], each["message"])
            for each in report["findings"]
            if each["rule"] == "QOS007"
        ]

    return run


def excepted(*exceptions):
    return f"{WITH}  exceptions:\n" + "".join(f"    - {{{each}}}\n" for each in exceptions)


def exception(thing="shop/Deployment/web", rule="QOS701", more=""):
    return f"rule: {rule}, object: '{thing}', reason: the load test{more}"


def test_a_new_comment_is_told_with_what_it_accepts_and_why(history, suppressed):
    history.commit({".qoslint.yaml": SETTINGS, "a.yaml": deployment()})
    history.commit({"a.yaml": placed(deployment(), {17: "behind"})})
    ((file, line, message),) = suppressed()
    assert (file, line) == ("a.yaml", 17)
    assert message.startswith(
        f"Since HEAD~1, this comment accepts 1 error: {WEB} (requests.memory of "
        "Deployment shop/web is 400, which is 400 bytes"
    )
    assert message.endswith(
        "That holds without an end, for the reason 'the load test wants it'. Without that, the "
        "check fails."
    )


def test_one_comment_is_one_finding_with_how_many_it_accepts(history, suppressed):
    history.commit({".qoslint.yaml": SETTINGS, "a.yaml": deployment()})
    text = placed(deployment(), {12: "above"})
    history.commit({"a.yaml": text.replace("] the load test wants it", "] until 9999-01-01")})
    ((file, line, message),) = suppressed()
    assert (file, line) == ("a.yaml", 12)
    assert message == (
        f"Since HEAD~1, this comment accepts 2 errors: {WEB}. That holds until "
        "9999-01-01, and no reason is given. Without that, the check fails."
    )


def test_a_comment_that_comes_with_what_it_accepts_is_new(history, suppressed):
    history.commit({".qoslint.yaml": SETTINGS, "b.yaml": "a: 1\n"})
    history.commit({"a.yaml": placed(deployment(), {17: "behind"})})
    assert [each[:2] for each in suppressed()] == [("a.yaml", 17)]


def test_a_comment_that_accepts_nothing_is_of_another_rule(history, suppressed):
    fine = deployment().replace(": 400", ": 400Mi")
    history.commit({".qoslint.yaml": SETTINGS, "a.yaml": fine})
    history.commit({"a.yaml": placed(fine, {17: "behind"})})
    assert suppressed() == []


@pytest.mark.parametrize(
    "moved",
    [
        lambda text: {"a.yaml": f"# one\n# two\n{text}"},
        lambda text: {"b/a.yaml": text},
        lambda text: {"a.yaml": text.replace("name: web", "name: shop")},
        lambda text: {"b.yaml": f"# one\n{text.replace('name: web', 'name: shop')}"},
        lambda text: {"a.yaml": text.replace(": 400", ": 300")},
        lambda text: {"a.yaml": text.replace("the load test", "a better reason")},
        lambda text: {
            "a.yaml": text.replace(OK, ""),
            ".qoslint.yaml": excepted(exception(more=", container: app")),
        },
    ],
    ids=[
        "lines moved",
        "file renamed",
        "workload renamed",
        "file and workload renamed",
        "other number",
        "other reason",
        "as an exception",
    ],
)
def test_what_was_accepted_before_is_not_told(history, suppressed, moved):
    text = placed(deployment(), {17: "behind"})
    history.commit({".qoslint.yaml": SETTINGS, "a.yaml": text})
    files = moved(text)
    history.commit(files, *(["a.yaml"] if "a.yaml" not in files else []))
    assert suppressed() == []


def test_an_old_comment_accepts_what_comes_below_it(history, suppressed):
    text = placed(deployment(), {12: "behind"})
    history.commit({".qoslint.yaml": SETTINGS, "a.yaml": text.replace("memory: 400", "cpu: 1", 1)})
    history.commit({"a.yaml": text})
    assert suppressed() == []


def test_a_comment_that_moves_to_another_container_is_new(history, suppressed):
    history.commit({".qoslint.yaml": SETTINGS, "a.yaml": placed(deployment(), {17: "behind"})})
    history.commit({"a.yaml": placed(deployment(), {22: "behind"})})
    assert [each[:2] for each in suppressed()] == [("a.yaml", 22)]


def test_a_comment_above_that_is_about_another_line_is_new(history, suppressed):
    text = placed(deployment(), {17: "above"})
    history.commit({".qoslint.yaml": SETTINGS, "a.yaml": text.replace("memory: 400", "cpu: 1", 1)})
    history.commit({"a.yaml": text})
    assert [each[:2] for each in suppressed()] == [("a.yaml", 17)]


def test_a_code_that_is_added_is_told_alone(history, suppressed):
    settings = SETTINGS.replace("QOS701", "QOS701, QOS808")
    text = placed(deployment(), {1: "behind"})
    history.commit({".qoslint.yaml": settings, "a.yaml": text})
    history.commit({"a.yaml": text.replace("[QOS701]", "[QOS808, QOS701]")})
    ((*_, message),) = suppressed()
    assert "QOS808 on Deployment shop/web" in message
    assert "QOS701" not in message


def test_a_later_day_is_told_and_an_earlier_one_is_not(history, suppressed):
    def until(day):
        return {"a.yaml": placed(deployment(), {1: "behind"}).replace("] ", f"] until {day} ")}

    history.commit({".qoslint.yaml": SETTINGS, **until("9998-01-01")})
    history.commit(until("9999-01-01"))
    ((*_, message),) = suppressed()
    assert "That holds until 9999-01-01" in message
    history.commit(until("9997-01-01"))
    assert suppressed() == []


def test_an_exception_is_told_at_its_line(history, suppressed):
    history.commit({".qoslint.yaml": SETTINGS, "a.yaml": deployment()})
    history.commit({".qoslint.yaml": excepted(exception("x/Pod/y"), exception())})
    ((file, line, message),) = suppressed()
    assert (file, line) == (".qoslint.yaml", 5)
    assert message.startswith(f"Since HEAD~1, this exception accepts 2 errors: {WEB}.")


@pytest.mark.parametrize(
    ("before", "after", "count"),
    [
        (exception(more=", container: app"), exception(), 1),
        (exception("shop/Deployment/wob"), exception("shop/Deployment/*"), 2),
        (exception(more=", expires: '9998-01-01'"), exception(), 2),
        (exception(), exception(more=", expires: '9998-01-01'"), 0),
        (exception(), exception(more=", container: app"), 0),
        (exception("*/*/*"), exception(), 0),
        (exception(rule="QOS7"), exception(), 0),
        (exception(), exception(rule="QOS7"), 0),
    ],
)
def test_an_exception_is_told_that_accepts_more_than_before(
    history, suppressed, before, after, count
):
    history.commit({".qoslint.yaml": excepted(before), "a.yaml": deployment()})
    history.commit({".qoslint.yaml": excepted(after)})
    messages = [message for *_, message in suppressed()]
    assert [f"accepts {count} error" in each for each in messages] == [True] * bool(count)


def test_an_old_exception_accepts_a_new_workload(history, suppressed):
    settings = excepted(exception("*/Deployment/*"), exception("shop/Deployment/other"))
    history.commit({".qoslint.yaml": settings, "b.yaml": "a: 1\n"})
    narrower = excepted(exception("shop/Deployment/*"))
    history.commit({".qoslint.yaml": narrower, "a.yaml": deployment()})
    assert suppressed() == []


def annotated(value="QOS701 the load test", name="qoslint.dev/ignore", text=None):
    return (text or deployment()).replace(
        "metadata:\n", f"metadata:\n  annotations:\n    {name}: {value}\n", 1
    )


def test_an_annotation_is_told_at_its_line(history, suppressed):
    history.commit({".qoslint.yaml": SETTINGS, "a.yaml": deployment()})
    history.commit({"a.yaml": annotated(name="qoslint.dev/ignore.app")})
    ((file, line, message),) = suppressed()
    assert (file, line) == ("a.yaml", 5)
    assert message.startswith(f"Since HEAD~1, this annotation accepts 1 error: {WEB}")
    history.commit({"a.yaml": annotated()})
    ((*_, message),) = suppressed()
    assert message.startswith(f"Since HEAD~1, this annotation accepts 1 error: {WEB}")
    history.commit({"b/b.yaml": annotated().replace("name: web", "name: shop")}, "a.yaml")
    assert suppressed() == []


OVERLAY = "resources: [../base]\n"
CLUSTERS = "clusters: [{name: prod, paths: [prod]}, {name: stage, paths: [stage]}]\n"


def test_a_new_overlay_makes_no_annotation_of_another_one_new(history, suppressed):
    history.commit(
        {
            ".qoslint.yaml": SETTINGS,
            "base/kustomization.yaml": "resources: [a.yaml]\n",
            "base/a.yaml": annotated(),
            "prod/kustomization.yaml": OVERLAY,
        }
    )
    history.commit({"stage/kustomization.yaml": f"{OVERLAY}commonAnnotations: {{one: other}}\n"})
    assert suppressed() == []


def test_an_annotation_of_one_overlay_is_not_that_of_the_next(history, suppressed):
    patch = (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: shop\n"
        "  annotations: {qoslint.dev/ignore: QOS701 the load test}\n"
    )
    patched = f"{OVERLAY}patches: [{{path: ok.yaml}}]\n"
    history.commit(
        {
            ".qoslint.yaml": SETTINGS + CLUSTERS,
            "base/kustomization.yaml": "resources: [a.yaml]\n",
            "base/a.yaml": deployment(),
            "prod/kustomization.yaml": patched,
            "prod/ok.yaml": patch,
            "stage/kustomization.yaml": OVERLAY,
        }
    )
    history.commit({"stage/kustomization.yaml": patched, "stage/ok.yaml": patch})
    assert [each[:2] for each in suppressed()] == [("stage/ok.yaml", 6)]


CHART = {
    "Chart.yaml": "{apiVersion: v2, name: web, version: 1.0.0}\n",
    "values.yaml": "memory: 400\nok: ''\n",
    "templates/pod.yaml": (
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  annotations:\n"
        "    qoslint.dev/ignore: {{ .Values.ok | quote }}\nspec:\n  containers:\n    - name: app\n"
        "      image: x\n      resources:\n        requests:\n"
        "          memory: {{ .Values.memory }}\n"
    ),
}


def test_an_annotation_that_values_fill_in_is_told(history, suppressed):
    history.commit({".qoslint.yaml": SETTINGS, **CHART})
    history.commit({"values.yaml": "memory: 400\nok: QOS701 the load test\n"})
    ((*_, message),) = suppressed()
    assert message.startswith("Since HEAD~1, this annotation accepts 1 error: QOS701 on Pod")
    history.commit({"values.yaml": "memory: 300\nok: QOS701 the load test\n"})
    assert suppressed() == []


def test_comments_of_charts_are_told_where_they_are_written(history, suppressed):
    history.commit({".qoslint.yaml": SETTINGS, **CHART})
    history.commit({"values.yaml": f"memory: 400 {OK}\nok: ''\n"})
    assert [each[:2] for each in suppressed()] == [("values.yaml", 1)]
    template = CHART["templates/pod.yaml"].replace("name: app", f"name: app {OK}")
    history.commit({"templates/pod.yaml": template, "values.yaml": CHART["values.yaml"]})
    assert suppressed() == []  # the other comment did the same
    history.commit({"templates/pod.yaml": CHART["templates/pod.yaml"]})
    history.commit({"templates/pod.yaml": template})
    assert [each[:2] for each in suppressed()] == [("templates/pod.yaml", 9)]


def test_new_entries_of_the_baseline_are_told_at_its_first_line(history, suppressed):
    history.commit({".qoslint.yaml": SETTINGS, "a.yaml": deployment()})
    history.run("check", "--write-baseline", "known.json")
    history.commit({})
    ((file, line, message),) = suppressed("--baseline", "known.json")
    assert (file, line) == ("known.json", 1)
    assert message == (
        f"Since HEAD~1, the baseline accepts 2 errors: {WEB}. Without that, the check fails."
    )
    assert suppressed("--baseline", "known.json", since="HEAD") == []
    renamed = deployment().replace("name: web", "name: shop")
    history.commit({"b.yaml": renamed}, "a.yaml")
    history.run("check", "--write-baseline", "known.json")
    history.commit({})
    assert suppressed("--baseline", "known.json", since="HEAD~2") == []
    history.commit({"c.yaml": renamed.replace("shop", "other")})
    history.run("check", "--write-baseline", "known.json")
    history.commit({})
    ((*_, message),) = suppressed("--baseline", "known.json", since="HEAD~2")
    assert "accepts 2 errors: QOS701 on Deployment other/other" in message


def test_a_finding_that_leaves_a_comment_for_the_baseline_is_not_told(history, suppressed):
    history.commit({".qoslint.yaml": SETTINGS, "a.yaml": placed(deployment(), {1: "behind"})})
    history.commit({"a.yaml": deployment()})
    history.run("check", "--write-baseline", "known.json")
    history.commit({})
    assert suppressed("--baseline", "known.json", since="HEAD~2") == []


@pytest.mark.parametrize(
    ("settings", "line", "said"),
    [
        (f"{WITH}  ignore:\n    - QOS903\n    - QOS70\n", 5, "ignore QOS701 and so leave out"),
        ("rules:\n  select: [QOS903]\n", 2, "no longer select QOS701 and so leave out"),
        (
            f"{WITH}  severity:\n    QOS701: note\n",
            4,
            "lower the severity of QOS701 and so tell less severely",
        ),
        (
            "rules:\n  ignore: [QOS701]\n  select: [QOS903, QOS701]\n",
            2,
            "ignore QOS701 and so leave out",
        ),
    ],
)
def test_settings_that_leave_a_rule_out_are_told_at_their_line(
    history, suppressed, settings, line, said
):
    history.commit({".qoslint.yaml": SETTINGS, "a.yaml": deployment()})
    history.commit({".qoslint.yaml": settings})
    assert suppressed() == [
        (
            ".qoslint.yaml",
            line,
            f"Since HEAD~1, the settings {said} 2 errors: {WEB}. Without that, the check fails.",
        )
    ]


@pytest.mark.parametrize(
    ("file", "before", "after", "line"),
    [
        (".qoslint.yaml", "rules: {extend: [QOS808]}\n", "# none\n", 1),
        (".qoslint.yaml", "rules: {preset: strict, extend: [QOS808]}\n", "rules: {}\n", 1),
        (
            "pyproject.toml",
            '[tool.qoslint.rules]\nextend = ["QOS808"]\n',
            '[tool.qoslint]\n\n[tool.qoslint.rules]\nextend = ["QOS808"]\nignore = ["QOS808"]\n',
            5,
        ),
    ],
)
def test_other_files_of_settings_are_told_at_the_nearest_line(
    history, suppressed, file, before, after, line
):
    history.commit({file: before, "a.yaml": deployment()})
    history.commit({file: after})
    found = [each for each in suppressed() if "QOS808" in each[2]]
    assert [each[:2] for each in found] == [(file, line)]


def test_settings_that_leave_out_nothing_are_not_told(history, suppressed):
    fine = deployment().replace(": 400", ": 400Mi")
    history.commit({".qoslint.yaml": SETTINGS, "a.yaml": fine})
    history.commit({".qoslint.yaml": f"{WITH}  ignore: [QOS701]\n"})
    assert suppressed() == []


def test_settings_that_are_gone_are_told_where_they_are_missed(history, suppressed):
    settings = "rules: {select: [QOS007, QOS701, QOS808]}\n"
    history.commit({".qoslint.yaml": settings, "a.yaml": deployment()})
    history.commit({}, ".qoslint.yaml")
    ((file, line, message),) = suppressed()
    assert (file, line) == ("a.yaml", 15)
    assert message.startswith("Since HEAD~1, the settings no longer select QOS808 and so leave out")


def test_a_rule_that_is_no_longer_strict_is_told(history, suppressed):
    text = placed(deployment(), {1: "behind"})
    history.commit({".qoslint.yaml": f"{WITH}  strict: [QOS701]\n", "a.yaml": text})
    history.commit({".qoslint.yaml": SETTINGS})
    ((file, line, message),) = suppressed()
    assert (file, line) == (".qoslint.yaml", 1)
    assert "no longer make strict QOS701 and so leave out 2 errors" in message


def test_a_strict_rule_is_not_accepted_and_so_not_told(history, suppressed):
    settings = f"{WITH}  strict: [QOS701]\n"
    history.commit({".qoslint.yaml": settings, "a.yaml": deployment()})
    history.commit({"a.yaml": placed(deployment(), {17: "behind"})})
    assert suppressed() == []


WAYS_OUT = [
    {"a.yaml": placed(deployment(), {17: "behind"}).replace("[QOS701", "[QOS701, QOS007")},
    {"a.yaml": placed(deployment(), {17: "behind"}).replace("[QOS701", "[QOS0, QOS701")},
    {"a.yaml": annotated("QOS007 known", text=placed(deployment(), {17: "behind"}))},
    {
        "a.yaml": placed(deployment(), {17: "behind"}),
        ".qoslint.yaml": excepted(exception("*", rule="QOS007")),
    },
    {
        "a.yaml": placed(deployment(), {17: "behind"}),
        ".qoslint.yaml": f"{WITH}  ignore: [QOS007]\n",
    },
    {
        "a.yaml": placed(deployment(), {17: "behind"}),
        ".qoslint.yaml": "rules: {select: [QOS701, QOS903]}\n",
    },
]


@pytest.mark.parametrize("change", WAYS_OUT)
@pytest.mark.parametrize("judge", [(), ("--settings-from", "HEAD~1")])
def test_a_change_cannot_suppress_what_it_is_told_of(history, suppressed, change, judge):
    history.commit({".qoslint.yaml": SETTINGS, "a.yaml": deployment()})
    history.commit(change)
    found = suppressed(*judge)
    assert [file for file, *_ in found] == ["a.yaml"]


def test_a_baseline_does_not_know_it(history, suppressed):
    entries = [
        {"object": thing, "rule": "QOS007", "field": ""}
        for thing in ("a.yaml", "the change", "known.json", "Deployment shop/web")
    ]
    known = json.dumps({"schemaVersion": 1, "accepted": entries})
    history.commit({".qoslint.yaml": SETTINGS, "a.yaml": deployment(), "known.json": known})
    history.commit({"a.yaml": placed(deployment(), {17: "behind"})})
    assert len(suppressed("--baseline", "known.json")) == 1


def test_that_nothing_accepts_it_is_told_of_a_comment_that_tries(history):
    text = placed(deployment(), {17: "behind"}).replace("[QOS701", "[QOS007")
    history.commit({".qoslint.yaml": SETTINGS, "a.yaml": text})
    report = json.loads(history.run("check", "--format", "json").stdout)
    assert "This comment accepts nothing, for no comment accepts what QOS007 finds." in {
        each["message"] for each in report["findings"]
    }


def test_with_settings_from_only_what_they_let_count_is_told(history, suppressed):
    history.commit({".qoslint.yaml": SETTINGS, "a.yaml": deployment()})
    history.commit({".qoslint.yaml": excepted(exception()), "b.yaml": "a: 1\n"})
    assert suppressed("--settings-from", "HEAD~1") == []
    history.commit({"a.yaml": placed(deployment(), {1: "behind"})})
    assert len(suppressed("--settings-from", "HEAD~2", since="HEAD~2")) == 1


def test_settings_that_both_revisions_share_are_compared_with_their_older_text(history, suppressed):
    history.commit({"ci/settings.yaml": SETTINGS, "a.yaml": deployment()})
    history.commit({"ci/settings.yaml": excepted(exception())})
    found = suppressed("--config", "ci/settings.yaml")
    assert [each[:2] for each in found] == [("ci/settings.yaml", 4)]


def test_staged_changes_are_told_too(history):
    history.commit({".qoslint.yaml": SETTINGS, "a.yaml": deployment()})
    history.repository.write({"a.yaml": placed(deployment(), {17: "behind"})})
    history.git("add", "--all")
    done = history.run("check", "--staged", "--format", "json")
    assert "QOS007" in {each["rule"] for each in json.loads(done.stdout)["findings"]}


def test_it_is_a_warning_that_a_team_may_make_an_error(history):
    history.commit({".qoslint.yaml": SETTINGS, "a.yaml": deployment()})
    history.commit({"a.yaml": placed(deployment(), {1: "behind"})})
    since = ("check", "--since", "HEAD~1")
    assert history.status(*since) == 0
    assert history.status(*since, "--fail-on", "warning") == 1
    history.commit(
        {".qoslint.yaml": f"{WITH}  severity: {{QOS007: error}}\n", "a.yaml": deployment()}
    )
    history.commit({"a.yaml": placed(deployment(), {1: "behind"})})
    assert history.status(*since) == 1


@pytest.mark.parametrize("form", ["sarif", "text", "markdown", "github"])
def test_every_format_can_tell_it(history, form):
    history.commit({".qoslint.yaml": SETTINGS, "a.yaml": deployment()})
    history.commit({"a.yaml": placed(deployment(), {1: "behind"})})
    done = history.run("check", "--since", "HEAD~1", "--format", form)
    assert done.exit_code == 0, done.output
    assert "QOS007" in done.stdout

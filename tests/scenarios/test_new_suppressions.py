"""What a change suppresses in manifests and exceptions is a finding of its own."""

import pytest

from qoslint.engine import suppressions

from .suppressing import RULES, WEB, annotated, excepted, exception
from .two_findings import OK, deployment, placed


def test_a_new_comment_is_told_with_what_it_accepts_and_why(history, suppressed):
    history.commit({".qoslint.yaml": RULES, "a.yaml": deployment()})
    history.commit({"a.yaml": placed(deployment(), {17: "behind"})})
    ((file, line, message),) = suppressed()
    assert (file, line) == ("a.yaml", 17)
    assert message.startswith(
        f"Since HEAD~1, this comment accepts 1 error: {WEB} (requests.memory of "
        "Deployment shop/web is 400, which is 400 bytes"
    )
    assert message.endswith(
        "That holds without an end, for the reason 'the load test wants it'. Without that, it "
        "is told."
    )


def test_one_comment_is_one_finding_with_how_many_it_accepts(history, suppressed):
    history.commit({".qoslint.yaml": RULES, "a.yaml": deployment()})
    text = placed(deployment(), {12: "above"})
    history.commit({"a.yaml": text.replace("] the load test wants it", "] until 9999-01-01")})
    ((file, line, message),) = suppressed()
    assert (file, line) == ("a.yaml", 12)
    assert message == (
        f"Since HEAD~1, this comment accepts 2 errors: {WEB}. That holds until "
        "9999-01-01, and no reason is given. Without that, they are told."
    )


def test_a_comment_that_comes_with_what_it_accepts_is_new(history, suppressed):
    history.commit({".qoslint.yaml": RULES, "b.yaml": "a: 1\n"})
    history.commit({"a.yaml": placed(deployment(), {17: "behind"})})
    assert [each[:2] for each in suppressed()] == [("a.yaml", 17)]


def test_a_comment_that_accepts_nothing_is_of_another_rule(history, suppressed):
    fine = deployment().replace(": 400", ": 400Mi")
    history.commit({".qoslint.yaml": RULES, "a.yaml": fine})
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
    history.commit({".qoslint.yaml": RULES, "a.yaml": text})
    files = moved(text)
    history.commit(files, *(["a.yaml"] if "a.yaml" not in files else []))
    assert suppressed() == []


def test_an_old_comment_accepts_what_comes_below_it(history, suppressed):
    text = placed(deployment(), {12: "behind"})
    history.commit({".qoslint.yaml": RULES, "a.yaml": text.replace("memory: 400", "cpu: 1", 1)})
    history.commit({"a.yaml": text})
    assert suppressed() == []


def test_a_comment_that_moves_to_another_container_is_new(history, suppressed):
    history.commit({".qoslint.yaml": RULES, "a.yaml": placed(deployment(), {17: "behind"})})
    history.commit({"a.yaml": placed(deployment(), {22: "behind"})})
    assert [each[:2] for each in suppressed()] == [("a.yaml", 22)]


def test_a_comment_above_that_is_about_another_line_is_new(history, suppressed):
    text = placed(deployment(), {17: "above"})
    history.commit({".qoslint.yaml": RULES, "a.yaml": text.replace("memory: 400", "cpu: 1", 1)})
    history.commit({"a.yaml": text})
    assert [each[:2] for each in suppressed()] == [("a.yaml", 17)]


def test_a_code_that_is_added_is_told_alone(history, suppressed):
    settings = RULES.replace("QOS701", "QOS701, QOS808")
    text = placed(deployment(), {1: "behind"})
    history.commit({".qoslint.yaml": settings, "a.yaml": text})
    history.commit({"a.yaml": text.replace("[QOS701]", "[QOS808, QOS701]")})
    ((*_, message),) = suppressed()
    assert "QOS808 on Deployment shop/web" in message
    assert "QOS701" not in message


def test_a_later_day_is_told_and_an_earlier_one_is_not(history, suppressed):
    def until(day):
        return {"a.yaml": placed(deployment(), {1: "behind"}).replace("] ", f"] until {day} ")}

    history.commit({".qoslint.yaml": RULES, **until("9998-01-01")})
    history.commit(until("9999-01-01"))
    ((*_, message),) = suppressed()
    assert "That holds until 9999-01-01" in message
    history.commit(until("9997-01-01"))
    assert suppressed() == []


def test_an_exception_is_told_at_its_line(history, suppressed):
    history.commit({".qoslint.yaml": RULES, "a.yaml": deployment()})
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


def test_an_annotation_is_told_at_its_line(history, suppressed):
    history.commit({".qoslint.yaml": RULES, "a.yaml": deployment()})
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
            ".qoslint.yaml": RULES,
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
            ".qoslint.yaml": RULES + CLUSTERS,
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
    history.commit({".qoslint.yaml": RULES, **CHART})
    history.commit({"values.yaml": "memory: 400\nok: QOS701 the load test\n"})
    ((*_, message),) = suppressed()
    assert message.startswith("Since HEAD~1, this annotation accepts 1 error: QOS701 on Pod")
    history.commit({"values.yaml": "memory: 300\nok: QOS701 the load test\n"})
    assert suppressed() == []


def test_comments_of_charts_are_told_where_they_are_written(history, suppressed):
    history.commit({".qoslint.yaml": RULES, **CHART})
    history.commit({"values.yaml": f"memory: 400 {OK}\nok: ''\n"})
    assert [each[:2] for each in suppressed()] == [("values.yaml", 1)]
    template = CHART["templates/pod.yaml"].replace("name: app", f"name: app {OK}")
    history.commit({"templates/pod.yaml": template, "values.yaml": CHART["values.yaml"]})
    assert suppressed() == []  # the other comment did the same
    history.commit({"templates/pod.yaml": CHART["templates/pod.yaml"]})
    history.commit({"templates/pod.yaml": template})
    assert [each[:2] for each in suppressed()] == [("templates/pod.yaml", 9)]


def test_of_very_many_exceptions_each_is_compared_with_those_of_its_name(
    history, suppressed, monkeypatch
):
    """Not with all: thousands took minutes, though a change left them as they were."""
    tried = []
    fits = suppressions._fits

    def recorded(pattern, name):
        tried.append((pattern, name))
        return fits(pattern, name)

    many = [f"web{number}" for number in range(40)]
    stated = excepted(*(exception(f"shop/Deployment/{name}") for name in many))
    text = "---\n".join(deployment().replace("name: web", f"name: {name}") for name in many)
    history.commit({".qoslint.yaml": stated, "a.yaml": text})
    history.commit({"a.yaml": f"{text}# The end.\n"})
    monkeypatch.setattr(suppressions, "_fits", recorded)
    assert suppressed() == []
    assert len(tried) == 2 * len(many)

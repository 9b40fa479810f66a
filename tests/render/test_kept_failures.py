"""What is kept of renders that fail, and of those that take what is absent for empty."""

import pytest

from tests.render.cached import CHART, OVERLAY, application, runs, same_twice


@pytest.fixture
def run(repository, tmp_path_factory):
    return runs(repository, tmp_path_factory.mktemp("cache"))


def _messages(checked):
    return [each.message for each in checked.report.findings]


def test_what_fails_each_time_is_tried_once_and_names_all_that_have_it(repository, run):
    broken = {**CHART, "charts/web/templates/bad.yaml": '{{ fail "no luck" }}\n'}
    apps = {f"apps/a{n}.yaml": application(f"a{n}", "charts/web") for n in range(2)}
    repository.write({**broken, **apps})
    first = same_twice(run)
    (told,) = [each for each in first.report.findings if "no luck" in each.message]
    assert told.objects == ("Application argocd/a0", "Application argocd/a1")


def test_a_chart_that_fails_is_tried_again_when_it_has_changed(repository, run):
    repository.write({**CHART, "charts/web/templates/bad.yaml": '{{ fail "no luck" }}\n'})
    same_twice(run)
    repository.write({"charts/web/templates/bad.yaml": ""})
    mended, _ = run()
    assert mended.report.pods


@pytest.mark.parametrize("quoted", [".Values.password", "(.Values.password | b64enc)"])
def test_a_failure_that_quotes_a_value_is_not_kept(repository, run, quoted):
    bad = f'{{{{ fail (printf "no luck with %s" {quoted}) }}}}\n'
    repository.write({**CHART, "charts/web/templates/bad.yaml": bad})
    first, _ = run()
    again, started = run()
    assert again == first
    assert started > 0
    kept = b"".join(file.read_bytes() for file in run.folder.iterdir())
    assert b"no luck" not in kept


def test_a_kustomization_that_fails_is_tried_again_when_what_it_names_is_there(repository, run):
    overlay = {"over/kustomization.yaml": "resources: [../base, more]\n"}
    repository.write({**OVERLAY, **overlay})
    first = same_twice(run)
    assert any("names 'over/more', which does not exist" in m for m in _messages(first))
    repository.write({"over/more/readme.txt": "a folder without a kustomization\n"})
    still, started = run()
    assert started > 0
    assert any("over is not rendered" in each for each in _messages(still))
    more = OVERLAY["base/pod.yaml"].replace("name: p}", "name: more}")
    repository.write({"over/more/kustomization.yaml": "resources: [a.yaml]\n"})
    repository.write({"over/more/a.yaml": more})
    mended, _ = run()
    assert not any("not rendered" in each for each in _messages(mended))


def test_what_is_taken_for_empty_is_kept_with_what_is_told_of_it(repository, run):
    absent = OVERLAY["base/kustomization.yaml"].replace(
        "literals: [text", "files: [absent.txt]\n            literals: [text"
    )
    over = {f"over{n}/kustomization.yaml": "resources: [../base]\n" for n in range(2)}
    repository.write({**OVERLAY, **over, "base/kustomization.yaml": absent})
    first = same_twice(run)
    told = [each.message for each in first.report.notices if "generators" in each.message]
    assert told == [
        f"A file that generators of over{n} name is not in the repository; an empty one was taken: "
        "the data of a ConfigMap or Secret decides nothing about pods."
        for n in range(2)
    ]

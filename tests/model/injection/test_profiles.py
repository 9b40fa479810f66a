"""The shipped injectors: their pages, their sizes, their init containers."""

from __future__ import annotations

from importlib.resources import files

import pytest

from qoslint.model.injection import HINTS
from qoslint.model.injector import known_injectors
from qoslint.schema import check
from qoslint.source.document import load

from .conftest import (
    ASKING,
    BOTH,
    INJECTORS,
    WITHOUT_INIT,
    asking,
    classes,
    containers,
    sized,
)

PAGES = sorted((files("qoslint") / "data" / "injectors").iterdir(), key=lambda page: page.name)


class TestProfiles:
    @pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
    def test_a_page_follows_its_schema_and_is_named_after_its_injector(self, page):
        profile = load(page.read_text("utf-8"))
        assert list(check(profile, "injector")) == []
        assert page.name == f"{profile['name']}.yaml"
        assert profile["sources"]
        assert profile["versions"]

    def test_the_shipped_injectors_are_those_that_the_documentation_names(self):
        assert set(INJECTORS) == {
            *ASKING,
            "datadog",
            "opentelemetry",
        }

    @pytest.mark.parametrize("name", INJECTORS)
    def test_whatever_asks_for_a_shipped_injector_is_noticed_without_reading_profiles(self, name):
        for rule in INJECTORS[name].selection:
            if rule.inject:
                condition = rule.condition
                tests = (
                    *condition.labels,
                    *condition.annotations,
                    *condition.namespace_labels,
                    *condition.namespace_annotations,
                )
                assert any(hint in test.key for test in tests for hint in HINTS)

    def test_an_own_profile_counts_instead_of_the_shipped_one_of_its_name(self):
        own = {"name": "istio", "selection": [{"inject": True}], "containers": []}
        assert known_injectors([own])["istio"].containers == ()
        assert known_injectors([own])["linkerd"] is INJECTORS["linkerd"]


@pytest.mark.parametrize("name", ASKING)
class TestSizes:
    """A pod that is Guaranteed as written, in a mesh."""

    def test_by_default_the_pod_is_burstable(self, name, pod, judged):
        pod(**asking(name))
        admitted = judged(name)
        assert classes(admitted) == ["Burstable"]
        assert admitted.effective.injected

    def test_with_all_sizes_by_annotation_it_stays_guaranteed(self, name, pod, judged):
        pod(**asking(name, *sized(name)))
        admitted = judged(name)
        assert classes(admitted) == ["Guaranteed"]
        assert admitted.admitted is True

    def test_with_a_part_of_them_it_is_burstable(self, name, pod, judged):
        for left_out in (1, 3):  # the limits: a limit alone would be the request too
            kept = [size for index, size in enumerate(sized(name)) if index != left_out]
            pod(**asking(name, *kept))
            assert classes(judged(name)) == ["Burstable"]

    def test_with_a_request_below_the_limit_it_is_burstable(self, name, pod, judged):
        pod(**asking(name, *sized(name, request="50m")))
        assert classes(judged(name)) == ["Burstable"]

    def test_without_the_injector_declared_it_can_be_either(self, name, pod, judged):
        pod(**asking(name))
        admitted = judged()
        assert classes(admitted) == BOTH
        assert admitted.unknowns == (f"injection by {INJECTORS[name].product}",)
        assert admitted.admitted is True

    def test_another_injector_does_not_answer_for_it(self, name, pod, judged):
        pod(**asking(name))
        other = "dapr" if name != "dapr" else "istio"
        assert classes(judged(other)) == BOTH

    def test_a_pod_that_asks_for_nothing_is_left_alone(self, name, pod, namespace, judged):
        pod()
        namespace()
        admitted = judged(name)
        assert containers(admitted) == [("container", "app")]
        assert classes(admitted) == ["Guaranteed"]

    def test_its_steps_name_the_injector(self, name, pod, judged):
        pod(**asking(name, *sized(name)))
        steps = judged(name).effective.steps
        added = {step.path[:2] for step in steps if step.by == name and step.path[-1] == "name"}
        assert added == {path for path, _ in judged(name).effective.injected}


@pytest.mark.parametrize("name", WITHOUT_INIT)
def test_an_annotation_leaves_out_the_init_container(name, pod, judged):
    pod(**asking(name))
    types = {kind for kind, _ in containers(judged(name))}
    pod(**asking(name, WITHOUT_INIT[name]))
    assert "init" in types
    assert "init" not in {kind for kind, _ in containers(judged(name))}


@pytest.mark.parametrize("name", WITHOUT_INIT)
def test_the_init_container_shares_the_sizes_of_the_others(name, pod, judged):
    pod(**asking(name, *sized(name, request="70m", limit="80m")))
    effective = judged(name).effective
    for _, each in effective.pod.containers_with_paths():
        if each.name != "app":
            assert str(each.resources.requests["cpu"]) == "70m"
            assert str(each.resources.limits["cpu"]) == "80m"

"""Node selectors and required node affinity, by the cases of the scheduler's documentation."""

import pytest

from qoslint.kernel.nodeaffinity import matches_required_affinity, unmatched_node_selector
from qoslint.kernel.pod import NodeSelectorRequirement, NodeSelectorTerm, Pod

LABELS = {"zone": "a", "disk": "ssd", "cores": "8", "odd": "8x"}


def affine(*tests, fields=()):
    requirements = tuple(NodeSelectorRequirement(*test) for test in tests)
    named = tuple(NodeSelectorRequirement(*test) for test in fields)
    return Pod((), required_node_affinity=(NodeSelectorTerm(requirements, named),))


def matches(pod):
    return matches_required_affinity(pod, LABELS, "n1")


def test_every_label_of_a_node_selector_must_be_there():
    assert unmatched_node_selector(Pod((), node_selector=(("zone", "a"),)), LABELS) is None
    pod = Pod((), node_selector=(("disk", "hdd"), ("zone", "a")))
    assert unmatched_node_selector(pod, LABELS) == ("disk", "hdd")
    pod = Pod((), node_selector=(("gpu", ""),))
    assert unmatched_node_selector(pod, LABELS) == ("gpu", "")


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        (("zone", "In", ("b", "a")), True),
        (("zone", "In", ("b",)), False),
        (("gpu", "In", ("",)), False),
        (("zone", "NotIn", ("a",)), False),
        (("gpu", "NotIn", ("a",)), True),
        (("disk", "Exists"), True),
        (("gpu", "Exists"), False),
        (("gpu", "DoesNotExist"), True),
        (("disk", "DoesNotExist"), False),
        (("cores", "Gt", ("7",)), True),
        (("cores", "Gt", ("8",)), False),
        (("cores", "Lt", ("+9",)), True),
        (("cores", "Lt", ("8",)), False),
        (("odd", "Gt", ("1",)), False),
        (("gpu", "Lt", ("1",)), False),
        (("cores", "Gt", ("x",)), False),
        (("cores", "Gt", ()), False),
        (("cores", "Gt", ("-9223372036854775809",)), False),
        (("cores", "Gt", ("-9223372036854775808",)), True),
        (("zone", "Odd", ("a",)), False),
    ],
)
def test_a_requirement_holds_as_for_the_scheduler(test, expected):
    assert matches(affine(test)) is expected


def test_all_requirements_of_one_of_the_terms_must_hold():
    here, there = ("zone", "In", ("a",)), ("zone", "In", ("b",))
    assert not matches(affine(here, there))
    either = affine(there).required_node_affinity + affine(here).required_node_affinity
    assert matches(Pod((), required_node_affinity=either))


def test_the_name_of_the_node_is_a_field():
    assert matches(affine(fields=[("metadata.name", "In", ("n1",))]))
    assert not matches(affine(fields=[("metadata.name", "In", ("n2",))]))


def test_a_pod_without_terms_and_one_with_an_empty_term_go_nowhere():
    assert matches(Pod(()))
    assert not matches(Pod((), required_node_affinity=()))
    assert not matches(affine())

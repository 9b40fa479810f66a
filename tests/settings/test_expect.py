"""The expectations that settings state."""

import pytest

from qoslint.model.expect.intent import Fits, KilledAfter, OfClass, OfPriority, Outlives, Protected
from qoslint.model.podselector import PodSelector

NODES = "nodes: [{name: n16, capacity: {memory: 16Gi}}]\n"


def test_each_entry_becomes_its_wishes_in_every_cluster(repository):
    settings = repository.settings(
        NODES + "expect:\n- pods: {namespace: payments}\n  qos: Guaranteed\n  priority: '>= 1000'\n"
        "  fits: [n16]\n  outlives: {namespace: batch}\n  signals: [memory, disk]\n"
        "  killedAfter: {kind: Job}\n  protected: true\n"
    )
    (expected,) = settings.clusters[0].expected
    assert expected.pods == PodSelector(namespace="payments")
    assert [intent.wish for intent in expected.intents] == [
        OfClass("Guaranteed"),
        OfPriority(">=", 1000),
        Fits(("n16",)),
        Outlives(PodSelector(namespace="batch"), ("memory", "disk")),
        KilledAfter(PodSelector(kind="Job")),
        Protected(),
    ]
    assert {intent.origin for intent in expected.intents} == {"expect[0] of .qoslint.yaml"}


def test_not_to_ask_for_protection_asks_for_nothing(repository):
    settings = repository.settings("expect:\n- {pods: {name: a}, protected: false}\n")
    assert settings.clusters[0].expected[0].intents == ()


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (
            "fits: [n61]",
            "expect[0].fits[0] names the node profile 'n61', which is unknown, did you",
        ),
        ("signals: [disk]", "expect[0].signals has no meaning without outlives"),
        ("outlive: {name: a}", "expect[0]"),
        (f"priority: '>={'9' * 50}'", "expect[0].priority is"),
    ],
)
def test_what_cannot_be_meant_ends_the_run_at_its_line(repository, entry, told):
    error = repository.error(f"{NODES}expect:\n- pods: {{name: a}}\n  {entry}\n")
    assert error.startswith((".qoslint.yaml:4: ", ".qoslint.yaml:3: "))
    assert told in error

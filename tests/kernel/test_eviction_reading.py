"""What the message of an evicted pod says, however it was pasted."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qoslint.kernel.evictionmessage import eviction_message
from qoslint.kernel.evictionreading import (
    AboveLimit,
    Limited,
    MessageError,
    NodeLow,
    NotAdmitted,
    ToldUsage,
    read_eviction,
)
from qoslint.kernel.features import features
from qoslint.kernel.pod import Container, Pod, ResourceList, Resources
from qoslint.kernel.podstats import ContainerStats, PodStats
from qoslint.kernel.quantity import Format, new_quantity, parse
from qoslint.kernel.signals import StarvedResource

MET = "Threshold quantity: 100Mi, available: 98424Ki. "
APP = "Container app was using 668Mi, request is 256Mi, has larger consumption of memory. "
MEMORY = "The node was low on resource: memory. "
WHOLE = MEMORY + MET + APP
TOLD = NodeLow(
    StarvedResource.MEMORY,
    parse("100Mi"),
    parse("98424Ki"),
    (ToldUsage(False, "app", parse("668Mi"), parse("256Mi")),),
    False,
)


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        WHOLE.strip(),
        f'"{WHOLE}"',
        f'  "message": "{WHOLE}",',
        "\n   ".join(textwrap.wrap(WHOLE, 40)),
        WHOLE.replace(". ", ".\\n"),
        f"Status: Failed\nReason: Evicted\nMessage: {WHOLE}\nIP: 10.0.0.1\nContainers:\n  app:\n",
        f"Message: {WHOLE}\nEvents:\n  Warning  Evicted  2m  kubelet  {WHOLE}\n",
        f"Message: {WHOLE}\nEvents:\n  Warning  Evicted  2m  kubelet  {WHOLE[:-30]}...\n",
    ],
)
def test_a_message_is_read_as_it_was_pasted(text):
    assert read_eviction(text) == TOLD


@given(
    st.lists(st.tuples(st.integers(0, 2**63 - 1), st.integers(0, 2**63 - 1)), max_size=4),
    st.one_of(st.none(), st.tuples(st.integers(0, 2**63 - 1), st.integers(0, 2**63 - 1))),
    st.one_of(st.none(), st.integers(1, 2**63 - 1)),
    st.sampled_from([Format.BINARY_SI, Format.DECIMAL_SI, Format.DECIMAL_EXPONENT]),
)
def test_what_a_kubelet_writes_is_read_back(containers, met, level, form):
    named = [
        (f"c-{index}", used, new_quantity(request, form))
        for index, (used, request) in enumerate(containers)
    ]
    resources = Resources(ResourceList({"memory": new_quantity(level, form)})) if level else None
    pod = Pod(
        tuple(
            Container(name, resources=Resources(ResourceList({"memory": request})))
            for name, _, request in named
        ),
        resources=resources,
    )
    stats = PodStats(
        working_set=7,
        containers=tuple(ContainerStats(name, working_set=used) for name, used, _ in named),
    )
    quantities = met and (new_quantity(met[0], form), new_quantity(met[1], Format.BINARY_SI))
    said = eviction_message(
        StarvedResource.MEMORY, "shop.api-1", pod, stats, quantities, features("1.36")
    )
    told = read_eviction(said)
    assert isinstance(told, NodeLow)
    assert not told.cut
    read = [each.value() for each in (told.threshold, told.available) if each is not None]
    assert read == [*(met or ())]
    above = [(n, u, r) for n, u, r in named if u * 10**9 > r.nanos]
    whole = [("shop.api-1", 7, level)] if level else []
    assert [(each.of_pod, each.name) for each in told.usages] == [
        *((True, name) for name, _, _ in whole),
        *((False, name) for name, _, _ in above),
    ]
    assert [each.usage.value() for each in told.usages] == [u for _, u, _ in (*whole, *above)]
    assert [each.request.value() for each in told.usages] == [
        *(request for _, _, request in whole),
        *(request.value() for _, _, request in above),
    ]


def test_the_words_of_older_kubelets_are_read():
    old = "Container app was using 2932Ki, which exceeds its request of 0. "
    told = read_eviction(MEMORY + old + old.replace("app", "sidecar"))
    assert [(each.name, str(each.usage), str(each.request)) for each in told.usages] == [
        ("app", "2932Ki", "0"),
        ("sidecar", "2932Ki", "0"),
    ]
    assert (told.threshold, told.cut) == (None, False)


@pytest.mark.parametrize("cut", [len(MEMORY) + 9, len(MEMORY + MET) + 12, len(WHOLE) - 9])
def test_a_message_that_is_cut_off_says_so(cut):
    assert read_eviction(WHOLE[:cut]).cut
    assert read_eviction(WHOLE[:cut] + "...").cut


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            'Usage of EmptyDir volume "cache" exceeds the limit "1Gi". ',
            AboveLimit(Limited.EMPTY_DIR, "cache", parse("1Gi")),
        ),
        (
            '"Usage of EmptyDir volume \\"cache\\" exceeds the limit \\"1Gi\\". "',
            AboveLimit(Limited.EMPTY_DIR, "cache", parse("1Gi")),
        ),
        (
            "Pod ephemeral local storage usage exceeds the total limit of containers 2G. ",
            AboveLimit(Limited.POD, None, parse("2G")),
        ),
        (
            'Container app exceeded its local ephemeral storage limit "100Mi". ',
            AboveLimit(Limited.CONTAINER, "app", parse("100Mi")),
        ),
        (
            "The node had condition: [MemoryPressure DiskPressure]. ",
            NotAdmitted(("MemoryPressure", "DiskPressure")),
        ),
    ],
)
def test_other_reasons_to_be_evicted_are_told_apart(text, told):
    assert read_eviction(text) == told


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "none of its sentences"),
        ("OOMKilled", "none of its sentences"),
        ("The node was low on resource: memory", "none of its sentences"),
        ("The node was low on resource: patience.", "runs low on 'patience'"),
        (WHOLE.replace("668Mi", "668Mx"), "'668Mx' in it is no quantity"),
        (WHOLE + WHOLE.replace("668", "669"), "2 different messages"),
        ("x" * 100_001, "longer than 100000 characters"),
    ],
)
def test_what_is_no_message_is_refused_with_a_reason(text, message):
    with pytest.raises(MessageError, match=message):
        read_eviction(text)


@pytest.mark.parametrize("piece", [MEMORY, APP, "Container a was using 1", " Pod", "The node", "0"])
def test_a_long_text_takes_no_long_time(piece):
    text = (MEMORY + piece * 100_000)[:100_000]
    assert isinstance(read_eviction(text), NodeLow)

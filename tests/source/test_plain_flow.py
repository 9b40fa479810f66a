"""The reader of plain flow collections agrees with the reader by events, or it gives up."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qoslint.source import plain_flow

from .conftest import agrees_with_events

FRAGMENTS = [
    *"[]{},:-#'\"? \\|&*!%@.~=<_019aeyn/$+();\xe9\x85",
    *(", ", ": ", "- ", "a: ", "yes: ", "b.c/d: ", "{a: ", "[[", "}}", "'x'", '"y"', "null"),
    *("1Gi", "100m", "1e3", ".inf", "0x1F", "1_0", "--a", "a b", "a: b", "<<: "),
]


def agrees(text):
    return agrees_with_events(plain_flow.read(text), text)


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[ ]",
        "{cpu: 100m, memory: 1Gi}",
        "{ cpu: 0.5, memory: '1Gi' , nvidia.com/gpu: 1 }",
        "{app: api, on-call: yes, nothing: ~x, none: null}",
        '[--flag=1, -v, "a, b: [c]", a b c, $(HOME)/x]',
        "[{matchLabels: {app: api}}, [1, [2]], {}]",
        "{a: b,c: d}",
    ],
)
def test_plain_content_is_read_without_the_events(text):
    assert agrees(text) == ("~" not in text)


@pytest.mark.parametrize(
    "text",
    [
        "{a: 1, a: 2}",
        "{a: }",
        "{a, b: c}",
        "{a:b}",
        "{a: b: c}",
        "{a : b}",
        '{"a": b}',
        "{yes: 1}",
        "{1: 2}",
        "{<<: {a: b}}",
        "[a: b]",
        "[a, ]",
        "[, a]",
        "[a",
        "[a}",
        "[a] b",
        "[a][b]",
        '["a" b]',
        "[a'b]",
        '["\\t"]',
        "[-]",
        "[- a]",
        "[*a]",
        "[&a b]",
        "[!!str 1]",
        "[.inf]",
        "[a #b\n]",
        "a",
        "",
    ],
)
def test_whatever_is_not_plain_is_left_to_the_events(text):
    assert plain_flow.read(text) is None


@settings(max_examples=600, deadline=None)
@given(st.sampled_from("[{"), st.lists(st.sampled_from(FRAGMENTS), max_size=8))
def test_random_text_is_never_read_differently(opening, fragments):
    text = opening + "".join(fragments)
    agrees(text + {"[": "]", "{": "}"}[opening])
    agrees(text)

"""The reader by lines never differs from the reader by events: it agrees, or it gives up."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qoslint.source import plain_block
from qoslint.source.loading import YamlError, load_flow

from .conftest import agrees_with_events

DEPLOYMENT = """\
# a comment
apiVersion: apps/v1
kind: Deployment
metadata:
  name: "web"   # quoted
  labels: {app: web, tier: 'front'}
spec:
  replicas: 3

  template:
    spec:
      containers:
      - name: app
        image: registry.example.com:5000/app:1.2
        args: ["--a", -b]
        command:
          - sh
          - -c
          - echo "x" # y
        resources:
          requests: {}
          limits:
            cpu: 0.5
            memory: 1Gi
        env:
      - name: side
"""
FRAGMENTS = [
    *" \n:-#'\"[]{},&*!|>%@`?\\~.=<0e\t\r\x85\u2028\ufeff\xa0é😀",
    *("  ", "\n  ", "\n- ", "- ", ": ", "\n\n", "...", "---\n", "\n---", " # ", "<<: ", "\r\n"),
    *("a: b\n", "yes: ", "name: ", "null", ".inf", "1_0", "{a: b}", "[x, y]", "''", "|\n "),
]


def agrees(text):
    return agrees_with_events(plain_block.read(text, flow=load_flow), text)


def test_an_ordinary_manifest_is_read_by_its_lines():
    assert agrees(DEPLOYMENT)
    assert agrees(f"---\n{DEPLOYMENT}")
    assert agrees(DEPLOYMENT.replace("\n", "\r\n"))


@pytest.mark.parametrize(
    "text",
    [
        "a: &x 1\n",
        "a: *x\n",
        "a: !!str 1\n",
        "a: |\n  b\n",
        "a: b\n  c\n",
        'a: "b\n  c"\n',
        'a: "\\t"\n',
        "a:\tb\n",
        "a: 1\na: 2\n",
        "a:\n  b: 1\n c: 2\n",
        "a: 1\n  b: 2\n",
        "yes: 1\n",
        "1: 2\n",
        "<<: {a: 1}\n",
        "a: .nan\n",
        "- a\n",
        "a\n",
        "",
        "# only\n",
        "a: 1\n...\n",
        "a: 1\n---\n",
        "? a\n: b\n",
        "a: [b\n]\n",
        "a: [b] c\n",
        "a: 'b' c\n",
        "a: b: c\n",
        "a: b\x85\n",
        "a: {b: c}: d\n",
    ],
)
def test_whatever_is_not_plain_is_left_to_the_events(text):
    assert plain_block.read(text, flow=load_flow) is None


def test_nesting_beyond_the_bound_is_left_to_the_events():
    deep = "".join(f"{' ' * level}a:\n" for level in range(plain_block.MAX_DEPTH + 1))
    assert plain_block.read(deep, flow=load_flow) is None
    assert plain_block.read("a: " + "[" * 60 + "]" * 60, flow=load_flow) is None


@settings(max_examples=400, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, len(DEPLOYMENT)), st.integers(0, 3), st.sampled_from(FRAGMENTS)),
        min_size=1,
        max_size=3,
    )
)
def test_a_spoilt_manifest_is_never_read_differently(edits):
    text = DEPLOYMENT
    for index, removed, inserted in edits:
        text = text[:index] + inserted + text[index + removed :]
    try:
        agrees(text)
    except YamlError:
        pytest.fail(f"the lines were read, the events refused: {text!r}")


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([*FRAGMENTS, "a", "b: ", "c:\n", "  "]), max_size=12))
def test_random_text_is_never_read_differently(fragments):
    try:
        agrees("".join(fragments))
    except YamlError:
        pytest.fail(f"the lines were read, the events refused: {fragments!r}")


def test_kubernetes_own_answers_hold_for_what_is_read_by_lines(vector_lines):
    texts = [json.loads(line)["in"]["yaml"] for line in vector_lines("yaml")]
    assert sum(agrees(text) for text in texts) > 300

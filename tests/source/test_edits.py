"""Wanted changes become replacements in the text: exactly those changes, or none."""

import pytest

from qoslint.source import loading
from qoslint.source.change import GONE, Value
from qoslint.source.document import Document, Source, documents
from qoslint.source.edits import replacements

MANIFEST = """\
# a comment
---
apiVersion: v1
kind: Pod
metadata: {name: a, labels: {app: 'x'}}  # flow
spec:
  containers:
  - name: app
    image: "x:1"  # the image
    resources:
      limits:
        cpu: 100m   # enough

        memory: 500m # too little
      # between
      requests: {cpu: 1}
    args:
    - -a
    - "b c"
  - name: side
    resources:   # none yet
  - name: last
    resources: {}   # nothing
    stdin: ~
"""
APP = ("spec", "containers", 0)


def parsed(text):
    *_, document = documents(Source("a.yaml", "a.yaml", text), kinds=())
    assert isinstance(document, Document), document
    return document


def changed_lines(before, after):
    """The lines that went and that came, whatever stands between them."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return "".join(f"-{line}" for line in old) + "".join(f"+{line}" for line in new)


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (
            (*APP, "resources", "limits", "memory"),
            "500Mi",
            "-        memory: 500m # too little\n+        memory: 500Mi # too little\n",
        ),
        ((*APP, "image"), "y", '-    image: "x:1"  # the image\n+    image: "y"  # the image\n'),
        (
            ("metadata", "labels", "app"),
            "it's",
            "-metadata: {name: a, labels: {app: 'x'}}  # flow\n"
            "+metadata: {name: a, labels: {app: 'it''s'}}  # flow\n",
        ),
        ((*APP, "args", 0), "-b", '-    - -a\n+    - "-b"\n'),
        (("spec", "containers", 2, "stdin"), True, "-    stdin: ~\n+    stdin: true\n"),
        # To be read as text, what looks like a number is quoted.
        (
            (*APP, "resources", "limits", "cpu"),
            "1",
            '-        cpu: 100m   # enough\n+        cpu: "1"   # enough\n',
        ),
        (
            (*APP, "resources", "limits", "cpu"),
            1,
            "-        cpu: 100m   # enough\n+        cpu: 1   # enough\n",
        ),
        # What is missing comes behind the last entry.
        (
            (*APP, "resources", "limits", "ephemeral-storage"),
            "1Gi",
            "+        ephemeral-storage: 1Gi\n",
        ),
        (
            (*APP, "resources", "requests", "memory"),
            "1Gi",
            "-      requests: {cpu: 1}\n+      requests: {cpu: 1, memory: 1Gi}\n",
        ),
        (
            (*APP, "resources", "claims"),
            {"a": {"b": 1}, "c": {}},
            "+      claims:\n+        a:\n+          b: 1\n+        c: {}\n",
        ),
        (
            ("metadata", "annotations", "x/y"),
            "yes",
            "-metadata: {name: a, labels: {app: 'x'}}  # flow\n"
            "+metadata: {name: a, labels: {app: 'x'}, annotations: {x/y: \"yes\"}}  # flow\n",
        ),
        (
            ("spec", "containers", 1, "resources", "limits", "memory"),
            "1Gi",
            "+      limits:\n+        memory: 1Gi\n",
        ),
        (
            ("spec", "containers", 2, "resources", "limits", "memory"),
            "1Gi",
            "-    resources: {}   # nothing\n"
            "+    resources:   # nothing\n+      limits:\n+        memory: 1Gi\n",
        ),
        (("spec", "containers", 1, "resources"), "x", "-    resources:   # none yet\n"
         "+    resources: x   # none yet\n"),
        (("spec", "priorityClassName"), "high", "+  priorityClassName: high\n"),
        (("status", "phase"), "Running", "+status:\n+  phase: Running\n"),
    ],
)  # fmt: skip
def test_a_field_is_set(edited, path, value, expected):
    assert changed_lines(MANIFEST, edited(MANIFEST, (path, Value(value)))) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((*APP, "resources", "limits", "cpu"), "-        cpu: 100m   # enough\n"),
        ((*APP, "args", 0), "-    - -a\n"),
        ((*APP, "name"),
         '-  - name: app\n-    image: "x:1"  # the image\n+  - image: "x:1"  # the image\n'),
        ((*APP, "args"), '-    args:\n-    - -a\n-    - "b c"\n'),
        (("metadata", "name"), "-metadata: {name: a, labels: {app: 'x'}}  # flow\n"
         "+metadata: {labels: {app: 'x'}}  # flow\n"),
        (("metadata", "labels"), "-metadata: {name: a, labels: {app: 'x'}}  # flow\n"
         "+metadata: {name: a}  # flow\n"),
    ],
)  # fmt: skip
def test_a_field_is_removed(edited, path, expected):
    assert changed_lines(MANIFEST, edited(MANIFEST, (path, GONE))) == expected


def test_a_comment_on_a_line_of_its_own_is_never_removed(edited):
    assert edited(MANIFEST, ((*APP, "resources"), GONE)) is None


def test_edits_that_belong_together_are_made_together(edited):
    limits = ("spec", "containers", 1, "resources", "limits")
    after = edited(MANIFEST, ((*limits, "memory"), Value("1Gi")), ((*limits, "cpu"), Value("1")))
    assert changed_lines(MANIFEST, after) == (
        '+      limits:\n+        memory: 1Gi\n+        cpu: "1"\n'
    )


def test_edits_that_contradict_each_other_are_not_made(edited):
    assert edited("a: 1\n", (("a",), Value(2)), (("a",), Value(3))) is None
    assert edited("a: {b: 1}\n", (("a", "b"), Value(2)), (("a",), Value(3))) is None


def test_inner_and_outer_fields_at_one_place_keep_their_order(edited):
    after = edited("a:\n  b:\n    c: 1\n", (("a", "b", "d"), Value(2)), (("a", "e"), Value(3)))
    assert after == "a:\n  b:\n    c: 1\n    d: 2\n  e: 3\n"


@pytest.mark.parametrize(
    ("before", "path", "value", "after"),
    [
        ("a: 1", ("b",), 2, "a: 1\nb: 2"),
        ("a:\r\n  b: 1\r\nc: 2\r\n", ("a", "d"), 3, "a:\r\n  b: 1\r\n  d: 3\r\nc: 2\r\n"),
        ("a: 1\r", ("b",), 2, "a: 1\rb: 2\r"),
        ("a:\n    b:\n        c: 1\n", ("a", "d", "e"), 1,
         "a:\n    b:\n        c: 1\n    d:\n        e: 1\n"),
        ("x: 1\n---\na: 1 # c\n...\n---\n", ("a",), 2, "x: 1\n---\na: 2 # c\n...\n---\n"),
        ("a: {b: 1,}\n", ("a", "c"), 2, "a: {b: 1, c: 2,}\n"),
        ("a: { }\n", ("a", "b"), 2, "a:\n  b: 2\n"),
        ("a: null # c\n", ("a", "b"), 2, "a: # c\n  b: 2\n"),
        ("a: {b: {}, c: , d: ~}\n", ("a", "b", "x"), 1, "a: {b: {x: 1}, c: , d: ~}\n"),
        ("a: {b: {}, c: , d: ~}\n", ("a", "c", "x"), 1, "a: {b: {}, c: {x: 1} , d: ~}\n"),
        ("a: {b: {}, c: , d: ~}\n", ("a", "d", "x"), 1, "a: {b: {}, c: , d: {x: 1}}\n"),
        ("a: [{b: 1}, 2]\n", ("a", 0, "c"), "x", "a: [{b: 1, c: x}, 2]\n"),
        ('a: {\n  "b": 1,\n  "c": "x"\n}\n', ("a", "d"), "y",
         'a: {\n  "b": 1,\n  "c": "x",\n  "d": "y"\n}\n'),
        ('{"a": {"b": "500m"}}', ("a", "b"), "500Mi", '{"a": {"b": "500Mi"}}'),
        ('{"a": {"b": 1}}', ("a", "b"), "x", '{"a": {"b": "x"}}'),
        ('{\n  "a": {}\n}\n', ("a", "b", "c"), "x", '{\n  "a": {"b": {"c": "x"}}\n}\n'),
        ('{\n\t"a": 1\n}', ("b",), None, '{\n\t"a": 1,\n\t"b": null\n}'),
        ("a:\n  - b: 1\n", ("a", 0, "c"), 2, "a:\n  - b: 1\n    c: 2\n"),
        ("a:\n-   b: 1\n", ("a", 0, "c"), 2, "a:\n-   b: 1\n    c: 2\n"),
        ("- a\n- b\n", (1,), "c", "- a\n- c\n"),
        ("a: |\n  x\n  y\n\nb: 1\n", ("c",), 2, "a: |\n  x\n  y\n\nb: 1\nc: 2\n"),
        ("b: 1\na: |\n  x\n", ("c",), 2, "b: 1\na: |\n  x\nc: 2\n"),
        # The alias gives way to a value, what it stood for stays.
        ("a: &x 1\nb: *x\n", ("b",), 2, "a: &x 1\nb: 2\n"),
        ("a: &x 1\nb: 3\n", ("a",), 2, "a: &x 2\nb: 3\n"),
        ("a: &x {b: 1}\nc:\n  <<: *x\n  d: 1\n", ("c", "e"), 2,
         "a: &x {b: 1}\nc:\n  <<: *x\n  d: 1\n  e: 2\n"),
        ("é: '😀'\nb: {c: é}\n", ("b", "c"), "😀", "é: '😀'\nb: {c: \"😀\"}\n"),
    ],
)  # fmt: skip
def test_every_style_is_kept(edited, before, path, value, after):
    assert edited(before, (path, Value(value))) == after


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("a: &x {b: 1}\nc: *x\n", ("a", "b"), 2),
        ("a: &x {b: 1}\nc: *x\n", ("c", "b"), 2),
        ("a: &x {b: 1}\nc:\n  <<: *x\n", ("c", "b"), 2),
        ("a: !!str 5\n", ("a",), "6"),
        ("a: |\n  x\n", ("a",), "y"),
        ("a: x\n  y\n", ("a",), "z"),
        ("a: &z\n", ("a",), 1),
        ("a: {b: 1}\n", ("a",), 2),
        ("a: 1\n", ("a", "b"), 2),
        ("a: [1]\n", ("a", 1), 2),
        ("a: [1]\n", ("a", "b"), 2),
        ("a: {b: 1}\n", ("a", 0), 2),
        ("a: [b: 1]\n", ("a", 0, "c"), 2),
        ("a: {\n b: 1 # c\n}\n", ("a", "c"), 2),
        ("a: {b}\n", ("a", "b"), 2),
        ("? a\n: b\n", ("c",), 2),
        ("a: 1\na: 2\nb: |+\n  x\n\n", ("c",), 2),
        # Not JSON for want of a value or for a comment: some readers refuse it.
        ('{"a": 1} # c\n', ("a",), 2),
        ('{"a": 1, # c\n "b": 2}\n', ("a",), 2),
        ("a: 'x\u2028y'\nc: 1\n", ("c",), 2),
        ("a: 1\n", (), 2),
        # What a reader of the diff could not see.
        ("a: 1\n", ("a",), "x\u202ey"),
        ("a: 1\n", ("b\n",), 1),
        ("a: 1\n", ("a",), float("nan")),
    ],
)  # fmt: skip
def test_what_is_not_plain_is_left_alone(edited, text, path, value):
    assert edited(text, (path, Value(value))) is None


def test_a_change_of_all_that_share_an_anchor_is_made_once(edited):
    text = "a: &x {b: 1}\nc: *x\n"
    assert edited(text, (("a", "b"), Value(2)), (("c", "b"), Value(2))) == ("a: &x {b: 2}\nc: *x\n")


def test_a_rendered_text_is_not_edited():
    *_, document = documents(Source("chart#1", "a.yaml", "a: 1\n"), kinds=())
    assert replacements(document, [[(("a",), Value(2))]]) == [()]


def test_one_wrong_change_among_many_costs_only_itself():
    text = "a: &x {b: 1}\nc: *x\n" + "".join(f"k{n}: {n}\n" for n in range(50))
    wanted = [[((f"k{n}",), Value("x"))] for n in range(50)]
    wanted.insert(20, [(("a", "b"), Value(2))])
    found = replacements(parsed(text), wanted)
    assert [n for n, one in enumerate(found) if not one] == [20]


def test_thousands_of_changes_need_one_more_look():
    text = "".join(f"k{n}: {n}\n" for n in range(20_000))
    wanted = [[((f"k{n}",), Value("x"))] for n in range(20_000)]
    assert all(replacements(parsed(text), wanted))


def test_changes_that_all_fail_are_not_tried_for_ever(monkeypatch):
    """Each of them would change what the alias stands for, too."""
    text = "a: &x {b: [" + ", ".join(["1"] * 5_000) + "]}\nc: *x\n"
    document = parsed(text)
    reads, load_text = [], loading.load
    monkeypatch.setattr(loading, "load", lambda text: reads.append(text) or load_text(text))
    assert not any(replacements(document, [[(("a", "b", n), Value(2))] for n in range(5_000)]))
    assert len(reads) > 1
    assert sum(map(len, reads)) < 6 * len(text) + 20_000

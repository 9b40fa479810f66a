"""Wanted changes become replacements in the text: exactly those changes, or none."""

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qoslint.source import loading
from qoslint.source.change import GONE, Value, same
from qoslint.source.document import Document, Source, documents, load
from qoslint.source.edits import replaced, replacements
from qoslint.source.removal import Cut
from qoslint.span import Lines

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


def edited(text, *edits):
    """The text with the edits made to its last document; None if there is no sure way."""
    (found,) = replacements(parsed(text), [edits])
    if not found:
        return None
    lines = Lines(text)
    return replaced(
        text, [Cut(lines.index(it.span.start), lines.index(it.span.end), it.text) for it in found]
    )


def setting(text, path, value):
    return edited(text, (path, Value(value)))


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
def test_a_field_is_set(path, value, expected):
    assert changed_lines(MANIFEST, setting(MANIFEST, path, value)) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((*APP, "resources", "limits", "cpu"), "-        cpu: 100m   # enough\n"),
        ((*APP, "args", 0), "-    - -a\n"),
        ((*APP, "args"), '-    args:\n-    - -a\n-    - "b c"\n'),
        (("metadata", "name"), "-metadata: {name: a, labels: {app: 'x'}}  # flow\n"
         "+metadata: {labels: {app: 'x'}}  # flow\n"),
        (("metadata", "labels"), "-metadata: {name: a, labels: {app: 'x'}}  # flow\n"
         "+metadata: {name: a}  # flow\n"),
    ],
)  # fmt: skip
def test_a_field_is_removed(path, expected):
    assert changed_lines(MANIFEST, edited(MANIFEST, (path, GONE))) == expected


def test_a_comment_on_a_line_of_its_own_is_never_removed():
    assert edited(MANIFEST, ((*APP, "resources"), GONE)) is None


def test_edits_that_belong_together_are_made_together():
    limits = ("spec", "containers", 1, "resources", "limits")
    after = edited(MANIFEST, ((*limits, "memory"), Value("1Gi")), ((*limits, "cpu"), Value("1")))
    assert changed_lines(MANIFEST, after) == (
        '+      limits:\n+        memory: 1Gi\n+        cpu: "1"\n'
    )


def test_edits_that_contradict_each_other_are_not_made():
    assert edited("a: 1\n", (("a",), Value(2)), (("a",), Value(3))) is None
    assert edited("a: {b: 1}\n", (("a", "b"), Value(2)), (("a",), Value(3))) is None


def test_inner_and_outer_fields_at_one_place_keep_their_order():
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
def test_every_style_is_kept(before, path, value, after):
    assert setting(before, path, value) == after


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
def test_what_is_not_plain_is_left_alone(text, path, value):
    assert setting(text, path, value) is None


def test_a_change_of_all_that_share_an_anchor_is_made_once():
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


KEYS = st.one_of(
    st.sampled_from(["cpu", "memory", "a b", "on", "é", "x/y", "1"]), st.text(max_size=3)
)
WORDS = ["500m", "1", "null", "a: b", "# c", "", "it's", '"', "1e3", "-"]
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-9, 2**40),
    st.sampled_from(WORDS),
    st.text(max_size=5),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=10,
)
SMALL = st.recursive(SCALARS, lambda inner: st.dictionaries(KEYS, inner, max_size=2), max_leaves=4)


COMMENT = "#~c~"


class Writer:
    """Writes a value in a style that changes at random from line to line."""

    def __init__(self, chance, step):
        self.chance, self.step = chance, step

    def scalar(self, value):
        text = json.dumps(value, ensure_ascii=not str(value).isprintable())
        if not isinstance(value, str) or not value.isprintable():
            return text if not isinstance(value, str) or value.isascii() else json.dumps("x")
        options = [text, "'" + value.replace("'", "''") + "'"]
        if value.isalnum() and value.isascii() and len(value) > 1 and same(load(value), value):
            options.append(value)
        return self.chance.choice(options)

    def flow(self, value):
        gap = self.chance.choice(["", " "])
        if isinstance(value, dict):
            inner = f",{gap or ' '}".join(
                f"{self.scalar(k)}: {self.flow(v)}" for k, v in value.items()
            )
            return f"{{{gap}{inner}{gap}}}"
        if isinstance(value, list):
            return f"[{gap}{', '.join(map(self.flow, value))}{gap}]"
        return self.scalar(value)

    def lines(self, value):
        """Lines of block style, or None for what has none."""
        if not isinstance(value, dict | list) or not value or self.chance.random() < 0.2:
            return None
        return [
            line
            for one in (value.items() if isinstance(value, dict) else value)
            for line in (self.entry(*one) if isinstance(value, dict) else self.item(one))
        ]

    def comment(self):
        return self.chance.choice(["", "", f"  {COMMENT}", f" {COMMENT}"])

    def entry(self, key, value):
        between = self.chance.choice([[], [], [COMMENT], [""]])
        lines = self.lines(value)
        if lines is None:
            text = "" if value is None and self.chance.random() < 0.5 else f" {self.flow(value)}"
            return [*between, f"{self.scalar(key)}:{text}{self.comment()}"]
        step = 0 if isinstance(value, list) and self.chance.random() < 0.5 else self.step
        return [
            *between,
            f"{self.scalar(key)}:{self.comment()}",
            *(" " * step + it for it in lines),
        ]

    def item(self, value):
        lines = self.lines(value)
        if lines is None:
            return [f"- {self.flow(value)}{self.comment()}"]
        if isinstance(value, list) or lines[0][:1] in ("", "#"):
            return ["-", *(f"  {it}" for it in lines)]
        dash = "-" + " " * self.chance.randint(1, 3)
        return [dash + lines[0], *(" " * len(dash) + it for it in lines[1:])]


def all_paths(value, path=()):
    yield path, value
    if isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from all_paths(inner, (*path, step))


def with_value(value, path, new):
    """A copy with the field set, and mappings made on the way to it; None if that cannot be."""
    whole = {"": copy.deepcopy(value)}
    holder, last = whole, ""
    for step in path:
        if holder[last] is None if isinstance(holder, list) else holder.get(last) is None:
            holder[last] = {}
        holder, last = holder[last], step
        if isinstance(holder, dict) != isinstance(step, str) or not isinstance(holder, dict | list):
            return None
        if isinstance(holder, list) and step >= len(holder):
            return None
    holder[last] = new
    return whole[""]


def get(value, path):
    for step in path:
        value = value.get(step) if isinstance(value, dict) else value and value[step]
    return value


def printable(value):
    if isinstance(value, list):
        return all(map(printable, value))
    if isinstance(value, dict):
        return all(key.isprintable() and printable(one) for key, one in value.items())
    return str(value).isprintable()


@settings(max_examples=600, deadline=None)
@given(
    st.dictionaries(KEYS, VALUES, min_size=1, max_size=4),
    st.randoms(use_true_random=False),
    st.sampled_from([2, 4]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    SMALL,
    KEYS,
)
def test_exactly_the_wanted_change_comes_out(value, chance, step, line_end, new, key):
    writer = Writer(chance, step)
    lines = writer.lines(value) or [writer.flow(value)]
    text = line_end.join(["first: 1", "---", *lines, ""])
    document = parsed(text)
    before = document.data
    path, old = chance.choice(list(all_paths(before))[1:])
    if isinstance(old, dict | type(None)) and chance.random() < 0.7:
        path = (*path, key, *(["inner"] if chance.random() < 0.3 else []))
    after = setting(text, path, new)
    expected = with_value(before, path, new)
    if expected is None:
        assert after is None
        return
    if after is None:
        names = [step for step in path if isinstance(step, str)]
        taken = isinstance(get(before, path), dict | list) and get(before, path)
        assert same(expected, before) or taken or not printable([*names, new])
        return
    assert same(parsed(after).data, expected)
    assert parsed(after).number == document.number
    assert after.count(COMMENT) == text.count(COMMENT)
    lines, kept = text.split(line_end), after.split(line_end)
    assert sum(line not in kept for line in lines) <= 1

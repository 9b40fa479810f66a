"""Field paths back to the lines of the file."""

import dataclasses
import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qoslint.finding import Part
from qoslint.source.document import Document, Source, documents, load
from qoslint.source.locate import locate, locate_all
from qoslint.span import Lines, Position

MANIFEST = """\
# a comment
---
apiVersion: v1
kind: Pod
metadata: {name: a, "labels": {app: 'x'}}  # flow
spec:
  containers:
  - name: app
    image: x:1  # c
    resources:
      limits:
        cpu: 100m

        memory: 1Gi
    args:
    - -a
    - "b c"
  - image: y
  overhead:
"""
APP = ("spec", "containers", 0)


def parsed(text):
    *_, document = documents(Source("a.yaml", "a.yaml", text), kinds=())
    assert isinstance(document, Document), document
    return document


def text_at(document, path, part=Part.VALUE):
    """The text at a path, and whether it is the field itself."""
    span, exact = locate(document, path, part)
    lines = Lines(document.source.text)
    return document.source.text[lines.index(span.start) : lines.index(span.end)], exact


def exact_text(text, path, part=Part.VALUE):
    found, exact = text_at(parsed(text), path, part)
    assert exact
    return found


@pytest.fixture(params=["lines", "events"])
def manifest(request):
    """The manifest, located by both readers."""
    document = parsed(MANIFEST)
    assert document.plain_block
    return dataclasses.replace(document, plain_block=request.param == "lines")


@pytest.mark.parametrize(
    ("path", "key", "value", "entry"),
    [
        (("kind",), "kind", "Pod", "kind: Pod"),
        (("metadata", "name"), "name", "a", "name: a"),
        (("metadata", "labels"), '"labels"', "{app: 'x'}", "\"labels\": {app: 'x'}"),
        (("metadata", "labels", "app"), "app", "'x'", "app: 'x'"),
        ((*APP, "image"), "image", "x:1", "image: x:1"),
        ((*APP, "args", 1), '"b c"', '"b c"', '"b c"'),
        ((*APP, "resources", "limits", "memory"), "memory", "1Gi", "memory: 1Gi"),
        (
            (*APP, "resources", "limits"),
            "limits",
            "cpu: 100m\n\n        memory: 1Gi",
            "limits:\n        cpu: 100m\n\n        memory: 1Gi",
        ),
        (("spec", "containers", 1), "image", "image: y", "image: y"),
        (("spec", "overhead"), "overhead", "overhead", "overhead:"),
    ],
)
def test_key_value_and_entry_are_found(manifest, path, key, value, entry):
    found = [text_at(manifest, path, part) for part in (Part.KEY, Part.VALUE, Part.ENTRY)]
    assert found == [(key, True), (value, True), (entry, True)]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((*APP, "resources", "requests", "cpu"), "resources"),
        ((*APP, "resources", "limits", "nvidia.com/gpu"), "limits"),
        ((*APP, "securityContext"), "name: app"),
        (("spec", "containers", 1, "name"), "image"),
        (("spec", "containers", 7, "name"), "containers"),
        (("spec", "containers", "name"), "containers"),
        (("spec", 0), "spec"),
        (("spec", "overhead", "cpu"), "overhead"),
        (("metadata", "labels", "tier"), '"labels"'),
        (("status", "phase"), "apiVersion"),
    ],
)
def test_a_missing_field_is_shown_by_its_deepest_ancestor(manifest, path, expected):
    assert {text_at(manifest, path, part) for part in Part} == {(expected, False)}


def test_spans_are_in_the_lines_of_the_file():
    document = parsed("a: 1\n---\n# c\nb:\n  c: 2\n")
    assert locate(document, ("b", "c"), Part.VALUE)[0] == (Position(5, 6), Position(5, 7))


def test_many_paths_are_answered_in_their_order(manifest):
    wanted = [((*APP, "image"), Part.KEY), (("nope",), Part.KEY), (("kind",), Part.VALUE)]
    assert locate_all(manifest, wanted) == [locate(manifest, *one) for one in wanted]


def test_a_mapping_is_searched_once_for_all_paths():
    """Ten thousand paths through a mapping of as many keys, and of as many merged ones."""
    keys = "".join(f"  k{number}: {number}\n" for number in range(10_000))
    merged = ", ".join(["*b"] * 10_000)
    document = parsed(f"a: &b {{x: 1}}\nc:\n{keys}  <<: [{merged}]\n")
    wanted = [(("c", f"k{number}"), Part.VALUE) for number in range(10_000)]
    started = time.process_time()
    found = locate_all(document, wanted)
    assert time.process_time() - started < 10
    assert found[0][0].start == Position(3, 7)
    assert all(exact for _, exact in found)


class TestAnchors:
    TEXT = (
        "a: &x\n  # c\n  b: {c: 1}\n"
        "d: *x\n"
        "e:\n  <<: *x\n  f: 2\n"
        "g: {<<: [{h: 1}, {h: 2, b: 3}, *x]}\n"
        "i:\n  b: 0\n  <<: *x\n"
        "j: &y 5\n"
        "k: [*y]\n"
        "l: &z\n"
    )

    @pytest.mark.parametrize(
        ("path", "line", "expected"),
        [
            (("a",), 3, "b: {c: 1}"),
            (("d",), 4, "*x"),
            (("d", "b", "c"), 3, "1"),
            (("e", "b", "c"), 3, "1"),
            (("e", "f"), 7, "2"),
            (("g", "h"), 8, "1"),
            (("g", "b"), 8, "3"),
            # A merge that stands behind a key overrides it, as in Kubernetes' reader.
            (("i", "b", "c"), 3, "1"),
            (("j",), 12, "5"),
            (("k", 0), 13, "*y"),
        ],
    )
    def test_paths_lead_through_aliases_and_merges(self, path, line, expected):
        document = parsed(self.TEXT)
        assert text_at(document, path) == (expected, True)
        assert locate(document, path, Part.VALUE)[0].start.line == line

    def test_what_is_located_is_what_was_read(self):
        document = parsed(self.TEXT)
        assert document.data["i"]["b"] == {"c": 1}
        assert document.data["g"]["b"] == 3

    def test_an_anchor_without_a_value_is_shown_by_its_key(self):
        assert text_at(parsed(self.TEXT), ("l",), Part.KEY) == ("l", True)

    def test_an_anchor_far_from_the_wanted_path_is_followed(self):
        text = "x: [{y: &a {b: {c: 1}}}]\nz: *a\n"
        assert exact_text(text, ("z", "b", "c")) == "1"

    def test_an_alias_may_be_a_key(self):
        assert exact_text("a: &x k\n*x : {b: 1}\n", ("k", "b")) == "1"


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("a: 1\na: 2\n", ("a",), "2"),
        ("on: {8: x}\n", ("true", "8"), "x"),
        ("a: |\n  x\n  y\n\n# c\nb: 1\n", ("a",), "|\n  x\n  y"),
        ("a: >-\n  x\n", ("a",), ">-\n  x"),
        ("a: x\n  y\nb: 1\n", ("a",), "x\n  y"),
        ('a: "x\n  y"\n', ("a",), '"x\n  y"'),
        ("a: !!str 5\n", ("a",), "!!str 5"),
        ("? a\n: b\n", ("a",), "b"),
        ("a: [b: 1, c]\n", ("a", 0, "b"), "1"),
        ("a: {b: c:d}\n", ("a", "b"), "c:d"),
        ("😀: é\nb: {😀: [x, é]}\n", ("b", "😀", 1), "é"),
        ("a: {b: 1}\r\nc:\r\n- d\r\n", ("c", 0), "d"),
        ("a: {b: 1}\rc: 2\r", ("c",), "2"),
        ("a: 'x\u2028y'\nb: {c: 1}\n", ("b", "c"), "1"),
        ('{"a": {"\\ud83d\\ude00": 1,\n "b": [true]}}', ("a", "b", 0), "true"),
        ('{\n\t"a": 1}\n', ("a",), "1"),
        ("- a\n- {b: 1}\n", (1, "b"), "1"),
        ("items:\n- kind: Pod\n  spec:\n    a: 1\n", ("items", 0, "spec", "a"), "1"),
        ("x\n", (), "x"),
    ],
)
def test_every_style_is_located(text, path, expected):
    assert exact_text(text, path) == expected


def test_a_byte_order_mark_is_no_column():
    assert locate(parsed("\ufeffa: 1\n"), ("a",), Part.KEY)[0].start == Position(1, 1)


def test_json_that_no_yaml_parser_reads_is_shown_at_its_start():
    document = parsed(json.dumps({"k" * 2000: {"a": 1}}))
    assert locate(document, ("k" * 2000, "a")) == ((Position(1, 1), Position(1, 1)), False)


def test_an_empty_document_has_a_place(document):
    assert locate(document("--- # c\nnull\n"), ("a",))[1] is False


KEYS = st.text("abcxyz 'é😀:-#{", max_size=5)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-9, 99), KEYS)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=12,
)


def scalar(value):
    text = json.dumps(value, ensure_ascii=False)
    return value if isinstance(value, str) and value.isalpha() and len(value) > 1 else text


def block(value, indent, style):
    """Lines of block style; short values and some others in flow style."""
    if not isinstance(value, dict | list) or not value or len(json.dumps(value)) % style == 0:
        return [json.dumps(value, ensure_ascii=False)]
    if isinstance(value, dict):
        entries = (entry(scalar(key), inner, indent, style) for key, inner in value.items())
        return [line for lines in entries for line in lines]
    return [line for inner in value for line in item(inner, indent, style)]


def entry(key, value, indent, style):
    lines = block(value, indent, style)
    if len(lines) == 1 and not lines[0].startswith(("- ", "#")) and is_flow(value, lines[0]):
        return [f"{key}: {lines[0]}", "  # between"]
    inner = indent if isinstance(value, dict) else indent - 2
    return [f"{key}:   # c", *(" " * inner + line for line in lines)]


def item(value, indent, style):
    lines = block(value, indent, style)
    if isinstance(value, list) and value and not is_flow(value, lines[0]):
        return ["-", *(f"  {line}" for line in lines)]
    return [f"- {lines[0]}", *(f"  {line}" for line in lines[1:])]


def is_flow(value, line):
    return line == json.dumps(value, ensure_ascii=False)


def paths(value, path=()):
    yield path, value
    children = value.items() if isinstance(value, dict) else enumerate(value)
    for step, inner in children:
        if isinstance(inner, dict | list):
            yield from paths(inner, (*path, step))
        else:
            yield (*path, step), inner


@settings(max_examples=250, deadline=None)
@given(
    st.dictionaries(KEYS, VALUES, min_size=1, max_size=4),
    st.sampled_from([2, 4]),
    st.integers(2, 9),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
)
def test_the_text_at_each_value_is_that_value(value, indent, style, line_end, as_json):
    lines = json.dumps(value, indent=2).splitlines() if as_json else block(value, indent, style)
    # JSON's own rules hold only for what is a file of its own.
    text = line_end.join([*lines, ""] if as_json else ["first: 1", "---", *lines, ""])
    document = parsed(text)
    assert document.data == value
    all_paths = list(paths(value))
    spans = locate_all(document, [(path, Part.VALUE) for path, _ in all_paths])
    places = Lines(text)
    for (path, inner), (span, exact) in zip(all_paths, spans, strict=True):
        found = text[places.index(span.start) : places.index(span.end)]
        # The first line of a block is cut from its line; the others keep their columns.
        read = json.loads(found) if as_json else load(" " * (span.start.column - 1) + found)
        assert (path, read, exact) == (path, inner, True)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=4), st.integers(2, 9))
def test_lines_and_events_find_the_same_places(value, style):
    document = parsed("\n".join(block(value, 2, style)) + "\n")
    wanted = [
        (path + more, part) for path, _ in paths(value) for more in ((), ("nope",)) for part in Part
    ]
    by_events = dataclasses.replace(document, plain_block=False)
    assert locate_all(document, wanted) == locate_all(by_events, wanted)

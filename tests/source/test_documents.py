"""A source to its documents."""

import pytest

from qoslint.source.allowance import OF_DOCUMENT, OF_RUN, Allowance
from qoslint.source.document import MAX_MARKERS, Broken, Document, Passed, Source, documents, load
from qoslint.source.tree import Skip
from qoslint.span import Position, Span

KINDS = frozenset({"Pod"})


def read(text, kinds=KINDS):
    return list(documents(Source("a.yaml", "a.yaml", text), kinds))


def shapes(text):
    """Number, first line and value of each document."""
    return [(item.number, item.line, item.data) for item in read(text)]


class TestSplitting:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("a: 1\n---\nb: 2\n", [(0, 1, {"a": 1}), (1, 2, {"b": 2})]),
            ("---\na: 1\n---\n---\n# c\n---\nb: 2\n", [(0, 1, {"a": 1}), (1, 6, {"b": 2})]),
            ("a: 1\n...\nb: 2\n", [(0, 1, {"a": 1}), (1, 3, {"b": 2})]),
            ("# c\n%YAML 1.1\n---\na: 1\n", [(0, 1, {"a": 1})]),
            ("a: 1\n...\n%YAML 1.1\n---\nb: 2\n", [(0, 1, {"a": 1}), (1, 3, {"b": 2})]),
            ("a: 1\r\n---\r\nb: 2\r\n", [(0, 1, {"a": 1}), (1, 2, {"b": 2})]),
            ("a: 1\r---\rb: 2\r", [(0, 1, {"a": 1}), (1, 2, {"b": 2})]),
            ("--- {a: 1}\n--- # c\nb: 2\n", [(0, 1, {"a": 1}), (1, 2, {"b": 2})]),
            ("a: |\n  x\n  ---\n  y\n", [(0, 1, {"a": "x\n---\ny\n"})]),
            ("a: |\n  x\n---\nb: 2\n", [(0, 1, {"a": "x\n"}), (1, 3, {"b": 2})]),
            ("a: 1\n----\n", None),
            ("\ufeffa: 1\n", [(0, 1, {"a": 1})]),
            ("", []),
            ("# only\n---\n...\n---\n", []),
        ],
    )
    def test_a_stream_is_cut_at_its_markers(self, text, expected):
        if expected is None:
            assert [type(item) for item in read(text)] == [Broken]
        else:
            assert shapes(text) == expected

    def test_a_broken_document_costs_only_itself(self):
        before, broken, after = read("a: 1\n---\nb: c: d\n---\ne: 2\n")
        assert (before.data, after.data) == ({"a": 1}, {"e": 2})
        assert broken.span == Span(Position(3, 5), Position(3, 6))
        assert broken.message == "mapping values are not allowed in this context"

    def test_an_anchor_ends_with_its_document(self):
        _, broken = read("a: &x 1\n---\nb: *x\n")
        assert broken.message == "unknown anchor 'x' referenced"

    def test_a_file_with_too_many_markers_is_not_read(self):
        (broken,) = read("---\n" * (MAX_MARKERS + 2))
        assert broken.message == "more than 250,000 document markers in one file"


class TestPassing:
    def test_a_kind_without_pods_is_not_parsed(self):
        assert read("kind: ConfigMap\ndata: {a: [}\n") == [
            Passed(Source("a.yaml", "a.yaml", "kind: ConfigMap\ndata: {a: [}\n"), 0, "ConfigMap")
        ]

    @pytest.mark.parametrize(
        "spec",
        ["managedResources: {}", "resourcesPerNode: 1", "template: {}", "containers: []"],
    )
    def test_words_that_make_no_pod_template_do_not_count(self, spec):
        text = f"kind: Thing\nspec: {{{spec}}}\n"
        assert read(text) == [Passed(Source("a.yaml", "a.yaml", text), 0, "Thing")]

    @pytest.mark.parametrize(
        "text",
        [
            "kind: Pod\n",
            "kind: Pod # c\r\n",
            "kind : 'Pod'\n",
            "kind: PodList\n",
            "kind: Thing\nspec: {template: {spec: {containers: []}}}\n",
            "kind: Thing\nspec: {jobTemplate: {spec: {initContainers: []}}}\n",
            "kind: Thing\nresources: {}\n",
            "kind: Thing\n'resources': {}\n",
            'kind: Thing\nspec: {template: {spec: {"c\\x6fntainers": []}}}\n',
            'kind: Thing\nspec:\n  "t\\x65mplate" :\n    spec: {containers: []}\n',
            "a: 1\n",
            '{"kind": "ConfigMap"}\n',
            "  kind: ConfigMap\n",
        ],
    )
    def test_whatever_may_hold_pods_is_parsed(self, text):
        assert [type(item) for item in read(text)] == [Document]

    @pytest.mark.parametrize(
        "text",
        [
            'note: "\nkind: ConfigMap"\n"kind": Pod\n',
            "--- {a: b,\nkind: ConfigMap\n}\n",
            "kind: ConfigMap\nkind: Pod\n",
            "kind: ConfigMap\n? kind\n: Pod\n",
            "kind: &a ConfigMap\n",
        ],
    )
    def test_a_kind_that_may_be_another_is_parsed(self, text):
        assert Passed not in [type(item) for item in read(text)]


class TestTemplates:
    @pytest.mark.parametrize(
        "text",
        [
            "kind: Pod\nspec: {{ .Values.spec }}\n",
            "{{- if .Values.x }}\nkind: Pod\n{{- end }}\n",
            "{% if x %}\nkind: Pod\n{% endif %}\n",
        ],
    )
    def test_a_template_is_named(self, text):
        (broken,) = read(text)
        assert broken.reason is Skip.TEMPLATE
        assert broken.message.startswith("a template, not plain YAML: ")

    def test_quoted_braces_are_ordinary(self):
        (document,) = read("kind: Pod\nname: '{{ .Values.name }}'\nargs: [$(X)]\nenv: ${Y}\n")
        assert (document.data["args"], document.data["env"]) == (["$(X)"], "${Y}")

    def test_ordinary_breakage_is_no_template(self):
        (broken,) = read("kind: Pod\na: b: c\n")
        assert (broken.reason, broken.kind) == (None, "Pod")


def test_notices_stand_at_their_line_of_the_file():
    _, document = read("a: 1\n---\nb: 1\nc: 2\nb: 3\n")
    assert document.data == {"b": 3, "c": 2}
    assert [(notice.span.start, notice.message) for notice in document.notices] == [
        (Position(5, 1), 'key "b" already set in map')
    ]


def test_load_reads_the_first_document():
    assert load("a: 1\n---\nb: 2\n") == {"a": 1}


class TestAliases:
    """`x` has 501 values: aliases to it add 1,002 for each two."""

    TEXT = f"x: &x [{', '.join(['y'] * 500)}]\n"

    def expanded(self, times, more=""):
        return f"{self.TEXT}z: [{', '.join(['*x'] * times)}]\n{more}"

    def test_a_document_may_expand_to_as_much_as_its_length_and_some_more(self):
        times = (OF_DOCUMENT + len(self.expanded(20))) // 501
        (whole,) = read(self.expanded(times))
        assert len(whole.data["z"]) == times
        (broken,) = read(self.expanded(times + 1))
        assert broken.message.startswith("aliases expand to more than 11,")
        assert broken.message.endswith(" values")
        (longer,) = read(self.expanded(times + 1, "#" * 501))
        assert isinstance(longer, Document)

    def test_aliases_in_one_line_are_counted_too(self):
        flow = f"a: [&x [{', '.join(['y'] * 500)}], {', '.join(['*x'] * 100)}]\n"
        (broken,) = read(flow)
        assert broken.message.startswith("aliases expand to more than ")

    def test_merged_mappings_are_counted(self):
        keys = ", ".join(f"k{number}: 1" for number in range(200))
        (broken,) = read(f"a: &a {{{keys}}}\n" + "".join(f"b{n}:\n  <<: *a\n" for n in range(200)))
        assert broken.message.startswith("aliases expand to more than ")

    def test_the_documents_of_a_run_share_an_allowance(self):
        text = self.expanded(20)
        allowance = Allowance()
        source = Source("a.yaml", "a.yaml", text)
        found = [next(documents(source, KINDS, allowance)) for _ in range(30)]
        assert [type(item) for item in found[:10]] == [Document] * 10
        assert Broken in {type(item) for item in found}
        added = sum(20 * 501 for item in found if isinstance(item, Document))
        assert OF_RUN < added <= OF_RUN + 30 * len(text)

    def test_a_text_of_ordinary_aliases_never_meets_the_bound(self):
        allowance = Allowance()
        text = "a: &a {x: 1, y: 2}\n" + "".join(f"b{n}:\n  <<: *a\n" for n in range(50))
        source = Source("a.yaml", "a.yaml", text)
        found = [next(documents(source, KINDS, allowance)) for _ in range(1000)]
        assert {type(item) for item in found} == {Document}


@pytest.mark.parametrize("line", ["%TAG !a! x\n", "%TAG !a! x\r", "%TAG !a! x\r\n"])
def test_a_document_has_no_more_than_a_hundred_directives(line):
    head = "".join(line.replace("a", f"a{number}") for number in range(100))
    (document,) = read(f"{head}--- {{a: '{'%' * 200}'}}\n")
    assert document.data == {"a": "%" * 200}
    (broken,) = read(f"%TAG !b! x\n{head}--- a\n")
    assert broken.message == "more than 100 directives in one document"


def test_a_long_name_is_shortened_in_messages():
    name = "n" * 900
    (broken,) = read(f"a: *{name}\n")
    assert len(broken.message) < 200
    (document,) = read(f"{{{name}: 1, {name}: 2}}")
    assert len(document.notices[0].message) < 200

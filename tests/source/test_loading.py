"""One document to its JSON value: what the rows of Kubernetes' own answers do not name."""

import subprocess
import sys

import pytest

from qoslint.source.event_values import load_events
from qoslint.source.events import python_events
from qoslint.source.loading import YamlError, load
from qoslint.span import Position


def value(text):
    return load(text).value


def complaints(text):
    return [(said.position, said.message) for said in load(text).complaints]


def refusal(text):
    with pytest.raises(YamlError) as caught:
        load(text)
    return caught.value.message, caught.value.position


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{image: nginx:1.25}", {"image": "nginx:1.25"}),
        ("[a:1, http://x:80/y]", ["a:1", "http://x:80/y"]),
        ('{"a":b:c, d: !!str 5, e: "x:y"}', {"a": "b:c", "d": "5", "e": "x:y"}),
        ("a: {b: c:d}\ne: |\n  f:g\n# h:i\n", {"a": {"b": "c:d"}, "e": "f:g\n"}),
        ("{a: &x b:c, d: *x}", {"a": "b:c", "d": "b:c"}),
    ],
)
def test_a_plain_scalar_in_a_flow_collection_may_hold_a_colon(text, expected):
    assert value(text) == expected


def test_a_value_that_a_later_key_overrides_may_be_infinite():
    assert value("a: .inf\na: 1\n") == {"a": 1}


def test_infinity_is_refused_where_it_counts():
    assert refusal("a:\n  b: .inf\n") == (
        "NaN and the infinities have no JSON value",
        Position(2, 6),
    )


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("1e6", "1e+06"),
        ("123456.5", "123456.5"),
        ("1234567.5", "1.2345675e+06"),
        ("0.0001", "0.0001"),
        ("0.00001", "1e-05"),
        ("-0.0", "-0"),
        ("-1.5e-7", "-1.5e-07"),
        ("9223372036854775807", "9223372036854775807"),
    ],
)
def test_a_number_as_key_is_printed_as_go_prints_it(key, expected):
    assert value(f"{key}: x") == {expected: "x"}


def test_a_key_beyond_64_bits_with_sign_is_refused():
    message, _ = refusal("9223372036854775808: x")
    assert message == "the key 9223372036854775808 is out of range"


def test_keys_of_two_types_that_become_one_are_told():
    assert complaints('1: a\n"1": b\n') == [
        (Position(2, 1), 'key "1" is set as two types, and which one counts is not defined')
    ]


def test_keys_of_one_type_are_duplicates_however_they_are_spelt():
    assert complaints("yes: a\non: b\n0x10: c\n16: d\n") == [
        (Position(2, 1), 'key "true" already set in map'),
        (Position(4, 1), 'key "16" already set in map'),
    ]


def test_binary_that_is_not_utf8_gets_one_replacement_a_byte():
    assert value("a: !!binary 4oLi\n") == {"a": "\ufffd\ufffd\ufffd"}


@pytest.mark.parametrize("text", ["2001-12-14", "2001-1-1T1:2:3Z", "2001-12-14 21:59:43.10"])
def test_a_timestamp_stays_text(text):
    assert value(f"a: !!timestamp {text}\n") == {"a": text}


@pytest.mark.parametrize("text", ["x", "2001-13-14", "2001-12-14 25:00:00", "5"])
def test_what_is_no_timestamp_is_refused_as_one(text):
    assert refusal(f"a: !!timestamp {text}\n")[0].endswith("as a !!timestamp")


def test_what_follows_the_document_is_told():
    assert complaints("{a: 1}\nb: 2\n") == [
        (Position(2, 1), "what follows the end of this document is ignored")
    ]


def test_an_alias_shares_its_value():
    found = value("a: &x {b: 1}\nc: *x\n")
    assert found["a"] is found["c"]


def test_an_anchor_that_is_set_twice_means_the_last():
    assert value("a: &x 1\nb: &x 2\nc: *x\n") == {"a": 1, "b": 2, "c": 2}


class TestPositions:
    def test_a_tab_that_indents_is_named(self):
        assert refusal("a:\n\tb: 1\n") == ("a tab cannot indent YAML", Position(2, 1))

    @pytest.mark.parametrize(("character", "name"), [("\x01", "U+0001"), ("\ud800", "U+D800")])
    def test_a_character_that_yaml_does_not_allow_is_named(self, character, name):
        message = f"the character {name} is not allowed in YAML"
        assert refusal(f"a: x\nb: {character}\n") == (message, Position(2, 4))

    def test_what_is_never_closed_is_shown_where_it_opens(self):
        assert refusal('a: 1\nb: "x\nc: 2\n')[1] == Position(2, 4)

    def test_a_position_never_lies_behind_the_text(self):
        assert refusal("a: [1, 2\n\n\n")[1] == Position(1, 4)

    def test_lines_are_those_of_editors(self):
        assert refusal('a: "x\u2028y"\r\nb: c: d\r\n')[1] == Position(2, 5)

    def test_columns_are_code_points(self):
        assert refusal('a: "😀": c\n')[1] == Position(1, 7)

    def test_an_unknown_anchor_is_shown(self):
        assert refusal("a: 1\nb: *x\n") == ("unknown anchor 'x' referenced", Position(2, 4))


class TestJson:
    def test_tabs_indent_json(self):
        assert value('{\n\t"a": [\n\t\t1\n\t]\n}\n') == {"a": [1]}

    def test_escaped_surrogates_are_read(self):
        assert value(r'{"a": "\ud83d\ude00"}') == {"a": "😀"}

    def test_half_a_surrogate_pair_is_replaced_as_go_does(self):
        assert value(r'{"a": "\ud83d x \ude00", "b": "\\ud83d"}') == {
            "a": "\ufffd x \ufffd",
            "b": r"\ud83d",
        }

    def test_a_key_twice_is_told_and_the_last_counts(self):
        text = '{"a": 1,\n "b": "\\ud83d\\ude00",\n "a": 2}'
        assert value(text) == {"a": 2, "b": "😀"}
        assert complaints(text) == [(Position(3, 2), 'key "a" already set in map')]

    def test_numbers_are_those_of_go(self):
        assert value('{"a": 18446744073709551615, "b": 18446744073709551616}') == {
            "a": 18446744073709551615,
            "b": 18446744073709552000.0,
        }

    def test_a_flow_mapping_that_is_no_json_is_yaml(self):
        assert value("{a: NaN, b: yes}") == {"a": "NaN", "b": True}


class TestBounds:
    def test_depth_200_is_read(self):
        assert load("[" * 200 + "]" * 200).value

    @pytest.mark.parametrize("text", ["[" * 201 + "1" + "]" * 201, "- " * 201 + "x"])
    def test_depth_201_is_refused(self, text):
        assert refusal(text)[0] == "nested deeper than 200 levels"

    def test_aliases_add_to_the_depth(self):
        nested = "[" * 120
        text = f"a: &a {nested}{']' * 120}\nb: &b {nested}*a{']' * 120}\n"
        assert refusal(text)[0] == "nested deeper than 200 levels"

    def test_aliases_may_multiply_a_small_document(self):
        text = "a: &a [1, 2, 3]\nb: [" + ", ".join(["*a"] * 100) + "]\n"
        assert len(value(text)["b"]) == 100

    def test_excessive_aliases_are_refused_as_kubernetes_does(self):
        items = ", ".join("x" * 200)
        text = f"a: &a [{items}]\nb: [" + ", ".join(["*a"] * 2000) + "]\n" + "#" * 400_000
        assert refusal(text)[0] == "document contains excessive aliasing"


def test_the_slow_parser_gives_the_same_events(monkeypatch):
    """For platforms without the C library."""
    text = "a: &x [1, 'b', \"c\"]\nd: {e: *x}\nf: |\n  g\n<<: {h: !!str 1}\n"
    fast = load_events(text)
    monkeypatch.setattr("qoslint.source.events.CParser", None)
    assert load_events(text) == fast
    assert python_events(text)() is not None


@pytest.mark.parametrize(
    ("text", "needed"), [("a: b", False), ("a: {b: [1]}", False), ("a: |\n  b", True)]
)
def test_plain_manifests_need_no_parser(text, needed):
    """Its import takes longer than a small run may."""
    code = (
        "import sys; from qoslint.source.document import load; from qoslint.source import locate;"
        f"load({text!r} + '\\n'); sys.exit('ruamel.yaml' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == needed

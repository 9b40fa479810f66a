"""Comments with a mark, and the lines that each is about."""

import pytest

from qoslint.source.comments import comments, template_comments
from qoslint.source.document import YamlError


def about(text, read=comments):
    return {each.text: (each.first, each.last) for each in read(text, "m:")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1 # m: x\nb: 2\n", {"x": (1, 1)}),
        ("# m: x\na: 1\n", {"x": (2, 2)}),
        ("# m: x\n\n# other\na: 1\n", {"x": (4, 4)}),
        ("a: 1\n# m: x\n", {"x": (2, 2)}),
        ("a: # m: x\n  b: 1\n  c: 2\nd: 1\n", {"x": (1, 3)}),
        ("a: # m: x\n- 1\n- 2\nd: 1\n", {"x": (1, 3)}),
        ("- a: 1 # m: x\n  b: [1,\n 2]\n- a: 2\n", {"x": (1, 3)}),
        ("- a: 1\n  name: n # m: x\n- a: 2\n", {"x": (1, 2)}),
        ("- 1 # m: x\n- 2\n", {"x": (1, 1)}),
        ("a: |\n  t\n  t # m: x\nb: 1 # m: y\n", {"y": (4, 4)}),
        ("a: >- # m: x\n  t\n\n\n# m: y\nb: 1\n", {"x": (1, 1), "y": (6, 6)}),
        ("a: 't # m: x\n\n  # m: y' # m: z\n", {"z": (3, 3)}),
        ('a: "\\" # m: x"\n', {}),
        ("a: b# m: x\n", {}),
        ("a: b\n  # m: x\nc: 1\n", {"x": (3, 3)}),
        ("{a: 1, # m: x\n b: {c: 1}}\n", {"x": (1, 1)}),
        ("kind: A # m: x\napiVersion: b\nc:\n- 1\n---\na: 1 # m: y\n", {"x": (1, 4), "y": (6, 6)}),
        ("# m: x\n---\nkind: A\napiVersion: b\n", {"x": (3, 4)}),
        ("a: 1\n---\n# m: x\nb: 1\n", {"x": (4, 4)}),
        ("a:\n  b: 1\n  # m: x\n---\nc: 1\n", {"x": (3, 3)}),
        ("\ufeffa: 1 # m: x\r\nb: 1\r\n", {"x": (1, 1)}),
        ("a: 1 # m: x\rb: 1\r# m: y\rc: 1\r", {"x": (1, 1), "y": (4, 4)}),
        ("a: &x # m: x\n  b: 1\nc: *x # m: y\n", {"x": (1, 2), "y": (3, 3)}),
        ("a: 1 #m: x\n", {"x": (1, 1)}),
        ("a: 1 # an m: x\n", {}),
    ],
)
def test_a_comment_is_about_what_its_line_opens(text, expected):
    assert about(text) == expected


def test_a_comment_has_its_place():
    (found,) = comments("a: 1\nbé: 2  # m: x \n", "m:")
    assert found.span == ((2, 8), (2, 15))


@pytest.mark.parametrize("text", ["a: [ # m: x\n", "[" * 300 + " # m: x\n" + "]" * 300])
def test_what_is_no_yaml_is_refused(text):
    with pytest.raises(YamlError):
        about(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{ a }} # m: x\n", {"x": (1, 1)}),
        ("a {{/* m: x */}}\n", {"x": (1, 1)}),
        ("{{- /* m: x */ -}}\nb\n", {"x": (1, 2)}),
        ("  # m: x\n{{- if b }}\n# c\nd\ne\n", {"x": (1, 4)}),
        ("# m: x\n", {"x": (1, 1)}),
    ],
)
def test_a_comment_of_a_template_is_about_its_line_or_the_next(text, expected):
    assert about(text, template_comments) == expected


@pytest.mark.parametrize(
    "text",
    [
        "- a: 1 # m: x\n" * 20_000,
        "# m: x\n" * 100_000 + "---\n" + "# m: x\n" * 100_000 + "a: 1\n",
        "a: 1\n" + "  # m: x\n" * 100_000 + "---\n" + "# n\n" * 100_000,
    ],
)
def test_very_many_comments_take_no_time(text):
    assert len([*comments(text, "m:")]) == text.count("m:")
    assert len([*template_comments(text, "m:")]) == text.count("m:")


@pytest.mark.parametrize("read", [comments, template_comments])
@pytest.mark.parametrize("end", ["", " " * 100_000, " */" * 30_000])
def test_of_very_many_comments_in_a_line_the_first_are_read_and_the_start_of_each(read, end):
    many = 30_000
    texts = [each.text for each in read(f"a: 1\n{'# m: ' * many}{end}\n# m: last{end}\n", "m:")]
    assert 0 < len(texts) < many
    assert all(len(each) <= 500 for each in texts)
    assert texts[-1].startswith("last")

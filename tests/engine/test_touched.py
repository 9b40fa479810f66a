"""What a change touched of files that were renamed."""

from qoslint.engine.touched import Texts, Touched
from qoslint.span import Position, Span


def line(number):
    return Span(Position(number, 1), Position(number, 2))


def texts(files):
    return Texts(files.get, files)


def manifest(number, image="app"):
    common = "".join(f"field{each}: value\n" for each in range(30))
    return f"name: app-{number}\nimage: {image}\n{common}"


def test_of_thousands_of_renamed_files_each_is_compared_with_its_own_older_text():
    count = 3000
    before = {f"old/{number}.yaml": manifest(number) for number in range(count)}
    after = {f"new/{number}.yaml": manifest(number, "edited") for number in range(count)}
    touched = Touched(texts(before), texts(after))
    for file in after:
        assert not touched.touches(file, line(1))
        assert touched.touches(file, line(2))
        assert not touched.touches(file, line(3))


def test_a_file_that_shares_less_than_half_of_its_lines_is_new():
    before = {"old.yaml": "a\nb\nc\nd\n"}
    half, less = {"new.yaml": "a\nb\nx\ny\n"}, {"new.yaml": "a\nv\nx\ny\n"}
    assert not Touched(texts(before), texts(half)).touches("new.yaml", line(1))
    assert Touched(texts(before), texts(less)).touches("new.yaml", line(1))

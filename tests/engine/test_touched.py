"""What a change touched of files that were renamed."""

from qoslint.engine import touched as module
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


def test_of_a_large_file_not_every_one_of_thousands_is_a_part(monkeypatch):
    before = {"old.yaml": "".join(f"{number}\n" for number in range(1000))}
    after = {f"new{number}.yaml": f"{number}\n{number + 1}\n{number + 2}\n" for number in range(20)}
    monkeypatch.setattr(module, "_MOST_OLDER", 10_000)
    touched = Touched(texts(before), texts(after))
    assert [touched.touches(file, line(2)) for file in after].count(False) == 10


def test_older_texts_are_looked_for_among_so_many_lines(monkeypatch):
    before = {"a.yaml": "a\n" * 100, "b.yaml": "b\nc\n", "c.yaml": "d\ne\n"}
    monkeypatch.setattr(module, "_MOST_GONE", 50)
    touched = Touched(texts(before), texts({"d.yaml": "a\n" * 100, "e.yaml": "b\nc\n"}))
    assert touched.touches("d.yaml", line(1))
    assert not touched.touches("e.yaml", line(1))

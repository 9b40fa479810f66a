"""Random documents in random styles, random changes: exactly those come out, and comments stay."""

import copy
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from qoslint.source.change import Value, same
from qoslint.source.document import Document, Source, documents, load

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


def parsed(text):
    *_, document = documents(Source("a.yaml", "a.yaml", text), kinds=())
    assert isinstance(document, Document), document
    return document


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
def test_exactly_the_wanted_change_comes_out(edited, value, chance, step, line_end, new, key):
    writer = Writer(chance, step)
    lines = writer.lines(value) or [writer.flow(value)]
    text = line_end.join(["first: 1", "---", *lines, ""])
    document = parsed(text)
    before = document.data
    path, old = chance.choice(list(all_paths(before))[1:])
    if isinstance(old, dict | type(None)) and chance.random() < 0.7:
        path = (*path, key, *(["inner"] if chance.random() < 0.3 else []))
    after = edited(text, (path, Value(new)))
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

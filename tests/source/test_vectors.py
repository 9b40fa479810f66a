"""The reader against what Kubernetes' own YAML reader answered, to the digit."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from typing import NamedTuple

import pytest

from qoslint.source import loading
from qoslint.source.event_values import load_events
from qoslint.source.loading import YamlError


class Number(NamedTuple):
    text: str


def go_number(number: float) -> str:
    """A number as Go's encoding/json prints it."""
    if isinstance(number, int):
        return str(number)
    if number == 0:
        return "-0" if math.copysign(1, number) < 0 else "0"
    if 1e-6 <= abs(number) < 1e21:
        text = format(Decimal(repr(number)), "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    mantissa, _, exponent = f"{Decimal(repr(number)).normalize():e}".partition("e")
    return f"{mantissa}e{int(exponent):+d}"


def as_printed(value):
    """The value with each number as Go's encoding/json prints it."""
    if isinstance(value, dict):
        return {key: as_printed(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [as_printed(inner) for inner in value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return Number(go_number(value))


def parse_row(line):
    return json.loads(line, parse_int=Number, parse_float=Number)


def answer(text, load):
    try:
        loaded = load(text)
    except YamlError:
        return "refused"
    return as_printed(loaded.value)


def strict_says(text, load):
    return any("already set in map" in said.message for said in load(text).complaints)


@pytest.mark.parametrize("load", [loading.load, load_events], ids=["any way", "events"])
class TestYaml:
    def test_every_value_is_what_kubernetes_reads(self, vector_lines, load):
        rows = [parse_row(line) for line in vector_lines("yaml")]
        differing = [
            (row["id"], row["in"]["yaml"], row["out"], got)
            for row in rows
            if (got := answer(row["in"]["yaml"], load)) != row["out"].get("json", "refused")
        ]
        assert rows
        # Not even plain scalars with a colon in a flow collection are an exception.
        assert differing == []

    def test_a_strict_reader_complains_where_kubernetes_does(self, vector_lines, load):
        rows = [parse_row(line) for line in vector_lines("yaml")]
        accepted = [row for row in rows if "json" in row["out"]]
        differing = [
            row["id"]
            for row in accepted
            if strict_says(row["in"]["yaml"], load) != ("strictError" in row["out"])
        ]
        assert accepted
        assert differing == []

    def test_every_quantity_scalar_is_what_kubernetes_reads(self, vector_lines, load):
        rows = [parse_row(line) for line in vector_lines("quantity")]
        rows = [row for row in rows if row["in"]["op"] == "quantity_yaml"]
        differing = [
            (row["in"]["yaml"], row["out"], got)
            for row in rows
            if (got := answer(f"x: {row['in']['yaml']}", load)) != expected_quantity(row)
        ]
        assert rows
        assert differing == []


def expected_quantity(row):
    """Rows without a JSON value were refused by the YAML reader."""
    return {"x": row["out"]["json"]} if "json" in row["out"] else "refused"

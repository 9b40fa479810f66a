"""Quantities against every quantity vector, their algebra, and what hostile text costs."""

from __future__ import annotations

import contextlib
import re
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qoslint.kernel.quantity import (
    MAX_DIGITS,
    ZERO,
    Format,
    Quantity,
    QuantityError,
    from_json,
    new_quantity,
    parse,
)

RAW_JSON = re.compile(r'"json":(.*?)\},"out":')

numbers = st.from_regex(r"[+-]?[0-9]{1,22}(\.[0-9]{0,12})?", fullmatch=True)
suffixes = st.sampled_from(
    ["", *"numkMGTPE", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "E-4", "e21"]
)
quantities = st.builds(lambda number, suffix: parse(number + suffix), numbers, suffixes)


@pytest.mark.vectors("quantity")
def test_every_field_of_every_quantity_is_as_kubernetes_answers(vectors):
    vectors.check(answer)


def answer(row):
    asked = row["in"]
    try:
        match asked["op"]:
            case "quantity":
                return fields(parse(asked["s"]))
            case "quantity_json":
                return fields(unmarshal(RAW_JSON.search(row["line"])[1]))
            case "quantity_yaml" if "json" not in row["out"]:
                return None  # the text is no YAML that has a JSON value; tests/source asks these
            case "quantity_yaml":
                value = row["out"]["json"]
                return {"json": value, **fields_of_json(value)}
            case "quantity_pair":
                return pair(asked["a"], asked["b"])
    except QuantityError as error:
        return {"ok": False, "error": str(error)}


def unmarshal(raw):
    """A quantity from JSON text, which Kubernetes does not unescape."""
    if raw == "null":
        return from_json(None)
    return from_json(raw[1:-1]) if raw.startswith('"') else parse(raw)


def fields_of_json(value):
    try:
        return fields(from_json(value))
    except QuantityError as error:
        return {"ok": False, "error": str(error)}


def fields(quantity):
    found = {
        "ok": True,
        "string": str(quantity),
        "canonical": quantity.canonical(),
        "format": str(quantity.format),
        "value": quantity.value(),
        "milliValue": quantity.milli_value(),
        "sign": quantity.sign,
        "roundUpMilli": str(quantity.round_up_milli()),
    }
    exact = quantity.as_int64()
    return found if exact is None else {**found, "asInt64": exact}


def pair(a, b):
    try:
        left, right = parse(a), parse(b)
    except QuantityError:
        return {"ok": False}
    return {
        "ok": True,
        "cmp": (left.nanos > right.nanos) - (left.nanos < right.nanos),
        "equal": left.nanos == right.nanos,
        "add": str(left + right),
        "sub": str(left - right),
    }


@given(quantities)
def test_the_canonical_text_means_the_same_number_unless_it_lacks_a_suffix(quantity):
    beyond_exa = quantity.format is not Format.DECIMAL_EXPONENT and abs(quantity.nanos) >= 10**30
    beyond_int64 = quantity.format is Format.BINARY_SI and quantity.nanos > (2**63 - 1) * 10**9
    if not beyond_exa and not beyond_int64:
        assert parse(quantity.canonical()).nanos == quantity.nanos


@given(quantities)
def test_the_printed_text_is_canonical_after_one_round(quantity):
    once = quantity.canonical()
    if abs(quantity.nanos) < 10**27:
        assert parse(once).canonical() == once


@given(quantities, quantities)
def test_sums_and_differences_are_exact(a, b):
    assert ((a + b).nanos, (a - b).nanos) == (a.nanos + b.nanos, a.nanos - b.nanos)


@given(quantities)
def test_rounding_to_thousandths_never_lowers_a_magnitude_and_moves_less_than_one(quantity):
    moved = abs(quantity.round_up_milli().nanos) - abs(quantity.nanos)
    assert 0 <= moved < 10**6
    assert quantity.round_up_milli().nanos % 10**6 == 0


@given(st.integers(0, 10**15), st.integers(0, 9))
def test_nanos_order_as_the_numbers_do(digits, places):
    text = f"{digits}e-{places}"
    assert Fraction(parse(text).nanos, 10**9) == Fraction(digits, 10**places)


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300))
def test_a_float_is_read_without_loss_down_to_a_billionth(value):
    exact = Fraction(repr(value)) * 10**9
    quantity = from_json(value)
    assert abs(quantity.nanos - exact) < 1
    assert abs(quantity.nanos) >= abs(exact)


@given(st.text(max_size=30))
def test_any_text_is_a_quantity_or_a_quantity_error(text):
    with contextlib.suppress(QuantityError):
        assert isinstance(from_json(text), Quantity)


@pytest.mark.parametrize("value", [True, False, [], ["1"], {}, {"a": 1}])
def test_json_of_another_type_is_refused_in_kubernetes_words(value):
    with pytest.raises(QuantityError, match="quantities must match the regular expression"):
        from_json(value)


@pytest.mark.parametrize(
    "text",
    [
        "1" * 10_000,
        "0." + "1" * 10_000,
        "0" * 10_000,
        "1e2147483650",
        "1e-2147483649",
        "1e2147483647",
        "9" * 999 + "e999999",
        "1e" + "9" * 10_000,
        "0" * 3990 + "x",
        "1" * 3990 + "x",
        "K" * 3990 + "x",
    ],
)
def test_text_that_stops_kubernetes_is_refused_at_once(text):
    start = time.process_time()
    with pytest.raises(QuantityError):
        parse(text)
    assert time.process_time() - start < 0.1


def test_the_bounds_are_named_in_their_message():
    with pytest.raises(QuantityError, match=f"more than {MAX_DIGITS} digits"):
        parse("1e1001")


@pytest.mark.parametrize("text", ["9" * MAX_DIGITS, "1e1000", "1e-1000", "0." + "0" * 990 + "1"])
def test_values_inside_the_bounds_can_be_printed_added_and_rounded(text):
    quantity = parse(text)
    for result in (quantity + parse("1n"), quantity - quantity, quantity.round_up_milli()):
        assert isinstance(str(result), str)
    assert isinstance(quantity.value() + quantity.milli_value(), int)


def test_huge_json_integers_are_refused():
    with pytest.raises(QuantityError, match="digits"):
        from_json(10**5000)


def test_a_line_break_in_a_string_is_refused_because_json_escapes_it():
    with pytest.raises(QuantityError):
        from_json("1Gi\n")


def test_blanks_around_a_string_are_trimmed():
    assert from_json("\u00a0 1Gi ").nanos == 2**30 * 10**9


def test_null_is_zero_and_takes_the_format_of_what_is_added():
    assert (from_json(None), (ZERO + parse("1Gi")).format) == (ZERO, Format.BINARY_SI)


def test_equal_values_of_other_text_are_not_the_same_quantity():
    assert parse("1") != parse("1000m")
    assert parse("1").nanos == parse("1000m").nanos


def test_a_capital_k_or_a_small_m_in_mi_is_no_suffix():
    for text in ("1K", "1ki", "1mi"):
        with pytest.raises(QuantityError, match="unable to parse quantity's suffix"):
            parse(text)


def test_memory_of_400m_is_one_byte():
    assert parse("400m").value() == 1


def test_a_new_quantity_prints_in_its_format():
    assert str(new_quantity(2**30, Format.BINARY_SI)) == "1Gi"

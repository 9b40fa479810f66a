"""Flux's variables, as fluxcd/pkg envsubst fills them in."""

from __future__ import annotations

import pytest

from qoslint.render.flux.substitution import SubstitutionError, is_disabled, is_name, substituted

VARIABLES = {"A": "alpha", "N": "12", "EMPTY": "", "PATH_": "a/b/c.tar.gz", "Ü": "x"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x", "x"),
        ("${A}", "alpha"),
        ("a ${A} ${N} b", "a alpha 12 b"),
        ("$A $ {A} $", "$A $ {A} $"),
        ("$${A}", "${A}"),
        ("$$${A}", "$alpha"),
        ("$$$${A}", "$${A}"),
        ("${GONE}", ""),
        ("${GONE:=1Gi}", "1Gi"),
        ("${GONE:-1Gi}", "1Gi"),
        ("${GONE=1Gi}", "1Gi"),
        ("${EMPTY:=1Gi}", "1Gi"),
        ("${A:=1Gi}", "alpha"),
        # In this library a plus is a default like any other.
        ("${A:+x}", "alpha"),
        ("${GONE:=}", ""),
        ("${GONE:=a${A}b${N}}", "aalphab12"),
        ("${GONE:=${GONE:=${N}}}", "12"),
        ("${GONE:=a b: c$$d}", "a b: c$$d"),
        ("${#A}", "5"),
        ("${A^}", "Alpha"),
        ("${A^^}", "ALPHA"),
        ("${A,}", "alpha"),
        ("${A:1}", "lpha"),
        ("${A:1:2}", "lp"),
        ("${A:-2}", "alpha"),
        ("${A:9}", ""),
        ("${A:x}", "alpha"),
        ("${A/a/b}", "blpha"),
        ("${A//a/b}", "blphb"),
        ("${A//a/}", "lph"),
        ("${A/#al/x}", "xpha"),
        ("${A/%ha/x}", "alpx"),
        ("${A/l\\/x/y}", "alpha"),
        ("${PATH_#*/}", "b/c.tar.gz"),
        ("${PATH_##*/}", "c.tar.gz"),
        ("${PATH_%.*}", "a/b/c.tar"),
        ("${PATH_%%.*}", "a/b/c"),
        ("${Ü}", "x"),
    ],
)
def test_expressions_come_to_what_flux_makes_of_them(text, expected):
    assert substituted(text, VARIABLES) == expected


@pytest.mark.parametrize(
    "text",
    [
        "${",
        "${}",
        "${A",
        "${A-x}",
        "${A:",
        "${A:=",
        "${A/a}",
        "${A#}",
        "${A b}",
        "${-}",
        "${A:1:-3}",
        "${GONE:=" * 100 + "}" * 100,
    ],
)
def test_what_flux_refuses_is_refused(text):
    with pytest.raises(SubstitutionError):
        substituted(text, VARIABLES)


def test_values_that_are_not_known_stay_as_they_are_written():
    text = "${A} ${GONE} ${GONE:=1Gi} ${A:=${GONE}} ${EMPTY:=${GONE}} ${GONE//a/b}"
    expected = "alpha ${GONE} ${GONE:=1Gi} alpha ${EMPTY:=${GONE}} ${GONE//a/b}"
    assert substituted(text, VARIABLES, all_known=False) == expected


def test_nothing_grows_without_bounds():
    text = "${A"
    for _ in range(8):
        text = "${A//a/" + text + "}"
    with pytest.raises(SubstitutionError):
        substituted("${X//a/${X//a/${X}}}", {"X": "a" * 10_000})
    with pytest.raises(SubstitutionError):
        substituted("${X#*b}", {"X": "a" * 10_000})


@pytest.mark.parametrize("place", ["labels", "annotations"])
def test_objects_can_be_left_out(place):
    switch = {"kustomize.toolkit.fluxcd.io/substitute": "disabled"}
    assert is_disabled({"metadata": {place: switch}})
    assert not is_disabled({"metadata": {place: {}}})
    assert not is_disabled(None)


def test_names_of_variables_are_plain():
    assert is_name("_a1")
    assert not any(map(is_name, ("1a", "a-b", "", "a b", "ü")))

"""Label selectors: tests of labels or annotations, all of which must hold.

Mirrors `staging/src/k8s.io/apimachinery/pkg/labels/selector.go Requirement.Matches`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from qoslint.model.objects import mapping, sequence, text

_TEST = re.compile(
    r"(?P<key>[^\s=!]+)(?:(?P<sign>!?=)(?P<value>.*)| (?P<word>\w+) \((?P<list>.*)\))?"
)


class Operator(StrEnum):
    """What a requirement asks of a key; the two negative ones hold where the key is missing."""

    IN = "In"
    NOT_IN = "NotIn"
    EXISTS = "Exists"
    DOES_NOT_EXIST = "DoesNotExist"


class Requirement(NamedTuple):
    """One test."""

    key: str
    operator: Operator
    values: tuple[str, ...] = ()

    def holds(self, labels: Mapping[str, str]) -> bool:
        """Whether the labels pass the test."""
        value = labels.get(self.key)
        match self.operator:
            case Operator.IN:
                return value in self.values
            case Operator.NOT_IN:
                return value not in self.values
            case Operator.EXISTS:
                return value is not None
        return value is None


Selector: TypeAlias = tuple[Requirement, ...]


def matches(selector: Selector, labels: Mapping[str, str]) -> bool:
    """Whether the labels pass all tests; an empty selector holds for everything."""
    return all(requirement.holds(labels) for requirement in selector)


def requirement(test: str) -> Requirement:
    """The requirement that kubectl writes as `key`, `!key`, `key=a`, `key!=a`, `key in (a,b)`."""
    test = test.strip()  # a schema's pattern lets a line end pass
    if test.startswith("!"):
        return Requirement(test[1:], Operator.DOES_NOT_EXIST)
    found = _TEST.fullmatch(test)
    assert found is not None, "the schema lets no other test pass"
    if found["sign"]:
        operator = Operator.IN if found["sign"] == "=" else Operator.NOT_IN
        return Requirement(found["key"], operator, (found["value"],))
    if found["word"]:
        operator = Operator.IN if found["word"] == "in" else Operator.NOT_IN
        return Requirement(found["key"], operator, tuple(found["list"].split(",")))
    return Requirement(found["key"], Operator.EXISTS)


def label_selector(value: object) -> Selector | None:
    """The selector of a LabelSelector's JSON; None if it cannot be read."""
    try:
        return tuple(_requirements(value))
    except ValueError:
        return None


def _requirements(value: object) -> Iterator[Requirement]:
    fields = mapping(value)
    for key, wanted in mapping(fields.get("matchLabels")).items():
        yield Requirement(key, Operator.IN, (text(wanted),))
    for entry in sequence(fields.get("matchExpressions")):
        expression = mapping(entry)
        yield Requirement(
            text(expression.get("key")),
            Operator(text(expression.get("operator"))),
            tuple(map(text, sequence(expression.get("values")))),
        )

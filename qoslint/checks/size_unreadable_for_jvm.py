"""QOS707: a Kubernetes quantity where Spark or Flink reads a size of its own kind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qoslint.finding import OBJECT, Part, Problem
from qoslint.model.subject import Stated
from qoslint.span import field_path

_KUBERNETES = re.compile(r"\s*([0-9.]+)\s*([KMGTP])i[Bb]?\s*", re.IGNORECASE)


def check_object(stated: Stated) -> Iterator[Problem]:
    """One problem for each size with a binary suffix of Kubernetes."""
    for size in stated.jvm_sizes:
        if found := _KUBERNETES.fullmatch(size.text):
            number, unit = found[1], found[2].lower()
            yield Problem(
                stated.object.at(size.path, Part.VALUE),
                f"{field_path(size.path)} of {OBJECT} is {size.text}, which is a quantity of "
                "Kubernetes: this field is read by a JVM, which refuses that suffix, so nothing "
                f"starts.{_meant(number, unit)}",
            )


def _meant(number: str, unit: str) -> str:
    """The same size as a JVM reads it; it takes whole numbers only."""
    return f" Write {number}{unit}, which is as much." if number.isdecimal() else ""

"""Sizes that look like quantities and are not: what Spark and Flink read themselves.

Spark reads them with `common/utils/src/main/java/org/apache/spark/network/util/JavaUtils.java
byteStringAs`, Flink with `flink-core-api .../configuration/MemorySize.java parse`: a whole number
and one of b, k, kb, m, mb, g, gb, t and tb, each of them a power of 1024.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from qoslint.model.kinds import ANY, WorkloadKind, match
from qoslint.model.objects import KubeObject
from qoslint.span import Path

# Of a mapping of settings, those that are sizes.
_SIZE_KEY = re.compile(
    r"spark\.(?:driver|executor)\.memory(?:Overhead)?|spark\.executor\.pyspark\.memory"
    r"|spark\.memory\.offHeap\.size"
    r"|(?:jobmanager|taskmanager)\.memory\.[a-z.-]+\.(?:size|min|max)"
)


class JvmSize(NamedTuple):
    """A size as written, and its path in the object."""

    path: Path
    text: str


def jvm_sizes(obj: KubeObject, kind: WorkloadKind) -> Iterator[JvmSize]:
    """Every size in the object that a JVM reads, by what is known of its kind."""
    for wanted in kind.jvm_sizes:
        for path, value in match(obj.data, wanted):
            listed = wanted[-1] != ANY or _SIZE_KEY.fullmatch(str(path[-1]))
            if listed and isinstance(value, str):
                yield JvmSize(path, value)

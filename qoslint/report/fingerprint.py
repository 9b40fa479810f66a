"""What a finding is recognised by when lines have moved."""

from __future__ import annotations

import hashlib
import json
import re
import struct
from collections import Counter
from collections.abc import Iterable
from itertools import accumulate

from qoslint.finding import Finding

_WINDOW = 100
_FACTOR = 37
_MASK = (1 << 64) - 1
_DROPPED = pow(_FACTOR, _WINDOW, 1 << 64)
_END_OF_FILE = 0xFFFF


def fingerprints(findings: Iterable[Finding]) -> tuple[str, ...]:
    """One fingerprint a finding, unique in the report and free of lines and wording.

    It is made of the rule, the objects and the field; a finding without objects has its file
    instead. Equal ones are numbered in the order given.
    """
    seen: Counter[str] = Counter()
    result = []
    for finding in findings:
        owner = sorted(finding.objects) or [finding.location.file]
        identity = json.dumps([finding.rule, owner, finding.field])
        digest = hashlib.sha256(identity.encode("ascii")).hexdigest()[:32]
        seen[digest] += 1
        result.append(f"{digest}:{seen[digest]}")
    return tuple(result)


def line_hashes(text: str) -> tuple[str, ...]:
    """GitHub's `primaryLocationLineHash` of each line, the first line at index 0.

    The same numbers as codeql-action `src/fingerprints.ts`: a polynomial hash, modulo 2^64, of
    the 100 UTF-16 units from the start of the line, without blanks; it looks over line ends.
    """
    kept = re.sub(r"[ \t]", "", re.sub(r"\r\n?", "\n", text))
    encoded = kept.encode("utf-16-le", "surrogatepass")
    units = (*struct.unpack(f"<{len(encoded) // 2}H", encoded), _END_OF_FILE)
    prefix = list(accumulate((*units, *[0] * _WINDOW), _append, initial=0))
    starts = [0, *(index + 1 for index, unit in enumerate(units) if unit == 0x0A)]
    seen: Counter[int] = Counter()
    result = []
    for start in starts:
        value = (prefix[start + _WINDOW] - _DROPPED * prefix[start]) & _MASK
        seen[value] += 1
        result.append(f"{value:x}:{seen[value]}")
    return tuple(result)


def _append(value: int, unit: int) -> int:
    return (_FACTOR * value + unit) & _MASK

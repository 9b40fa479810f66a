"""What a finding is recognised by when lines have moved."""

from __future__ import annotations

import json
import struct
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

from qoslint.finding import Finding

_WINDOW = 100
_FACTOR = 37
_MASK = (1 << 64) - 1
_END_OF_FILE = "\uffff"


def fingerprints(findings: Iterable[Finding]) -> tuple[str, ...]:
    """One fingerprint a finding, unique in the report and free of lines and wording.

    It is made of the rule, the objects and the field. What its objects have in common counts
    instead of them, so that one more changes nothing; a finding without objects has its file. Equal
    ones are numbered in the order given.
    """
    import hashlib

    seen: Counter[str] = Counter()
    result = []
    for finding in findings:
        owner = [finding.shared] if finding.shared else sorted(finding.objects)
        owner = owner or [finding.location.file]
        identity = json.dumps([finding.rule, owner, finding.field])
        digest = hashlib.sha256(identity.encode("ascii")).hexdigest()[:32]
        seen[digest] += 1
        result.append(f"{digest}:{seen[digest]}")
    return tuple(result)


def line_hashes(text: str, lines: Collection[int]) -> Mapping[int, str]:
    """GitHub's `primaryLocationLineHash` of these lines, the first line of the text being 1.

    The same numbers as codeql-action `src/fingerprints.ts`: a polynomial hash, modulo 2^64, of
    the 100 UTF-16 units from the start of the line, without blanks; it looks over line ends. An
    earlier line with equal units, and so an equal hash, is counted behind the colon.
    """
    # Not by `re.sub`, which would keep each piece between two blanks.
    kept = text.replace("\r\n", "\n").replace("\r", "\n").replace(" ", "").replace("\t", "")
    kept += _END_OF_FILE + "\0" * _WINDOW
    wanted = {_units(kept, start) for line, start in _starts(kept, lines) if line in lines}
    seen: Counter[bytes] = Counter()
    hashes = {}
    for line, start in _starts(kept, lines):
        units = _units(kept, start)
        if units in wanted:
            seen[units] += 1
            if line in lines:
                hashes[line] = f"{_hash(units):x}:{seen[units]}"
    return hashes


def _starts(kept: str, lines: Collection[int]) -> Iterator[tuple[int, int]]:
    """The number and the start of each line up to the last of `lines`."""
    start = 0
    for line in range(1, max(lines, default=0) + 1):
        yield line, start
        start = kept.find("\n", start) + 1
        if not start:
            return


def _units(kept: str, start: int) -> bytes:
    """The UTF-16 units that the hash of the line is made of."""
    return kept[start : start + _WINDOW].encode("utf-16-le", "surrogatepass")[: 2 * _WINDOW]


def _hash(units: bytes) -> int:
    value = 0
    for unit in struct.unpack(f"<{_WINDOW}H", units):
        value = (_FACTOR * value + unit) & _MASK
    return value

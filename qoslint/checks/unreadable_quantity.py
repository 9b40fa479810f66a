"""QOS702: a quantity that Kubernetes cannot read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from qoslint.finding import OBJECT, Part, Problem, Set
from qoslint.kernel.quantity import from_json
from qoslint.model.quantities import KIB, Authored
from qoslint.model.subject import Stated
from qoslint.span import field_path

_NUMBER_AND_UNIT = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]{1,3})\s*")
_UNITS = {
    "ki": "Ki", "mi": "Mi", "gi": "Gi", "ti": "Ti", "pi": "Pi", "ei": "Ei",
    "kib": "Ki", "mib": "Mi", "gib": "Gi", "tib": "Ti", "pib": "Pi", "eib": "Ei",
    "k": "k", "g": "G", "t": "T", "p": "P", "e": "E",
    "kb": "k", "mb": "M", "gb": "G", "tb": "T", "pb": "P", "eb": "E", "b": "",
}  # fmt: skip


def check_object(stated: Stated) -> Iterator[Problem]:
    """One problem for each entry of a resource list that is no quantity."""
    for authored in stated.unreadable:
        place = stated.object.at(authored.path, Part.VALUE)
        meant = _meant(authored.value)
        hint = f" Did you mean {meant}?" if meant else ""
        yield Problem(
            place,
            f"{field_path(authored.path[-2:])} of {OBJECT} is {_shown(authored.value)}, which is "
            f"no quantity, so the API server refuses the whole object.{hint}",
            edits=(Set(place, meant),) if meant and _is_evident(authored, meant) else (),
        )


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _meant(value: object) -> str:
    match = _NUMBER_AND_UNIT.fullmatch(value) if isinstance(value, str) else None
    # A lone m or M means what it says: a thousandth or a million.
    unit = match[2] if match and match[2] in ("m", "M") else None
    unit = _UNITS.get(match[2].lower(), unit) if match else None
    return f"{match[1]}{unit}" if match and unit is not None else ""


def _is_evident(authored: Authored, meant: str) -> bool:
    """Whether only spelling was wrong: `1g` or `8GB` may be decimal or binary, `1e` anything."""
    if "".join(str(authored.value).split()) == meant:
        return not authored.counts_bytes or from_json(meant).nanos >= KIB.nanos
    return authored.counts_bytes and meant.endswith("i")

"""Numbers that may be written as a share of others: `25%`."""

from __future__ import annotations

import re

_PERCENT = re.compile(r"(\d{1,6})%")


def scaled_value(value: object, total: int, *, round_up: bool) -> int | None:
    """The number itself, or the share of the total; None for what is neither.

    `staging/src/k8s.io/apimachinery/pkg/util/intstr/intstr.go GetScaledValueFromIntOrPercent`.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and (share := _PERCENT.fullmatch(value)):
        hundredfold = int(share[1]) * total
        return -(-hundredfold // 100) if round_up else hundredfold // 100
    return None

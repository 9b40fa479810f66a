"""What an engine is asked and answers, whichever it is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from qoslint.render.helm.prepare import Prepared
from qoslint.render.helm.values import Values
from qoslint.workers import Limits


class Request(NamedTuple):
    """One render. `folder` is relative to the checkout or absolute; `values` is JSON."""

    folder: str
    values: str
    release: str
    namespace: str
    kubernetes: str
    api_versions: tuple[str, ...]
    crds: bool


class Answer(NamedTuple):
    """What Helm says of one request: what it rendered by its own names, or why it did not."""

    templates: dict[str, str]
    error: str = ""
    warnings: tuple[str, ...] = ()
    seconds: float = 0
    """Of processor time, as far as that is known."""
    lasting: bool = False
    """Whether Helm says so of equal inputs each time."""


_STAMP = re.compile(r"^(?:\d{4}/\d\d/\d\d \d\d:\d\d:\d\d )?(?:WARN |level=WARN )?")


def warnings_of(said: str) -> tuple[str, ...]:
    """The lines that Helm's logger wrote, without the time."""
    return tuple(_STAMP.sub("", line) for line in said.splitlines() if line.strip("\0 "))


Ask: TypeAlias = Callable[[Sequence[str], Path, Sequence[Request], Limits], Iterator[Answer]]
"""Started by the command, in the checkout; one answer for each request, in order."""


def request(prepared: Prepared, folder: str, given: Values) -> Request:
    """The render of a prepared chart, as it stands in a folder and with these values."""
    chart = prepared.chart
    return Request(
        folder,
        json.dumps(given),
        chart.release,
        chart.namespace,
        # Helm 3 and 4 differ in what they make of two numbers alone.
        chart.kubernetes if chart.kubernetes.count(".") > 1 else f"{chart.kubernetes}.0",
        chart.api_versions,
        not chart.skip_crds,
    )

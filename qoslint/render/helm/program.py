"""A `helm` that is found on the PATH: `helm template`, one process a chart."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from qoslint import workers
from qoslint.render.helm.asking import Answer, Request, warnings_of
from qoslint.workers import Limits

_ENVIRONMENT = {"HELM_NO_PLUGINS": "1"}
_VERSION = re.compile(r"v(\d+\.\d+\.\d+)")
# Each document comes with the name of its template, in the line below the marker.
_SOURCE = re.compile(r"^---\n# Source: (.+)\n", re.MULTILINE)


def version(started: Sequence[str], folder: Path) -> str:
    """The version that the program says of itself, as `4.2.3`; empty if it says none."""
    try:
        ended = workers.run(
            [*started, "version", "--short"], folder=folder, environment=_ENVIRONMENT
        )
    except OSError:
        return ""
    match = _VERSION.search(ended.output.decode(errors="replace"))
    return match[1] if match else ""


def ask(
    started: Sequence[str], checkout: Path, requests: Sequence[Request], limits: Limits
) -> Iterator[Answer]:
    """One answer for each request, in order; as many at once as there are processors."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(partial(_answer, started, checkout, limits), requests)


def _answer(started: Sequence[str], checkout: Path, limits: Limits, request: Request) -> Answer:
    before = time.monotonic()
    with TemporaryDirectory(prefix="qoslint-") as folder:
        given = Path(folder, "values.json")
        given.write_text(request.values, "utf-8")
        ended = workers.run(
            [*started, "template", "--values", str(given), *_arguments(request)],
            folder=checkout,
            environment=_ENVIRONMENT,
            limits=limits,
        )
    took = time.monotonic() - before
    said = ended.errors.decode(errors="replace")
    if ended.exceeded is not None:
        return Answer({}, f"Helm {ended.exceeded}", seconds=took)
    if ended.status != 0:
        reason = said or f"Helm ended with status {ended.status}"
        return Answer({}, reason, seconds=took, lasting=ended.status > 0)
    output = ended.output.decode(errors="replace")
    return Answer(split(output), "", warnings_of(said), took)


def _arguments(request: Request) -> Iterator[str]:
    yield from ("--namespace", request.namespace, "--kube-version", request.kubernetes)
    for each in request.api_versions:
        yield from ("--api-versions", each)
    if request.crds:
        yield "--include-crds"
    # Behind this, nothing is an option, whatever a repository calls its releases and folders.
    yield from ("--", request.release, str(Path(request.folder)))


def split(output: str) -> dict[str, str]:
    """What the program prints, by the templates that it names; it sorts what it prints."""
    _, *pieces = _SOURCE.split(output)
    found: dict[str, str] = {}
    for name, text in zip(pieces[::2], pieces[1::2], strict=True):
        found[name] = f"{found[name]}---\n{text}" if name in found else text
    return found

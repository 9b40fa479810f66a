"""Answers of real Kubernetes code ("vectors"), for tests marked `@pytest.mark.vectors(KIND)`.

They are read from the directory that QOSLINT_VECTORS names, else from a full set beside the
repository, else from the selection in `vectors/`. Folders are named by version (`1.36`,
`1.36-same-inputs`), files by their kind (`admission.jsonl.gz`, `admission_plr_off.jsonl.gz`).
"""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from qoslint.kernel.features import Features, features

HERE = Path(__file__).parent
FULL_SET = HERE.parents[1].parent / "shared" / "vectors"
PLR_OFF = {"PodLevelResources": False, "InPlacePodLevelResourcesVerticalScaling": False}
SHOWN = 20
ABSENT = "(absent)"


class VectorFile(NamedTuple):
    """One file of rows, all answered by one version of Kubernetes with one set of gates."""

    path: Path
    minor: str

    @property
    def features(self) -> Features:
        """The gates that the rows were answered with."""
        return features(self.minor, PLR_OFF if "_plr_off" in self.path.name else {})

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every row, with its raw text as `line`."""
        with gzip.open(self.path, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line) | {"line": line}

    def check(self, answer: Callable[[dict[str, Any]], dict[str, Any] | None]) -> None:
        """Fail with the first rows whose `out` differs from the answer in any field of either.

        An answer of None leaves a row out, but not every row may be left out.
        """
        asked = [(row, got) for row in self.rows() if (got := answer(row)) is not None]
        assert asked, f"no row of {self.path} was asked"
        differing = [text for row, got in asked if (text := _difference(row, got))]
        if differing:
            head = f"{len(differing)} of {len(asked)} rows of {self.path} differ"
            pytest.fail("\n".join([head, *differing[:SHOWN]]), pytrace=False)


def _difference(row: dict[str, Any], got: dict[str, Any]) -> str:
    parts = list(_leaves(row["out"], got, ""))
    return "\n".join([row["id"], *parts]) if parts else ""


def _leaves(wanted: Any, got: Any, path: str) -> Iterator[str]:
    """The smallest fields that differ."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        for key in sorted(wanted | got):
            yield from _leaves(wanted.get(key, ABSENT), got.get(key, ABSENT), f"{path}.{key}")
    elif isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        for index, pair in enumerate(zip(wanted, got, strict=True)):
            yield from _leaves(*pair, f"{path}[{index}]")
    elif wanted != got:
        yield f"  {path.lstrip('.')}: expected {wanted!r}, got {got!r}"


def vectors_directory() -> Path:
    """The directory to read, see above."""
    named = os.environ.get("QOSLINT_VECTORS")
    if named:
        return Path(named)
    return FULL_SET if FULL_SET.is_dir() else HERE / "vectors"


def vector_files(kind: str) -> list[VectorFile]:
    """The files of a kind in all folders; `admission` includes `admission_plr_off`."""
    found = []
    for path in sorted(vectors_directory().glob("*/*.jsonl.gz")):
        version = re.match(r"\d+\.\d+", path.parent.name)
        if version and re.fullmatch(rf"{kind}(_[a-z_]+)?\.jsonl\.gz", path.name):
            found.append(VectorFile(path, version[0]))
    return found


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "vectors(kind): run once per file of that kind of vectors")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker("vectors")
    if marker is None:
        return
    (kind,) = marker.args
    parameters = [
        pytest.param(file, id=f"{file.path.parent.name}/{file.path.name.split('.')[0]}")
        for file in vector_files(kind)
    ]
    missing = f"no {kind} vectors under {vectors_directory()}"
    skipped = pytest.param(None, id="none", marks=pytest.mark.skip(reason=missing))
    metafunc.parametrize("vectors", parameters or [skipped])

"""Changed copies of charts: what is rendered when not the chart itself can be."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from qoslint.render.failure import RenderError
from qoslint.render.helm.prepare import Prepared
from qoslint.render.helm.strvals import Int64
from qoslint.render.helm.tree import Node

_FIRST = "templates/" + "first/" * 30 + "numbers.yaml"
"""Helm renders the deepest template first (`sortTemplates`)."""


def needs_copy(prepared: Prepared) -> bool:
    """Whether the chart cannot be rendered as it stands."""
    return bool(
        prepared.absent
        or (prepared.chart.skip_schema and _has_schema(prepared.tree))
        or _numbers(prepared.values)
    )


@contextmanager
def copied(
    prepared: Prepared, changed: Mapping[tuple[str, str], str], *, schema: bool
) -> Iterator[Path]:
    """A copy for as long as it is needed, subcharts unpacked.

    `changed` gives new texts of authored files; without `schema` no values are refused. Raise
    RenderError where it cannot be written.
    """
    with tempfile.TemporaryDirectory(prefix="qoslint-") as folder:
        try:
            _write_all(prepared, Path(folder), changed, schema)
        except OSError as error:
            # An archive may hold what no folder can: a file in a file, names without end.
            message = f"{prepared.tree.name} cannot be copied: {error.strerror}"
            raise RenderError(message, prepared.tree.authored("Chart.yaml")[0]) from error
        yield Path(folder)


def _write_all(
    prepared: Prepared, folder: Path, changed: Mapping[tuple[str, str], str], schema: bool
) -> None:
    _write(prepared.tree, folder, changed, schema)
    numbers = "".join(_numbers(prepared.values))
    if numbers:
        _write_file(folder / _FIRST, numbers.encode())
    if prepared.absent:
        (folder / "requirements.yaml").unlink(missing_ok=True)
        _write_file(folder / "Chart.yaml", _present(prepared).encode())


def _write(node: Node, folder: Path, changed: Mapping[tuple[str, str], str], schema: bool) -> None:
    for name, content in node.files.items():
        if schema or name != "values.schema.json":
            new = changed.get(node.authored(name))
            _write_file(folder / name, content if new is None else new.encode())
    # An alias is one more name for the same files.
    once = {(subchart.file, subchart.inside): subchart for subchart in node.subcharts}
    for number, subchart in enumerate(once.values()):
        _write(subchart, folder / "charts" / f"{number:03}", changed, schema)


def _write_file(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _has_schema(node: Node) -> bool:
    return "values.schema.json" in node.files or any(map(_has_schema, node.subcharts))


def _present(prepared: Prepared) -> str:
    """Chart.yaml without the subcharts that are absent; JSON is YAML too."""
    metadata = prepared.tree.metadata
    entries = metadata.get("dependencies")
    kept = [
        entry
        for entry in (entries if isinstance(entries, list) else ())
        if not (isinstance(entry, dict) and entry.get("name") in prepared.absent)
    ]
    return json.dumps({**metadata, "dependencies": kept})


def _numbers(values: object, path: tuple[str | int, ...] = ()) -> list[str]:
    """Actions that make an int64 of each number that was given by name, as Helm does.

    All that crosses to an engine is JSON, which knows only float64, and templates tell them
    apart: 1048576 and 1.048576e+06.
    """
    found: list[str] = []
    if isinstance(values, dict):
        for key, value in values.items():
            if isinstance(value, Int64):
                number = f"(int64 {json.dumps(str(int(value)))})"
                found.append(f"{{{{- $_ := set {_at(path)} {json.dumps(key)} {number} -}}}}\n")
            else:
                found.extend(_numbers(value, (*path, key)))
    elif isinstance(values, list):
        numbers = {at: value for at, value in enumerate(values) if isinstance(value, Int64)}
        for at, value in numbers.items():
            here, (before, last) = _at(path), (path[:-1], path[-1])
            if isinstance(last, str):
                new = f'(list (int64 "{int(value)}"))'
                parts = f"(slice {here} 0 {at}) {new} (slice {here} {at + 1})"
                found.append(
                    f"{{{{- $_ := set {_at(before)} {json.dumps(last)} (concat {parts}) -}}}}\n"
                )
        for at, value in enumerate(values):
            found.extend(_numbers(value, (*path, at)))
    return found


def _at(path: tuple[str | int, ...]) -> str:
    return f"(index .Values {' '.join(json.dumps(step) for step in path)})" if path else ".Values"

"""A program of its own: renders charts with Helm's SDK, in a process that may end at any time.

Started by the path of this file, with the folder that holds `helm_python`, so that nothing of
qoslint is loaded. Requests come as one JSON value, answers go as one JSON value a line, the version
first. What Helm's own logger writes is told apart by a line of a zero byte before each request.

Only functions that work offline are called; the tests hold the list.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any


def _answer(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def _render(native: ModuleType, folder: str, request: dict[str, Any]) -> dict[str, Any]:
    """One chart, loaded anew: rendering changes what a handle holds."""
    handle = native.HANDLE(native.call_handle("helm_chart_load", folder))
    try:
        options = json.dumps(request["options"])
        rendered = native.call_string("helm_render", handle, request["values"], options)
        # Only now are the subcharts that are switched off gone.
        crds = native.call_string("helm_chart_crds", handle) if request["crds"] else "[]"
    finally:
        native.call_status("helm_chart_free", handle)
    return {
        "templates": json.loads(rendered),
        "crds": {each["filename"]: each["data"] for each in json.loads(crds) or ()},
    }


def _copied(request: dict[str, Any], folder: str) -> str:
    """The folder to render: a changed copy if changes are asked for, else the chart's own."""
    if not request["patches"] and not request["without"]:
        return str(request["folder"])
    copy = Path(folder, Path(request["folder"]).resolve().name)
    shutil.copytree(request["folder"], copy)
    for path in request["without"]:
        (copy / path).unlink(missing_ok=True)
    for path, text in request["patches"].items():
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        (copy / path).write_bytes(text.encode())
    return str(copy)


def main() -> None:
    """Answer what standard input asks."""
    sys.path.append(sys.argv[1])
    native = importlib.import_module("helm_python._native")
    errors = importlib.import_module("helm_python.errors")
    _answer({"version": native.helm_sdk_version()})
    for request in json.load(sys.stdin):
        os.write(2, b"\0\n")
        with tempfile.TemporaryDirectory() as folder:
            try:
                _answer(_render(native, _copied(request, folder), request))
            except errors.HelmError as error:
                _answer({"error": str(error)})


if __name__ == "__main__":
    main()

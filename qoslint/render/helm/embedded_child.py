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
import sys
import time
from types import ModuleType
from typing import Any


def _answer(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def _render(native: ModuleType, request: dict[str, Any]) -> dict[str, Any]:
    """One chart, loaded anew: rendering changes what a handle holds."""
    handle = native.HANDLE(native.call_handle("helm_chart_load", request["folder"]))
    try:
        options = {
            "name": request["release"],
            "namespace": request["namespace"],
            "kube_version": request["kubernetes"],
            "api_versions": request["api_versions"],
        }
        rendered = native.call_string("helm_render", handle, request["values"], json.dumps(options))
        # Only now are the subcharts that are switched off gone.
        crds = native.call_string("helm_chart_crds", handle) if request["crds"] else "[]"
    finally:
        native.call_status("helm_chart_free", handle)
    return {
        "templates": json.loads(rendered),
        "crds": {each["filename"]: each["data"] for each in json.loads(crds) or ()},
    }


def main() -> None:
    """Answer what standard input asks."""
    sys.path.append(sys.argv[1])
    native = importlib.import_module("helm_python._native")
    errors = importlib.import_module("helm_python.errors")
    _answer({"version": native.helm_sdk_version()})
    for request in json.load(sys.stdin.buffer):
        os.write(2, b"\0\n")
        started = time.process_time()
        try:
            answer = _render(native, request)
        except errors.HelmError as error:
            answer = {"error": str(error)}
        _answer({**answer, "seconds": time.process_time() - started})


if __name__ == "__main__":
    main()

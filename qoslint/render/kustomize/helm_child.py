"""What runs when Kustomize starts `helm`: see `helm_command`."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from qoslint.render.failure import RenderError
from qoslint.render.helm.hooks import events
from qoslint.render.helm.records import Chart, Engine, Layer, Template
from qoslint.render.helm.render import render_charts
from qoslint.render.kustomize.helm_command import RECORD
from qoslint.source.document import YamlError, load
from qoslint.source.stream import pieces
from qoslint.workers import LIMITS

_RELEASE = "release-name"
"""What `helm template` calls a release without a name."""


def main(arguments: Sequence[str]) -> None:
    """Answer one call; the settings of the run come before what Kustomize says."""
    settings = json.loads(Path(arguments[0]).read_text("utf-8"))
    match arguments[1:]:
        case ["version", *options]:
            # Kustomize below 5.8 takes version 3 alone, and asks with another option.
            sys.stdout.write("v3.19.0\n" if "-c" in options else f"v{settings['engine'][1]}\n")
        case ["template", *options]:
            _template(settings, _parsed(options))
        case ["pull", *_]:
            sys.exit("the chart is not vendored, and it is never fetched")
        case _:
            sys.exit(f"helm {' '.join(arguments[1:2])} is not answered")


def _parsed(options: Sequence[str]) -> Namespace:
    """The call (api/types/helmchartargs.go AsHelmArgs)."""
    parser = ArgumentParser(prog="helm template", allow_abbrev=False)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--namespace", default="default")
    parser.add_argument("--name-template", default="")
    parser.add_argument("--values", "-f", action="append", default=[])
    parser.add_argument("--api-versions", "-a", action="append", default=[])
    parser.add_argument("--kube-version", default="")
    for flag in ("generate-name", "include-crds", "skip-tests", "no-hooks", "debug", "devel"):
        parser.add_argument(f"--{flag}", action="store_true")
    return parser.parse_intermixed_args(list(options))


def _template(settings: dict[str, object], call: Namespace) -> None:
    *release, chart = call.names
    chart = Path(chart)
    if not (chart / "Chart.yaml").is_file():
        sys.exit(f"there is no chart in {chart.name}")
    asked = Chart(
        "",
        release[0] if release else _RELEASE,
        call.namespace,
        call.kube_version.removeprefix("v") or str(settings["kubernetes"]),
        tuple(Layer(file, Path(file).read_text("utf-8")) for file in call.values),
        api_versions=tuple(call.api_versions),
        skip_crds=not call.include_crds,
        skip_tests=call.skip_tests,
    )
    engine = settings["engine"]
    assert isinstance(engine, list)
    name, version, command = engine
    limits = LIMITS._replace(seconds=int(str(settings["seconds"])))
    (answer,) = render_charts(chart, [asked], Engine(name, version, tuple(command)), limits)
    if isinstance(answer, RenderError):
        sys.exit(f"{chart.name}/{answer.file}:{answer.line}: {answer.message}")
    templates = answer.templates
    if call.no_hooks:
        templates = tuple(each._replace(text=_without_hooks(each.text)) for each in templates)
    _record(chart, templates)
    sys.stdout.write("".join(_stream(templates)))


def _stream(templates: Sequence[Template]) -> Iterator[str]:
    for each in templates:
        yield f"---\n# Source: {each.name}\n{each.text.removeprefix('---')}\n"


def _without_hooks(text: str) -> str:
    return "\n".join(f"---\n{piece.text}" for piece in pieces(text) if not _is_hook(piece.text))


def _is_hook(text: str) -> bool:
    try:
        return bool(events(load(text)))
    except YamlError:
        return False


def _record(chart: Path, templates: Sequence[Template]) -> None:
    folder = os.environ.get(RECORD)
    if folder:
        descriptor, _ = tempfile.mkstemp(dir=folder, suffix=".json")
        told = [(each.file, each.text) for each in templates]
        with open(descriptor, "w", encoding="utf-8") as file:  # noqa: PTH123 - a descriptor
            json.dump({"chart": str(chart), "templates": told}, file)

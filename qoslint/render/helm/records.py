"""What is asked of Helm, and what it answers."""

from __future__ import annotations

from typing import NamedTuple

from qoslint.finding import Location
from qoslint.source.document import Document
from qoslint.span import Path


class Layer(NamedTuple):
    """One source of values; of several, a later one counts more.

    `text` is YAML or JSON. The values may stand inside of it, as in an Application: `path` leads
    to them, to a mapping or to a text that is YAML itself. `line` is where `text` starts in `file`.
    """

    file: str
    text: str
    path: Path = ()
    line: int = 1
    document: Document | None = None
    """The document that they stand in, if that was rendered itself: then `file` is no file."""


class Parameter(NamedTuple):
    """One value by its name in Helm's notation: `--set`, or `--set-string` if `force_string`.

    `literal` takes the value as it is, as `--set-file` does with what a file holds.
    """

    name: str
    value: str
    force_string: bool = False
    literal: bool = False
    at: Location | None = None
    """Where it is authored."""


class Chart(NamedTuple):
    """A chart to render. `folder` holds its Chart.yaml, relative to the checkout."""

    folder: str
    release: str
    namespace: str
    kubernetes: str
    """The version that charts are told, as `1.36`."""
    layers: tuple[Layer, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    api_versions: tuple[str, ...] = ()
    skip_crds: bool = False
    skip_tests: bool = False
    skip_schema: bool = False


class Template(NamedTuple):
    """What one template rendered to. `name` is Helm's, unique in a render.

    An alias renders one file several times. `inside` is the path in `file` if that is an archive.
    """

    name: str
    file: str
    inside: str
    text: str


class Rendered(NamedTuple):
    """What a chart renders to, by name; partials, notes and empty results are left out."""

    templates: tuple[Template, ...]
    warnings: tuple[str, ...]


class Engine(NamedTuple):
    """A Helm to render with. `command` starts it; `version` is Helm's own, as `4.2.3`."""

    name: str
    """`embedded`, or `path` for a `helm` that was found there."""
    version: str
    command: tuple[str, ...]

"""Helm's errors as one sentence, at the line of the template where they arise."""

from __future__ import annotations

import posixpath
import re

from qoslint.render.failure import RenderError
from qoslint.render.helm.prepare import Prepared
from qoslint.render.helm.tree import every

_LONGEST = 300
_MOST_READ = 5_000
_POSITION = re.compile(r"([^\s:()<>\"]+)(?::(\d{1,9})(?!\d))?(?::\d+)?")
_PLAIN = re.compile(
    r"(?:execution|parse) error at \([^()\s]+\): (?P<said>.*)"
    r"|.*\bat <(?P<expression>.+?)>:\s+(?P<cause>.*)"
    r"|YAML parse error on \S+: (?P<yaml>.*)",
    re.DOTALL,
)
_SCHEMA = "values don't meet the specifications of the schema"


def render_error(prepared: Prepared, text: str) -> RenderError:
    """What Helm says of a chart that it does not render."""
    text = text.strip().removeprefix("Error: ").split("\n\nUse --debug flag")[0]
    if len(text) > 2 * _MOST_READ:
        # A thousand nested calls: where it began and where it ended.
        text = f"{text[:_MOST_READ]}\n{text[-_MOST_READ:]}"
    file, line = _place(prepared, text)
    return RenderError(f"{prepared.tree.name} cannot be rendered: {_cause(text)}", file, line)


def _place(prepared: Prepared, text: str) -> tuple[str, int]:
    """The innermost template that is named with a line, else what is named at all."""
    nodes = {node.path: node for node in every(prepared.tree)}
    found = (posixpath.join(prepared.tree.file, "Chart.yaml"), 0)
    if text.startswith(_SCHEMA):
        layers = prepared.chart.layers
        return layers[-1].file if layers else prepared.tree.authored("values.yaml")[0], 1
    for name, line in _POSITION.findall(text):
        path, separator, rest = name.rpartition("/templates/")
        if separator and path in nodes and (line or not found[1]):
            content = nodes[path].files.get(f"templates/{rest}")
            if content is None or int(line or 0) > content.count(b"\n") + 1:
                continue  # What a template says with `fail` may look like a place.
            file, inside = nodes[path].authored(f"templates/{rest}")
            found = (file, 1 if inside else int(line or 0))
    return found[0], max(1, found[1])


def _cause(text: str) -> str:
    match = _PLAIN.match(text)
    said = text if match is None else match["said"] or match["cause"] or match["yaml"] or text
    said = " ".join(said.split()).rstrip(".")
    if match is not None and match["expression"] and "include" not in match["expression"]:
        said = f"{said} (at {{{{ {match['expression']} }}}})"
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]}..."

"""Helm's errors as one sentence, at the line of the template where they arise."""

from __future__ import annotations

import posixpath
import re

from qoslint.render.failure import RenderError
from qoslint.render.helm.asking import Answer
from qoslint.render.helm.prepare import Prepared
from qoslint.render.helm.tree import every
from qoslint.render.helm.values import merged
from qoslint.render.secrets import parts, scalars

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


def render_error(prepared: Prepared, answer: Answer) -> RenderError:
    """What Helm says of a chart that it does not render."""
    text = answer.error.strip().removeprefix("Error: ").split("\n\nUse --debug flag")[0]
    if len(text) > 2 * _MOST_READ:
        # A thousand nested calls: where it began and where it ended.
        text = f"{text[:_MOST_READ]}\n{text[-_MOST_READ:]}"
    file, line = _place(prepared, text)
    cause = _cause(text)
    # Another release may have the same values from an object in another file.
    is_of_object = any(each.document and each.file == file for each in prepared.chart.layers)
    lasting = answer.lasting and not is_of_object and not _quotes_values(cause, prepared)
    shown = cause if len(cause) <= _LONGEST else f"{cause[:_LONGEST]}..."
    message = f"{prepared.tree.name} cannot be rendered: {shown}"
    return RenderError(message, file, line, lasting=lasting)


def _quotes_values(said: str, prepared: Prepared) -> bool:
    """Whether it holds a value: that may be a password, and is not to be kept."""
    values = scalars(merged(prepared.tree, prepared.values))
    return any(part in said for value in values for part in parts(value))


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
    return said

"""What a run would work with, as text."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.report.style import Palette, Style
from qoslint.report.visible import shortened
from qoslint.schema import Json

_LABEL = 16
_SEEN = {"embedded": "installed with qoslint", "path": "found on the PATH"}


def render(document: Json, style: Style) -> str:
    """A line for each thing, what is wrong in the colour of an error."""
    return "\n".join(_lines(document, style.palette)) + "\n"


def _lines(document: Json, palette: Palette) -> Iterator[str]:
    yield _entry("qoslint", document["version"])
    yield _entry("Python", document["python"])
    yield _entry("Platform", document["platform"])
    versions = document["kubernetes"]
    yield _entry(
        "Kubernetes",
        f"{_range(versions['supported'])}, by default {versions['default']}; compared with its "
        f"code: {_range(versions['checked'])}",
    )
    yield ""
    yield _entry("Renderer", document["renderer"])
    for use in document["engines"]:
        yield _entry(use["what"].capitalize(), _use(use), use["problem"], palette)
    for program in map(_program, document["programs"]) if document["programs"] else ["none"]:
        yield _entry("On the PATH", program)
    yield _entry("Renders are in", document["cache"] or "none are kept")
    yield ""
    settings = document["settings"]
    yield _entry("Root", document["root"])
    yield _entry("Settings", settings["file"] or "none", settings["problem"], palette)
    for plugin in document["plugins"] or [{"name": "none", "problem": ""}]:
        yield _entry("Plugin", plugin["name"], plugin["problem"], palette)


def _entry(label: str, text: str, problem: str = "", palette: Palette | None = None) -> str:
    shown = shortened(problem or text)
    if problem and palette:
        shown = palette.paint(palette.error, shown)
    return f"{label:<{_LABEL}}  {shown}"


def _use(use: Json) -> str:
    return f"{use['program']} {use['version']}, {_SEEN.get(use['engine'], '')}: {use['at']}"


def _program(program: Json) -> str:
    if program["problem"]:
        return f"{program['path']} {program['problem']}"
    return f"{program['path']} is {program['version']}, and can render"


def _range(versions: list[str]) -> str:
    return f"{versions[0]} to {versions[-1]}"

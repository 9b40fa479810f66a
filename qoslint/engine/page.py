"""A rule page: front matter, prose, and the examples that prove it.

One Markdown file says everything a person needs to know of a rule; `explain`, SARIF help, the
documentation and the tests all read this one text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from qoslint.engine.options import Option
from qoslint.errors import PluginError
from qoslint.finding import Severity
from qoslint.source.document import load

_FILE_NAME = re.compile(r"(?P<code>[A-Z]+[0-9]{3})-(?P<name>[a-z0-9-]+)\.md")
_FRONT_MATTER = re.compile(r"\A---\n(?P<yaml>.*?\n)---\n", re.DOTALL)
_TITLE = re.compile(r"^# (?P<title>.+)$", re.MULTILINE)
_SECTION = re.compile(r"^## (?P<title>.+)$", re.MULTILINE)
_EXAMPLE = re.compile(r"^### (?P<title>.+)$", re.MULTILINE)
_FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_FENCE_TITLE = re.compile(r'\btitle="(?P<title>[^"]+)"')
_MARKER = re.compile(r"#\s*~\s*(?P<codes>[A-Z0-9, ]+)$")


class Example(NamedTuple):
    """A small repository: texts by file name. Lines ending in `# ~ CODE` expect that finding."""

    title: str
    files: Mapping[str, str]

    def expected(self) -> Iterator[tuple[str, int, str]]:
        """File, line and code of each finding that must appear; no other may."""
        for file, text in self.files.items():
            for number, line in enumerate(text.splitlines(), start=1):
                if marker := _MARKER.search(line):
                    for code in marker["codes"].split(","):
                        yield file, number, code.strip()


class Page(NamedTuple):
    """A rule, as its page states it; code and name come from the file name."""

    code: str
    name: str
    title: str
    summary: str
    severity: Severity
    confidence: str
    preset: str
    """The smallest preset that holds the rule: `default`, `pedantic`, `strict` or `opt-in`."""
    cites: tuple[str, ...]
    text: str
    options: Mapping[str, Option] = MappingProxyType({})

    @property
    def check(self) -> str:
        """The name of the module in `qoslint.checks` that does the work."""
        return self.name.replace("-", "_")

    def section(self, title: str) -> str:
        """The prose of one `##` section, without its heading; empty if the page has none."""
        parts = _SECTION.split(self.text)
        sections = dict(zip(parts[1::2], parts[2::2], strict=True))
        return sections.get(title, "").strip()

    def examples(self) -> Iterator[Example]:
        """The examples, each a `###` heading with its fences."""
        parts = _EXAMPLE.split(self.section("Examples"))
        for title, text in zip(parts[1::2], parts[2::2], strict=True):
            yield Example(title, dict(_files(text)))


def _files(text: str) -> Iterator[tuple[str, str]]:
    for fence in _FENCE.finditer(text):
        title = _FENCE_TITLE.search(fence["info"])
        yield title["title"] if title else "manifest.yaml", fence["text"]


def _option(data: Mapping[str, Any]) -> Option:
    choices = tuple(data.get("choices", ()))
    kind = "choice" if choices else data["type"]
    return Option(data["default"], kind, choices, data.get("description", ""))


def read_page(file: Path) -> Page:
    """Read one page.

    Raises PluginError naming the page when it is no rule page.
    """
    named = _FILE_NAME.fullmatch(file.name)
    text = file.read_text("utf-8")
    matter = _FRONT_MATTER.match(text)
    if not named or not matter:
        raise PluginError(
            f"{file.name}: a rule page is named CODE-name.md and starts with front matter"
        )
    front: Any = load(matter["yaml"])
    body = text[matter.end() :]
    title = _TITLE.search(body)
    try:
        return Page(
            code=named["code"],
            name=named["name"],
            title=title["title"] if title else named["name"],
            summary=front["summary"],
            severity=Severity[front["severity"].upper()],
            confidence=front["confidence"],
            preset=front["in"],
            cites=tuple(front["cites"]),
            text=body,
            options={name: _option(data) for name, data in front.get("options", {}).items()},
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise PluginError(f"{file.name}: front matter lacks or misspells {error}") from error

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
_MARKED = re.compile(r"[ \t]*#\s*~\s*[A-Z0-9, ]+$", re.MULTILINE)
_FILE = "manifest.yaml"


class Example(NamedTuple):
    """A small repository: texts by file name. Lines ending in `# ~ CODE` expect that finding."""

    title: str
    files: Mapping[str, str]
    diffs: Mapping[str, str] = MappingProxyType({})
    """By file name what `--fix` changes in it: the body of a unified diff."""

    def unmarked(self) -> Mapping[str, str]:
        """The files without the marks of their findings."""
        return {file: _MARKED.sub("", text) for file, text in self.files.items()}

    def fixed(self) -> Mapping[str, str]:
        """The unmarked files as `--fix` must leave them; raises PluginError for a wrong diff."""
        return {
            file: _patched(text, self.diffs.get(file, ""), self.title)
            for file, text in self.unmarked().items()
        }

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
            fences = tuple(_fences(text))
            yield Example(
                title,
                {fence.file: fence.text for fence in fences if not fence.is_diff},
                {fence.file: fence.text for fence in fences if fence.is_diff},
            )


class _Fence(NamedTuple):
    file: str
    text: str
    is_diff: bool


def _fences(text: str) -> Iterator[_Fence]:
    for fence in _FENCE.finditer(text):
        title = _FENCE_TITLE.search(fence["info"])
        is_diff = fence["info"].split()[:1] == ["diff"]
        yield _Fence(title["title"] if title else _FILE, fence["text"], is_diff)


def _patched(text: str, diff: str, example: str) -> str:
    """The text with the lines of a diff changed; each `@@` starts a part of its own."""
    for hunk in re.split(r"^@@.*\n", diff, flags=re.MULTILINE):
        lines = hunk.splitlines(keepends=True)
        old = "".join(line[1:] or line for line in lines if line[0] != "+")
        new = "".join(line[1:] or line for line in lines if line[0] != "-")
        if text.count(old) != 1 and old:
            raise PluginError(f"the diff of example {example!r} fits {text.count(old)} places")
        text = text.replace(old, new) if old else text
    return text


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

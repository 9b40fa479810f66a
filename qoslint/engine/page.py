"""A rule page: front matter, prose, and the examples that prove it.

One Markdown file says everything a person needs to know of a rule; `explain`, SARIF help, the
documentation and the tests all read this one text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from qoslint.engine.options import Option
from qoslint.engine.patch import patched
from qoslint.errors import PluginError
from qoslint.finding import Severity
from qoslint.source.document import YamlError, load

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

BUILT_IN_CHECKS = "qoslint.checks"
"""The package of the checks that ship with qoslint; pages of any pack may name one of them."""

_LARGEST = 1 << 20
"""Bytes of a page."""

_FILE_NAME = re.compile(r"(?P<code>[A-Z]+[0-9]{3})-(?P<name>[a-z0-9-]+)\.md")
_PAGE = re.compile(r"---\n(?P<front>.*?\n)---\n(?P<body>.*)", re.DOTALL)
_TITLE = re.compile(r"^# (?P<title>.+)$", re.MULTILINE)
_SECTION = re.compile(r"^## (?P<title>.+)$", re.MULTILINE)
_EXAMPLE = re.compile(r"^### (?P<title>.+)$", re.MULTILINE)
# One that is not closed ends where its section ends; to go back would cost too much.
_FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<text>.*?)(?:^```$|\Z)", re.MULTILINE | re.DOTALL)
_FENCE_TITLE = re.compile(r'\btitle="(?P<title>[^"]+)"')
_MARKER = re.compile(r"#[ \t]*+~(?P<codes>[A-Z0-9, \t]++)$")
_MARKED = re.compile(rf"(?<![ \t])[ \t]*+{_MARKER.pattern}", re.MULTILINE)


BEFORE = "before/"
AFTER = "after/"


class Example(NamedTuple):
    """A small repository: texts by file name. Lines ending in `# ~ CODE` expect that finding."""

    title: str
    files: Mapping[str, str]
    lines: Mapping[str, int]
    """The line of the page on which each file starts."""
    diffs: Mapping[str, str] = MappingProxyType({})
    """By file name what `--fix` changes in it: the body of a unified diff."""

    def unmarked(self) -> Mapping[str, str]:
        """The files without the markers of their findings."""
        return {file: _MARKED.sub("", text) for file, text in self.files.items()}

    def fixed(self) -> Mapping[str, str]:
        """The unmarked files as `--fix` must leave them; raises PluginError for a wrong diff."""
        return {
            file: patched(text, self.diffs.get(file, "")) for file, text in self.unmarked().items()
        }

    @property
    def is_change(self) -> bool:
        """Whether it shows two revisions: files below `before/` and `after/`, and those of both."""
        return any(file.startswith((BEFORE, AFTER)) for file in self.files)

    def revision(self, folder: str) -> Mapping[str, str]:
        """The files of one of the revisions, `BEFORE` or `AFTER`, and those that both have."""
        return {
            file.removeprefix(folder): text
            for file, text in self.files.items()
            if file.startswith(folder) or not file.startswith((BEFORE, AFTER))
        }

    def title_of(self, file: str) -> str:
        """The title of the fence that holds a file, of the newer revision if there are two."""
        newer = f"{AFTER}{file}"
        return newer if newer in self.files else file

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
    check: str
    """The dotted name of the module that does the work; empty if its pack has no checks."""
    cites: tuple[str, ...]
    text: str
    """What stands below the front matter."""
    line: int
    """The line of the file on which the text starts."""
    options: Mapping[str, Option] = MappingProxyType({})

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.code}-{self.name}.md"

    def sections(self) -> Mapping[str, str]:
        """The prose of all `##` sections by their headings."""
        parts = _parts(_SECTION, self.text, 0, len(self.text))
        return {title: self.text[start:end].strip() for title, start, end in parts}

    def examples(self) -> Iterator[Example]:
        """The examples, each a `###` heading with its fences."""
        for title, start, end in _parts(_EXAMPLE, self.text, *self._span("Examples")):
            fences = list(_fences(self.text, start, end))
            files = {name: fence for name, fence in fences if not _is_diff(fence)}
            yield Example(
                title,
                {name: fence["text"] for name, fence in files.items()},
                {name: self._line(fence.start("text")) for name, fence in files.items()},
                {name: fence["text"] for name, fence in fences if _is_diff(fence)},
            )

    def _span(self, title: str) -> tuple[int, int]:
        parts = _parts(_SECTION, self.text, 0, len(self.text))
        return next(((start, end) for name, start, end in parts if name == title), (0, 0))

    def _line(self, offset: int) -> int:
        return self.line + self.text.count("\n", 0, offset)


class RulePack(NamedTuple):
    """A folder of rule pages and the package of their checks."""

    name: str
    pages: Traversable
    package: str = ""
    """Dotted; it may be empty where each page names its `check`."""
    installed: bool = True
    """Whether it came with a plugin, so that its pages may name any module as their check.

    To import a module is to run it. The pages of a folder may be a stranger's: they name modules of
    `package` and of qoslint, and no other.
    """

    def files(self) -> Iterator[Traversable]:
        """The files of the pages, by name. Raises PluginError if the folder cannot be read."""
        try:
            files = sorted(self.pages.iterdir(), key=lambda file: file.name)
        except OSError as error:
            raise PluginError(
                f"the rule pack {self.name!r} cannot be read in {self.pages}: {error.strerror}"
            ) from error
        yield from (file for file in files if file.name.endswith(".md"))

    def read(self) -> Iterator[Page]:
        """The pages by file name. Raises PluginError for a file that is no rule page."""
        for file in self.files():
            yield read_page(file, self.package)


def _parts(
    heading: re.Pattern[str], text: str, start: int, end: int
) -> Iterator[tuple[str, int, int]]:
    """The title of each heading, and where what stands below it starts and ends."""
    found = list(heading.finditer(text, start, end))
    bounds = [*(each.start() for each in found), end]
    for each, stop in zip(found, bounds[1:], strict=True):
        yield each["title"], each.end(), stop


def _fences(text: str, start: int, end: int) -> Iterator[tuple[str, re.Match[str]]]:
    for fence in _FENCE.finditer(text, start, end):
        title = _FENCE_TITLE.search(fence["info"])
        yield title["title"] if title else "manifest.yaml", fence


def _is_diff(fence: re.Match[str]) -> bool:
    return fence["info"].split()[:1] == ["diff"]


def _option(data: Mapping[str, Any]) -> Option:
    choices = tuple(data.get("choices", ()))
    kind = "choice" if choices else data["type"]
    return Option(data["default"], kind, choices, data.get("description", ""))


def divided(file: Traversable) -> re.Match[str]:
    """The text of a page: its groups `front`, the YAML between the --- lines, and `body`.

    Raises PluginError for a file that is no such text.
    """
    return _divided(file.name, _text(file))


def _divided(file: str, text: str) -> re.Match[str]:
    page = _PAGE.match(text)
    if not page:
        raise PluginError(f"{file}:1: a rule page starts with front matter between --- lines")
    return page


def _text(file: Traversable) -> str:
    """Raises PluginError for what is no small text file; a pipe would never end."""
    try:
        return _read(file)
    except (OSError, ValueError) as error:
        raise PluginError(f"{file.name}: the page cannot be read: {error}") from error


def _read(file: Traversable) -> str:
    if not file.is_file():
        raise ValueError("it is no regular file")
    with file.open("rb") as stream:
        content = stream.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise ValueError(f"it is larger than {_LARGEST >> 20} MiB")
    return content.decode("utf-8").replace("\r\n", "\n")


def read_page(file: Traversable, package: str) -> Page:
    """Read one page of a pack whose checks are in a package.

    Raises PluginError naming the page when it is no rule page.
    """
    return _page(file.name, _text(file), package)


@lru_cache(maxsize=1024)
def _page(file: str, text: str, package: str) -> Page:
    """The page of a text; a run selects among all of them several times. Raises PluginError."""
    named = _FILE_NAME.fullmatch(file)
    if not named:
        raise PluginError(f"{file}: a rule page is named CODE-name.md, as QOS103-x.md")
    page = _divided(file, text)
    title = _TITLE.search(page["body"])
    try:
        front: Any = load(page["front"])
        return Page(
            code=named["code"],
            name=named["name"],
            title=title["title"] if title else named["name"],
            summary=front["summary"],
            severity=Severity[front["severity"].upper()],
            confidence=front["confidence"],
            preset=front["in"],
            check=_check(front.get("check"), named["name"], package),
            cites=tuple(front.get("cites", ())),
            text=page["body"],
            line=page.string.count("\n", 0, page.start("body")) + 1,
            options={name: _option(data) for name, data in front.get("options", {}).items()},
        )
    except YamlError as error:
        line = error.position.line + 1
        raise PluginError(f"{file}:{line}: front matter: {error.message}") from error
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise PluginError(f"{file}: front matter lacks or misspells {error}") from error


def _check(named: str | None, name: str, package: str) -> str:
    if named:
        return named if "." in named else f"{BUILT_IN_CHECKS}.{named}"
    return f"{package}.{name.replace('-', '_')}" if package else ""

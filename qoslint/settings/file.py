"""A file of settings or of a node profile: its data, and the line of anything in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from qoslint import schema
from qoslint.errors import SettingsError
from qoslint.finding import Location, Part
from qoslint.schema import Json
from qoslint.settings import toml
from qoslint.settings.paths import PathError, inside, leads_out
from qoslint.source.document import Broken, Document, Passed, Source, documents
from qoslint.source.locate import locate
from qoslint.source.text import NotTextError, decode
from qoslint.source.tree import UnreadableError, WorkTree
from qoslint.span import Path as FieldPath
from qoslint.span import Position, Span, field_path

_MAX_BYTES = 5 * 1024 * 1024
"""Ten thousand clusters take 4 MiB; a stranger's pull request may bring more."""
_MAX_VALUES = 250_000
"""YAML's aliases make many values of few bytes, and each takes time to validate."""

_LONGEST = 2000
"""Characters of a message, which may quote what the file says."""


class _EveryKind:
    """Settings are read whatever a stray `kind` in them says."""

    def __contains__(self, kind: object) -> bool:
        return True


class SettingsFile(NamedTuple):
    """One file that was read. Its data is as its schema says once `check` has passed."""

    root: Path
    """The root of the run; whatever the file names must lie in it."""
    name: str
    """How messages name it: relative to the root, or as it was given."""
    folder: str
    """The folder that paths in it are relative to: its own, relative to the root."""
    text: str
    data: Json
    document: Document | None = None
    """The YAML document; None for TOML and for an empty file."""

    def value(self, path: FieldPath) -> Json:
        """The value of a field that exists."""
        value = self.data
        for step in path:
            value = value[step]
        return value

    def named(self, path: FieldPath) -> str:
        """The path, relative to the root, that the value of a field names.

        Raises SettingsError if that does not exist in the root without symbolic links.
        """
        try:
            return inside(self.root, self.folder, self.value(path))
        except PathError as error:
            raise self.wrong(path, str(error)) from error

    def line(self, path: FieldPath) -> int:
        """The line of a field, or of its nearest parent that exists."""
        return self.location(path).span.start.line

    def location(self, path: FieldPath) -> Location:
        """The place of a field, or of its nearest parent that exists."""
        if self.document is None:
            start = Position(toml.line_of(self.text, path), 1)
            return Location(self.name, Span(start, start))
        return Location(self.name, *locate(self.document, path, Part.ENTRY))

    def error(self, path: FieldPath, message: str) -> SettingsError:
        """The error that starts with the place of the field; the message is the whole sentence."""
        shown = message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…"
        return SettingsError(f"{self.name}:{self.line(path)}: {shown}")

    def wrong(self, path: FieldPath, message: str) -> SettingsError:
        """As `error`, for a message that reads on from the path of the field."""
        return self.error(path, f"{field_path(path)} {message}")

    def check(self, schema_name: str) -> None:
        """Raise the first thing that is wrong with the file by a schema."""
        for problem in schema.check(self.data, schema_name):
            raise self.error(problem.path, problem.message)


def read_file(path: Path, root: Path, name: str, folder: str) -> SettingsFile | None:
    """Read a file of settings or of a node profile; None if it is TOML without [tool.qoslint].

    `root`, `name` and `folder` are as in SettingsFile. Raises SettingsError if it cannot be read.
    """
    text = read_text(path, name)
    check_bytes(name, text)
    if path.suffix == ".toml":
        data = toml.settings_of(name, text)
        return None if data is None else SettingsFile(root, name, folder, text, data)
    file = parsed(text, root, name, folder)
    check_values(file.name, file.data)
    return file


def parsed(text: str, root: Path, name: str, folder: str) -> SettingsFile:
    """The one YAML or JSON document of a text; SettingsError, at its line, if it is none."""
    document = _only_document(name, text)
    if document is None or document.data is None:
        return SettingsFile(root, name, folder, text, {})
    return SettingsFile(root, name, folder, text, document.data, document)


def read_documents(path: Path, name: str) -> Iterator[Document]:
    """The documents of a YAML file, as strictly as settings are read. Raises SettingsError."""
    text = read_text(path, name)
    check_bytes(name, text)
    for document in _documents(name, text):
        check_values(name, document.data)
        yield document


def check_bytes(name: str, text: str) -> None:
    """Raise SettingsError for a text that is longer than people write one."""
    if len(text) > _MAX_BYTES or len(text.encode()) > _MAX_BYTES:
        raise SettingsError(f"{name}: the file is larger than {_MAX_BYTES >> 20} MiB")


def check_values(name: str, data: Json) -> None:
    """Raise SettingsError for more values than a schema can check in a moment."""
    if _exceeds(data, _MAX_VALUES):
        raise SettingsError(f"{name}: the file states more than {_MAX_VALUES:,} values")


def _exceeds(value: Json, limit: int) -> bool:
    """Whether the data has more values than the limit, those of an alias counted each time."""
    pending = [value]
    for _ in range(limit):
        if not pending:
            return False
        value = pending.pop()
        if isinstance(value, dict | list):
            pending.extend(value.values() if isinstance(value, dict) else value)
    return True


def read_text(path: Path, name: str) -> str:
    """The text of a file of at most 20 MiB that is no symbolic link; raise SettingsError.

    Nor does one lead to it out of the repository that its path is in.
    """
    if path.is_symlink():
        raise SettingsError(f"{name}: the file is a symbolic link")
    if leads_out(path):
        raise SettingsError(f"{name}: a symbolic link leads to the file out of the repository")
    try:
        return decode(WorkTree(path.parent).read(path.name))
    except UnreadableError as error:
        raise SettingsError(f"{name}: the file is {error.reason}") from error
    except NotTextError as error:
        raise SettingsError(f"{name}: the file is {error.reason}") from error


def _only_document(name: str, text: str) -> Document | None:
    only: Document | None = None
    for document in _documents(name, text):
        if only is not None:
            raise SettingsError(f"{name}:{document.line}: a second document starts here")
        only = document
    return only


def _documents(name: str, text: str) -> Iterator[Document]:
    for document in documents(Source(name, name, text), _EveryKind()):
        assert not isinstance(document, Passed), "no kind is passed by"
        if isinstance(document, Broken):
            raise SettingsError(f"{name}:{document.span.start.line}: {document.message}")
        for complaint in document.notices:
            raise SettingsError(f"{name}:{complaint.span.start.line}: {complaint.message}")
        yield document

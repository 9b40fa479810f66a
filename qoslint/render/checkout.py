"""The part of a repository that renders read, copied into a folder of its own.

Every file comes through the tree, so that nothing outside of the root and no symbolic link gets in,
and an engine that is led astray finds nothing around it.
"""

from __future__ import annotations

import errno
import hashlib
import shutil
import tempfile
import weakref
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from qoslint.errors import UsageError
from qoslint.render.kustomize.inputs import Inputs, Kustomized, inputs
from qoslint.render.kustomize.overlay import Overlay
from qoslint.source.text import NotTextError, decode
from qoslint.source.tree import Skip, Skipped, UnreadableError, WorkTree

MAX_BYTES = 512 * 1024 * 1024
MAX_FILES = 50_000

_OF_A_CHART = (
    *("Chart.yaml", "Chart.lock", "requirements.yaml", "requirements.lock"),
    *("values.yaml", "values.schema.json", "templates/", "crds/", "charts/"),
)


class TooMuchError(Exception):
    """The repository holds more than may be copied for rendering."""


class Checkout:
    """A temporary folder that mirrors what was added to it; it goes when nothing refers to it."""

    def __init__(self, tree: WorkTree) -> None:
        """Copy nothing yet."""
        self._tree = tree
        self._bytes = 0
        self._added: dict[str, bool] = {}
        """By path whether the file could be read."""
        self._digests: dict[str, str | None] = {}
        self._digested = 0
        self._listed: dict[str, tuple[str, ...]] = {}
        self._needed: dict[str, Inputs] = {}
        self._kustomized = Kustomized(self.text)
        self.is_changed = False
        """Whether a file was no longer what its digest tells when it was copied."""

    @cached_property
    def folder(self) -> Path:
        """Where the files are, each at its path relative to the root of the tree."""
        folder = Path(tempfile.mkdtemp(prefix="qoslint-checkout-")).resolve()
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return folder

    def add(self, files: Iterable[str]) -> None:
        """Copy the files that are not there yet; those that cannot be read are left out.

        Raises TooMuchError if they are more, or longer, than any honest repository needs.
        """
        for file in files:
            if file in self._added:
                continue
            self._added[file] = False
            try:
                content = self._tree.read(file)
            except UnreadableError:
                continue
            self._bytes += len(content)
            if self._bytes > MAX_BYTES or len(self._added) > MAX_FILES:
                raise TooMuchError
            self.is_changed |= self._digests.get(file, "") not in ("", _digest(content))
            copy = self.folder / file
            try:
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(content)
            except OSError as error:
                # Else the path of the copy is too long for the system, or what was a file at the
                # first look was a folder at the next.
                if error.errno == errno.ENOSPC:
                    raise TooMuchError from error
                continue
            self._added[file] = True

    def add_chart(self, folder: str) -> tuple[str, ...]:
        """Copy all that the folder of a chart holds; those files that make the chart, sorted.

        What else lies there means what it says: the chart at the root of a repository holds all.
        """
        files = self.listed(folder)
        self.add(files)
        start = len(folder) + 1 if folder else 0
        return tuple(file for file in files if file[start:].startswith(_OF_A_CHART))

    def listed(self, folder: str) -> tuple[str, ...]:
        """All files that a folder holds, whatever they are, sorted."""
        if folder not in self._listed:
            try:
                found = list(self._tree.walk([folder or "."]))
            except UsageError:
                # It was there a moment ago.
                found = []
            self._listed[folder] = tuple(
                item.path
                for item in found
                if not isinstance(item, Skipped) or item.reason is Skip.NOT_YAML
            )
        return self._listed[folder]

    def digest(self, file: str) -> str | None:
        """What tells the content of a file from any other; None if it cannot be read.

        Raises TooMuchError as `add` does.
        """
        if file not in self._digests:
            try:
                content = self._tree.read(file)
            except UnreadableError:
                self._digests[file] = None
            else:
                self._digests[file] = _digest(content)
                self._digested += len(content)
            if self._digested > MAX_BYTES or len(self._digests) > MAX_FILES:
                raise TooMuchError
        return self._digests[file]

    def needed(self, overlay: Overlay) -> Inputs:
        """What a build reads; nothing is started or copied for it."""
        if overlay.additions:
            return inputs(overlay.folder, self._kustomized, overlay.additions)
        if overlay.folder not in self._needed:
            self._needed[overlay.folder] = inputs(overlay.folder, self._kustomized)
        return self._needed[overlay.folder]

    def held(self, files: Iterable[str]) -> tuple[str, ...]:
        """Those that are among the copies."""
        return tuple(file for file in files if self._added.get(file, False))

    def text(self, file: str) -> str | None:
        """The text of a file, copied or not; None if there is none to be read."""
        try:
            return decode(self._tree.read(file))
        except (UnreadableError, NotTextError):
            return None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()

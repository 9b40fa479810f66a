"""A private copy of what a build reads, so that it reads nothing else; additions go into it."""

from __future__ import annotations

import json
import posixpath
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType, TracebackType

from qoslint.render.kustomize.additions import merged
from qoslint.render.kustomize.files import parsed, text
from qoslint.render.kustomize.inputs import Inputs
from qoslint.render.kustomize.overlay import Overlay

_NO_TEXTS: Mapping[str, str] = MappingProxyType({})


class Copy:
    """A copy of the files that the build of an overlay reads; a context that removes it."""

    def __init__(self, checkout: Path, overlay: Overlay, inputs: Inputs) -> None:
        """Copy regular files only; what is missing stays missing."""
        self._private = tempfile.TemporaryDirectory(prefix="qoslint-")
        self.root = Path(self._private.name, "checkout").resolve()
        self.root.mkdir()
        self._checkout = checkout
        found = inputs.kustomizations.get(overlay.folder)
        default = posixpath.join(overlay.folder, "kustomization.yaml")
        self._kustomization = found.source.path if found is not None else default
        self._changed: set[str] = set()
        for file in inputs.files:
            self._copy(file)
        for folder in inputs.charts:
            for path in sorted((checkout / folder).rglob("*")):
                self._copy(path.relative_to(checkout).as_posix())
        for file in overlay.empty:
            self._target(file).touch()
        self.write(_NO_TEXTS, overlay.additions)

    def __enter__(self) -> Copy:
        """The copy itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove all files."""
        self._private.cleanup()

    def write(self, texts: Mapping[str, str], additions: Mapping[str, object]) -> None:
        """Give some files other texts and all others those of the checkout."""
        for file in self._changed:
            self._copy(file)
        self._changed = set(texts)
        for file, content in texts.items():
            self._target(file).write_text(content, "utf-8", newline="")
        if additions:
            self._changed.add(self._kustomization)
            own = parsed("", text(self.root, self._kustomization) or "")
            data = own[0].data if own and isinstance(own[0].data, dict) else {}
            written = json.dumps(merged(data, additions))
            self._target(self._kustomization).write_text(written, "utf-8")

    def _target(self, file: str) -> Path:
        target = self.root / file
        target.parent.mkdir(parents=True, exist_ok=True)
        return target

    def _copy(self, file: str) -> None:
        source = self._checkout / file
        if source.is_file() and not source.is_symlink():
            shutil.copyfile(source, self._target(file))
        elif not source.is_dir():
            (self.root / file).unlink(missing_ok=True)

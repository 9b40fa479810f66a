"""Folders of plain files that an Application deploys become documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qoslint.render.argo.folders import files
from qoslint.render.bench import Bench
from qoslint.render.origin import FileOrigin
from qoslint.render.sources import Repository
from qoslint.render.target import Folder, Outcome, Target
from qoslint.render.text import Text, read_texts


def folders(targets: Sequence[Target], repository: Repository, bench: Bench) -> Iterator[Outcome]:
    """What the files hold that each target deploys as they are."""
    for target in targets:
        assert isinstance(target.what, Folder)
        held = tuple(files(target.what, repository))
        names = {f"{target.name}: {file}": file for file in held}
        texts = [Text(key, repository.read(file) or "") for key, file in names.items()]
        yield read_texts(target, held, texts, FileOrigin(names), bench)

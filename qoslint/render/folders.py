"""Folders of plain files that an Application deploys become documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qoslint.render.argo.folders import files
from qoslint.render.bench import Bench
from qoslint.render.fileorigin import FileOrigin
from qoslint.render.passes import read_texts
from qoslint.render.sources import Repository
from qoslint.render.target import Folder, Outcome, Target, Text


def folders(targets: Sequence[Target], repository: Repository, bench: Bench) -> Iterator[Outcome]:
    """What the files hold that each target deploys as they are."""
    for target in targets:
        assert isinstance(target.what, Folder)
        found = ((file, repository.read(file)) for file in files(target.what, repository))
        held = {file: text for file, text in found if text is not None}
        names = {f"{target.id}: {file}": file for file in held}
        texts = [Text(key, held[file]) for key, file in names.items()]
        outcome = read_texts(target, tuple(held), texts, FileOrigin(names), bench)
        reasons = zip(held, (reading.reason for reading in outcome.readings), strict=True)
        yield outcome._replace(unread={file: why for file, why in reasons if why is not None})

"""Building a kustomization: the rendered stream, and the authored document behind each object."""

from __future__ import annotations

import json
import os
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from qoslint.render.failure import RenderError
from qoslint.render.kustomize import annotated
from qoslint.render.kustomize.copying import Copy
from qoslint.render.kustomize.engine import Engine, start
from qoslint.render.kustomize.failures import failure, kustomization
from qoslint.render.kustomize.files import text
from qoslint.render.kustomize.helm_command import RECORD, Inflated, recorded
from qoslint.render.kustomize.inputs import Inputs, Kustomized, inputs
from qoslint.render.kustomize.named import As
from qoslint.render.kustomize.origins import Authored, authored, match
from qoslint.render.kustomize.overlay import Built, DocumentOrigin, Overlay
from qoslint.render.kustomize.refusals import refuse_bombs, refuse_links
from qoslint.workers import LIMITS, Limits

HELM_GENERATOR = "HelmChartInflationGenerator"
_PATCHES = "PatchTransformer"
_MANAGED_BY = "managedByLabel"
_INFLATED = "\0"
"""Stands for the file of all that comes of charts: no file has that name."""


class Stream(NamedTuple):
    """A stream, and the folder that the paths in its annotations are relative to."""

    text: str
    wrapper: str
    inflated: Sequence[Inflated] = ()
    """What came of charts."""


def build(checkout: Path, overlay: Overlay, engine: Engine, limits: Limits = LIMITS) -> Built:
    """Build a kustomization of the checkout, in which nothing is written; raise RenderError.

    What would lead out of the checkout or to the network is refused before anything is started. The
    build sees no other file than its own inputs: what it reads is what its key tells.
    """
    read = inputs_of(checkout, overlay)
    if read.errors:
        raise read.errors[0]
    refuse_links(checkout, read)
    refuse_bombs(checkout, read)
    with Copy(checkout, overlay, read) as copy:
        return _built(copy.root, overlay, read, stream(copy.root, overlay, engine, limits))


def inputs_of(checkout: Path, overlay: Overlay) -> Inputs:
    """What the build of an overlay reads in a checkout."""
    return inputs(overlay.folder, _kustomized(checkout), overlay.additions)


def _kustomized(checkout: Path) -> Kustomized:
    return Kustomized(lambda file: text(checkout, file))


def _built(checkout: Path, overlay: Overlay, read: Inputs, told: Stream) -> Built:
    found = _told_again(checkout, read, list(annotated.documents(told.text)), told.wrapper)
    joined = annotated.SEPARATOR.join(each.text for each in found)
    root = checkout.resolve()
    own = kustomization(checkout, overlay.folder)
    # A patch may write an annotation that names any file, also one outside.
    files = [
        file if (file := _relative(told.wrapper, each, root)) in read.files else own
        for each in found
    ]
    return Built(joined, tuple(_origins(checkout, found, files, told)))


def _told_again(
    checkout: Path, read: Inputs, found: Sequence[annotated.Annotated], wrapper: str
) -> Sequence[annotated.Annotated]:
    """The documents; one that a patch gave other annotations seems to be made by the patch.

    Its file is the only one that states an object of that kind and name.
    """
    lost = [number for number, each in enumerate(found) if each.generator == _PATCHES]
    if not lost:
        return found
    stated: defaultdict[tuple[str, str, str], set[str]] = defaultdict(set)
    for file, what in read.files.items():
        for each in _authored(checkout, file) if what is As.BASE else ():
            stated[each.identity.group, each.identity.kind, each.identity.name].add(file)
    told = list(found)
    for number in lost:
        identity = annotated.identity(found[number].text)
        files = stated.get((identity.group, identity.kind, identity.name), set())
        if len(files) == 1:
            path = os.path.relpath(checkout.resolve() / next(iter(files)), wrapper)
            told[number] = found[number]._replace(path=path)
    return told


def _origins(
    checkout: Path, found: Sequence[annotated.Annotated], said: Sequence[str], told: Stream
) -> Iterator[DocumentOrigin]:
    root = checkout.resolve()
    files = [
        _INFLATED if each.generator == HELM_GENERATOR else file
        for each, file in zip(found, said, strict=True)
    ]
    written = {file for file, each in zip(files, found, strict=True) if each.path}
    inside = {file: _authored(checkout, file) for file in sorted(written)}
    templates = [(each, object_) for each in told.inflated for object_ in authored(each.text)]
    inside[_INFLATED] = tuple(
        each._replace(number=number) for number, (_, each) in enumerate(templates)
    )
    matched = match(files, [annotated.identity(each.text) for each in found], inside)
    for origin, file in zip(matched, said, strict=True):
        if origin.file != _INFLATED:
            yield origin
        elif origin.number is None:
            yield DocumentOrigin(file)
        else:
            template, _ = templates[origin.number]
            path = (template.chart.resolve() / template.file).relative_to(root)
            yield DocumentOrigin(path.as_posix())


def _relative(wrapper: str, document: annotated.Annotated, root: Path) -> str:
    """The file that a document tells, relative to the root."""
    path = Path(wrapper, document.path or document.configured_in)
    return Path(os.path.relpath(path, root)).as_posix()


def _authored(checkout: Path, file: str) -> tuple[Authored, ...]:
    content = text(checkout, file)
    return () if content is None else tuple(authored(content))


def stream(checkout: Path, overlay: Overlay, engine: Engine, limits: Limits) -> Stream:
    """What the engine writes, each object annotated with its origin relative to the checkout."""
    with tempfile.TemporaryDirectory(prefix="qoslint-") as private:
        # Kustomize resolves links, and so must what its paths are relative to.
        wrapper = Path(private).resolve()
        inner = os.path.relpath(checkout.resolve() / overlay.folder, wrapper)
        content = {"resources": [inner], **_kept(checkout, overlay)}
        (wrapper / "kustomization.yaml").write_text(json.dumps(content), "utf-8")
        record = wrapper / "helm"
        record.mkdir()
        arguments = (*_options(overlay), str(wrapper))
        try:
            ended = start(engine, arguments, wrapper, limits, {RECORD: str(record)})
        except OSError as error:
            file = kustomization(checkout, overlay.folder)
            raise RenderError(f"{engine.command[0]} does not start: {error}", file) from error
        if ended.status != 0:
            raise failure(ended, checkout, overlay)
        inflated = recorded(record)
    return Stream(ended.output.decode("utf-8", "replace"), str(wrapper), inflated)


def _kept(checkout: Path, overlay: Overlay) -> dict[str, object]:
    """What counts only in the kustomization that is built itself, and the annotations of origin."""
    _, document = _kustomized(checkout).kustomization(overlay.folder)
    own = document.data if document is not None and isinstance(document.data, dict) else {}
    metadata = own.get("buildMetadata")
    labels = [_MANAGED_BY] if isinstance(metadata, list) and _MANAGED_BY in metadata else []
    order = {"sortOptions": own["sortOptions"]} if own.get("sortOptions") else {}
    return {"buildMetadata": ["originAnnotations", *labels], **order}


def _options(overlay: Overlay) -> tuple[str, ...]:
    options = []
    if overlay.load_restrictor_none:
        options.append("--load-restrictor=LoadRestrictionsNone")
    if overlay.helm_command is not None:
        options += ["--enable-helm", f"--helm-command={overlay.helm_command}"]
    return tuple(options)

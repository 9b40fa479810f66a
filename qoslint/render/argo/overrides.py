"""`.argocd-source.yaml` files, which change a source beside what it deploys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from qoslint.render.argo.application import Source
from qoslint.render.fields import Fields, at, text, under_root
from qoslint.render.helm.records import Layer
from qoslint.render.sources import Repository
from qoslint.source.document import YamlError, load

# Where a source is taken from is not theirs to say (reposerver/repository mergeSourceParameters).
_KEPT = ("chart", "path", "repoURL", "targetRevision")
_DEEPEST = 200


class Override(NamedTuple):
    """A file that was merged into a source."""

    file: str
    text: str
    data: Fields


class Overrides(NamedTuple):
    """A source with all files merged into it, the last one counting most."""

    data: Fields
    files: tuple[Override, ...]

    def values(self, source: Source) -> Iterator[Layer]:
        """The inline values: `valuesObject` if there is one, in place of `values`."""
        whole = at(self.data, "helm", "valuesObject")
        key = "values" if whole is None else "valuesObject"
        if not whole and not text(self.data, "helm", "values"):
            return
        layers = [
            Layer(file.file, file.text, ("helm", key))
            for file in self.files
            if at(file.data, "helm", key) is not None
        ]
        own = at(source.data, "helm", key)
        if key == "values":
            # A text is not merged but replaced.
            layers = layers[-1:]
            own = None if layers else own
        if own is not None:
            yield source.application.layer(*source.where, "helm", key)
        yield from layers


def overridden(source: Source, folder: str, repository: Repository) -> Overrides:
    """The source as Argo CD takes it, with the files in its folder; raise NotRenderedError."""
    files = []
    merged: Fields = source.data
    name = source.application.name
    for each in (".argocd-source.yaml", f".argocd-source-{name}.yaml"):
        path = under_root(folder, each)
        content = None if path is None or "/" in each else repository.read(path)
        if path is None or content is None:
            continue
        try:
            data = load(content)
        except YamlError as error:
            source.refuse(f"'{path}' cannot be read: {error.message}", "path")
        if isinstance(data, Mapping):
            files.append(Override(path, content, data))
            merged = merge_patch(merged, data)
    kept = {key: value for key, value in merged.items() if key not in _KEPT}
    own = {key: source.data[key] for key in _KEPT if key in source.data}
    return Overrides({**kept, **own}, tuple(files))


def merge_patch(value: Fields, patch: Fields, depth: int = 0) -> dict[str, object]:
    """The value with a JSON merge patch (RFC 7396) applied."""
    merged = dict(value)
    for key, change in patch.items():
        old = merged.get(key)
        if change is None:
            merged.pop(key, None)
        elif isinstance(change, Mapping) and depth < _DEEPEST:
            merged[key] = merge_patch(old if isinstance(old, Mapping) else {}, change, depth + 1)
        else:
            merged[key] = change
    return merged

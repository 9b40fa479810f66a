"""The options of a chart in an Application: Argo CD's reposerver/repository helmTemplate."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence

from qoslint.render.argo.application import Context, Source
from qoslint.render.argo.gotext import go_text
from qoslint.render.argo.overrides import Overrides
from qoslint.render.fields import Fields, at, is_set, mapping, mappings, text, texts, under_root
from qoslint.render.globs import doublestar, has_wildcard
from qoslint.render.helm.records import Chart, Layer, Parameter
from qoslint.render.reach import items
from qoslint.render.sources import NotRenderedError, address
from qoslint.source.document import Remote
from qoslint.span import Path

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_COMMA = re.compile(r"(?<!\\),")


def chart(
    source: Source,
    overrides: Overrides,
    folder: str,
    root: str,
    references: Mapping[str, Source],
    context: Context,
) -> Chart:
    """What Helm is asked for; raise NotRenderedError.

    `root` is the folder of the repository that holds `folder`; `references` are the sources that
    values may be taken from.
    """
    helm = mapping(overrides.data.get("helm"))
    files = _Files(source, folder, root, references, context)
    release = text(helm, "releaseName") or source.application.name
    version = text(helm, "kubeVersion").removeprefix("v")
    if not context.repository.is_file(under_root(folder, "Chart.yaml") or ""):
        source.refuse(f"'{folder or '.'}' holds no Chart.yaml, so it is no chart", "path")
    return Chart(
        folder=folder,
        release=release,
        namespace=text(helm, "namespace") or _namespace(source) or "default",
        kubernetes=version or context.repository.kubernetes,
        layers=(*files.layers(helm), *overrides.values(source)),
        parameters=(*_parameters(helm, source), *files.parameters(helm)),
        api_versions=tuple(texts(helm.get("apiVersions"))),
        skip_crds=is_set(helm, "skipCrds"),
        skip_tests=is_set(helm, "skipTests"),
        skip_schema=is_set(helm, "skipSchemaValidation"),
    )


def layers_at_hand(
    source: Source, references: Mapping[str, Source], context: Context
) -> Iterator[Layer]:
    """The values of a chart that is not here: its own, and files of other sources."""
    files = _Files(source, "", "", references, context)
    for name in texts(at(source.data, "helm", "valueFiles")):
        if name.startswith("$") and not has_wildcard(name):
            with contextlib.suppress(NotRenderedError):
                yield from files.layers({"valueFiles": [name], "ignoreMissingValueFiles": True})
    yield from Overrides(source.data, ()).values(source)


def _namespace(source: Source) -> str:
    return text(source.application.data, "spec", "destination", "namespace")


def _parameters(helm: Fields, source: Source) -> Iterator[Parameter]:
    """`--set`, then `--set-string`: Helm reads them in this order (util/helm/cmd.go template)."""
    found: dict[tuple[bool, str], str] = {}
    for each in mappings(helm.get("parameters")):
        name = text(each, "name")
        if not name:
            continue
        try:
            value = go_text(each.get("value", ""))
        except ValueError:
            continue
        found[is_set(each, "forceString"), name] = _cleaned(source.expanded(value))
    for (forced, name), value in sorted(found.items(), key=lambda item: item[0][0]):
        yield Parameter(name, value, forced)


def _cleaned(value: str) -> str:
    """A comma is part of the value, unless that is a list (util/helm/cmd.go cleanSetParameters)."""
    if value.startswith("{") and value.endswith("}"):
        return value
    return _COMMA.sub(r"\\,", value)


class _Files:
    """The files that a source names."""

    def __init__(
        self,
        source: Source,
        folder: str,
        root: str,
        references: Mapping[str, Source],
        context: Context,
    ) -> None:
        self._source = source
        self._folder = folder
        self._root = root
        self._references = references
        self._context = context

    def layers(self, helm: Fields) -> Iterator[Layer]:
        """The values files; one that is named stays at its place, whatever a glob finds."""
        ignored = is_set(helm, "ignoreMissingValueFiles")
        resolved = [
            (("helm", "valueFiles", number), name, self._resolved(name, number))
            for number, name in enumerate(items(helm.get("valueFiles")))
            if isinstance(name, str)
        ]
        named = {path for _, _, path in resolved if not has_wildcard(path)}
        found: dict[str, None] = {}
        for where, name, path in resolved:
            if has_wildcard(path):
                matches = doublestar(path)
                below = self._below(path)
                self._context.effort.spend(len(below))
                some = [file for file in below if matches(file)]
                if not some and not ignored:
                    self._source.refuse(f"no file matches the values file '{name}'", *where)
                found.update(dict.fromkeys(file for file in some if file not in named))
            elif self._context.repository.read(path) is not None:
                found.setdefault(path)
            elif not ignored:
                self._source.refuse(
                    f"the values file '{name}' ({path}) is not there or cannot be read", *where
                )
        for path in found:
            yield Layer(path, self._context.repository.read(path) or "")

    def parameters(self, helm: Fields) -> Iterator[Parameter]:
        """The values that are the content of files."""
        for number, each in enumerate(items(helm.get("fileParameters"))):
            name, path = text(each, "name"), text(each, "path")
            if not name or not path:
                continue
            where: Path = ("helm", "fileParameters", number)
            file = self._path(path, where)
            content = self._context.repository.read(file)
            if content is None:
                self._source.refuse(f"the file '{path}' ({file}) is not there", *where)
            yield Parameter(name, content, literal=True)

    def _resolved(self, name: str, number: int) -> str:
        return self._path(name, ("helm", "valueFiles", number))

    def _path(self, name: str, where: Path) -> str:
        reference, _, inner = name.partition("/")
        if reference.startswith("$") and reference in self._references:
            url = text(self._references[reference].data, "repoURL")
            root = self._context.sources.root(url)
            if root is None:
                self._source.refuse(
                    f"the file '{name}' is in the repository {url}, which is not here; say under "
                    "`remotes` where a copy of it lies",
                    *where,
                    remote=Remote(address(url)),
                )
            return self._inside(root, f"/{self._source.expanded(inner)}", root, name, where)
        expanded = self._source.expanded(name)
        if _SCHEME.match(expanded):
            self._source.refuse(
                f"the file '{name}' is not in the repository, and nothing is fetched; copy it into "
                "the repository and name its path",
                *where,
                remote=Remote(expanded),
            )
        return self._inside(self._folder, expanded, self._root, name, where)

    def _inside(self, folder: str, path: str, root: str, name: str, where: Path) -> str:
        """The path from the root of the tree; one with a slash in front starts at `root`."""
        base = root if path.startswith("/") else folder
        found = under_root(base, path)
        if found is None or (root and not f"{found}/".startswith(f"{root}/")):
            self._source.refuse(f"the file '{name}' is outside of its repository", *where)
        return found

    def _below(self, pattern: str) -> Sequence[str]:
        """The files that a pattern could match: those below its part without wildcards."""
        names = []
        for part in pattern.split("/")[:-1]:
            if has_wildcard(part) or "{" in part:
                break
            names.append(part)
        return self._context.repository.below("/".join(names))

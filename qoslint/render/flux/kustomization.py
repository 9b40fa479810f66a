"""Flux's Kustomizations: what each builds, and what it puts in place of variables."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from qoslint.finding import Notice
from qoslint.render.fields import (
    Fields,
    at,
    is_set,
    mapping,
    mappings,
    pairs,
    text,
    texts,
    under_root,
)
from qoslint.render.flux import artifacts
from qoslint.render.flux.context import Context, reference, refuse, values
from qoslint.render.flux.metadata import common_metadata
from qoslint.render.flux.substitution import is_name
from qoslint.render.kustomization import NAMES
from qoslint.render.kustomize.overlay import Overlay
from qoslint.render.objects import Object
from qoslint.render.sources import Named, Repository
from qoslint.render.target import Target

GROUP = "kustomize.toolkit.fluxcd.io"

_MOST_FILES = 20_000
_ADDED = ("patches", "patchesStrategicMerge", "patchesJson6902", "images")


class Variables(NamedTuple):
    """What stands for `${NAME}`. Without `all_known`, other names may be set too."""

    known: Mapping[str, str] | None
    all_known: bool = True


def named(object_: Object, context: Context) -> Iterator[Named]:
    """The paths that it names in sources."""
    spec = mapping(at(object_.data, "spec"))
    wanted = reference(object_, spec.get("sourceRef"))
    yield from artifacts.named_paths(wanted, text(spec, "path"), object_, context)


def resolved(object_: Object, context: Context) -> Iterator[Target | Notice]:
    """What a Kustomization deploys; raise NotRenderedError."""
    spec = mapping(at(object_.data, "spec"))
    wanted = reference(object_, spec.get("sourceRef"))
    path = text(spec, "path")
    folder = artifacts.place(wanted, path, object_, context, "spec", "sourceRef")
    if not context.repository.is_folder(folder):
        refuse(object_, f"there is no folder '{path}' in the repository", "spec", "path")
    variables = _variables(object_, spec, context)
    if not variables.all_known:
        yield _unknown(object_, spec, context)
    yield Target(
        object_.title,
        object_.file,
        Overlay(folder, additions(spec, folder, context), load_restrictor_none=True),
        object_.line("spec", "path"),
        text(spec, "targetNamespace") or None,
        variables=variables.known,
        knows_variables=variables.all_known,
    )


def additions(spec: Fields, folder: str, context: Context) -> dict[str, object]:
    """What Flux writes into the kustomization (fluxcd/pkg kustomize GenerateManifest).

    With `resources` if the folder has none: all that lies in it.
    """
    repository = context.repository
    found: dict[str, object] = {}
    names = {"namespace": "targetNamespace", "namePrefix": "namePrefix", "nameSuffix": "nameSuffix"}
    found.update({key: text(spec, name) for key, name in names.items()})
    found.update({key: list(mappings(spec.get(key))) for key in _ADDED})
    found["components"] = list(_components(spec, folder, repository))
    found.update(common_metadata(spec.get("commonMetadata")))
    if not any(repository.is_file(posixpath.join(folder, name)) for name in NAMES):
        if folder not in context.listed:
            context.effort.spend(len(repository.below(folder)))
            context.listed[folder] = list(_resources(folder, repository))
        found["resources"] = context.listed[folder]
    return {key: value for key, value in found.items() if value}


def _components(spec: Fields, folder: str, repository: Repository) -> Iterator[str]:
    for each in texts(spec.get("components")):
        path = under_root(folder, each)
        if is_set(spec, "ignoreMissingComponents") and (
            path is None or not repository.is_folder(path)
        ):
            continue
        yield each


def _resources(folder: str, repository: Repository) -> Iterator[str]:
    """The files of a folder, of one with a kustomization only the folder (scanManifests)."""
    start = len(folder) + 1 if folder else 0
    inner = [path[start:] for path in repository.below(folder)][:_MOST_FILES]
    built = {posixpath.dirname(path) for path in inner if posixpath.basename(path) in NAMES}
    seen: set[str] = set()
    for path in inner:
        above = posixpath.dirname(path)
        folders = [above[:end] for end in _ends(above)]
        outermost = next((each for each in folders if each in built), None)
        if outermost is None:
            if path.endswith((".yaml", ".yml")):
                yield f"./{path}"
        elif outermost not in seen:
            seen.add(outermost)
            yield f"./{outermost}"


def _ends(folder: str) -> Iterator[int]:
    """Where each folder on the way ends."""
    yield from (at_ for at_, sign in enumerate(folder) if sign == "/")
    if folder:
        yield len(folder)


def _variables(object_: Object, spec: Fields, context: Context) -> Variables:
    """The variables of `postBuild`; inline ones count most, the last ConfigMap before the first."""
    post_build = spec.get("postBuild")
    if not isinstance(post_build, Mapping):
        return Variables(None)
    found: dict[str, str] = {}
    all_known = True
    for each in mappings(post_build.get("substituteFrom")):
        inside = values(text(each, "kind"), text(each, "name"), object_, context)
        if inside is not None:
            found.update(inside.entries)
        else:
            all_known = False
    found.update(pairs(post_build.get("substitute")))
    for name in found:
        if not is_name(name):
            message = f"its postBuild sets a variable '{name}', a name that Flux refuses"
            refuse(object_, message, "spec", "postBuild")
    always = text(post_build, "strategy") == "Always"
    if not found and not always and all_known:
        return Variables(None)
    return Variables({key: value.replace("\n", "") for key, value in found.items()}, all_known)


def _unknown(object_: Object, spec: Fields, context: Context) -> Notice:
    """What to say if some variables are not here."""
    wanted = [
        f"{text(each, 'kind')} {text(each, 'name')}"
        for each in mappings(at(spec, "postBuild", "substituteFrom"))
        if values(text(each, "kind"), text(each, "name"), object_, context) is None
    ]
    return Notice(
        f"{object_.title} takes variables from {', '.join(wanted)}, which the repository does not "
        "hold in plain text; what they replace stays unknown.",
        object_.file,
        object_.line("spec", "postBuild", "substituteFrom"),
    )

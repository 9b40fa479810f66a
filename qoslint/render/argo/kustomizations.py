"""The options of a kustomization in an Application: what Argo CD writes into it (kustomize Build).

It runs `kustomize edit` for all but the patches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from qoslint.render.argo.application import Context, Source
from qoslint.render.fields import Fields, at, is_set, mapping, mappings, text, texts, under_root
from qoslint.render.kustomize.overlay import Overlay

_TAGGED = re.compile(r"(.*):([a-zA-Z0-9._-]*|\*)", re.DOTALL)
_COUNT = re.compile(r"[+-]?\d{1,18}")


def overlay(source: Source, data: Fields, folder: str, context: Context) -> Overlay:
    """What Kustomize is asked for."""
    options = mapping(data.get("kustomize"))
    additions: dict[str, object] = {}
    for key in ("namePrefix", "nameSuffix", "namespace"):
        if text(options, key):
            additions[key] = text(options, key)
    images = [image(source.expanded(each)) for each in texts(options.get("images"))]
    found = {
        "images": [each for each in images if each],
        "replicas": list(_replicas(options)),
        "patches": list(mappings(options.get("patches"))),
        "components": list(_components(options, folder, context)),
        "commonAnnotations": _annotations(source, options),
        **_labels(source, options),
    }
    additions.update({key: value for key, value in found.items() if value})
    return Overlay(folder, additions)


def image(argument: str) -> dict[str, str]:
    """What `kustomize edit set image` makes of its argument, nothing of one that it refuses.

    `name=other:tag`, `name:tag`, `name@digest`; a `*` keeps what is there
    (kustomize/commands/edit/set/setimage.go parse).
    """
    name, separator, value = argument.partition("=")
    new_name, tag, digest = _overwrite(value if separator else argument)
    if separator:
        found = {"name": name, "newName": new_name, "newTag": tag, "digest": digest}
    else:
        found = {"name": new_name, "newTag": tag, "digest": digest}
    kept = {key: item for key, item in found.items() if item and item != "*"}
    return kept if found["name"] and len(kept) > 1 else {}


def _overwrite(value: str) -> tuple[str, str, str]:
    name, at_sign, digest = value.partition("@")
    if at_sign:
        return name, "", digest
    tagged = _TAGGED.fullmatch(value)
    return (tagged[1], tagged[2], "") if tagged else (value, "", "")


def _replicas(options: Fields) -> Iterator[dict[str, object]]:
    for each in mappings(options.get("replicas")):
        count = each.get("count")
        if isinstance(count, str) and _COUNT.fullmatch(count):
            count = int(count)
        if text(each, "name") and isinstance(count, int) and not isinstance(count, bool):
            yield {"name": text(each, "name"), "count": count}


def _components(options: Fields, folder: str, context: Context) -> Iterator[str]:
    for each in texts(options.get("components")):
        path = under_root(folder, each)
        if is_set(options, "ignoreMissingComponents") and (
            path is None or not context.repository.is_folder(path)
        ):
            continue
        yield each


def _labels(source: Source, options: Fields) -> dict[str, object]:
    labels = {
        key: source.expanded(value)
        for key, value in mapping(options.get("commonLabels")).items()
        if isinstance(value, str)
    }
    if not labels:
        return {}
    if not is_set(options, "labelWithoutSelector"):
        return {"commonLabels": labels}
    templates = is_set(options, "labelIncludeTemplates")
    return {"labels": [{"pairs": labels, "includeSelectors": False, "includeTemplates": templates}]}


def _annotations(source: Source, options: Fields) -> Mapping[str, str]:
    expand = is_set(options, "commonAnnotationsEnvsubst")
    return {
        key: source.expanded(value) if expand else value
        for key, value in mapping(at(options, "commonAnnotations")).items()
        if isinstance(value, str)
    }

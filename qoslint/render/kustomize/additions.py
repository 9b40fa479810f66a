"""What a GitOps controller writes into a kustomization before it builds it.

Argo CD edits the file of the overlay (`kustomize edit set`, util/kustomize/kustomize.go Build), and
so does Flux (fluxcd/pkg/kustomize kustomize_generator.go WriteFile): single values replace what is
there, lists are lengthened, and images and replicas are replaced by their names.
"""

from __future__ import annotations

from collections.abc import Mapping

from qoslint.render.reach import items

_BY_NAME = frozenset({"images", "replicas"})


def merged(content: Mapping[str, object], additions: Mapping[str, object]) -> dict[str, object]:
    """The content of a kustomization with the additions."""
    result = dict(content)
    for key, value in additions.items():
        present = result.get(key)
        if key in _BY_NAME and isinstance(value, list):
            names = {_name(item) for item in value}
            result[key] = [item for item in items(present) if _name(item) not in names] + value
        elif isinstance(value, list) and isinstance(present, list):
            result[key] = present + value
        elif isinstance(value, Mapping) and isinstance(present, Mapping):
            result[key] = {**present, **value}
        else:
            result[key] = value
    return result


def _name(item: object) -> object:
    return item.get("name") if isinstance(item, dict) else None

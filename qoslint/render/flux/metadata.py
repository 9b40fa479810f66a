"""`commonMetadata`: labels and annotations of every object, and of nothing inside of it."""

from __future__ import annotations

import json

from qoslint.render.fields import at, pairs


def common_metadata(metadata: object) -> dict[str, object]:
    """The fields of a kustomization that set them.

    `commonLabels` and `commonAnnotations` would reach into selectors and pod templates.
    """
    found: dict[str, object] = {}
    labels, annotations = pairs(at(metadata, "labels")), pairs(at(metadata, "annotations"))
    if labels:
        found["labels"] = [{"pairs": labels, "includeSelectors": False}]
    if annotations:
        transformer = {
            "apiVersion": "builtin",
            "kind": "AnnotationsTransformer",
            "metadata": {"name": "common-metadata"},
            "annotations": annotations,
            "fieldSpecs": [{"path": "metadata/annotations", "create": True}],
        }
        # More than one line, or Kustomize takes it for a path.
        found["transformers"] = [json.dumps(transformer, indent=1)]
    return found

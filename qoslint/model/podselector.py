"""Selectors of pods by what people call them: namespace, kind and name of the workload, labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from qoslint.model.pattern import fits
from qoslint.schema import Json


class PodSelector(NamedTuple):
    """Pods by namespace, kind, name and labels; what is None or empty matches all.

    A star stands for any characters; labels are compared as they are.
    """

    namespace: str | None = None
    kind: str | None = None
    name: str | None = None
    labels: tuple[tuple[str, str], ...] = ()

    def selects(self, namespace: str, kind: str, name: str, labels: Mapping[str, str]) -> bool:
        """Whether it selects the pods of a workload, by its kind and name and the pods' labels."""
        wanted = ((namespace, self.namespace), (kind, self.kind), (name, self.name))
        return all(pattern is None or fits(text, pattern) for text, pattern in wanted) and all(
            labels.get(key) == value for key, value in self.labels
        )


def pod_selector(data: Mapping[str, Json]) -> PodSelector:
    """The selector that data, valid by the schema of selectors, states."""
    labels = tuple(sorted(data.get("labels", {}).items()))
    return PodSelector(data.get("namespace"), data.get("kind"), data.get("name"), labels)

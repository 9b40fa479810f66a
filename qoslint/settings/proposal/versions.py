"""The version of Kubernetes that objects name which make a cluster or upgrade it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from qoslint.kernel.features import SUPPORTED, Version
from qoslint.settings.annotated import Line, spot
from qoslint.settings.proposal.evidence import Evidence, at, field, title
from qoslint.source.document import Document
from qoslint.source.locate import locate
from qoslint.span import Path, field_path, value_at

_FIELDS: Mapping[tuple[str, str], Path] = MappingProxyType(
    {
        ("eksctl.io", "ClusterConfig"): ("metadata", "version"),
        ("kubeadm.k8s.io", "ClusterConfiguration"): ("kubernetesVersion",),
        ("kops.k8s.io", "Cluster"): ("spec", "kubernetesVersion"),
        ("k0sctl.k0sproject.io", "Cluster"): ("spec", "k0s", "version"),
        ("upgrade.cattle.io", "Plan"): ("spec", "version"),
    }
)
"""By group and kind the field that names it. What Cluster API makes are other clusters than the one
that its objects lie in."""
_KINDLESS: tuple[Path, ...] = (("machine", "kubelet", "image"), ("kubernetesVersion",))
"""Where Talos' machine configuration and talhelper have it."""
_VERSION = re.compile(r"(?:.*:)?v?([0-9]{1,4}\.[0-9]{1,4})(?:[.+@-].*)?")


class StatedVersion(NamedTuple):
    """A version, and what states it."""

    version: str
    why: str
    file: str
    name: str
    """That of the object; empty where it has none."""


def stated_versions(evidence: Evidence) -> Iterator[StatedVersion]:
    """Every version that is stated, in the order of the files."""
    for thing in evidence.telling:
        path = _FIELDS.get((thing.group, thing.kind))
        if path and (version := _minor(field(thing, *map(str, path)))):
            why = f"{at(thing, path)}: {title(thing)} has {version}"
            yield StatedVersion(version, why, thing.file, thing.name)
    for document in evidence.kindless:
        yield from _kindless(document)


def version_line(stated: list[StatedVersion], indent: str = "") -> Line:
    """The line `kubernetes` for what is stated of one cluster, or of all."""
    versions = sorted({each.version for each in stated}, key=Version.parse)
    if not versions:
        why = "no file tells: `kubectl version` prints it as Server Version; 1.36 is assumed"
        return Line(f'{indent}kubernetes: "1.36"', why, holds=False)
    first = stated[0]
    if len(versions) > 1:
        others = next(each for each in stated if each.version != first.version)
        why = f"which one it is, nothing tells: {first.why}, and {others.why}; 1.36 is assumed"
        return Line(f'{indent}kubernetes: "{versions[-1]}"', why, holds=False)
    if Version.parse(versions[0]) not in SUPPORTED:
        why = f"{first.why}, but {SUPPORTED[0]} to {SUPPORTED[-1]} are computed; 1.36 is assumed"
        return Line(f'{indent}kubernetes: "{versions[0]}"', why, holds=False)
    return Line(f'{indent}kubernetes: "{versions[0]}"', first.why)


def _kindless(document: Document) -> Iterator[StatedVersion]:
    for path in _KINDLESS:
        value = value_at(document.data, path)
        if isinstance(value, str) and (version := _minor(value)):
            file = document.source.path
            line = locate(document, path)[0].start.line
            yield StatedVersion(
                version, f"{spot(file, line)}: {field_path(path)} has {version}", file, ""
            )


def _minor(text: str) -> str:
    match = _VERSION.fullmatch(text)
    return match[1] if match else ""

"""Charts of chart repositories of which the repository at hand holds a copy."""

from __future__ import annotations

import re
from typing import NamedTuple

from qoslint.render.fields import text, under_root
from qoslint.render.sources import Repository, Sources
from qoslint.source.document import YamlError, load

_EXACT = re.compile(r"=?\s*v?(\d+\.\d+\.\d+\S*)")
_FOLDERS = ("charts", "vendor", "vendor/charts")


class Wanted(NamedTuple):
    """A chart of a chart repository or registry. `url` is that of the repository, not of a chart.

    `version` may be a range.
    """

    url: str
    name: str
    version: str = ""


def folder(wanted: Wanted, repository: Repository, sources: Sources) -> str | None:
    """The folder that holds the chart: where settings say, or where copies usually lie.

    A copy elsewhere than the settings say must have the name that is asked for, and the version if
    that is exact.
    """
    mapped = sources.root(wanted.url)
    if mapped is not None:
        for place in (f"{mapped}/{wanted.name}", mapped):
            path = under_root(place)
            if path is not None and _name_and_version(path, repository)[0]:
                return path
    exact = _EXACT.fullmatch(wanted.version.strip())
    versions = [wanted.version, exact[1]] if exact else [wanted.version]
    for place in _FOLDERS:
        for version in versions:
            for inner in (f"{wanted.name}-{version}/{wanted.name}", f"{wanted.name}-{version}"):
                if _fits(f"{place}/{inner}", wanted.name, exact, repository):
                    return f"{place}/{inner}"
        if _fits(f"{place}/{wanted.name}", wanted.name, exact, repository):
            return f"{place}/{wanted.name}"
    return None


def advice(wanted: Wanted) -> str:
    """What to do to have the chart rendered."""
    return (
        f"unpack it to charts/{wanted.name}, or say under `remotes` where a copy of "
        f"{wanted.url or wanted.name} lies"
    )


def _fits(path: str, name: str, exact: re.Match[str] | None, repository: Repository) -> bool:
    if under_root(path) != path:
        return False
    found, version = _name_and_version(path, repository)
    return found == name and (exact is None or version.removeprefix("v") == exact[1])


def _name_and_version(path: str, repository: Repository) -> tuple[str, str]:
    content = repository.read(f"{path}/Chart.yaml" if path else "Chart.yaml")
    if content is None:
        return "", ""
    try:
        chart = load(content)
    except YamlError:
        return "", ""
    return text(chart, "name"), text(chart, "version")

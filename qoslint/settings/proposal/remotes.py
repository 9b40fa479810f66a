"""The addresses by which GitOps objects name this very repository."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.model.objects import KubeObject, mapping, text
from qoslint.render.sources import address
from qoslint.settings.annotated import Line, is_writable
from qoslint.settings.proposal.evidence import Evidence, at, field, items, title
from qoslint.source.writing import scalar
from qoslint.span import Path


def remote_lines(evidence: Evidence) -> Iterator[Line]:
    """The mapping `remotes`, of the addresses that a run takes for this repository."""
    assumed = " ".join(notice.message for notice in evidence.discovery.assumed)
    lines: dict[str, Line] = {}
    for thing in evidence.telling:
        for url, path in _addresses(thing):
            if is_writable(url) and f"'{url}' is taken for this repository" in assumed:
                why = f"{at(thing, path)}: all that {title(thing)} and others name there is here"
                lines.setdefault(address(url), Line(f"  {scalar(url)}: .", why))
    if lines:
        yield Line("remotes:", "what is taken from such an address is read here")
        yield from lines.values()


def _addresses(thing: KubeObject) -> Iterator[tuple[str, Path]]:
    if thing.kind == "GitRepository":
        yield field(thing, "spec", "url"), ("spec", "url")
    if thing.kind == "Application":
        yield field(thing, "spec", "source", "repoURL"), ("spec", "source", "repoURL")
        for index, source in enumerate(items(thing, "spec", "sources")):
            path: Path = ("spec", "sources", index, "repoURL")
            yield text(mapping(source).get("repoURL")), path

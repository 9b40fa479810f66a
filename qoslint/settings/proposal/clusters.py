"""Which clusters a repository describes, and which of its files each of them has."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from qoslint.model.inventory import Item
from qoslint.model.members import Members
from qoslint.model.objects import KubeObject
from qoslint.render.fields import under_root
from qoslint.settings.proposal.evidence import Evidence, at, field, holding, title
from qoslint.settings.proposal.exported import exported
from qoslint.source.paths import Paths, above

ONLY = "default"
_OTHERS = "others"
_FOLDER_NAME = "the name of its folder"
_FOLDERS = ("clusters", "cluster")
_SEVERAL = 2
_IN_CLUSTER = ("in-cluster", "https://kubernetes.default.svc")
_GROUPS = ("argoproj.io", "kustomize.toolkit.fluxcd.io", "helm.toolkit.fluxcd.io")


class Proposed(NamedTuple):
    """A cluster with the files and folders that are applied to it, each with the reason."""

    name: str
    why: str
    paths: Mapping[str, str]


def proposals(evidence: Evidence) -> Iterator[tuple[Proposed, ...]]:
    """The ways to tell the clusters of a repository apart, what it says itself first.

    Whether one holds is for the caller to see.
    """
    for found in (_by_folder(evidence), _by_destination(evidence)):
        if found:
            yield (*found, *_left(evidence, found))
    yield tuple(_by_variant(evidence))
    files = {item.object.file for item in evidence.inventory.items}
    if len(evidence.members) == 1 and not evidence.members[0].notices and files:
        why = "no file tells of more than one cluster; the name is yours to choose"
        everything = "all files: no two of them contradict each other"
        yield (Proposed(ONLY, why, {".": everything}),)


def _by_folder(evidence: Evidence) -> tuple[Proposed, ...]:
    """Folders that Flux was told to apply to a cluster, or that lie in a folder of clusters."""
    found: dict[str, str] = {}
    for thing in _deploying(evidence):
        folder = _synced(thing)
        if folder:
            found[folder] = f"{at(thing, ('spec', 'path'))}: {title(thing)} applies all of it"
    things = (*_deploying(evidence), *(item.object for item in evidence.inventory.items))
    for thing in things:
        folder = _in_clusters(thing.file)
        if folder and not _inside(folder, found):
            found[folder] = f"{at(thing)}: {title(thing)}, in {posixpath.dirname(folder)}"
    outer = {
        folder: why
        for folder, why in found.items()
        if not _inside(posixpath.dirname(folder), found)
    }
    names = [posixpath.basename(folder) for folder in outer]
    unique = len(set(names)) == len(names)
    return tuple(
        Proposed(posixpath.basename(folder) if unique else folder, _FOLDER_NAME, {folder: why})
        for folder, why in sorted(outer.items())
    )


def _by_destination(evidence: Evidence) -> tuple[Proposed, ...]:
    """The files whose Applications all have one destination, if there are several of these."""
    destinations = _destinations(evidence)
    if len(destinations) < _SEVERAL or next(_shared(destinations), None):
        return ()
    stated = [file for files in destinations.values() for file in files]
    everything = {item.object.file for item in evidence.inventory.items}
    everything.update(stated)
    return tuple(
        Proposed(name, next(iter(files.values())), _covering(files, everything - {*files}))
        for name, files in sorted(destinations.items())
    )


def undecided(evidence: Evidence) -> Iterator[str]:
    """Files by which things are deployed to several clusters, so that no path tells these apart."""
    if len(destinations := _destinations(evidence)) >= _SEVERAL:
        for first, second in _shared(destinations):
            yield f"{first}, and {second}, both by one file; paths cannot tell the clusters apart"


def _destinations(evidence: Evidence) -> Mapping[str, Mapping[str, str]]:
    """By name of a cluster the files with Applications that go there, each with the reason."""
    found: dict[str, dict[str, str]] = {}
    for thing in _applications(evidence):
        name = _destination(thing)
        why = f"{at(thing, ('spec', 'destination'))}: {title(thing)} goes to {name}"
        found.setdefault(name, {}).setdefault(thing.file, why)
    return found


def _shared(destinations: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    """The files of several destinations: two reasons for each."""
    first: dict[str, str] = {}
    for files in destinations.values():
        for file, why in files.items():
            if file in first:
                yield first[file], why
            first.setdefault(file, why)


def _applications(evidence: Evidence) -> list[KubeObject]:
    """Argo CD's Applications but for those that deploy nothing but Applications."""
    found = [t for t in evidence.telling if (t.group, t.kind) == ("argoproj.io", "Application")]
    deploying = {_rendered_by(thing) for thing in found}
    others = {_rendered_by(item.object) for item in evidence.inventory.items}
    return [each for each in found if title(each) not in deploying or title(each) in others]


def _rendered_by(thing: KubeObject) -> str:
    rendered = thing.document.source.rendered
    return rendered.target if rendered else ""


def _by_variant(evidence: Evidence) -> Iterator[Proposed]:
    """What is found without settings, where files contradict each other."""
    environments = [each for each in evidence.members if each.environment]
    if len(environments) < _SEVERAL or len(environments) < len(evidence.members):
        return
    names = {each.name for each in environments}
    everything = {item.object.file for item in evidence.inventory.items}
    of_charts = {i.object.file for i in evidence.inventory.items if i.object.variant in names}
    having = Counter(item for each in evidence.members for item in {*each.judged, *each.deciding})
    for each in environments:
        items = (*each.judged, *each.deciding)
        own = {item.object.file for item in items if item.object.variant != each.name}
        in_all = {item for item in items if having[item] == len(evidence.members)}
        reasons = {item.object.file: _why_in(item, in_all) for item in items}
        chart = {file: why for file, why in reasons.items() if file not in own}
        wanted = {file: why for file, why in reasons.items() if file in own} or chart
        others = everything - {*reasons} - of_charts
        yield Proposed(each.name, _its_own(each, having), _covering(wanted, others))


def _its_own(members: Members, having: Mapping[Item, int]) -> str:
    """What tells a variant from the others, by how many have each item."""
    own = (item.object for item in members.judged + members.deciding if having[item] == 1)
    thing = next(own, None)
    if thing is None:
        return "what the others have in other ways"
    return f"{holding(thing)}, which is another one in other clusters"


def _why_in(item: Item, in_all: Container[Item]) -> str:
    what = holding(item.object)
    return f"{what}, in all clusters" if item in in_all else what


def _left(evidence: Evidence, found: Sequence[Proposed]) -> Iterator[Proposed]:
    """A cluster of what belongs to none of those, if there is anything."""
    taken = Paths.of(path for each in found for path in each.paths)
    files = {i.object.file: holding(i.object) for i in evidence.inventory.items}
    from_clusters = {each.file for each in exported(evidence)}
    left = {
        file: why
        for file, why in files.items()
        if not taken.hold(file) and file not in from_clusters
    }
    if left:
        others = files.keys() - left.keys()
        others.update(f"{path}/." for path in taken.named)
        why = "nothing that was found applies these; take them out if nothing does"
        yield Proposed(_OTHERS, why, _covering(left, others))


def _covering(files: Mapping[str, str], others: Iterable[str]) -> Mapping[str, str]:
    """The largest folders that hold these files and none of the others, each with a reason."""
    mixed = {folder for file in others for folder in above(file)}
    found: dict[str, str] = {}
    for file, why in sorted(files.items()):
        top = next((folder for folder in reversed([*above(file)]) if folder not in mixed), file)
        found.setdefault(top or ".", why)
    return found


def _deploying(evidence: Evidence) -> list[KubeObject]:
    return [t for t in evidence.telling if t.group in _GROUPS or t.kind == "FluxInstance"]


def _synced(thing: KubeObject) -> str:
    """The folder that an object has applied in which it lies itself; the mark of a bootstrap."""
    if thing.kind == "FluxInstance":
        return under_root(field(thing, "spec", "sync", "path")) or ""
    if thing.kind != "Kustomization":
        return ""
    folder = under_root(field(thing, "spec", "path")) or ""
    return folder if folder and thing.file.startswith(f"{folder}/") else ""


def _in_clusters(file: str) -> str:
    """The folder of a cluster that a file lies in, by the name of the folder around it."""
    names = file.split("/")[:-1]
    for depth, name in enumerate(names[:-1]):
        if name in _FOLDERS:
            return "/".join(names[: depth + 2])
    return ""


def _inside(folder: str, found: Container[str]) -> bool:
    return any(each in found for each in (folder, *above(folder)))


def _destination(thing: KubeObject) -> str:
    name = field(thing, "spec", "destination", "name")
    server = name or field(thing, "spec", "destination", "server")
    if server in _IN_CLUSTER:
        return _IN_CLUSTER[0]
    return server.rpartition("://")[2].partition("/")[0].partition(":")[0]

"""Small repositories on disk, and what the model makes of them."""

from __future__ import annotations

import functools
import textwrap
from collections.abc import Sequence
from pathlib import Path

import pytest

from qoslint.finding import Notice
from qoslint.model.cluster import Cluster, assemble
from qoslint.model.clusterspec import ClusterSpec
from qoslint.model.inventory import Inventory
from qoslint.model.kinds import known_kinds, shipped_kinds
from qoslint.model.objects import KubeObject, objects
from qoslint.model.sought import sought
from qoslint.model.workloads import Workload, workloads
from qoslint.render.discover import discover
from qoslint.render.discovery import Discovery
from qoslint.render.renderspec import Environment, Renderer, RenderSpec
from qoslint.render.shared import Shared
from qoslint.source.document import Document, Source, documents
from qoslint.source.tree import WorkTree

KINDS = known_kinds(shipped_kinds())
SOUGHT = sought(KINDS, ())
CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "repos"

POD_SPEC = "{containers: [{name: c, image: i}]}"
TEMPLATE = f"{{metadata: {{labels: {{a: b}}}}, spec: {POD_SPEC}}}"
# A spec that has what a PodSpec has, and is none.
LIKE = "{containers: [{name: c}], resources: {requests: {cpu: 1}}}"


class EveryKind:
    """Stands for a table that knows every kind, so that every document is parsed."""

    def __contains__(self, kind: object) -> bool:
        return True


class Repository:
    """A folder of files, and the questions that tests ask about it."""

    def __init__(self, root: Path, renderer: Renderer = "auto") -> None:
        self.root = root
        self.renderer = renderer
        self.charts: dict[str, tuple[Environment, ...]] = {}
        self.given: bytes | None = None

    def write(self, path: str, *texts: str) -> None:
        """Write a file, its folders too; each text is a document without common indentation."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("---\n".join(map(textwrap.dedent, texts)), encoding="utf-8")

    def discover(self, *paths: str) -> Discovery:
        spec = RenderSpec(renderer=self.renderer, charts=self.charts)
        tree = WorkTree(self.root, given=self.given)
        return discover(tree, paths or ["."], SOUGHT, spec, Shared())

    @functools.cached_property
    def discovery(self) -> Discovery:
        """What is there, for a repository that does not change."""
        return self.discover()

    def assemble(
        self, *specs: ClusterSpec, paths: Sequence[str] = (".",)
    ) -> tuple[dict[str, Cluster], Sequence[Notice]]:
        """The clusters by name, by default those of a repository without settings."""
        inventory = Inventory(self.discover(*paths), KINDS)
        clusters, notices = assemble(
            specs or [ClusterSpec(complete=False, declared=False)], inventory
        )
        assert len({cluster.name for cluster in clusters}) == len(clusters)
        return {cluster.name: cluster for cluster in clusters}, notices

    def category(self, path: str, *paths: str) -> str:
        """What became of a file: `read`, or the reason why not; exactly one of them."""
        discovery = self.discover(*paths)
        found = ["read"] * discovery.read.count(path)
        for name, others in (
            ("skipped", discovery.skipped),
            ("not understood", discovery.not_understood),
        ):
            found += [f"{name}: {reason}" for reason, paths in others.items() if path in paths]
        assert len(found) == 1, found
        return found[0]


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path)


@pytest.fixture
def unrendered(repository):
    """Charts and kustomizations are only looked at."""
    repository.renderer = "none"


@pytest.fixture(scope="session")
def corpus():
    """What there is in real repositories, which are not part of this one."""
    if not CORPUS.is_dir():
        pytest.skip(f"{CORPUS} is not there")
    return Repository(CORPUS, "none")


@pytest.fixture
def objects_of():
    """Gives the objects of a YAML text."""

    def read(text: str) -> list[KubeObject]:
        source = Source("a.yaml", "a.yaml", textwrap.dedent(text))
        found = list(documents(source, EveryKind()))
        assert found
        return [each for item in found if isinstance(item, Document) for each in objects(item)]

    return read


@pytest.fixture
def workloads_of(objects_of):
    """Gives the workloads of a YAML text, by the shipped kinds."""

    def read(text: str) -> list[Workload]:
        return [found for thing in objects_of(text) for found in workloads(thing, KINDS)]

    return read


@pytest.fixture
def made(workloads_of):
    """Gives the workloads of an object; <P> is a PodSpec, <T> a template, <L> looks like a pod."""

    def read(api_version, kind, spec):
        spec = spec.replace("<T>", TEMPLATE).replace("<P>", POD_SPEC).replace("<L>", LIKE)
        head = f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: w}}\n"
        return workloads_of(f"{head}spec: {spec}\n")

    return read


@pytest.fixture
def deployment():
    """Makes a Deployment that the API server accepts."""

    def write(name: str = "api", namespace: str | None = None, cpu: str = "1") -> str:
        where = f", namespace: {namespace}" if namespace else ""
        return (
            f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}{where}}}\n"
            f"spec:\n  selector: {{matchLabels: {{app: {name}}}}}\n"
            f"  template:\n    metadata: {{labels: {{app: {name}}}}}\n"
            f"    spec:\n      containers:\n"
            f"        - {{name: main, image: image, resources: {{requests: {{cpu: '{cpu}'}}}}}}\n"
        )

    return write


@pytest.fixture
def limit_range():
    """Makes a LimitRange with a default limit."""

    def write(name: str = "limits", namespace: str | None = None, cpu: str = "1") -> str:
        where = f", namespace: {namespace}" if namespace else ""
        return (
            f"apiVersion: v1\nkind: LimitRange\nmetadata: {{name: {name}{where}}}\n"
            f"spec: {{limits: [{{type: Container, default: {{cpu: '{cpu}'}}}}]}}\n"
        )

    return write


@pytest.fixture
def priority_class():
    """Makes a PriorityClass."""

    def write(name: str, value: int) -> str:
        return (
            "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\n"
            f"metadata: {{name: {name}}}\nvalue: {value}\n"
        )

    return write

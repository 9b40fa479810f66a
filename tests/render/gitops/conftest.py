"""Fixtures: what Argo CD and Flux are asked to deploy by a repository written in a test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from textwrap import dedent

import pytest

from qoslint.finding import Notice
from qoslint.render.argo import asked as argo_asked
from qoslint.render.flux import asked as flux_asked
from qoslint.render.sources import Repository
from qoslint.render.target import Missing, Target
from qoslint.source.document import Document, Source, documents

ORIGIN = "https://github.com/acme/deploy"
KINDS = frozenset(
    {"Application", "ApplicationSet", "Kustomization", "HelmRelease", "GitRepository", "Bucket"}
    | {"HelmRepository", "OCIRepository", "HelmChart", "ArtifactGenerator", "FluxInstance"}
    | {"ConfigMap", "Secret", "List"}
)

Item = Target | Missing | Notice
Ask = Callable[..., list[Item]]


def _given(files: Mapping[str, str], **settings: object) -> tuple[list[Document], Repository]:
    texts = {path: dedent(text) for path, text in files.items()}
    found = [
        item
        for path, text in sorted(texts.items())
        if path.endswith((".yaml", ".yml", ".json"))
        for item in documents(Source(path, path, text), KINDS)
        if isinstance(item, Document)
    ]
    known = {"origins": (ORIGIN,), **settings}
    return found, Repository(sorted(texts), texts.get, "1.36", **known)


@pytest.fixture
def argo() -> Ask:
    """What Argo CD is asked by files; more settings go to the Repository."""
    return lambda files, **settings: list(argo_asked.asked(*_given(files, **settings)))


@pytest.fixture
def flux() -> Ask:
    """What Flux is asked by files; more settings go to the Repository."""
    return lambda files, **settings: list(flux_asked.asked(*_given(files, **settings)))


def _indented(text: str, by: int) -> str:
    return dedent(text).strip("\n").replace("\n", "\n" + " " * by)


@pytest.fixture
def application() -> Callable[..., str]:
    """The text of an Application, with the fields of its source."""

    def text(source: str, name: str = "web", namespace: str = "shop") -> str:
        return f"""\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: {name}
  namespace: argocd
spec:
  destination:
    namespace: {namespace}
  source:
    repoURL: {ORIGIN}
    {_indented(source, 4)}
"""

    return text


@pytest.fixture
def kustomization() -> Callable[..., str]:
    """The text of a Flux Kustomization, with more fields of its spec."""

    def text(spec: str = "path: ./apps", name: str = "apps") -> str:
        return f"""\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: {name}
  namespace: flux-system
spec:
  sourceRef:
    kind: GitRepository
    name: flux-system
  {_indented(spec, 2)}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata:
  name: flux-system
  namespace: flux-system
spec:
  url: ssh://git@github.com/acme/deploy
"""

    return text


@pytest.fixture
def release() -> Callable[..., str]:
    """The text of a HelmRelease of a chart in the repository, with more fields of its spec."""

    def text(spec: str = "", chart: str = "./charts/web") -> str:
        return f"""\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: web
  namespace: shop
spec:
  chart:
    spec:
      chart: {chart}
      sourceRef:
        kind: GitRepository
        name: flux-system
        namespace: flux-system
  {_indented(spec, 2)}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata:
  name: flux-system
  namespace: flux-system
spec:
  url: https://github.com/acme/deploy.git
"""

    return text

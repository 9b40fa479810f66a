"""What controllers still change in what they rendered: post renderers, and variables of Flux."""

from __future__ import annotations

import pytest

from qoslint.finding import ObjectId, Place
from qoslint.render.discover import discover
from qoslint.render.plain import Sought
from qoslint.render.renderspec import NO_SPEC
from qoslint.render.shared import Shared
from qoslint.source.places import locate_places
from qoslint.source.tree import WorkTree

RELEASE = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: me, namespace: flux-system}
spec: {url: https://github.com/acme/fleet}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec:
  chart:
    spec:
      chart: ./charts/web
      sourceRef: {kind: GitRepository, name: me, namespace: flux-system}
  values:
    resources:
      limits:
        memory: 64Mi
  postRenderers:
    - kustomize:
        patches:
          - target: {kind: Pod}
            patch: |
              - op: add
                path: /spec/containers/0/resources/requests
                value: {memory: 32Mi}
"""
CHART = {
    "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
    "charts/web/values.yaml": "resources: {}\n",
    "charts/web/templates/pod.yaml": """\
apiVersion: v1
kind: Pod
metadata: {name: {{ .Release.Name }}}
spec:
  containers:
    - name: web
      image: x
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
""",
}
KUSTOMIZATION = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: me, namespace: flux-system}
spec: {url: https://github.com/acme/fleet}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  path: ./apps
  sourceRef: {kind: GitRepository, name: me}
  postBuild: {substitute: {memory: 48Mi}}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: app}
spec:
  containers:
    - name: app
      image: x
      resources: {requests: {memory: "${memory:=16Mi}"}}
"""


@pytest.fixture
def rendered(tmp_path):
    """The only rendered Pod of a repository: its resources, and where a field of them stands."""

    def read(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        discovery = discover(
            WorkTree(tmp_path),
            ["."],
            Sought(frozenset({"Pod"}), frozenset({"Pod"})),
            NO_SPEC,
            Shared(),
        )
        (document,) = (each for each in discovery.documents if each.data["kind"] == "Pod")
        documents = {(document.source.id, document.number): document}

        def place(*path):
            where = ("spec", "containers", 0, "resources", *path)
            asked = Place(ObjectId(document.source.id, document.number, ()), where)
            found = locate_places([asked], documents)[asked]
            return found.file, found.span.start.line

        return document.data["spec"]["containers"][0]["resources"], place

    return read


def test_a_post_renderer_changes_what_the_chart_renders_to(rendered):
    resources, place = rendered({"web.yaml": RELEASE, **CHART})
    assert resources == {"limits": {"memory": "64Mi"}, "requests": {"memory": "32Mi"}}
    assert place("limits", "memory") == ("web.yaml", 17), "the values of the release"
    assert place("requests", "memory") == ("web.yaml", 12), "the release, whose pass sets it"


def test_variables_are_filled_in_where_they_stand(rendered):
    resources, place = rendered({"cluster.yaml": KUSTOMIZATION, "apps/pod.yaml": POD})
    assert resources == {"requests": {"memory": "48Mi"}}
    assert place("requests", "memory") == ("apps/pod.yaml", 8)

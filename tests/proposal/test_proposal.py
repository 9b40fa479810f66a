"""The proposal of `qoslint init` for whole repositories, each against its golden file.

After an intended change: `QOSLINT_UPDATE_GOLDENS=1 pytest tests/proposal`, then read the
difference.
"""

import os
import re
import shutil
from pathlib import Path

import pytest

from qoslint import api, schema
from qoslint.plugins.load import shipped
from qoslint.settings.file import parsed
from qoslint.settings.find import Found
from qoslint.settings.load import load
from qoslint.settings.proposal.propose import propose
from qoslint.source.document import load as load_yaml

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
SHIPPED = shipped()


def deployment(name, namespace="shop", memory="64Mi", labels=""):
    return f"""\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: "{name}"{namespace and f", namespace: {namespace}"}}}
spec:
  selector: {{matchLabels: {{app: "{name}"}}}}
  template:
    metadata: {{labels: {{app: "{name}"{labels}}}}}
    spec:
      containers:
        - name: app
          image: "registry.example/{name}:1"
          resources: {{requests: {{memory: {memory}}}, limits: {{memory: 256Mi}}}}
"""


def limit_range(namespace="namespace: shop"):
    return f"""\
apiVersion: v1
kind: LimitRange
metadata: {{name: defaults, {namespace}}}
spec: {{limits: [{{type: Container, default: {{memory: 1Gi}}}}]}}
"""


def application(name, path, destination='server: "https://kubernetes.default.svc"'):
    return f"""\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: {name}, namespace: argocd}}
spec:
  project: default
  source: {{repoURL: https://git.example/shop/deploy, targetRevision: main, path: {path}}}
  destination: {{{destination}, namespace: shop}}
"""


def flux(name, path):
    return f"""\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: {name}, namespace: flux-system}}
spec:
  interval: 10m
  path: ./{path}
  prune: true
  sourceRef: {{kind: GitRepository, name: flux-system}}
"""


def sync(path):
    return f"""\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {{name: flux-system, namespace: flux-system}}
spec: {{interval: 5m, url: "ssh://git@git.example/shop/deploy", ref: {{branch: main}}}}
---
{flux("flux-system", path)}"""


def kustomization(*resources, memory=""):
    text = "resources:\n" + "".join(f"  - {each}\n" for each in resources)
    path = "/spec/template/spec/containers/0/resources/requests/memory"
    patch = f"""\
patches:
  - target: {{kind: Deployment}}
    patch: |
      - {{op: replace, path: {path}, value: {memory}}}
"""
    return text + (patch if memory else "")


def chart(folder, **values):
    template = deployment("{{ .Chart.Name }}", "", "{{ .Values.memory }}")
    return {
        f"{folder}/Chart.yaml": f"apiVersion: v2\nname: {folder}\nversion: 1.0.0\n",
        f"{folder}/templates/web.yaml": template,
        f"{folder}/values.yaml": "memory: 64Mi\n",
        **{f"{folder}/{name}": text for name, text in values.items()},
    }


def overlays(**namespace):
    return {
        "web/base/web.yaml": deployment("web", **namespace),
        "web/base/kustomization.yaml": kustomization("web.yaml"),
        "web/overlays/staging/kustomization.yaml": kustomization("../../base"),
        "web/overlays/prod/kustomization.yaml": kustomization("../../base", memory="128Mi"),
    }


def exported(namespace):
    return f"""\
apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: LimitRange
    metadata: {{name: defaults, namespace: {namespace}, uid: 6a1b}}
    spec: {{limits: [{{type: Container, default: {{memory: 1Gi}}}}]}}
"""


CLUSTER = """\
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: shop, region: eu-west-1, version: "1.34"}
managedNodeGroups:
  - {name: workers, instanceType: m5.large}
  - {name: big, instanceType: x9.mega, kubeletExtraConfig: {maxPods: 20}}
"""
REPOSITORIES = {
    "app-of-apps": {
        "clusters/eu/root.yaml": application("root", "clusters/eu/apps"),
        "clusters/eu/apps/web.yaml": application("web", "apps/web/eu"),
        "clusters/us/root.yaml": application("root", "clusters/us/apps"),
        "clusters/us/apps/web.yaml": application("web", "apps/web/us"),
        "apps/web/eu/web.yaml": deployment("web"),
        "apps/web/us/web.yaml": deployment("web", memory="128Mi"),
    },
    "destinations": {
        "argo/eu/web.yaml": application("web-eu", "apps/web/eu", "name: eu"),
        "argo/us.yaml": application("web-us", "apps/web/us", 'server: "https://us.example:6443"'),
        "apps/web/eu/web.yaml": deployment("web"),
        "apps/web/us/web.yaml": deployment("web", memory="128Mi"),
        "tools/debug.yaml": deployment("debug"),
    },
    # One object has everything deployed, so that no path is of one cluster.
    "destinations-of-one-root": {
        "argo/root.yaml": application("root", "argo/apps"),
        "argo/apps/web-eu.yaml": application("web-eu", "apps/web/eu", "name: eu"),
        "argo/apps/web-us.yaml": application("web-us", "apps/web/us", "name: us"),
        "apps/web/eu/web.yaml": deployment("web"),
        "apps/web/us/web.yaml": deployment("web", memory="128Mi"),
    },
    "flux": {
        "clusters/prod/flux-system/sync.yaml": sync("clusters/prod"),
        "clusters/prod/web.yaml": flux("web", "apps/prod"),
        "clusters/dev/flux-system/sync.yaml": sync("clusters/dev"),
        "clusters/dev/web.yaml": flux("web", "apps/dev"),
        "apps/base/web.yaml": deployment("web"),
        "apps/base/kustomization.yaml": kustomization("web.yaml"),
        "apps/prod/kustomization.yaml": kustomization("../base", memory="128Mi"),
        "apps/dev/kustomization.yaml": kustomization("../base"),
    },
    # What is of one cluster by its name, of all of them, or of nobody knows which.
    "flux-and-machines": {
        "clusters/prod/flux-system/sync.yaml": sync("clusters/prod"),
        "clusters/prod/api.yaml": deployment("api"),
        "clusters/dev/flux-system/sync.yaml": sync("clusters/dev"),
        "clusters/dev/api.yaml": deployment("api", memory="32Mi"),
        "exported/prod.yaml": exported("shop"),
        "exported/limits.yaml": exported("batch"),
        "infra/prod.yaml": CLUSTER,
        "infra/dev/talconfig.yaml": "kubernetesVersion: v1.35.2\n",
        "infra/shared.yaml": "name: shared\ncapacity: {memory: 4Gi}\n",
    },
    "overlays": {**overlays(), "monitoring/agent.yaml": deployment("agent", "monitoring")},
    "plain": {
        "k8s/api.yaml": deployment("api"),
        "k8s/limits.yaml": limit_range(),
        "k8s/web.yaml": deployment("web"),
    },
    # In one folder the LimitRange decides, in the other it does not.
    "plain-without-namespaces": {
        "api/api.yaml": deployment("api", ""),
        "web/limits.yaml": limit_range("labels: {}"),
        "web/web.yaml": deployment("web", ""),
    },
    "chart": chart(
        "web", **{"values-prod.yaml": "memory: 128Mi\n", "values-staging.yaml": "memory: 96Mi\n"}
    ),
    "charts": {
        **chart(
            "api",
            **{
                "env/prod.yaml": "memory: 128Mi\n",
                "env/prod-secrets.yaml": "password: x\n",
                "env/staging.yaml": "memory: 96Mi\n",
            },
        ),
        **chart("web", **{"values-prod.yaml": "memory: 128Mi\n", "values-small.yaml": "a: 1\n"}),
        # With these values it cannot be rendered.
        **chart("old", **{"values-prod.yaml": "memory: [\n", "values-staging.yaml": "a: 1\n"}),
        "platform/agent.yaml": deployment("agent", "monitoring"),
    },
    "machines": {
        "infra/cluster.yaml": CLUSTER,
        "exported/limits.yaml": exported("shop"),
        "k8s/web.yaml": deployment("web", labels=', sidecar.istio.io/inject: "true"'),
    },
    "old": {
        "talos/controlplane.yaml": """\
            machine:
              kubelet:
                image: ghcr.io/siderolabs/kubelet:v1.29.4
                extraConfig: {maxPods: 200}
            """,
        "k8s/web.yaml": deployment("web"),
    },
    "empty": {"README.md": "Nothing.\n"},
}


@pytest.fixture(params=[*REPOSITORIES, "gitops", "pressure", "shop"])
def repository_of_a_kind(request, repository):
    """The name of a repository without settings, and its root."""
    if request.param in REPOSITORIES:
        repository.write(REPOSITORIES[request.param])
    else:
        shutil.copytree(EXAMPLES / request.param, repository.root, dirs_exist_ok=True)
        (repository.root / ".qoslint.yaml").unlink()
    return request.param, repository.root


def settings(root, text=""):
    file = parsed(text, root, ".qoslint.yaml", "") if text else None
    return load(Found(root, (".",), file), SHIPPED)


def findings(root, text=""):
    report, _ = api.check((".",), settings(root, text))
    assert not report.failed_checks
    return {(each.rule, each.location.file, each.location.span) for each in report.findings}


def test_the_proposal_is_whole_and_no_finding_is_lost_with_it(repository_of_a_kind):
    name, root = repository_of_a_kind
    proposed = propose(settings(root))
    golden = HERE / "goldens" / f"{name}.yaml"
    if os.environ.get("QOSLINT_UPDATE_GOLDENS"):
        golden.write_text(proposed, "utf-8")
    assert proposed == golden.read_text("utf-8")
    assert all(" # " in line for line in proposed.splitlines() if line and line[0] != "#")
    assert findings(root) - findings(root, proposed) == LOST.get(name, set())


LOST = {}
"""What is found only without the proposal, by the name of the repository."""


def test_every_repository_has_a_golden():
    assert {path.stem for path in (HERE / "goldens").iterdir()} == {
        *REPOSITORIES, "gitops", "pressure", "shop",
    }  # fmt: skip


@pytest.mark.parametrize("name", [*REPOSITORIES, "gitops", "pressure", "shop"])
def test_what_is_commented_out_counts_without_the_marks(name):
    lines = (HERE / "goldens" / f"{name}.yaml").read_text("utf-8").splitlines()[3:]
    counting = load_yaml("\n".join(re.sub(r"^( *)# ", r"\1", line) for line in lines))
    assert all(each["name"] and each["paths"] for each in counting["clusters"])
    assert not [*schema.check(counting, "settings")]

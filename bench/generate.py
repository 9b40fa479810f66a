"""Writes the manifests that are measured: the same bytes on every machine.

`python bench/generate.py FILE` writes 2,000 Deployments in about 2 MB. No two neighbours have the
same shape, so that a reader which judges equal pods once gains no more than it does in life.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

DEPLOYMENTS = 2000
NAMESPACES = 20
FLEET = 10_000
SHAPES = 50
_SEED = 1

SMALL = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
spec:
  selector: {matchLabels: {app: api}}
  template:
    metadata: {labels: {app: api}}
    spec:
      containers:
        - name: api
          image: registry.example/api:1
          resources:
            requests: {cpu: 100m, memory: 128Mi}
            limits: {memory: 256Mi}
"""

_NAMESPACE = """\
apiVersion: v1
kind: LimitRange
metadata: {{name: defaults, namespace: {namespace}}}
spec:
  limits:
    - type: Container
      defaultRequest: {{cpu: 50m, memory: {request}Mi}}
      max: {{memory: 8Gi}}
"""

_DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {name}
  namespace: {namespace}
  labels:
    app.kubernetes.io/name: {name}
spec:
  replicas: {replicas}
  selector:
    matchLabels:
      app.kubernetes.io/name: {name}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: {name}
    spec:
      serviceAccountName: {name}
      terminationGracePeriodSeconds: {grace}
"""

_CONTAINER = """\
        - name: {name}
          image: registry.example/{name}:1.{tag}
          env:
            - name: WORKERS
              value: "{tag}"
"""

_PROBE = """\
          readinessProbe:
            httpGet:
              path: /healthz
              port: 8080
"""


def manifests(count: int = DEPLOYMENTS) -> str:
    """A YAML stream: a LimitRange for each namespace, then `count` Deployments."""
    choice = random.Random(_SEED)
    namespaces = [f"team-{number}" for number in range(NAMESPACES)]
    documents = [
        _NAMESPACE.format(namespace=name, request=choice.randrange(16, 128)) for name in namespaces
    ]
    for number in range(count):
        documents.append(_deployment(number, choice.choice(namespaces), choice))
    return "---\n".join(documents)


def fleet(count: int = FLEET, shapes: int = SHAPES) -> str:
    """A YAML stream: `count` Deployments in the same namespaces whose pods have few shapes."""
    choice = random.Random(_SEED)
    pods = [_containers(choice) for _ in range(shapes)]
    return "---\n".join(
        _header(number, f"team-{number % NAMESPACES}", choice) + choice.choice(pods)
        for number in range(count)
    )


def _deployment(number: int, namespace: str, choice: random.Random) -> str:
    return _header(number, namespace, choice) + _containers(choice)


def _header(number: int, namespace: str, choice: random.Random) -> str:
    return _DEPLOYMENT.format(
        name=f"service-{number}",
        namespace=namespace,
        replicas=choice.randrange(1, 9),
        grace=choice.choice((10, 30, 60)),
    )


def _containers(choice: random.Random) -> str:
    lines: list[str] = []
    if choice.random() < 0.3:
        lines += ["      initContainers:\n", *_container("migrate", choice)]
        if choice.random() < 0.5:
            lines.append("          restartPolicy: Always\n")
    lines.append("      containers:\n")
    for container in ("app", "proxy", "metrics")[: choice.choice((1, 1, 2, 3))]:
        lines += _container(container, choice)
        lines.append(_PROBE)
    return "".join(lines)


def _container(name: str, choice: random.Random) -> Iterator[str]:
    yield _CONTAINER.format(name=name, tag=choice.randrange(100))
    cpu, memory = choice.randrange(10, 2000), choice.randrange(32, 4096)
    shape = choice.choice(("none", "requests", "limits", "both", "equal"))
    if shape == "none":
        return
    yield "          resources:\n"
    pair = f"              cpu: {cpu}m\n              memory: {memory}Mi\n"
    if shape in ("requests", "both", "equal"):
        yield f"            requests:\n{pair}"
    if shape in ("limits", "equal"):
        yield f"            limits:\n{pair}"
    if shape == "both":
        yield f"            limits: {{memory: {memory * 2}Mi}}\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(manifests(), "utf-8")

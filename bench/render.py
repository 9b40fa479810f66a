"""Measures the rendering of charts and kustomizations; exit status 1 if a budget is missed.

Whole processes, a cold run (nothing kept from an earlier one) and a warm run in turns, medians.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from run import CHECK, measure

RUNS = 5
CLUSTERS = 60
_BASES = 4

_CHART = """\
apiVersion: v2
name: {name}
version: 1.0.0
"""
_VALUES = """\
replicas: 2
image: registry.example/{name}
resources:
  requests: {{cpu: {cpu}m}}
  limits: {{cpu: {limit}m}}
sidecar:
  resources: {{}}
settings:
  greeting: hello from {name}
"""
_HELPERS = """\
{{- define "labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
"""
_DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
  labels: {{- include "labels" . | nindent 4 }}
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels: {{- include "labels" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "labels" . | nindent 8 }}
    spec:
      containers:
        - name: app
          image: {{ .Values.image }}
          resources: {{- toYaml .Values.resources | nindent 12 }}
        - name: sidecar
          image: {{ .Values.image }}-sidecar
          resources: {{- toYaml .Values.sidecar.resources | nindent 12 }}
"""
_OTHERS = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data: {{- toYaml .Values.settings | nindent 2 }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
spec:
  selector: {{- include "labels" . | nindent 4 }}
  ports: [{port: 80}]
"""

_BASE = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {name}
spec:
  selector: {{matchLabels: {{app: {name}}}}}
  template:
    metadata: {{labels: {{app: {name}}}}}
    spec:
      containers:
        - name: app
          image: registry.example/{name}:1
          resources:
            requests: {{cpu: 100m}}
"""
_OVERLAY = """\
resources: [{bases}]
namespace: team-{number}
patches:
  - target: {{kind: Deployment}}
    patch: |-
      - op: add
        path: /spec/template/spec/containers/0/resources/limits
        value: {{cpu: {cpu}m}}
"""


def charts(count: int) -> Mapping[str, str]:
    """Charts of one workload each, by path."""
    files: dict[str, str] = {}
    for number in range(count):
        name = f"service-{number}"
        files[f"charts/{name}/Chart.yaml"] = _CHART.format(name=name)
        values = _VALUES.format(name=name, cpu=100 + number, limit=200 + number)
        files[f"charts/{name}/values.yaml"] = values
        files[f"charts/{name}/templates/_helpers.tpl"] = _HELPERS
        files[f"charts/{name}/templates/deployment.yaml"] = _DEPLOYMENT
        files[f"charts/{name}/templates/others.yaml"] = _OTHERS
    return files


def clusters(count: int) -> Mapping[str, str]:
    """Overlays over the same bases, by path."""
    files: dict[str, str] = {}
    names = [f"app-{number}" for number in range(_BASES)]
    for name in names:
        files[f"bases/{name}/kustomization.yaml"] = "resources: [deployment.yaml]\n"
        files[f"bases/{name}/deployment.yaml"] = _BASE.format(name=name)
    bases = ", ".join(f"../../bases/{name}" for name in names)
    for number in range(count):
        overlay = _OVERLAY.format(bases=bases, number=number, cpu=200 + number)
        files[f"clusters/c{number}/kustomization.yaml"] = overlay
    return files


class Budget(NamedTuple):
    """What is checked, and the seconds of a first and of a second run."""

    what: str
    files: Mapping[str, str]
    cold: float
    warm: float


BUDGETS = (
    Budget("one chart", charts(1), 1.5, 0.7),
    Budget("20 charts", charts(20), 5, 0.7),
    Budget(f"{CLUSTERS} clusters over {_BASES} bases", clusters(CLUSTERS), 15, 1.5),
)


def compare(folder: Path, kept: Path, runs: int) -> tuple[float, float]:
    """The medians of a first and of a second run over a folder."""
    command = (*CHECK, "--cache-dir", str(kept), str(folder))
    measure(command, folder)
    rounds = []
    for _ in range(runs):
        shutil.rmtree(kept)
        rounds.append((measure(command, folder), measure(command, folder)))
    cold, warm = zip(*rounds, strict=True)
    return statistics.median(cold), statistics.median(warm)


def row(what: str, seconds: float, budget: float) -> tuple[str, bool]:
    """A line of the table, and whether the budget is kept."""
    kept = seconds < budget
    cells = (what, f"{seconds * 1000:.0f} ms", f"{budget * 1000:.0f} ms")
    return f"| {' | '.join(cells)} | {'kept' if kept else '**missed**'} |", kept


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help="measured runs of each kind")
    runs = parser.parse_args().runs
    print("| what | time | budget | |\n|---|---:|---:|---|")
    missed = 0
    for budget in BUDGETS:
        with tempfile.TemporaryDirectory() as name:
            folder, kept = Path(name, "repository"), Path(name, "kept")
            for path, text in budget.files.items():
                file = folder / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, "utf-8")
            cold, warm = compare(folder, kept, runs)
        for which, seconds, most in (("first", cold, budget.cold), ("second", warm, budget.warm)):
            line, is_kept = row(f"{budget.what}, {which} run", seconds, most)
            print(line, flush=True)
            missed += not is_kept
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

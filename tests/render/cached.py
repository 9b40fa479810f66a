"""Repositories to render with a cache, and a run that tells how many programs it started."""

import sys

from qoslint import api
from qoslint.plugins.load import shipped
from qoslint.settings.load import find, load

SHIPPED = shipped()
CANARY = "canary-7f3a91c2"

STARTED = []
sys.addaudithook(
    lambda event, given: STARTED.append(given[1]) if event == "subprocess.Popen" else None
)

CHART = {
    "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
    "charts/web/values.yaml": f"""
        password: {CANARY}
        resources:
          requests: {{cpu: 100m}}
        """,
    "charts/web/templates/all.yaml": """
        apiVersion: v1
        kind: Secret
        metadata: {name: web}
        stringData:
          password: {{ .Values.password }}
          twice: {{ .Values.password | b64enc }}
        ---
        # of the application
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: web}
        data:
          template: |
            containers: {{ .Values.password }}
        ---
        apiVersion: v1
        kind: List
        items:
          - apiVersion: v1
            kind: Secret
            metadata: {name: inner, annotations: {was: "{{ .Values.password }}"}}
            data: {password: "{{ .Values.password | b64enc }}"}
        ---
        apiVersion: example.org/v1
        kind: Schema
        metadata: {name: web}
        spec: {template: {kind: {type: string}}}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec:
              containers:
                - name: web
                  image: web:1
                  resources: {{- toYaml .Values.resources | nindent 12 }}
        """,
}
OVERLAY = {
    "base/kustomization.yaml": f"""
        resources: [pod.yaml]
        secretGenerator:
          - name: s
            literals: [password={CANARY}]
        configMapGenerator:
          - name: c
            literals: [text={CANARY}]
        """,
    "base/pod.yaml": """
        apiVersion: v1
        kind: Pod
        metadata: {name: p}
        spec:
          containers:
            - name: p
              image: p:1
              resources: {requests: {cpu: 100m}}
              envFrom: [{secretRef: {name: s}}, {configMapRef: {name: c}}]
        """,
}


def application(name, path):
    return f"""
        apiVersion: argoproj.io/v1alpha1
        kind: Application
        metadata: {{name: {name}, namespace: argocd}}
        spec:
          source: {{repoURL: https://github.com/acme/fleet, path: {path}}}
          destination: {{namespace: {name}}}
        """


def runs(repository, folder):
    """Checks the repository with a cache, and tells the report and how many programs it took."""

    def run(function=api.check):
        found = find([str(repository.root)])
        settings = load(found, SHIPPED)
        settings = settings._replace(rendering=settings.rendering._replace(cache=folder))
        STARTED.clear()
        result = function(found.paths, settings)
        return result, len(STARTED)

    run.folder = folder
    return run


def same_twice(run, function=api.check):
    first, started = run(function)
    assert started > 0
    again, started = run(function)
    assert again == first
    assert started == 0
    return first

"""What may change pods counts wherever it lies, though no kustomization around it names it."""

import pytest

KUSTOMIZATION = "resources: [pod.yaml]\n"
POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: app
  labels: {sidecar.istio.io/inject: "true"}
spec:
  containers:
    - {name: app, image: i, resources: {limits: {cpu: 1, memory: 1Gi}}}
"""
WEBHOOK = """\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: changes}
webhooks:
  - name: changes.example.com
    rules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
"""
OPERATOR = """\
apiVersion: install.istio.io/v1alpha1
kind: IstioOperator
metadata: {name: mesh}
spec:
  values:
    global:
      proxy:
        resources:
          requests: {cpu: 1, memory: 1Gi}
          limits: {cpu: 1, memory: 1Gi}
"""


@pytest.fixture
def classes(repository):
    def judged(**files):
        repository.write({"k/kustomization.yaml": KUSTOMIZATION, "k/pod.yaml": POD})
        repository.write(
            {f"k/{name}.yaml": text for name, text in files.items() if name != "settings"}
        )
        repository.write({".qoslint.yaml": files.get("settings", "kubernetes: '1.36'\n")})
        ((pod,),) = (each["pods"] for each in repository.facts()["clusters"])
        return pod["qosClasses"]

    return judged


def test_a_webhook(classes):
    label = POD.replace('  labels: {sidecar.istio.io/inject: "true"}\n', "")
    assert classes(pod=label) == ["Guaranteed"]
    assert "Burstable" in classes(pod=label, webhook=WEBHOOK)


def test_the_sizes_of_an_injector(classes):
    settings = "injectors: [istio]\n"
    assert classes(settings=settings) == ["Burstable"]
    assert classes(settings=settings, operator=OPERATOR) == ["Guaranteed"]

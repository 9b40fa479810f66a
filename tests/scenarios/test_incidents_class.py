"""Incidents around classes and LimitRanges that people reported, and the rule that tells each.

Each input is the smallest one with the cause of the report; `# ~ CODE` marks where the rule must
speak. awslabs/awsome-distributed-ai#1241 (devices without CPU and memory) stands for
kubernetes/kubernetes#33108 and apache/yunikorn-k8shim#749 too. An init container that no
annotation reaches (istio/istio#16126, linkerd/linkerd2#6786) is an example of QOS153's page. Heap
sizes (cozystack/cozystack#3824) stand in arguments that only the program reads.
"""

import pytest

EQUAL = '{requests: {cpu: "1", memory: 1Gi}, limits: {cpu: "1", memory: 1Gi}}'


def pod(*lines, spec=""):
    """A pod with one equal pair, and more lines in its spec."""
    return (
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: app, namespace: shop}}\nspec:\n{spec}"
        + "".join(f"  {line}\n" for line in lines)
        + f"  containers:\n  - name: app\n    image: x\n    resources: {EQUAL}\n"
    )


def bare_init(name):
    return pod("initContainers:", f"- name: {name} # ~ QOS102", "  image: x")


def limit_range(item, name="defaults", mark=""):
    return (
        f"apiVersion: v1\nkind: LimitRange\nmetadata: {{name: {name}, namespace: shop}}\n"
        f"spec:\n  limits:\n  - {{type: Container, {item}}}{mark}\n---\n"
    )


HALF_EQUAL = "{requests: {cpu: 100m, memory: 1Gi}, limits: {cpu: 100m, memory: 1Gi}}"

INCIDENTS = {
    "keiretsu-labs/kubernetes-manifests#2750 a bare init container, 180 evictions": {
        "app.yaml": pod(
            "initContainers:",
            "- {name: route-fix, image: x} # ~ QOS102",
            spec="  priorityClassName: infra-critical\n",
        ),
        "class.yaml": "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\n"
        "metadata: {name: infra-critical}\nvalue: 1000000000\n",
    },
    "noobaa/noobaa-operator#223 resources not passed to the init container": {
        "app.yaml": bare_init("init"),
    },
    "zalando-incubator/kubernetes-on-aws#2968 a Prometheus init container": {
        "app.yaml": bare_init("config-init"),
    },
    "kubernetes/kubernetes#93282 no exclusive cores, since the init has no CPU limit": {
        "app.yaml": pod(
            "initContainers:",
            "- name: init",
            "  image: x",
            "  resources: # ~ QOS102",
            "    limits: {memory: 64Mi}",
        ),
    },
    "kubernetes/kubernetes#96044 every container was read as app containers only": {
        "app.yaml": pod(
            "initContainers:",
            f"- {{name: first, image: x, resources: {HALF_EQUAL}}}",
            "- name: second",
            "  image: x",
            "  resources: # ~ QOS102",
            "    requests: {cpu: 100m}",
            "    limits: {cpu: 100m}",
        ),
    },
    "banzaicloud/koperator#477 init containers filled with requests below limits": {
        "ns.yaml": limit_range(
            "default: {cpu: 500m, memory: 256Mi}, defaultRequest: {cpu: 100m, memory: 128Mi}"
        ),
        "app.yaml": bare_init("setup"),
    },
    "scylladb/scylla-operator#135 auxiliary containers with empty resources": {
        "app.yaml": pod(
            "initContainers:",
            "- name: sidecar-injection",
            "  image: x",
            "  resources: {} # ~ QOS102",
        ),
    },
    "SigNoz/charts#222 a chart gives no way to set the init container's resources": {
        "app.yaml": bare_init("clickhouse-init"),
    },
    "ytsaurus/ytsaurus-k8s-operator#829, UKGovernmentBEIS/inspect_k8s_sandbox#120"
    " documented as Guaranteed, and not true for one container": {
        "app.yaml": pod(
            "initContainers: [{name: init, image: x}] # ~ QOS102",
        ).replace(
            "metadata: {name: app, namespace: shop}",
            "metadata:\n  name: app\n  namespace: shop\n  annotations:\n"
            "    qoslint.dev/expect-qos: Guaranteed # ~ QOS101",
        ),
    },
    "kubernetes/kubernetes#51430 a request above the namespace's default limit": {
        "ns.yaml": limit_range("default: {cpu: 500m}, defaultRequest: {cpu: 100m}"),
        "app.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: app, namespace: shop}\nspec:\n"
        "  containers:\n  - name: app\n    image: x\n    resources:\n"
        "      requests: {cpu: 700m} # ~ QOS202\n",
    },
    "kubernetes/kubernetes#112835, kubernetes/website#45630 refused although below the maximum": {
        "ns.yaml": limit_range('default: {cpu: 500m}, defaultRequest: {cpu: 10m}, max: {cpu: "1"}'),
        "app.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: app, namespace: shop}\nspec:\n"
        "  containers:\n  - name: app\n    image: x\n    resources:\n"
        "      requests: {cpu: 700m} # ~ QOS202\n",
    },
    "kubernetes/kubernetes#74507 a maximum alone sets everybody's defaults": {
        "ns.yaml": limit_range('max: {cpu: "1", memory: 512Mi}', mark=" # ~ QOS206"),
        "app.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: app, namespace: shop}\nspec:\n"
        "  containers:\n  - name: app # ~ QOS110\n    image: x\n",
    },
    "kubevirt/kubevirt#9035 a helper pod breaks maxLimitRequestRatio": {
        "ns.yaml": limit_range("maxLimitRequestRatio: {cpu: 1}"),
        "app.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: app, namespace: shop}\nspec:\n"
        "  containers:\n  - name: app\n    image: x\n    resources:\n"
        "      requests: {cpu: 10m, memory: 1Gi}\n      limits: {cpu: 100m} # ~ QOS203\n",
    },
    "kubernetes/kubernetes#137150 an empty pod-level block changed the class": {
        "app.yaml": pod("resources: {} # ~ QOS103, QOS107"),
    },
    "kubernetes-sigs/kueue#12334 pod-level resources beside defaults of a LimitRange": {
        "ns.yaml": limit_range("default: {cpu: 500m}, defaultRequest: {cpu: 100m}"),
        "app.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: app, namespace: shop}\nspec:\n"
        '  resources: {limits: {cpu: "2", memory: 2Gi}} # ~ QOS107, QOS210\n'
        "  containers:\n  - name: app\n    image: x\n",
    },
    "awslabs/awsome-distributed-ai#1241 a GPU alone leaves the pod BestEffort": {
        "app.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: app, namespace: shop}\nspec:\n"
        "  containers:\n  - name: app\n    image: x\n    resources:\n"
        "      limits: {nvidia.com/gpu: 8} # ~ QOS104\n",
    },
}


def meshed(mark):
    """A pod that asks for Istio, with one equal pair of its own, in a cluster with the injector."""
    metadata = (
        "metadata:\n  name: app\n  namespace: shop\n"
        f"  labels:\n    sidecar.istio.io/inject: 'true'{mark}\n"
    )
    text = pod().replace("metadata: {name: app, namespace: shop}\n", metadata)
    return {".qoslint.yaml": "injectors: [istio]\n", "app.yaml": text}


INCIDENTS |= {
    "istio/istio#33283 a mesh turned Guaranteed pods Burstable": meshed(" # ~ QOS151"),
    "istio/istio#9332, #2864, aws/aws-app-mesh-controller-for-k8s#289"
    " injected containers refused by a LimitRange": {
        "ns.yaml": limit_range('max: {cpu: "1"}', mark=" # ~ QOS206"),
        **meshed(" # ~ QOS154"),
    },
}


@pytest.mark.parametrize("files", INCIDENTS.values(), ids=INCIDENTS)
def test_the_cause_of_an_incident_is_told_at_its_line(marked_and_found, files):
    marked, found = marked_and_found(files)
    assert marked <= found

"""`qoslint diff` where workloads themselves change: their names, namespaces, labels, resources."""

from .compared import SETTINGS, limit_range

API = """
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: api
      namespace: shop
    spec:
      selector: {matchLabels: {app: api}}
      template:
        metadata:
          labels:
            app: api
        spec:
          containers:
            - name: app
              image: registry.example/app:1
              resources:
                requests: {cpu: "1", memory: 1Gi}
                limits: {cpu: "1", memory: 1Gi}
"""


def edited(history, old, new):
    """What is told of an edit of the Deployment."""
    history.commit({".qoslint.yaml": SETTINGS, "api.yaml": API})
    history.commit({"api.yaml": API.replace(old, new)})
    return history.diff("HEAD~1")


def test_the_label_that_asks_for_a_sidecar_costs_the_class_that_is_expected(history):
    settings = f"{SETTINGS}        injectors: [istio]\n"
    expected = API.replace(
        "      namespace: shop\n",
        "      namespace: shop\n      annotations: {qoslint.dev/expect-qos: Guaranteed}\n",
    )
    namespace = """
        apiVersion: v1
        kind: Namespace
        metadata: {name: shop}
    """
    history.commit({".qoslint.yaml": settings, "api.yaml": expected, "shop.yaml": namespace})
    label = '            app: api\n            sidecar.istio.io/inject: "true"\n'
    history.commit({"api.yaml": expected.replace("            app: api\n", label)})
    shown = history.diff("HEAD~1")
    assert (
        shown
        == """\
From HEAD~1 (e51585e1c980) to the work tree

Injection by istio added (api.yaml:13): changes 1 workload
  labels[sidecar.istio.io/inject]: none → true  (api.yaml:13)
  Deployment shop/api  api.yaml:4
    class: Guaranteed → Burstable
    container 'istio-init': none → init
    container 'istio-proxy': none → container
    oom_score_adj of container 'app' on node n16: -997 → 938
    expectation (is Guaranteed): kept → broken: it is Burstable, since init container 'istio-init'
    has CPU request 100m below its limit 2 and memory request 128Mi below its limit 1Gi; container
    'istio-proxy' has CPU request 100m below its limit 2 and memory request 128Mi below its limit
    1Gi
    running pods: the rollout replaces them; no resize in place: Pod QOS Class may not change as a
    result of resizing

1 workload changed, 0 unchanged.
"""
    )


def test_a_workload_that_moves_gets_the_limits_of_its_new_namespace(history):
    limits = limit_range("caps", "batch", "max: {memory: 512Mi}")
    history.commit({".qoslint.yaml": SETTINGS, "api.yaml": API, "limits.yaml": limits})
    history.commit({"api.yaml": API.replace("namespace: shop", "namespace: batch")})
    shown = history.diff("HEAD~1")
    assert (
        shown
        == """\
From HEAD~1 (413e34dd0b40) to the work tree

Namespace of Deployment batch/api changed (api.yaml:5)
  metadata.namespace: shop → batch  (api.yaml:5)
  Deployment batch/api, moved from shop/Deployment/api  api.yaml:4
    admission: admitted → refused
      LimitRanger: maximum memory usage per Container is 512Mi, but limit is 1Gi
    class: Guaranteed → none

1 workload changed, 0 unchanged.
"""
    )


def test_a_workload_that_is_renamed_is_compared_with_what_it_was(history):
    shown = edited(history, "name: api\n", "name: gateway\n")
    assert (
        shown
        == """\
From HEAD~1 (e42fb67e1ea9) to the work tree

1 workload renamed:
  Deployment shop/gateway, renamed from shop/Deployment/api  api.yaml:4: Guaranteed, priority 0

1 workload changed, 0 unchanged.
"""
    )
    history.commit({"api.yaml": API.replace("name: api\n", "name: door\n").replace("1Gi", "2Gi")})
    shown = history.diff("HEAD~1")
    assert (
        shown
        == """\
From HEAD~1 (4b6aa49f83b7) to the work tree

Template of Deployment shop/door changed (api.yaml:17)
  container 'app' requests.memory: 1Gi → 2Gi  (api.yaml:17)
  container 'app' limits.memory: 1Gi → 2Gi  (api.yaml:18)
  Deployment shop/door, renamed from shop/Deployment/gateway  api.yaml:4
    container 'app' requests.memory: 1Gi → 2Gi
    container 'app' limits.memory: 1Gi → 2Gi

1 workload changed, 0 unchanged.
"""
    )


def test_workloads_that_come_and_go_are_told_with_what_they_are(history):
    history.commit({".qoslint.yaml": SETTINGS, "api.yaml": API})
    bare = API[: API.index("              resources")]
    job = bare.replace("name: api\n", "name: worker\n").replace("namespace: shop", "namespace: ops")
    history.commit({"worker.yaml": job.replace("app:1", "worker:1")}, "api.yaml")
    shown = history.diff("HEAD~1")
    assert (
        shown
        == """\
From HEAD~1 (e42fb67e1ea9) to the work tree

1 workload added:
  Deployment ops/worker  worker.yaml:4: BestEffort, priority 0

1 workload removed:
  Deployment shop/api  base api.yaml:4: Guaranteed, priority 0

2 workloads changed, 0 unchanged.
"""
    )


def test_larger_limits_of_the_same_class_can_be_had_in_place(history):
    shown = edited(history, "memory: 1Gi", "memory: 2Gi")
    assert (
        shown
        == """\
From HEAD~1 (e42fb67e1ea9) to the work tree

Template of Deployment shop/api changed (api.yaml:17)
  container 'app' requests.memory: 1Gi → 2Gi  (api.yaml:17)
  container 'app' limits.memory: 1Gi → 2Gi  (api.yaml:18)
  Deployment shop/api  api.yaml:4
    container 'app' requests.memory: 1Gi → 2Gi
    container 'app' limits.memory: 1Gi → 2Gi
    running pods: the rollout replaces them; a resize in place would do, and restarts no container

1 workload changed, 0 unchanged.
"""
    )


def test_another_image_changes_nothing_of_what_is_told(history):
    shown = edited(history, "app:1", "app:2")
    assert (
        shown
        == """\
From HEAD~1 (e42fb67e1ea9) to the work tree

Class, admission, priority, resources, scores and order of eviction stay as they are in 1 workload;
nothing else is compared.
"""
    )

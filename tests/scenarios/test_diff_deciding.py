"""`qoslint diff` where an object that decides about pods changes, and no pod template does."""

from .compared import SETTINGS, limit_range

PLAIN = """
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: NAME, namespace: shop}
    spec:
      selector: {matchLabels: {app: NAME}}
      template:
        metadata: {labels: {app: NAME}}
        spec:
          containers:
            - name: app
              image: registry.example/app:1
"""
API = PLAIN.replace("NAME", "api")
WEB = PLAIN.replace("NAME", "web")


def test_a_limit_range_that_is_deleted_takes_the_class_of_each_pod_that_it_filled(history):
    history.commit(
        {
            ".qoslint.yaml": SETTINGS,
            "api.yaml": API,
            "web.yaml": WEB,
            "limits.yaml": limit_range(
                "defaults",
                "shop",
                """
                default: {cpu: 500m, memory: 512Mi}
                defaultRequest: {cpu: 100m, memory: 256Mi}
            """,
            ),
        }
    )
    history.commit({}, "limits.yaml")
    shown = history.diff("HEAD~1")
    assert (
        shown
        == """\
From HEAD~1 (78aa37f3c847) to the work tree

LimitRange shop/defaults deleted (base limits.yaml:3): changes 2 workloads
  Deployment shop/api  api.yaml:3
    class: Burstable → BestEffort
    container 'app' requests.cpu: 100m → none
    container 'app' requests.memory: 256Mi → none
    container 'app' limits.cpu: 500m → none
    container 'app' limits.memory: 512Mi → none
    oom_score_adj of container 'app' on node n16: 985 → 1000
    running pods: stay as they are until something replaces them; no resize in place: Pod QOS Class
    may not change as a result of resizing
  Deployment shop/web  web.yaml:3
    class: Burstable → BestEffort
    container 'app' requests.cpu: 100m → none
    container 'app' requests.memory: 256Mi → none
    container 'app' limits.cpu: 500m → none
    container 'app' limits.memory: 512Mi → none
    oom_score_adj of container 'app' on node n16: 985 → 1000
    running pods: stay as they are until something replaces them; no resize in place: Pod QOS Class
    may not change as a result of resizing

2 workloads changed, 0 unchanged.
"""
    )


def test_a_maximum_that_is_removed_was_the_default_limit_of_pods_that_stated_none(history):
    limits = limit_range(
        "caps",
        "shop",
        """
        max:
          cpu: "2"
          memory: 1Gi
    """,
    )
    history.commit({".qoslint.yaml": SETTINGS, "api.yaml": API, "limits.yaml": limits})
    history.commit({"limits.yaml": limits.replace('        cpu: "2"\n', "")})
    shown = history.diff("HEAD~1")
    assert (
        shown
        == """\
From HEAD~1 (99a6664e15af) to the work tree

LimitRange shop/caps changed (base limits.yaml:8): changes 1 workload
  max.cpu: 2 → none  (base limits.yaml:8)
  Deployment shop/api  api.yaml:3
    class: Guaranteed → Burstable
    container 'app' requests.cpu: 2 → none
    container 'app' limits.cpu: 2 → none
    oom_score_adj of container 'app' on node n16: -997 → 938
    running pods: stay as they are until something replaces them; no resize in place: Pod QOS Class
    may not change as a result of resizing

1 workload changed, 0 unchanged.
"""
    )


def test_the_value_of_a_priority_class_changes_the_order_of_eviction(history):
    levels = """
        apiVersion: scheduling.k8s.io/v1
        kind: PriorityClass
        metadata: {name: high}
        value: 1000
        ---
        apiVersion: scheduling.k8s.io/v1
        kind: PriorityClass
        metadata: {name: low}
        value: 10
    """
    limited = "              resources: {requests: {memory: 1Gi}, limits: {memory: 1Gi}}\n"
    classed = "          priorityClassName: CLASS\n          containers:"
    made = {
        f"{name}.yaml": PLAIN.replace("NAME", name).replace(
            "          containers:", classed.replace("CLASS", level)
        )
        + limited
        for name, level in (("api", "high"), ("batch", "low"))
    }
    history.commit({".qoslint.yaml": SETTINGS, "levels.yaml": levels, **made})
    history.commit({"levels.yaml": levels.replace("value: 10\n", "value: 5000\n")})
    shown = history.diff("HEAD~1")
    assert (
        shown
        == """\
From HEAD~1 (9e300c2f273a) to the work tree

PriorityClass low changed (levels.yaml:9): changes 1 workload
  value: 10 → 5000  (levels.yaml:9)
  Deployment shop/batch  batch.yaml:3
    priority: 10 → 5000
    evicted for memory on node n16: rank 1 → 2 of 2

Changed by others:
  Deployment shop/api  api.yaml:3: Burstable, priority 1000
    evicted for memory on node n16: rank 2 → 1 of 2; no longer surely behind Deployment shop/batch

2 workloads changed, 0 unchanged.
"""
    )


def test_a_kubelet_that_no_longer_merges_default_thresholds_never_evicts_for_memory(history):
    kubelet = """
        apiVersion: kubelet.config.k8s.io/v1beta1
        kind: KubeletConfiguration
        mergeDefaultEvictionSettings: true
        evictionHard:
          nodefs.available: 5%
    """
    history.commit(
        {
            ".qoslint.yaml": SETTINGS.replace(
                "memory: 16Gi}}]", "memory: 16Gi}, kubeletConfig: kubelet.yaml}]"
            ),
            "kubelet.yaml": kubelet,
            "api.yaml": API,
        }
    )
    gone = "        mergeDefaultEvictionSettings: true\n"
    history.commit({"kubelet.yaml": kubelet.replace(gone, "")})
    shown = history.diff("HEAD~1")
    assert (
        shown
        == """\
From HEAD~1 (ec78745f912e) to the work tree

Node profile n16 changed (base kubelet.yaml:3): 1 workload may run there
  mergeDefaultEvictionSettings: true → none  (base kubelet.yaml:3)
  allocatable.memory: 16284Mi → 16Gi
  hard threshold imagefs.available: 15% → none
  hard threshold imagefs.inodesFree: 5% → none
  hard threshold memory.available: 100Mi → none
    no pod is evicted for memory there any more: the kernel kills instead
  hard threshold nodefs.inodesFree: 5% → none

0 workloads changed, 1 unchanged.
"""
    )


def test_a_quota_that_asks_for_memory_refuses_pods_that_state_none(history):
    history.commit({".qoslint.yaml": SETTINGS, "api.yaml": API})
    history.commit(
        {
            "quota.yaml": """
                apiVersion: v1
                kind: ResourceQuota
                metadata: {name: team, namespace: shop}
                spec: {hard: {limits.memory: 4Gi}}
            """
        }
    )
    shown = history.diff("HEAD~1")
    assert (
        shown
        == """\
From HEAD~1 (1a7dc68d752d) to the work tree

ResourceQuota shop/team added (quota.yaml:3): changes 1 workload
  Deployment shop/api  api.yaml:3
    admission: admitted → refused
      ResourceQuota: failed quota: team: must specify limits.memory for: app
    class: BestEffort → none

1 workload changed, 0 unchanged.
"""
    )


def test_an_init_container_is_named_as_one_by_the_change_and_by_the_rule(history):
    stated = "resources: {limits: {cpu: 1, memory: 1Gi}}"
    setup = "{name: setup, image: registry.example/setup:1}"
    texts = {
        f"{name}.yaml": PLAIN.replace("NAME", name).replace(
            "          containers:", f"          initContainers: [{setup}]\n          containers:"
        )
        + f"              {stated}\n"
        for name in ("api", "web")
    }
    limits = limit_range("defaults", "shop", "defaultRequest: {memory: 256Mi}")
    history.commit({".qoslint.yaml": SETTINGS, "limits.yaml": limits, **texts})
    history.commit({"limits.yaml": limits.replace("256Mi", "128Mi")})
    difference = history.changes("HEAD~1")["workloads"][0]["differences"][0]
    assert difference["containerType"] == "init"
    line = "    init container 'setup' requests.memory: 256Mi → 128Mi\n"
    assert history.diff("HEAD~1").count(line) == 2
    done = history.run("check", "--since", "HEAD~1", "--select", "QOS003", "--format", "concise")
    clause = "(init container 'setup' requests.memory 256Mi → 128Mi)"
    assert f"Deployment shop/api {clause} and Deployment shop/web {clause}" in done.stdout

"""`qoslint diff` where one line reaches many workloads through charts and overlays."""

BASE = """
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
            - name: app
              image: registry.example/app:1
              resources:
                requests: {cpu: "1", memory: 1Gi}
                limits: {cpu: "1", memory: 1Gi}
"""
TEMPLATE = """
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: {{ .Release.Name }}-web
      namespace: {{ .Release.Namespace }}
    spec:
      selector: {matchLabels: {app: web}}
      template:
        metadata: {labels: {app: web}}
        spec:
          containers:
            - name: web
              image: registry.example/web:1
              resources:
                {{- toYaml .Values.resources | nindent 12 }}
"""
VALUES = """
    resources:
      requests: {cpu: 500m, memory: 512Mi}
      limits: {cpu: 500m, memory: 512Mi}
"""


def test_a_base_that_is_edited_changes_all_of_its_overlays(history):
    overlays = {
        f"overlays/{name}/kustomization.yaml": f"""
            namespace: {name}
            resources: [../../base]
        """
        for name in ("dev", "test", "staging", "prod")
    }
    history.commit(
        {
            "base/kustomization.yaml": "resources: [api.yaml]\n",
            "base/api.yaml": BASE,
            **overlays,
        }
    )
    history.commit({"base/api.yaml": BASE.replace('limits: {cpu: "1", ', "limits: {")})
    shown = history.diff("HEAD~1")
    assert (
        shown
        == """\
From HEAD~1 (b0dcadfd9180) to the work tree

What 4 templates have from base base/api.yaml:15 changed: changes 4 workloads
  container 'app' limits.cpu: 1 → none  (base base/api.yaml:15)
  Deployment dev/api  base/api.yaml:4
    class: Guaranteed → Burstable
    container 'app' limits.cpu: 1 → none
    running pods: the rollout replaces them; no resize in place: Pod QOS Class may not change as a
    result of resizing
  Deployment prod/api  base/api.yaml:4
    class: Guaranteed → Burstable
    container 'app' limits.cpu: 1 → none
    running pods: the rollout replaces them; no resize in place: Pod QOS Class may not change as a
    result of resizing
  Deployment staging/api  base/api.yaml:4
    class: Guaranteed → Burstable
    container 'app' limits.cpu: 1 → none
    running pods: the rollout replaces them; no resize in place: Pod QOS Class may not change as a
    result of resizing
  Deployment test/api  base/api.yaml:4
    class: Guaranteed → Burstable
    container 'app' limits.cpu: 1 → none
    running pods: the rollout replaces them; no resize in place: Pod QOS Class may not change as a
    result of resizing

4 workloads changed, 0 unchanged.
"""
    )


def test_a_chart_that_is_bumped_brings_an_init_container(history):
    application = """
        apiVersion: argoproj.io/v1alpha1
        kind: Application
        metadata: {name: web, namespace: argocd}
        spec:
          destination: {namespace: shop, server: https://kubernetes.default.svc}
          source:
            repoURL: https://git.example/deploy.git
            path: charts/web
    """
    chart = "apiVersion: v2\nname: web\nversion: 1.0.0\n"
    history.git("remote", "add", "origin", "https://git.example/deploy.git")
    history.commit(
        {
            "apps/web.yaml": application,
            "charts/web/Chart.yaml": chart,
            "charts/web/values.yaml": VALUES,
            "charts/web/templates/web.yaml": TEMPLATE,
        }
    )
    init = """          initContainers:
            - name: migrate
              image: registry.example/migrate:2
          containers:
"""
    history.commit(
        {
            "charts/web/Chart.yaml": chart.replace("1.0.0", "2.0.0"),
            "charts/web/templates/web.yaml": TEMPLATE.replace("          containers:\n", init),
        }
    )
    shown = history.diff("HEAD~1")
    assert (
        shown
        == """\
From HEAD~1 (1702d448a40c) to the work tree

Template of Deployment shop/web-web changed (charts/web/templates/web.yaml:12)
  init container 'migrate': none → present  (charts/web/templates/web.yaml:12)
  Deployment shop/web-web  charts/web/templates/web.yaml:4
    class: Guaranteed → Burstable
    container 'migrate': none → init
    running pods: the rollout replaces them; no resize in place: Pod QOS Class may not change as a
    result of resizing

1 workload changed, 0 unchanged.
"""
    )


def test_a_value_of_a_chart_is_the_cause_in_every_workload_that_reads_it(history):
    more = TEMPLATE.replace("-web", "-worker").replace("app: web", "app: worker")
    history.commit(
        {
            "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
            "charts/web/values.yaml": VALUES,
            "charts/web/templates/web.yaml": TEMPLATE,
            "charts/web/templates/worker.yaml": more,
        }
    )
    history.commit(
        {"charts/web/values.yaml": VALUES.replace("{cpu: 500m, memory: 512Mi}", "{memory: 512Mi}")}
    )
    shown = history.diff("HEAD~1")
    assert (
        shown
        == """\
From HEAD~1 (48f490062449) to the work tree

What 2 templates have from base charts/web/values.yaml:2 changed: changes 2 workloads
  container 'web' requests.cpu: 500m → none  (base charts/web/values.yaml:2)
  container 'web' limits.cpu: 500m → none  (base charts/web/values.yaml:3)
  Deployment default/web-web  charts/web/templates/web.yaml:4
    class: Guaranteed → Burstable
    container 'web' requests.cpu: 500m → none
    container 'web' limits.cpu: 500m → none
    running pods: the rollout replaces them; no resize in place: Pod QOS Class may not change as a
    result of resizing
  Deployment default/web-worker  charts/web/templates/worker.yaml:4
    class: Guaranteed → Burstable
    container 'web' requests.cpu: 500m → none
    container 'web' limits.cpu: 500m → none
    running pods: the rollout replaces them; no resize in place: Pod QOS Class may not change as a
    result of resizing

2 workloads changed, 0 unchanged.
"""
    )


def test_the_value_with_which_a_template_is_refused_is_the_cause(history):
    history.commit(
        {
            "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
            "charts/web/values.yaml": VALUES,
            "charts/web/templates/web.yaml": TEMPLATE,
        }
    )
    for wrong in ("2Gi", "2Gigs"):
        edited = VALUES.replace("memory: 512Mi", f"memory: {wrong}", 1)
        history.repository.write({"charts/web/values.yaml": edited})
        (cause,) = history.changes("HEAD")["causes"]
        assert (cause["kind"], cause["what"]) == ("template", "changed")
        (edit,) = cause["edits"]
        assert edit["field"].endswith("requests.memory")
        assert (edit["before"], edit["after"]) == ("512Mi", wrong)
        assert (edit["at"]["file"], edit["at"]["line"]) == ("charts/web/values.yaml", 2)
        assert "admission: admitted → refused" in history.diff("HEAD")

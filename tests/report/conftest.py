"""One fixed report that every format prints, with what strangers put into names and files."""

import pytest

from qoslint.finding import (
    Coverage,
    Finding,
    Location,
    Notice,
    PodLine,
    RelatedLocation,
    Replacement,
    Report,
    RuleInfo,
    Score,
    Severity,
)
from qoslint.span import Position, Span

API = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: api, namespace: shop}
spec:
  template:
    spec:
      containers:
        - name: api
          resources:
            requests:
              memory: 2Gi
"""
HOSTILE_FILE = "evil\x1b[2J\udc80/\u202egnp.yaml"
LONG_LINE = "x: " + "a" * 300 + "TARGET" + "b" * 300
TEXTS = {
    "deploy/api.yaml": API.replace("\n", "\r\n"),
    "ns/limits.yaml": "kind: LimitRange\nspec:\n  limits:\n    - max: {memory: 1Gi}\n",
    "deploy/日本語 100%.yaml": "名前:\t値段 # \x1b[31mred \u202eevil\n",
    HOSTILE_FILE: f"# first\n{LONG_LINE}\n",
}


def span(line: int, first: int, last: int, end_line: int | None = None) -> Span:
    return Span(Position(line, first), Position(end_line or line, last))


def rule(code: str, name: str, severity: Severity, confidence: str = "certain") -> RuleInfo:
    return RuleInfo(
        code,
        name,
        f"What {name} finds.",
        f"Do what {name} asks for.",
        severity,
        confidence,
        ("admission",),
        f"## What it finds\n\nWhat `{name}` says\x07.\n\n## What to do\n\nWhat it asks for.",
    )


RULES = (
    rule("QOS103", "best-effort", Severity.WARNING, "likely"),
    rule("QOS203", "above-maximum", Severity.ERROR),
    rule("QOS901", "not-parsed", Severity.NOTE, "possible"),
)

FINDINGS = (
    Finding(
        "QOS203",
        Severity.ERROR,
        'Kubernetes refuses shop/Deployment/api: container "api" requests 2Gi of memory.',
        Location("deploy/api.yaml", span(11, 15, 26)),
        ("shop/Deployment/api",),
        ("prod", "staging"),
        "spec.template.spec.containers[0].resources.requests.memory",
        (
            RelatedLocation(
                Location("ns/limits.yaml", span(4, 13, 24)),
                "LimitRange shop/defaults (limits[0]) allows at most 1Gi",
            ),
        ),
        (
            Replacement("deploy/api.yaml", span(11, 23, 26), "1Gi"),
            Replacement(
                "deploy/api.yaml", span(11, 26, 26), "\r\n            limits:\r\n\t      x: 1"
            ),
        ),
    ),
    Finding(
        "QOS103",
        Severity.WARNING,
        "The pod has no limits.",
        Location("deploy/api.yaml", span(8, 11, 1, end_line=12), exact=False),
        ("shop/Deployment/api", "shop/Deployment/web"),
        field="spec.template.spec.containers[0].resources.limits",
    ),
    Finding(
        "QOS103",
        Severity.NOTE,
        "A second sentence about the same line.",
        Location("deploy/api.yaml", span(8, 11, 1, end_line=12)),
        ("shop/Deployment/web",),
        field="spec.template.spec.containers[0].resources",
    ),
    Finding(
        "QOS901",
        Severity.NOTE,
        "A \x1b[31mname\x1b[0m, a [link](https://example.com) and a \u202eturn\nin a message.",
        Location("deploy/日本語 100%.yaml", span(1, 5, 7)),
    ),
    Finding("QOS901", Severity.NOTE, "In a long line.", Location(HOSTILE_FILE, span(2, 304, 310))),
    Finding("QOS901", Severity.NOTE, "A file that is gone.", Location("gone.yaml", span(7, 1, 1))),
)

PODS = (
    PodLine("prod", "shop", "CronJob", "report", "BestEffort", priority=0, scores={
        "small": (Score("report", 1000),), "large": (Score("report", 1000),)}),
    PodLine("prod", "shop", "Deployment", "api", "refused",
        reason="LimitRanger: maximum memory usage per Container is 1Gi"),
    PodLine("prod", "shop", "Deployment", "cache", "Guaranteed", priority=1000, scores={
        "small": (Score("redis", -997), Score("exporter", -997))}),
    PodLine("prod", "shop", "Deployment", "web", "Burstable", priority=1000, scores={
        "small": (Score("web", 875), Score("proxy", 968)),
        "large": (Score("web", 984), Score("proxy", 1000)),
    }),
    PodLine("staging", "shop", "Deployment", "api\x1b[2J", "unknown",
        reason='PriorityClass "gold" is not in the repository',
        classes=("Burstable", "Guaranteed")),
)  # fmt: skip

COVERAGE = Coverage(
    files=20,
    read=14,
    skipped={"not YAML or JSON": 3, "inside .git": 1},
    not_understood={"Helm template, not rendered": 2},
    objects=11,
    workloads=5,
    pods={"Burstable": 1, "Guaranteed": 1, "BestEffort": 1, "refused": 1, "unknown": 1},
    other_kinds={"Service": 4, "LimitRange": 1, "ConfigMap\x1b[2J": 1},
)

NOTICES = (
    Notice("namespace shop: the cluster may hold more than the repository."),
    Notice("The chart was not rendered.", "charts/a b/Chart.yaml", 1),
)


@pytest.fixture(scope="session")
def report() -> Report:
    return Report(
        findings=FINDINGS,
        notices=NOTICES,
        rules=RULES,
        coverage=COVERAGE,
        kubernetes=("1.35", "1.36"),
        failed_checks=("QOS999 raised ValueError at shop/Deployment/api\x07",),
        pods=PODS,
    )


@pytest.fixture(scope="session")
def texts():
    return TEXTS.get

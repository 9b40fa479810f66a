"""Exceptions of the settings: by rule, object and container, up to a day."""

import pytest

from qoslint.engine import suppressions

POD = """
apiVersion: v1
kind: Pod
metadata: {name: app, namespace: shop}
spec:
  containers:
  - name: app
    image: x
    resources: {requests: {cpu: 100m, memory: 400m}}
  - name: agent
    image: x
    resources: {requests: {cpu: 100m, memory: 400m}}
"""


def left(repository, exception):
    """The containers that QOS701 still finds, and how many findings the exception accepts."""
    settings = f"rules:\n  select: [QOS701]\n  exceptions:\n  - {{{exception}, reason: known}}\n"
    report = repository.write({"app.yaml": POD, ".qoslint.yaml": settings}).check()
    lines = [finding.location.span.start.line for finding in report.findings]
    accepted = [(each.by, each.reason) for each in report.suppressed]
    assert {*accepted} <= {("exception", "known")}
    return [{8: "app", 11: "agent"}[line] for line in lines], len(accepted)


@pytest.mark.parametrize(
    ("exception", "expected"),
    [
        ("rule: QOS701, object: shop/Pod/app", []),
        ("rule: QOS7, object: shop/*/app", []),
        ("rule: QOS701, object: '*/Pod/*'", []),
        ("rule: QOS701, object: shop/Pod/app, container: agent", ["app"]),
        ("rule: QOS701, object: shop/Pod/app, container: gone", ["app", "agent"]),
        ("rule: QOS702, object: shop/Pod/app", ["app", "agent"]),
        ("rule: QOS701, object: shop/Pod/ap", ["app", "agent"]),
        ("rule: QOS701, object: '*'", ["app", "agent"]),
        ("rule: QOS701, object: shop/Pod/app, expires: '2020-01-01'", ["app", "agent"]),
        ("rule: QOS701, object: shop/Pod/app, expires: '9999-01-01'", []),
    ],
)
def test_an_exception_accepts_what_it_names(repository, exception, expected):
    assert left(repository, exception)[0] == expected


def test_how_many_problems_are_accepted_is_told(repository):
    assert left(repository, "rule: QOS701, object: shop/Pod/app, container: agent")[1] == 1
    assert left(repository, "rule: QOS701, object: shop/Pod/app")[1] == 2


def test_many_stars_cost_no_time(repository):
    settings = f"rules: {{exceptions: [{{rule: QOS7, object: '*/Pod/{'*a' * 200}*b', reason: r}}]}}"
    manifest = POD.replace("name: app, namespace", f"name: {'a' * 500}, namespace")
    report = repository.write({"app.yaml": manifest, ".qoslint.yaml": settings}).check()
    assert {finding.rule for finding in report.findings} >= {"QOS701"}


MANY = 40
CONTAINERS = "".join(
    f"  - {{name: c{n}, image: x, resources: {{requests: {{memory: 400m}}}}}}\n"
    for n in range(MANY)
)


def test_very_many_patterns_are_tried_on_each_object_once(repository, monkeypatch):
    """Not on each of its problems: thousands of both took minutes."""
    tried = []
    fits = suppressions._fits

    def recorded(pattern, name):
        tried.append((pattern, name))
        return fits(pattern, name)

    monkeypatch.setattr(suppressions, "_fits", recorded)
    stated = "".join(
        f"  - {{rule: QOS701, object: 'shop/Pod/{name}', container: c{n}, reason: r}}\n"
        for n in range(MANY)
        for name in ("app", f"a*{n}", "a*")
    )
    settings = f"rules:\n  select: [QOS701]\n  exceptions:\n{stated}"
    manifest = POD[: POD.index("  - name")] + CONTAINERS
    report = repository.write({"app.yaml": manifest, ".qoslint.yaml": settings}).check()
    assert len(report.suppressed) == MANY
    assert len(tried) == 3 * MANY

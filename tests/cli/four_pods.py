"""Four pods on a node, whose order the keys of a ranking decide in turn."""

import json

from qoslint.schema import check

SETTINGS = """\
clusters:
  - name: main
    paths: ["."]
    nodes: [{name: node, capacity: {memory: 4Gi}, daemons: {memory: 512Mi}}]
"""


def pod(name, request=None, priority=0, limit=None, more=""):
    resources = []
    if request:
        resources.append(f"requests: {{memory: {request}}}")
    if limit:
        resources.append(f"limits: {{memory: {limit}}}")
    return (
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\nspec:\n"
        f"  priorityClassName: p{priority}\n{more}  containers:\n"
        f"    - {{name: app, image: i, resources: {{{', '.join(resources)}}}}}\n---\n"
    )


def priority_class(value):
    return (
        "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\n"
        f"metadata: {{name: p{value}}}\nvalue: {value}\n---\n"
    )


FOUR = (
    priority_class(0)
    + priority_class(1000)
    + pod("a")
    + pod("b", "512Mi", 1000)
    + pod("c", "512Mi")
    + pod("d", "1Gi", limit="1Gi")
)
USAGE = """\
usage:
  default/Pod/a: {memory: 300Mi}
  default/Pod/b: {memory: 900Mi}
  default/Pod/c: {memory: 400Mi}
  default/Pod/d: {memory: 1Gi}
"""


def rows(result):
    (ranking,) = json.loads(result.stdout)["rankings"]
    return ranking["rows"]


def names(result):
    return [row["pod"].rpartition("/")[2] for row in rows(result)]


def document(result):
    found = json.loads(result.stdout)
    assert list(check(found, "ranking")) == []
    (ranking,) = found["rankings"]
    return ranking

"""A manifest with two findings, and a comment that accepts one."""

TINY = "requests: {memory: 400}"
OK = "# qoslint: ignore[QOS701] the load test wants it"
SETTINGS = {".qoslint.yaml": "rules: {select: [QOS701, QOS903]}\n"}


def deployment(container="", first="", pod="", metadata=""):
    """A manifest of two containers that ask for 400 bytes each, with texts in it."""
    return f"""\
apiVersion: apps/v1{first}
kind: Deployment
metadata:
  name: web
  namespace: shop{metadata}
spec:
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata:
      labels: {{app: web}}{pod}
    spec:
      containers:
        - name: app{container}
          image: x
          resources:
            requests:
              memory: 400
        - image: x
          name: agent
          resources:
            requests:
              memory: 400
"""


def placed(text, marks):
    """The text with a comment behind, or above, each line of the given number."""
    lines = text.splitlines()
    for number, where in sorted(marks.items(), reverse=True):
        indent = " " * (len(lines[number - 1]) - len(lines[number - 1].lstrip()))
        if where == "behind":
            lines[number - 1] += f" {OK}"
        else:
            lines.insert(number - 1, f"{indent}{OK}")
    return "\n".join(lines) + "\n"

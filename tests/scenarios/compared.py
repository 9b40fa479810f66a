"""Settings and manifests that several comparisons of revisions start from."""

import textwrap

SETTINGS = """
    clusters:
      - name: prod
        paths: [.]
        complete: true
        nodes: [{name: n16, capacity: {cpu: "4", memory: 16Gi}}]
"""


def limit_range(name, namespace, container):
    """A LimitRange of which the lines say what it makes of each container."""
    lines = textwrap.indent(textwrap.dedent(container).strip("\n"), " " * 6)
    return f"""\
apiVersion: v1
kind: LimitRange
metadata: {{name: {name}, namespace: {namespace}}}
spec:
  limits:
    - type: Container
{lines}
"""

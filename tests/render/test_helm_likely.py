"""Where a field of a template most likely stands, told without rendering."""

import pytest

from qoslint.render.helm.likely import likely_span

TEMPLATE = """\
kind: Application
spec:
  source:
    repoURL: "https://charts.example"  # ours
    chart: {{ .Values.chart }}
    helm:
      releaseName: web
---
spec:
  sources:
    - repoURL: https://other.example
      ref: values
"""


@pytest.mark.parametrize(
    ("path", "value", "line"),
    [
        (("spec", "source", "repoURL"), "https://charts.example", 4),
        (("spec", "sources", 0, "repoURL"), "https://other.example", 11),
        # The key alone tells it, whatever a value renders to.
        (("spec", "source", "chart"), "web", 5),
        # What a partial writes, or what is not there, is told by what is around it.
        (("spec", "source", "targetRevision"), "1.2.3", 3),
        (("spec", "source", "helm", "valueFiles", 1), "a.yaml", 6),
    ],
)
def test_a_field_is_told_by_the_only_line_that_can_write_it(path, value, line):
    assert likely_span(TEMPLATE, path, value).start.line == line


def test_a_field_that_several_lines_may_write_is_not_told():
    assert likely_span(TEMPLATE, ("spec",), {}) is None
    assert likely_span(TEMPLATE, ("spec", "repoURL"), "https://third.example") is None


def test_the_span_is_the_field_without_what_is_around_it():
    span = likely_span(TEMPLATE, ("helm", "releaseName"), "web")
    assert (span.start, span.end) == ((7, 7), (7, 23))

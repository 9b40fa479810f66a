"""Applications that were rendered themselves: where they, and what they miss, are told."""

from __future__ import annotations

import pytest

from qoslint.finding import Location
from qoslint.render.argo.asked import asked
from qoslint.render.helm.values import of_layers
from qoslint.render.sources import Repository
from qoslint.source.document import Rendered, Source, documents
from qoslint.span import Position, Span

CHART = {"charts/web/Chart.yaml": "name: web\nversion: 1.0.0\n", "charts/web/values.yaml": "a: 1\n"}


class Authored:
    """Knows that everything is written in one line."""

    def locate(self, wanted):
        return [self.likely(each) for each in wanted]

    def likely(self, wanted):
        start = Position(7, 3)
        return Location("apps/templates/web.yaml", Span(start, start._replace(column=4)))


@pytest.fixture
def from_a_chart(application):
    """Gives the Application of a chart with that source."""

    def document(text):
        text = application(text).replace("  namespace: argocd\n", "")
        rendered = Rendered("apps", Authored(), (), "argocd")
        source = Source("apps!web", "apps/Chart.yaml", text, rendered)
        return next(documents(source, {"Application"}))

    return document


ACME = Repository(sorted(CHART), CHART.get, "1.36", origins=("https://github.com/acme/deploy",))


def test_what_was_rendered_is_told_at_the_file_that_has_it_rendered(from_a_chart):
    document = from_a_chart("path: charts/web\nhelm: {valuesObject: {a: 1}}")
    (target,) = asked([document], ACME)
    assert (target.name, target.file, target.line) == (
        "Application argocd/web",
        "apps/Chart.yaml",
        1,
    )
    assert of_layers(target.what.layers) == {"a": 1}
    assert [layer.document for layer in target.what.layers] == [document]


def test_what_was_rendered_and_is_missing_is_told_where_it_was_written(from_a_chart):
    (missing,) = asked([from_a_chart("path: charts/none")], ACME)
    assert (missing.file, missing.line) == ("apps/templates/web.yaml", 7)

"""Charts render as Helm renders them."""

from pathlib import Path

import pytest

from qoslint.render.helm import embedded
from qoslint.render.helm.records import Chart, Engine, Layer
from qoslint.render.helm.render import render_charts


@pytest.fixture
def engine():
    return Engine("embedded", "4.2.3", embedded.command())


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_a_simple_chart_is_rendered_with_its_values(tmp_path, engine):
    write(
        tmp_path,
        {
            "web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
            "web/values.yaml": "replicas: 1\nmemory: 64Mi\n",
            "web/templates/a.yaml": "replicas: {{ .Values.replicas }}\nm: {{ .Values.memory }}\n",
        },
    )
    layers = (Layer("prod.yaml", "memory: 1Gi\n"),)
    [rendered] = render_charts(tmp_path, [Chart("web", "r", "n", "1.36", layers)], engine)
    assert [template.text for template in rendered.templates] == ["replicas: 1\nm: 1Gi\n"]

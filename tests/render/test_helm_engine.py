"""Which Helm renders, and what is said where there is none."""

import sys
from pathlib import Path

import pytest

from qoslint.render.helm import embedded as embedded_engine
from qoslint.render.helm import program
from qoslint.render.helm.engine import engine
from qoslint.render.helm.records import Chart, Engine
from qoslint.render.helm.render import render_charts

from .conftest import write

NOWHERE = Path("/nowhere")


def helm(folder: Path, version: str) -> Path:
    """A program that says it is Helm, and tells how it was called."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "helm"
    path.write_text(
        f"#!{sys.executable}\n"
        "import os, sys\n"
        f"if sys.argv[1] == 'version': print('v{version}+gabc')\n"
        "else: print('---\\n# Source: web/templates/a.yaml\\nargs:', sys.argv[1:], "
        "'\\nenv:', sorted(os.environ))\n"
    )
    path.chmod(0o755)
    return path


def test_the_sdk_is_preferred(tmp_path):
    helm(tmp_path, "4.9.9")
    found = engine("auto", NOWHERE, str(tmp_path))
    assert isinstance(found, Engine)
    assert (found.name, found.version) == ("embedded", "4.2.3")


def test_a_program_on_the_path_is_used_when_asked_for_or_when_there_is_no_sdk(
    tmp_path, monkeypatch
):
    path = helm(tmp_path, "3.14.0")
    expected = Engine("path", "3.14.0", (str(path),))
    assert engine("path", NOWHERE, str(tmp_path)) == expected
    monkeypatch.setattr(embedded_engine, "find_spec", lambda name: None)
    assert engine("auto", NOWHERE, str(tmp_path)) == expected
    assert engine("embedded", NOWHERE, str(tmp_path)) == (
        "no Helm engine: the package helm-python-sdk is not installed"
    )
    assert engine("auto", NOWHERE, "") == (
        "no Helm engine: the package helm-python-sdk is not installed and there is no helm on the"
        " PATH"
    )


def test_a_library_that_does_not_load_is_told(tmp_path, monkeypatch):
    package = tmp_path / "helm_python"
    write(package, {"__init__.py": "", "_native.py": "raise OSError('no library')\n"})
    command = (*embedded_engine.command()[:-1], str(tmp_path))
    monkeypatch.setattr(embedded_engine, "command", lambda: command)
    assert engine("embedded", NOWHERE) == (
        "no Helm engine: the library of helm-python-sdk cannot be loaded on this platform"
    )


@pytest.mark.parametrize("version", ["3.13.9", "5.0.0", "2.17.0"])
def test_a_program_of_another_time_is_refused(version, tmp_path):
    path = helm(tmp_path, version)
    assert engine("path", NOWHERE, str(tmp_path)) == (
        f"no Helm engine: {path} is Helm {version}, and 3.14 or later, below 5, is needed"
    )


def test_no_program_of_the_linted_repository_is_started(tmp_path):
    root, outside = tmp_path / "root", tmp_path / "outside"
    inner = helm(root / "bin", "4.0.0")
    none = "lies in what is checked, of which nothing is started"
    assert engine("path", root, f"{root}/bin:bin::.") == f"no Helm engine: {inner} {none}"
    outside.mkdir()
    (outside / "helm").symlink_to(inner)
    assert engine("path", root, str(outside)) == f"no Helm engine: {outside}/helm {none}"
    (outside / "helm").unlink()
    helm(outside, "4.0.0")
    found = engine("path", root, f"{root}/bin:{outside}")
    assert found == Engine("path", "4.0.0", (f"{outside}/helm",))


def test_a_program_gets_no_secret_and_no_option_from_the_repository(tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_TOKEN", "canary")
    found = Engine("path", "4.0.0", (str(helm(tmp_path / "bin", "4.0.0")),))
    write(tmp_path, {"web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n"})
    chart = Chart("web", "--post-renderer=x", "n", "1.36", skip_crds=True)
    [answer] = render_charts(tmp_path, [chart], found)
    text = answer.templates[0].text
    assert text.split("\n")[0].endswith("'--', '--post-renderer=x', 'web'] ")
    assert "'--values'" in text
    assert "GITHUB_TOKEN" not in text
    for option in ("--dependency-update", "--validate", "--include-crds"):
        assert option not in text


def test_documents_are_told_apart_by_the_source_that_the_program_names(tmp_path):
    output = (
        "---\n# Source: web/templates/a.yaml\na: 1\n"
        "---\n# Source: web/templates/b.yaml\n# Source: other\nb: 1\n"
        "---\n# Source: web/templates/a.yaml\na: 2\n"
    )
    assert program.split(output) == {
        "web/templates/a.yaml": "a: 1\n---\na: 2\n",
        "web/templates/b.yaml": "# Source: other\nb: 1\n",
    }

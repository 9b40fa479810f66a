"""Kustomizations build to what genuine kubectl binaries make of the user's own folder.

Ours goes through a kustomization of our own around it, with annotations that are taken out again;
theirs is plain `kubectl kustomize FOLDER`.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from qoslint.render.failure import RenderError
from qoslint.render.helm.engine import engine as helm_engine
from qoslint.render.kustomization import NAMES, is_kustomization
from qoslint.render.kustomize.build import build
from qoslint.render.kustomize.engine import Engine, engine
from qoslint.render.kustomize.files import parsed, text
from qoslint.render.kustomize.helm_command import write_helm_command
from qoslint.render.kustomize.inputs import roots
from qoslint.render.kustomize.overlay import Overlay
from qoslint.workers import run

BINARIES = "QOSLINT_GENUINE"
"""Names a folder with genuine binaries, one a file."""

OVERLAYS = Path(__file__).parent / "overlays"
CORPUS = next(
    filter(Path.is_dir, (each / "shared/corpus/repos" for each in Path(__file__).parents)), None
)
FOLDER = os.environ.get(BINARIES)
PROGRAMS = [
    pytest.param(path, id=path.name)
    for path in sorted(Path(FOLDER).glob("kubectl-*") if FOLDER else ())
] or [pytest.param(None, marks=pytest.mark.skip(reason=f"{BINARIES} names no genuine kubectl"))]
PLAIN = {"KUBERC": "off", "KUBECONFIG": os.devnull}


def values(stream):
    return [document.data for document in parsed("stream", stream)]


def theirs(program, folder, *options):
    """What the program makes of a folder, None if it does not build."""
    command = [str(program), "kustomize", *options, "."]
    ended = run(command, folder=folder, environment=PLAIN)
    return values(ended.output.decode()) if ended.status == 0 else None


def ours(root, folder, kubectl):
    try:
        return values(build(root, Overlay(folder), kubectl).text)
    except RenderError:
        return None


def kustomizations(root):
    found = {}
    for folder, _, files in os.walk(root):
        for name in NAMES.intersection(files):
            path = Path(folder, name).relative_to(root).as_posix()
            for document in parsed(path, text(root, path) or "")[:1]:
                if is_kustomization(document.data):
                    found[path.rpartition("/")[0]] = document.data
    return found


@pytest.fixture(scope="module")
def kubectl():
    found = engine("embedded", OVERLAYS)
    assert not isinstance(found, str)
    return found


@pytest.fixture(scope="module")
def built(kubectl):
    """What we make of each root of the corpus."""
    repositories = sorted(CORPUS.iterdir()) if CORPUS else []
    folders = [(root, folder) for root in repositories for folder in roots(kustomizations(root))]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda each: ours(*each, kubectl), folders)
        return dict(zip(folders, found, strict=True))


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("folder", ["prod", "base", "classes"])
def test_own_overlays_build_alike(folder, program, kubectl):
    root = OVERLAYS / "everything"
    expected = theirs(program, root / folder)
    assert expected is not None
    assert ours(root, folder, kubectl) == expected


@pytest.mark.parametrize("program", PROGRAMS)
def test_charts_are_inflated_alike(program, kubectl, tmp_path):
    helm = helm_engine("embedded", OVERLAYS)
    assert not isinstance(helm, str)
    overlay = Overlay("prod", helm_command=write_helm_command(tmp_path, helm, "1.36"))
    built = build(OVERLAYS / "charts", overlay, kubectl)
    genuine = Path(str(program).replace("kubectl-", "helm-"))
    options = ("--enable-helm", f"--helm-command={genuine}")
    expected = theirs(program, OVERLAYS / "charts/prod", *options)
    if expected is None:  # Kustomize below 5.8 takes no Helm 4; its own output is the same.
        expected = theirs(
            program, OVERLAYS / "charts/prod", "--enable-helm", f"--helm-command={tmp_path}/helm"
        )
    assert values(built.text) == expected


@pytest.mark.skipif(CORPUS is None, reason="the corpus is not there")
@pytest.mark.parametrize("program", PROGRAMS)
def test_every_kustomization_that_kubectl_builds_is_built_alike(program, built):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        expected = list(pool.map(lambda each: theirs(program, each[0] / each[1]), built))
    assert any(expected)
    for where, ours, theirs_ in zip(built, built.values(), expected, strict=True):
        assert ours == theirs_, where


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_kubectl_on_the_path_builds_as_the_embedded_one(program, monkeypatch, tmp_path, kubectl):
    (tmp_path / "kubectl").symlink_to(program)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = engine("path", OVERLAYS)
    assert isinstance(found, Engine)
    assert found.command == (str(tmp_path / "kubectl"), "kustomize")
    root = OVERLAYS / "everything"
    overlay = Overlay("prod")
    assert build(root, overlay, found) == build(root, overlay, kubectl)

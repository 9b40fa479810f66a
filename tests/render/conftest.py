"""Charts of our own to render, and the engines to render them with."""

import gzip
import io
import os
import shutil
import tarfile
from pathlib import Path

import pytest

from qoslint.render.helm import program
from qoslint.render.helm.engine import engine as find_engine
from qoslint.render.helm.records import Engine

CHARTS = Path(__file__).with_name("charts")
BINARIES = "QOSLINT_GENUINE"
"""Names a folder with genuine Helm binaries, one a file."""


def pack(source: Path, archive: Path) -> None:
    """A chart as `helm package` packs it."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for file in sorted(path for path in source.rglob("*") if path.is_file()):
            member = tarfile.TarInfo(f"{source.name}/{file.relative_to(source).as_posix()}")
            member.size = file.stat().st_size
            with file.open("rb") as content:
                tar.addfile(member, content)
    archive.write_bytes(gzip.compress(buffer.getvalue(), mtime=0))


def write(root: Path, files: dict[str, str]) -> Path:
    """A folder with these texts."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


@pytest.fixture
def checkout(tmp_path):
    """A checkout with the chart `everything`, one of its subcharts packed."""
    shutil.copytree(CHARTS / "everything", tmp_path / "everything")
    pack(CHARTS / "packed", tmp_path / "everything/charts/packed-2.1.4.tgz")
    return tmp_path


@pytest.fixture(scope="session")
def embedded():
    """The SDK that is installed."""
    found = find_engine("embedded", Path("/nowhere"))
    assert isinstance(found, Engine)
    return found


def genuine():
    """The genuine binaries, each an engine; none where none are named."""
    folder = os.environ.get(BINARIES)
    found = sorted(Path(folder).glob("helm-*")) if folder else []
    return [
        Engine("path", program.version((str(path),), Path("/")), (str(path),)) for path in found
    ]

"""Measures `check --since` of a pull-request-sized change; exit status 1 if one takes 2 s or more.

FOLDER holds repositories. Each is committed to a Git repository of its own, and three files are
changed in a clone of that, as the ones are in which pull requests are made and checked. Whole
processes with a warm cache, beside a check of all that there is, in turns, medians.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from run import CHECK, measure

RUNS = 5
BUDGET = 2.0
_FILES = 3
_IDENTITY = {
    f"GIT_{who}_{what}": "bench@qoslint.example"
    for who in ("AUTHOR", "COMMITTER")
    for what in ("NAME", "EMAIL")
}


def cloned(source: Path, folder: Path) -> None:
    """Commit all of a repository as the first commit of another one, and clone that."""
    first = folder.with_name("origin")
    shutil.copytree(source, first, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    environment = {**os.environ, **_IDENTITY, "GIT_CONFIG_GLOBAL": os.devnull}
    for command in (
        ("init", "-q"),
        ("add", "-A", "-f"),
        ("commit", "-q", "-m", "all"),
        ("clone", "-q", "--no-local", ".", str(folder)),
    ):
        subprocess.run(["git", *command], cwd=first, env=environment, check=True)


def change(folder: Path) -> int:
    """Change memory or an image in some files, the same ones each time; how many there are."""
    found = sorted(_with_pods(folder))
    chosen = random.Random(6).sample(found, min(_FILES, len(found)))
    for file in chosen:
        text = file.read_text("utf-8")
        changed = text.replace("Mi", "8Mi", 1) if "Mi" in text else text.replace(":", ": ", 1)
        file.write_text(changed, "utf-8")
    return len(chosen)


def _with_pods(folder: Path) -> Iterator[Path]:
    for file in folder.rglob("*.y*ml"):
        if file.is_file() and not file.is_symlink() and ".git" not in file.parts:
            text = file.read_bytes().decode("utf-8", "replace")
            if "\ufffd" not in text and ("memory:" in text or "image:" in text):
                yield file


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="what holds the repositories")
    parser.add_argument("--runs", type=int, default=RUNS, help="measured runs of each kind")
    asked = parser.parse_args()
    print("| repository | changed | since | all | |\n|---|---:|---:|---:|---|")
    missed = 0
    for source in sorted(each for each in asked.folder.iterdir() if each.is_dir()):
        with tempfile.TemporaryDirectory() as name:
            folder, kept = Path(name, source.name), Path(name, "kept")
            cloned(source, folder)
            changed = change(folder)
            whole = (*CHECK, "--cache-dir", str(kept))
            commands = ((*whole, "--since", "HEAD"), whole)
            for command in commands:
                measure(command, folder)
            rounds = [[measure(each, folder) for each in commands] for _ in range(asked.runs)]
        since, everything = map(statistics.median, zip(*rounds, strict=True))
        cells = (source.name, str(changed), f"{since * 1000:.0f} ms", f"{everything * 1000:.0f} ms")
        is_kept = since < BUDGET
        missed += not is_kept
        print(f"| {' | '.join(cells)} | {'kept' if is_kept else '**missed**'} |", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

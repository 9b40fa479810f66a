"""How many cpu and memory fields of built kustomizations are found on their authored line.

`python bench/origin_kustomize.py FOLDER`: builds each kustomization that is a root in the
repositories that are the folders of FOLDER, asks for the place of each request and limit, and
proves the answers by cause: all reported places of an overlay are edited in a copy of the
repository's files, each to another value, and built again; every field must have become the value
of its own place, and no other object may have changed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from qoslint.finding import Location, Part
from qoslint.render.failure import RenderError
from qoslint.render.kustomization import NAMES, is_kustomization
from qoslint.render.kustomize.build import build, inputs_of
from qoslint.render.kustomize.engine import Engine, engine
from qoslint.render.kustomize.files import parsed, text
from qoslint.render.kustomize.inputs import roots
from qoslint.render.kustomize.leaves import below
from qoslint.render.kustomize.locate import Wanted, locate
from qoslint.render.kustomize.overlay import Overlay
from qoslint.span import Lines, value_at

FIELDS = frozenset({"cpu", "memory", "ephemeral-storage"})


class Result(NamedTuple):
    """What became of one overlay."""

    folder: str
    objects: int = 0
    numbered: int = 0
    fields: int = 0
    proven: int = 0
    inexact: int = 0
    seconds: float = 0
    failure: str = ""
    wrong: tuple[str, ...] = ()


def kustomizations(root: Path) -> dict[str, Mapping[str, object]]:
    """What each folder's kustomization says."""
    found = {}
    for folder, _, files in os.walk(root):
        for name in NAMES.intersection(files):
            path = Path(folder, name).relative_to(root).as_posix()
            for document in parsed(path, text(root, path) or "")[:1]:
                if is_kustomization(document.data):
                    found[path.rpartition("/")[0]] = document.data
    return found


def values(stream: str) -> list[object]:
    """The documents of a stream."""
    return [document.data for document in parsed("stream", stream)]


def wanted_fields(documents: Sequence[object], keys: Collection[str]) -> Iterator[Wanted]:
    """The fields with these keys; without any, the requests and limits of containers."""
    for number, data in enumerate(documents):
        if isinstance(data, dict) and data.get("kind") == "CustomResourceDefinition":
            continue
        for path, _ in below((), data):
            is_resource = path[-1] in FIELDS and path[-2:-1] in (("requests",), ("limits",))
            if path[-1] in keys if keys else is_resource:
                yield Wanted(number, path, Part.VALUE)


def measured(root: Path, folder: str, kubectl: Engine, keys: Collection[str]) -> Result:
    """Build, ask, edit, and build again."""
    overlay = Overlay(folder)
    try:
        built = build(root, overlay, kubectl)
    except RenderError as error:
        return Result(folder, failure=f"{error.file}:{error.line} {error.message}")
    documents = values(built.text)
    wanted = list(wanted_fields(documents, keys))
    numbered = sum(origin.number is not None for origin in built.origins)
    if not wanted:
        return Result(folder, len(built.origins), numbered)
    start = time.perf_counter()
    places = locate(root, overlay, built, wanted, kubectl)
    seconds = time.perf_counter() - start
    wrong = tuple(disproved(root, overlay, documents, wanted, places, kubectl, part=bool(keys)))
    return Result(
        folder,
        len(built.origins),
        numbered,
        len(wanted),
        len(wanted) - len(wrong),
        sum(not place.exact for place in places),
        seconds,
        wrong=wrong,
    )


def disproved(
    root: Path,
    overlay: Overlay,
    before: Sequence[object],
    wanted: Sequence[Wanted],
    places: Sequence[Location],
    kubectl: Engine,
    part: bool,
) -> Iterator[str]:
    """The fields that an edit of the reported place does not change to its value."""
    marks = {
        place: mark(number, value_at(before[each.document], each.path))
        for number, (place, each) in enumerate(zip(places, wanted, strict=True))
    }
    with tempfile.TemporaryDirectory(prefix="qoslint-") as private:
        copy = Path(private, "copy")
        for file in inputs_of(root, overlay).files:
            if (root / file).is_file():
                (copy / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(root / file, copy / file)
        edit(copy, marks)
        try:
            after = values(build(copy, overlay, kubectl).text)
        except RenderError as error:
            yield from (f"{each}: {error.message}" for each in wanted)
            return
    for each, place in zip(wanted, places, strict=True):
        now = value_at(after[each.document], each.path)
        if str(now) != marks[place] and not (part and marks[place] in str(now)):
            yield f"{each.document} {each.path}: {place} made it {now}, not {marks[place]}"
    told = {(each.document, each.path) for each in wanted}
    for number, data in enumerate(after):
        for path, value in below((), data):
            if (number, path) not in told and value_at(before[number], path) != value:
                yield f"{number} {path} changed too, to {value}"


def mark(number: int, value: object) -> str:
    """Another value of the same type, as it is written and as it is printed."""
    return f"{number + 1}17" if isinstance(value, int) else f"{number + 1}17m"


def edit(copy: Path, marks: Mapping[Location, str]) -> None:
    """Put the marks at the places, from the end of each file on."""
    by_file = defaultdict(list)
    for place, mark in marks.items():
        by_file[place.file].append((place.span, mark))
    for file, found in by_file.items():
        content = text(copy, file) or ""
        lines = Lines(content)
        for span, mark in sorted(found, reverse=True):
            start, end = lines.index(span.start), lines.index(span.end)
            content = content[:start] + mark + content[end:]
        (copy / file).write_text(content, "utf-8", newline="")


def main() -> None:
    """Print the rates of each repository, and what was not found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--keys", nargs="*", default=(), help="other fields, such as replicas")
    parser.add_argument("--only", default="", help="repositories with this in their names")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    kubectl = engine("auto", arguments.folder)
    if isinstance(kubectl, str):
        sys.exit(kubectl)
    total: Counter[str] = Counter()
    chosen = (path for path in arguments.folder.iterdir() if arguments.only in path.name)
    for root in sorted(path for path in chosen if path.is_dir()):
        folders = roots(kustomizations(root))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            measure = partial(measured, root, kubectl=kubectl, keys=arguments.keys)
            results = list(pool.map(measure, folders))
        count = Counter(
            overlays=len(results),
            built=sum(not each.failure for each in results),
            objects=sum(each.objects for each in results),
            numbered=sum(each.numbered for each in results),
            fields=sum(each.fields for each in results),
            proven=sum(each.proven for each in results),
            inexact=sum(each.inexact for each in results),
        )
        total += count
        if results:
            slowest = max(results, key=lambda each: each.seconds)
            print(root.name, dict(count), f"slowest {slowest.seconds:.1f} s: {slowest.folder}")
        for each in results:
            if each.failure and arguments.verbose:
                print(f"  not built: {each.folder}: {each.failure}")
            for line in each.wrong:
                print(f"  not proven: {each.folder}: {line}")
    print("all", dict(total))


if __name__ == "__main__":
    main()

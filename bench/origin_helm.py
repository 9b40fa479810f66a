"""How many fields of charts are led back to the line that drives them, proven by editing it.

`python bench/origin_helm.py FOLDER`: each container of each chart below FOLDER that renders with
its own values, and again with each of the values files beside them. The memory limit (or, without
one, the memory request) is located, a copy of the chart is edited at that line and rendered again:
exactly the fields whose origin is that line may change. A container without either is right if the
key that is named makes a limit appear, or if no key is named. What stands in an archive has no line
to edit: there the key is given as a value. Exit status 1 below 99 %.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from qoslint.render.helm.engine import engine
from qoslint.render.helm.origin import Origin, Traced, Wanted, trace
from qoslint.render.helm.records import Chart, Engine, Layer, Rendered
from qoslint.render.helm.render import render_charts
from qoslint.source.document import Document, Source, documents
from qoslint.span import Path as FieldPath
from qoslint.span import value_at

_LEAST = 0.99
_QUANTITY = re.compile(r"\d+(?:\.\d+)?(?=[A-Za-z]*\b)")
_NEW = "4321"


class _Every:
    def __contains__(self, kind: object) -> bool:
        return True


def containers(data: object, path: FieldPath = ()) -> Iterator[tuple[FieldPath, object]]:
    """The containers of an object, wherever its pods are."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key in ("containers", "initContainers") and isinstance(value, list):
                for number, each in enumerate(value):
                    if isinstance(each, dict) and "name" in each and "image" in each:
                        yield (*path, key, number), each
            else:
                yield from containers(value, (*path, key))
    elif isinstance(data, list):
        for number, each in enumerate(data):
            yield from containers(each, (*path, number))


def wanted_of(rendered: Rendered) -> Iterator[Wanted]:
    """The memory limit or request of each container; its limit if it has neither."""
    for template in rendered.templates:
        source = Source(template.name, template.file, template.text)
        for document in documents(source, _Every()):
            if isinstance(document, Document):
                for path, each in containers(document.data):
                    limit = ("resources", "limits", "memory")
                    request = ("resources", "requests", "memory")
                    only = value_at(each, limit) is None and value_at(each, request) is not None
                    yield Wanted(template.name, document, (*path, *(request if only else limit)))


def values_of(rendered: Rendered) -> list[object]:
    """The memory of each container, in order."""
    return [value_at(each.document.data, each.path) for each in wanted_of(rendered)]


def edited(root: Path, origin: Origin) -> bool:
    """Whether the line of an origin holds one quantity, which is changed then."""
    path = root / origin.location.file
    if path.suffix == ".tgz":
        return False
    lines = path.read_text("utf-8").split("\n")
    number = origin.location.span.start.line - 1
    new, count = _QUANTITY.subn(_NEW, lines[number].split(" #")[0])
    lines[number] = new
    path.write_text("\n".join(lines), "utf-8")
    return count > 0


def verdicts(root: Path, chart: Chart, found: Engine) -> Iterator[tuple[str, str]]:
    """For each container whether its origin is right, or why that is not known."""
    [rendered] = render_charts(root, [chart], found)
    if not isinstance(rendered, Rendered):
        return
    wanted = list(wanted_of(rendered))
    if not wanted:
        return
    traced = trace(root, chart, rendered, wanted, found)
    for number, (each, origin) in enumerate(zip(wanted, traced.origins, strict=True)):
        layers = " ".join(each.file for each in chart.layers)
        place = f"{chart.folder} {layers} {each.template} {each.path}"
        now = value_at(each.document.data, each.path)
        key = ".".join(map(str, origin.key or ()))
        line = f"{origin.location.file}:{origin.location.span.start.line}"
        if now is None or (origin.key is not None and not origin.location.exact):
            yield _absent(root, chart, found, rendered, each, origin), f"{place} {key} {line}"
        else:
            yield _present(root, chart, found, rendered, traced, number), f"{place} {key} {line}"


def _absent(
    root: Path, chart: Chart, found: Engine, rendered: Rendered, each: Wanted, origin: Origin
) -> str:
    if origin.key is None:
        return "no limit and no key"
    text = _NEW
    for step in reversed(origin.key):
        if isinstance(step, int):
            return "no limit, a list"
        text = f"{{{step!r}: {text}}}"
    layered = chart._replace(layers=(*chart.layers, Layer("added", text)), skip_schema=True)
    [again] = render_charts(root, [layered], found)
    if not isinstance(again, Rendered):
        return "WRONG: no render"
    after = {(w.template, w.path): w for w in wanted_of(again)}.get((each.template, each.path))
    right = after is not None and _NEW in str(value_at(after.document.data, each.path))
    return "not stated, key proven" if right else "WRONG: key without effect"


def _present(
    root: Path, chart: Chart, found: Engine, rendered: Rendered, traced: Traced, number: int
) -> str:
    origin = traced.origins[number]
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(root / chart.folder, Path(scratch, chart.folder), symlinks=True)
        if not edited(Path(scratch), origin):
            return "WRONG: no quantity there"
        changed = read(Path(scratch), chart)._replace(skip_schema=True)
        [again] = render_charts(Path(scratch), [changed], found)
    if not isinstance(again, Rendered):
        return "WRONG: no render"
    before, after = values_of(rendered), values_of(again)
    if len(before) != len(after):
        return "WRONG: other containers"
    different = {
        at for at, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]
    }
    same = {at for at, each in enumerate(traced.origins) if each.location == origin.location}
    if number not in different:
        return "WRONG: unchanged"
    kind = "hard-coded, proven" if origin.key is None else "key proven"
    return kind if different <= same else "WRONG: more changed"


def charts(root: Path) -> Iterator[Chart]:
    """Each chart with its own values, and with each values file beside them."""
    for file in sorted(root.rglob("Chart.yaml")):
        folder = file.parent
        chart = Chart(str(folder.relative_to(root)), "release", "default", "1.36")
        yield chart
        for values in sorted([*folder.glob("values?*.yaml"), *folder.glob("ci/*.yaml")]):
            yield chart._replace(layers=(Layer(str(values.relative_to(root)), ""),))


def read(root: Path, chart: Chart) -> Chart:
    """The chart with its values files as they now are."""
    layers = (Layer(each.file, (root / each.file).read_text("utf-8")) for each in chart.layers)
    return chart._replace(layers=tuple(layers))


def main() -> int:
    """Print the rates, and each container that is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    root = parser.parse_args().folder.resolve()
    found = engine("embedded", Path("/nowhere"))
    if not isinstance(found, Engine):
        print(found)
        return 2
    counts: Counter[str] = Counter()
    for chart in charts(root):
        for verdict, place in verdicts(root, read(root, chart), found):
            counts[verdict] += 1
            if verdict.startswith("WRONG"):
                print(f"{verdict}: {place}")
    for verdict, count in sorted(counts.items()):
        print(f"{count:6} {verdict}")
    total = counts.total()
    right = total - sum(count for verdict, count in counts.items() if verdict.startswith("WRONG"))
    print(f"{right} of {total} containers right")
    return int(right < _LEAST * total)


if __name__ == "__main__":
    sys.exit(main())

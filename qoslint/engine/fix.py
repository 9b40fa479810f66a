"""What makes a finding vanish: the edits that a check proposes, found in the text and made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from qoslint.engine.run import Raised
from qoslint.finding import Edit, Finding, Replacement, Set
from qoslint.source.change import GONE, Value
from qoslint.source.document import Document
from qoslint.source.edits import apart, replaced, replacements
from qoslint.source.places import Documents
from qoslint.source.removal import Cut
from qoslint.span import Lines, Path


def fixes(
    groups: Iterable[Sequence[Raised]], documents: Documents
) -> list[tuple[Replacement, ...]]:
    """For each group of problems that become one finding what fixes them all, if anything does."""
    found: list[tuple[Replacement, ...]] = []
    by_document: defaultdict[tuple[str, int], list[tuple[int, list[Edit]]]] = defaultdict(list)
    for number, group in enumerate(groups):
        found.append(())
        edits = [edit for item in group for edit in item.edits]
        concerned = {(edit.place.object.source, edit.place.object.document) for edit in edits}
        if len(concerned) == 1 and all(item.edits for item in group):
            by_document[concerned.pop()].append((number, edits))
    for key in sorted(by_document):
        document = documents[key]
        # What was rendered has no text of its own to change.
        if not isinstance(document, Document) or document.source.rendered is not None:
            continue
        wanted = [list(map(_in_document, edits)) for _, edits in by_document[key]]
        sure = replacements(document, wanted)
        for (number, _), replacement in zip(by_document[key], sure, strict=True):
            found[number] = replacement
    return found


def repaired(
    findings: Iterable[Finding], texts: Mapping[str, str]
) -> tuple[Mapping[str, str], tuple[Finding, ...]]:
    """The texts that change if as many fixes are made as do not touch each other, and whose."""
    by_file: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        for file in {replacement.file for replacement in finding.fixes}:
            by_file[file].append(finding)
    changed = {}
    fixed = []
    for file, fixable in by_file.items():
        lines = Lines(texts[file])
        cuts = [[_cut(lines, replacement) for replacement in it.fixes] for it in fixable]
        chosen = list(apart([[(cut.start, cut.end) for cut in each] for each in cuts]))
        changed[file] = replaced(texts[file], (cut for number in chosen for cut in cuts[number]))
        fixed += [fixable[number] for number in chosen]
    return changed, tuple(fixed)


def _cut(lines: Lines, replacement: Replacement) -> Cut:
    start, end = replacement.span
    return Cut(lines.index(start), lines.index(end), replacement.text)


def _in_document(edit: Edit) -> tuple[Path, Value]:
    path = (*edit.place.object.root, *edit.place.path)
    return path, Value(edit.value) if isinstance(edit, Set) else GONE

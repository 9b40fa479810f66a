"""Discovery: one walk over the files for all clusters."""

from __future__ import annotations

import posixpath
from collections.abc import Container, Iterable, Mapping
from typing import TYPE_CHECKING

from qoslint.render.discovery import NOTHING_DONE, Discovery, Done, deploys, file_all
from qoslint.render.kustomization import NAMES
from qoslint.render.plain import Reading, Sought, Why, holds_workloads, kind_of, read_bytes
from qoslint.render.policytests import is_testdata
from qoslint.render.renderspec import RenderSpec
from qoslint.render.shared import Shared
from qoslint.render.surroundings import CHART, Surroundings, above, by_place, surroundings
from qoslint.source.allowance import Allowance
from qoslint.source.tree import STDIN, File, Skipped, UnreadableError, WorkTree

if TYPE_CHECKING:
    from qoslint.render.worklist import WorkList

# Nothing in these can be told from a whole object; what else lies at its place by name or by
# reference is read when it holds a workload all the same.
_UNREAD = (Why.PATCH, Why.CHART_TEMPLATE, Why.TEST_INPUT)


def discover(
    tree: WorkTree,
    paths: Iterable[str],
    sought: Sought,
    spec: RenderSpec,
    shared: Shared,
) -> Discovery:
    """What the files under `paths` hold.

    Charts and kustomizations in the folders above a path count too, so that a single template or
    patch is known for what it is. `shared` is what is known of other revisions. Raises UsageError
    as `WorkTree.walk` does.
    """
    paths = list(paths)
    found = list(tree.walk(paths))
    files = (item.path for item in found if isinstance(item, File))
    # What is piped in lies in no folder.
    above_paths = above(tree, (path for path in paths if path != STDIN))
    around = surroundings(tree, [*above_paths, *files], sought.counting)
    if not any(map(is_testdata, paths)):
        data = {item.path for item in found if is_testdata(item.path)}
        around = around._replace(
            charts={at: said for at, said in around.charts.items() if not is_testdata(at)},
            contents={at: said for at, said in around.contents.items() if not is_testdata(at)},
            test_inputs=around.test_inputs | data,
        )
    allowance = Allowance()

    def read(items: Iterable[File | Skipped]) -> dict[str, Reading]:
        return {item.path: _reading(tree, item, around, sought, allowance) for item in items}

    def work_list() -> WorkList:
        # Imported here: most runs render nothing, and would take longer for it.
        from qoslint.render.worklist import WorkList

        return WorkList(tree, around, spec, sought, allowance, shared)

    renders = spec.renderer != "none"
    work = work_list() if renders and (around.charts or around.contents) else None
    held = {item.path for item in found if item.path != STDIN}.intersection(
        work.held() if work else ()
    )
    plain = read(item for item in found if item.path not in held)
    if work is None and renders and any(map(deploys, plain.values())):
        work = work_list()
    done = work.work(plain) if work else NOTHING_DONE
    # What is held by something that was not rendered is read as it is, after all, and may ask.
    while work and (left := held - _rendered(done).keys() - plain.keys()):
        plain |= read(item for item in found if item.path in left)
        done = work.work(plain, done)
    rendered = _rendered(done)
    readings = [
        (item.path, rendered[item.path] if item.path in rendered else plain[item.path])
        for item in found
    ]
    walked = {posixpath.dirname(item.path) for item in found}
    return file_all(
        readings,
        done,
        charts=_left(around.charts, (CHART,), rendered) & walked,
        kustomizations=_left(around.contents, NAMES, rendered) & walked,
        named=around.named,
        patched=around.patched,
        namespaces=around.namespaces,
    )


def _rendered(done: Done) -> Mapping[str, Reading]:
    """What is told of the files that something was rendered from, which is never all they hold."""
    found = {file: Reading() for outcome in done.outcomes for file in outcome.inputs}
    for outcome in done.outcomes:
        found |= {file: Reading(reason=reason) for file, reason in outcome.unread.items()}
    found.pop(STDIN, None)
    return found


def _left(folders: Iterable[str], names: Iterable[str], rendered: Container[str]) -> set[str]:
    """The folders of which nothing was rendered that has one of the names."""
    return {
        folder
        for folder in folders
        if not any(posixpath.join(folder, name) in rendered for name in names)
    }


def _reading(
    tree: WorkTree,
    item: File | Skipped,
    around: Surroundings,
    sought: Sought,
    allowance: Allowance,
) -> Reading:
    if isinstance(item, Skipped):
        return Reading(reason=item.reason)
    if item.path == STDIN:
        return read_bytes(item.path, tree.read(item.path), sought, allowance)
    reason = by_place(item.path, around)
    if reason in _UNREAD:
        return Reading(reason=reason)
    try:
        content = tree.read(item.path)
    except UnreadableError as error:
        return Reading(reason=error.reason)
    reading = read_bytes(item.path, content, sought, allowance)
    if item.path in around.kustomizations:
        return _beside(around.kustomizations[item.path], reading)
    if reason is not None and not holds_workloads(reading, sought.counting):
        return Reading(reason=reason)
    if _is_unnamed(item.path, reading, around, sought.counting):
        return Reading(reason=Why.UNNAMED)
    return reading


def _beside(kustomization: Reading, whole: Reading) -> Reading:
    """What a file holds whose first document is a kustomization, or cannot be read as one."""
    numbers = [each.number for each in kustomization.documents]
    first = [*numbers, *(each.number for each in kustomization.broken)][0]
    return Reading(
        # What the kustomization says was taken; it is no object of the cluster.
        documents=tuple(each for each in whole.documents if each.number != first),
        broken=(*kustomization.broken, *(each for each in whole.broken if each.number != first)),
        passed=tuple(each for each in whole.passed if each.number != first),
        reason=kustomization.reason,
    )


def _is_unnamed(path: str, reading: Reading, around: Surroundings, kinds: Container[str]) -> bool:
    """Whether a file could matter, but no kustomization names it where all else is named.

    Kustomize takes only what is named. What else lies beside a kustomization or its patches is
    mostly a patch that is switched off, and nothing tells a patch from a whole object.
    """
    folder = posixpath.dirname(path)
    if folder not in around.contents and folder not in around.patch_folders:
        return False
    if path in around.named.applied:
        return False
    return any(kind_of(document.data) in kinds for document in reading.documents)

"""What settings leave out of a run, and what of them is of no use in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from qoslint.finding import Notice
from qoslint.model.judged import JudgedCluster
from qoslint.render.discovery import Discovery
from qoslint.render.plain import Why
from qoslint.settings.settings import Settings


def idle_expectations(
    paths: Sequence[str], settings: Settings, clusters: Iterable[JudgedCluster]
) -> Iterator[Notice]:
    """Expectations of the settings that select nothing, of all that there is."""
    if settings.file is None or not {".", ""} & {*paths}:
        return
    used = {
        intent.origin
        for cluster in clusters
        for admitted in cluster.admitted
        for intent in admitted.intents
    }
    idle = [
        index
        for index, expected in enumerate(settings.clusters[0].expected)
        if expected.intents and expected.intents[0].origin not in used
    ]
    if idle:
        more = f", and {len(idle) - 1} more of them select none" if len(idle) > 1 else ""
        yield Notice(
            f"expect[{idle[0]}] selects no pod, so that it is not checked{more}.",
            settings.file.name,
            settings.file.line(("expect", idle[0])),
        )


def other_settings(asked: Discovery, settings: Settings) -> Iterator[Notice]:
    """Settings that somebody wrote, and that do not govern this run."""
    used = settings.file.name if settings.file else "none"
    for file in asked.skipped.get(Why.SETTINGS, ()):
        if file != used:
            yield Notice(f"These settings are not used; those of the run: {used}.", file)


def unread(paths: Sequence[str], settings: Settings) -> Iterator[Notice]:
    """Without declared clusters, what decides about the pods may lie outside the paths."""
    if any(spec.declared for spec in settings.clusters):
        return
    if settings.given is not None:
        if not settings.beside:
            yield Notice(
                "Only standard input was read: LimitRanges and classes of the cluster are not "
                "known. Name files or folders that hold them behind `-`, or declare `clusters` in "
                "the settings."
            )
    elif not {".", ""} & {*paths, *settings.beside}:
        yield Notice(
            "Only the paths were read: LimitRanges and classes in other folders are not known. "
            "Declare `clusters` in the settings to have them resolved."
        )

"""What a run covered and what it did not: every file, every workload, every assumption."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from qoslint.finding import UNREAD, Coverage, Notice, Report, Severity
from qoslint.model.wording import counted
from qoslint.report.style import Palette
from qoslint.report.visible import shortened

_BECAME = ("Guaranteed", "Burstable", "BestEffort", "refused", "unknown")
_BY = {
    "annotation": "annotations",
    "baseline": "the baseline",
    "comment": "comments",
    "exception": "exceptions of the settings",
}
_LABEL = 16
_SHOWN = 8


def summary(report: Report, palette: Palette) -> Iterator[str]:
    """The account of the run, its last line the verdict."""
    yield from _notices(report, palette)
    yield from _account(report)
    yield ""
    for line in report.failed_checks:
        yield palette.paint(palette.error, f"A check failed: {shortened(line)}")
    yield from verdict(report, palette)


def _notices(report: Report, palette: Palette) -> Iterator[str]:
    if not report.notices:
        return
    yield palette.paint(palette.strong, "Assumed, or not checked:")
    for notice in report.notices:
        yield f"  - {notice_line(notice)}"
    yield ""


def notice_line(notice: Notice) -> str:
    """The notice with its place before it, as far as it has one."""
    place = [str(part) for part in (notice.file, notice.line) if part is not None]
    return shortened(": ".join(filter(None, [":".join(place), notice.message])))


def _account(report: Report) -> Iterator[str]:
    coverage = report.coverage
    yield _entry("Kubernetes", ", ".join(map(shortened, report.kubernetes)))
    became = {key: coverage.pods.get(key, 0) for key in (*_BECAME, *sorted(coverage.pods))}
    pods = f"{sum(became.values())} from {counted(coverage.workloads, 'workload')}: "
    yield _entry("Pods", pods + ", ".join(f"{n} {shortened(key)}" for key, n in became.items()))
    yield _entry("Other objects", _counts(coverage.other_kinds))
    yield _entry("Files", _files(coverage))
    yield from _reasons("not understood", coverage.not_understood)
    yield from _reasons("skipped", coverage.skipped)
    if coverage.targets:
        lost = sum(coverage.unrendered.values())
        told = f"{coverage.targets - lost} rendered, {lost} not rendered"
        yield _entry("Targets", f"{coverage.targets}: {told}")
        yield from _reasons("not rendered", coverage.unrendered)
    yield _entry("Rules", f"{len(report.rules)} ran")
    if report.suppressed:
        by = Counter(each.by for each in report.suppressed)
        told = ", ".join(f"{count} by {_BY[form]}" for form, count in sorted(by.items()))
        yield _entry("Accepted", f"{counted(len(report.suppressed), 'finding')}: {told}")


def _files(coverage: Coverage) -> str:
    skipped, lost = sum(coverage.skipped.values()), sum(coverage.not_understood.values())
    return f"{coverage.files}: {coverage.read} read, {lost} not understood, {skipped} skipped"


def _reasons(label: str, counts: Mapping[str, int]) -> Iterator[str]:
    if counts:
        yield _entry(f"  {label}", _counts(counts))


def _counts(counts: Mapping[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{count} {shortened(name)}" for name, count in ordered[:_SHOWN]]
    if rest := ordered[_SHOWN:]:
        shown.append(f"{sum(count for _, count in rest)} of {len(rest)} other kinds")
    return "; ".join(shown) or "none"


def _entry(label: str, text: str) -> str:
    return f"{label:<{_LABEL}}  {text}"


def verdict(report: Report, palette: Palette) -> Iterator[str]:
    """What came of the run: how much was found, and what was not checked."""
    gaps = _gaps(report)
    if report.findings:
        worst = max(finding.severity for finding in report.findings)
        total = f"{counted(len(report.findings), 'finding')}: {_severities(report)}."
        if fixable := sum(bool(finding.fixes) for finding in report.findings):
            total += f" {fixable} can be fixed with --fix."
        yield palette.paint(palette.severity(worst), total)
        if gaps:
            yield palette.paint(palette.warning, f"Not checked: {gaps}.")
    elif not report.coverage.workloads:
        nothing = f"Nothing was checked: no workload was found in {_where(report.coverage)}."
        yield palette.paint(palette.warning, nothing)
    elif gaps:
        yield palette.paint(
            palette.warning, f"No findings, but not everything was checked: {gaps}."
        )
    else:
        pods = counted(sum(report.coverage.pods.values()), "pod")
        yield palette.paint(palette.good, f"No findings: {pods} checked.")


def _where(coverage: Coverage) -> str:
    return f"{counted(coverage.files, 'file')}, {coverage.read} of them read"


def _severities(report: Report) -> str:
    counts = [
        (severity, sum(finding.severity is severity for finding in report.findings))
        for severity in sorted(Severity, reverse=True)
    ]
    return ", ".join(counted(count, str(severity)) for severity, count in counts if count)


def _gaps(report: Report) -> str:
    """What kept the run from being complete; empty when nothing did."""
    failed = len(report.failed_checks)
    every = [gaps_phrase(report.coverage), _counted(failed, "check failed") if failed else ""]
    return ", ".join(filter(None, every))


def gaps_phrase(coverage: Coverage, told: int = 0) -> str:
    """What was not checked, as a list in words; empty if all of it was.

    `told` files that were not understood are left out.
    """
    every = coverage.gaps.items()
    left = ((what, count - told if what == UNREAD else count) for what, count in every)
    return ", ".join(_counted(count, what) for what, count in left if count)


def missing_phrase(unread: int) -> str:
    """The closing clause about files that were not understood; empty if there are none."""
    if not unread:
        return ""
    return f" What is in {'it' if unread == 1 else 'them'} is missing from this answer."


def _counted(count: int, what: str) -> str:
    noun, _, rest = what.partition(" ")
    return f"{counted(count, noun)} {rest}"

"""The findings of a report in their one order, each with its fingerprint."""

from __future__ import annotations

from typing import NamedTuple

from qoslint.finding import Finding, Report
from qoslint.report.fingerprint import fingerprints


class Result(NamedTuple):
    """A finding and what it is recognised by in the next run."""

    finding: Finding
    fingerprint: str
    clusters: tuple[str, ...]
    """Those that a report must name: none where there is only one."""


def results(report: Report) -> tuple[Result, ...]:
    """The findings by file, place, severity and rule, whatever order they came in."""
    findings, told = in_order(report), has_clusters(report)
    return tuple(
        Result(finding, fingerprint, finding.clusters if told else ())
        for finding, fingerprint in zip(findings, fingerprints(findings), strict=True)
    )


def by_severity(report: Report) -> tuple[Result, ...]:
    """The results with the most severe first, for what shows only some of them."""
    return tuple(sorted(results(report), key=lambda result: -result.finding.severity))


def in_order(report: Report) -> tuple[Finding, ...]:
    """The findings of `results`, for formats that print no fingerprint."""
    return tuple(sorted(report.findings, key=_order))


def has_clusters(report: Report) -> bool:
    """Whether a finding must say in which clusters it is: there are several."""
    return len({pod.cluster for pod in report.pods}) > 1


def _order(finding: Finding) -> tuple[object, ...]:
    return (
        finding.location.file,
        finding.location.span,
        -finding.severity,
        finding.rule,
        finding.message,
        finding.objects,
        finding.field,
    )

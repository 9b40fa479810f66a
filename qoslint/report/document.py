"""The public document of `check`: what `--format json` prints, versioned and byte-stable.

`schemas/report.schema.json` describes it. No string of it holds a hidden character, but for the
line ends and tabs of a fix: what a script prints of it is harmless too, and no lone surrogate of a
file name breaks a strict JSON reader.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from qoslint.finding import (
    Coverage,
    Location,
    Notice,
    PodLine,
    RelatedLocation,
    Replacement,
    Report,
    RuleInfo,
)
from qoslint.report.results import Result, results
from qoslint.report.visible import visible

SCHEMA_VERSION = 1
"""Raised when a reader of the document would have to change."""

Json: TypeAlias = dict[str, object]


class _Exact(str):
    """A text of a fix, which must be written as it is; what writes fixes lets nothing hide."""


def document(report: Report) -> Json:
    """The report as JSON data, with every key always present."""
    names = {rule.code: rule.name for rule in report.rules}
    raw = {
        "schemaVersion": SCHEMA_VERSION,
        "kubernetes": list(report.kubernetes),
        "findings": [_finding(result, names) for result in results(report)],
        "pods": [_pod(pod) for pod in sorted(report.pods, key=_pod_order)],
        "coverage": _coverage(report.coverage),
        "notices": [_notice(notice) for notice in report.notices],
        "failedChecks": list(report.failed_checks),
        "rules": [_rule(rule) for rule in report.rules],
    }
    return {key: _visible(value) for key, value in raw.items()}


def _visible(value: object) -> object:
    if isinstance(value, str):
        return value if isinstance(value, _Exact) else visible(value)
    if isinstance(value, list):
        return [_visible(item) for item in value]
    if isinstance(value, dict):
        return {visible(key): _visible(item) for key, item in value.items()}
    return value


def _finding(result: Result, names: Mapping[str, str]) -> Json:
    finding = result.finding
    return {
        "rule": finding.rule,
        "name": names.get(finding.rule, ""),
        "severity": str(finding.severity),
        "message": finding.message,
        "at": _at(finding.location),
        "objects": list(finding.objects),
        "clusters": list(finding.clusters),
        "field": finding.field,
        "related": [_related(related) for related in finding.related],
        "fixes": [_fix(replacement) for replacement in finding.fixes],
        "fingerprint": result.fingerprint,
    }


def _at(location: Location) -> Json:
    (line, column), (end_line, end_column) = location.span
    return {
        "file": location.file,
        "line": line,
        "column": column,
        "endLine": end_line,
        "endColumn": end_column,
        "exact": location.exact,
    }


def _related(related: RelatedLocation) -> Json:
    return {"message": related.message, "at": _at(related.location)}


def _fix(replacement: Replacement) -> Json:
    file, span, text = replacement
    return {"at": _at(Location(file, span)), "text": _Exact(text)}


def _pod_order(pod: PodLine) -> tuple[str, str, str, str]:
    return pod.cluster, pod.namespace, pod.kind, pod.name


def _pod(pod: PodLine) -> Json:
    return {
        "cluster": pod.cluster,
        "namespace": pod.namespace,
        "kind": pod.kind,
        "name": pod.name,
        "became": pod.became,
        "reason": pod.reason,
        "classes": list(pod.classes),
        "priority": pod.priority,
        "oomScoreAdj": {
            node: [
                {"container": score.container, "oomScoreAdj": score.oom_score_adj}
                for score in scores
            ]
            for node, scores in sorted(pod.scores.items())
        },
    }


def _coverage(coverage: Coverage) -> Json:
    return {
        "files": coverage.files,
        "read": coverage.read,
        "skipped": _sorted(coverage.skipped),
        "notUnderstood": _sorted(coverage.not_understood),
        "objects": coverage.objects,
        "undecided": coverage.undecided,
        "targets": coverage.targets,
        "unrendered": _sorted(coverage.unrendered),
        "unjudged": list(coverage.unjudged),
        "workloads": coverage.workloads,
        "pods": _sorted(coverage.pods),
        "otherKinds": _sorted(coverage.other_kinds),
    }


def _sorted(counts: Mapping[str, int]) -> Json:
    return dict(sorted(counts.items()))


def _notice(notice: Notice) -> Json:
    return {"message": notice.message, "file": notice.file, "line": notice.line}


def _rule(rule: RuleInfo) -> Json:
    return {
        "code": rule.code,
        "name": rule.name,
        "summary": rule.summary,
        "help": rule.help,
        "severity": str(rule.severity),
        "confidence": rule.confidence,
        "tags": list(rule.tags),
    }

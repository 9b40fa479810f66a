"""The format `sarif`: SARIF 2.1.0 as GitHub's code scanning takes it, the same bytes each run.

`schemas/sarif-profile.schema.json` describes exactly what is written here. This module is
imported only when the format is asked for, so that no other run pays for `sarif_om`.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import attrs
import sarif_om as om

from qoslint import __version__
from qoslint.finding import RelatedLocation, Replacement, Report
from qoslint.report import Texts
from qoslint.report.alerts import MOST_RELATED, Alert, alerts, literal, uri
from qoslint.report.sarif_rules import descriptor
from qoslint.report.style import Style
from qoslint.report.visible import shortened, visible
from qoslint.span import Span

MOST_RESULTS = 25_000
"""GitHub rejects a run with more results."""

MOST_BYTES = 10_000_000
"""GitHub rejects a file that has more of them when it is compressed, as its upload does."""

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_ROOT = "%SRCROOT%"
_MOST_NOTIFICATIONS = 1000
# Above this many results a reader is a program: indentation would double the upload.
_COMPACT_ABOVE = 1000


def render(report: Report, texts: Texts, style: Style) -> str:
    """The log with one run; beyond GitHub's limits the most severe results stay, and it says so."""
    found = alerts(report, texts)
    kept = _most_severe(found, MOST_RESULTS)
    while (text := _written(report, found, kept)) and kept and _is_too_large(text):
        kept = _most_severe(kept, len(kept) * 3 // 4)
    return text


def _written(report: Report, found: Sequence[Alert], kept: Sequence[Alert]) -> str:
    run = _run(report, kept, len(found) - len(kept))
    log = om.SarifLog(schema_uri=_SCHEMA, version="2.1.0", runs=[run])
    indent = 2 if len(kept) <= _COMPACT_ABOVE else None
    return json.dumps(plain(log), indent=indent, sort_keys=True) + "\n"


def _is_too_large(text: str) -> bool:
    return len(text) > MOST_BYTES and len(zlib.compress(text.encode("ascii"))) > MOST_BYTES


def plain(value: object) -> object:
    """A sarif_om object as JSON data: what is unset is left out, an explicit level is kept.

    The level matters: a result without one has its rule's, not the format's default.
    """
    kind = type(value)
    if attrs.has(kind):
        return {
            field.metadata["schema_property_name"]: plain(item)
            for field in attrs.fields(kind)
            if (item := getattr(value, field.name)) is not None
            and (item != field.default or field.name == "level")
        }
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


def _most_severe(found: Sequence[Alert], most: int) -> Sequence[Alert]:
    if len(found) <= most:
        return found
    ranked = sorted(range(len(found)), key=lambda index: -found[index].severity)
    return [found[index] for index in sorted(ranked[:most])]


def _run(report: Report, found: Sequence[Alert], dropped: int) -> object:
    indexes = {rule.code: index for index, rule in enumerate(report.rules)}
    driver = om.ToolComponent(
        name="qoslint",
        version=__version__,
        semantic_version=__version__,
        rules=[descriptor(rule) for rule in report.rules],
    )
    # An unsuccessful execution makes GitHub discard the results; failed checks are notifications.
    invocation = om.Invocation(
        execution_successful=True,
        tool_execution_notifications=_limited(_notifications(report, dropped)),
    )
    root = om.ArtifactLocation(description=om.Message(text="The root of the repository."))
    return om.Run(
        tool=om.Tool(driver=driver),
        results=[_result(alert, indexes) for alert in found],
        column_kind="unicodeCodePoints",
        newline_sequences=["\r\n", "\n", "\r"],
        original_uri_base_ids={_ROOT: root},
        automation_details=_category(report.category),
        invocations=[invocation],
    )


def _category(name: str) -> object:
    """What stands before the last slash is GitHub's category, and what is behind it names a run."""
    named = visible(name).rstrip("/")
    return om.RunAutomationDetails(id=f"{named}/") if named else None


def _result(alert: Alert, indexes: Mapping[str, int]) -> object:
    fingerprints = {"qoslint/v1": alert.fingerprint}
    if alert.line_hash is not None:
        fingerprints["primaryLocationLineHash"] = alert.line_hash
    return om.Result(
        rule_id=alert.rule,
        rule_index=indexes.get(alert.rule, -1),
        level=str(alert.severity),
        message=om.Message(text=alert.message),
        locations=[
            om.Location(
                physical_location=_physical(alert.uri, alert.region),
                logical_locations=_logical(alert.objects),
            )
        ],
        related_locations=[
            _related(number, related) for number, related in enumerate(alert.related, start=1)
        ]
        or None,
        fixes=[_fix(alert.fixes)] if alert.fixes else None,
        partial_fingerprints=fingerprints,
    )


def _physical(file_uri: str, region: Span) -> object:
    return om.PhysicalLocation(artifact_location=_artifact(file_uri), region=_region(region))


def _artifact(file_uri: str) -> object:
    return om.ArtifactLocation(uri=file_uri, uri_base_id=_ROOT)


def _region(span: Span) -> object:
    return om.Region(
        start_line=span.start.line,
        start_column=span.start.column,
        end_line=span.end.line,
        end_column=span.end.column,
    )


def _fix(replacements: Sequence[Replacement]) -> object:
    by_file: dict[str, list[object]] = {}
    for replacement in replacements:
        inserted = om.ArtifactContent(text=replacement.text) if replacement.text else None
        change = om.Replacement(deleted_region=_region(replacement.span), inserted_content=inserted)
        by_file.setdefault(replacement.file, []).append(change)
    return om.Fix(
        artifact_changes=[
            om.ArtifactChange(artifact_location=_artifact(uri(file)), replacements=changes)
            for file, changes in by_file.items()
        ]
    )


def _logical(objects: Sequence[str]) -> list[object] | None:
    locations = [
        om.LogicalLocation(fully_qualified_name=name, kind="object")
        for name in objects[:MOST_RELATED]
    ]
    return locations or None


def _related(number: int, related: RelatedLocation) -> object:
    return om.Location(
        id=number,
        message=om.Message(text=literal(shortened(related.message))),
        physical_location=_physical(uri(related.location.file), related.location.span),
    )


def _notifications(report: Report, dropped: int) -> Iterator[object]:
    if dropped:
        text = (
            f"{dropped} results are left out, the least severe: code scanning takes "
            f"{MOST_RESULTS:,} of them, and {MOST_BYTES // 1_000_000} MB when compressed."
        )
        yield om.Notification(level="warning", message=om.Message(text=text))
    for line in report.failed_checks:
        yield om.Notification(level="error", message=om.Message(text=literal(shortened(line))))
    for notice in report.notices:
        yield om.Notification(
            level="note",
            message=om.Message(text=literal(shortened(notice.message))),
            locations=[_notice_location(notice.file, notice.line)] if notice.file else None,
        )


def _limited(notifications: Iterator[object]) -> list[object]:
    """The first notifications, and how many there are more."""
    shown = [*islice(notifications, _MOST_NOTIFICATIONS)]
    if more := sum(1 for _ in notifications):
        text = f"There are {more} more notifications."
        shown.append(om.Notification(level="note", message=om.Message(text=text)))
    return shown


def _notice_location(file: str, line: int | None) -> object:
    artifact = _artifact(uri(file))
    region = om.Region(start_line=line) if line else None
    place = om.PhysicalLocation(artifact_location=artifact, region=region)
    return om.Location(physical_location=place)

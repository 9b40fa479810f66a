"""`qoslint check --write-baseline`: what is found now becomes what is accepted."""

from __future__ import annotations

from qoslint.cli.options import say, write
from qoslint.engine.baseline import counted, kept
from qoslint.engine.selection import Selection
from qoslint.finding import Report, SuppressedFinding
from qoslint.model.wording import counted as phrase
from qoslint.settings.baseline import baseline_text


def written(file: str, report: Report, selection: Selection) -> Report:
    """Write a baseline of the report, and give the report as it is with it.

    Beside a baseline only that is written of it which still occurs, so that it can but shrink.
    """
    if report.failed_checks:
        say("qoslint: no baseline is written, for a check failed")
        return report
    if selection.baseline is not None:
        counts = kept(selection.baseline, report.gone)
        left = report._replace(gone={})
    else:
        counts = counted(report.findings, selection.strict)
        strict = [each for each in report.findings if each.rule.startswith(selection.strict)]
        others = [each for each in report.findings if not each.rule.startswith(selection.strict)]
        known = (SuppressedFinding(each, "baseline", "") for each in others)
        left = report._replace(findings=tuple(strict), suppressed=(*report.suppressed, *known))
    write(baseline_text(counts), file)
    total = phrase(sum(counts.values()), "finding")
    say(f"qoslint: the baseline {file!r} accepts {total}")
    return left

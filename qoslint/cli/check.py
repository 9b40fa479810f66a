"""`qoslint check`: the findings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from qoslint.cli.checkoptions import CheckOptions, contradictions
from qoslint.cli.completing import codes, files
from qoslint.cli.options import (
    color_option,
    load_settings,
    paths_and_config,
    rendering_options,
    say,
    style,
    write,
)
from qoslint.cli.outputs import part_of
from qoslint.cli.progress import progress
from qoslint.errors import UsageError
from qoslint.finding import Report, Severity

if TYPE_CHECKING:
    from qoslint.api import Checked
    from qoslint.plugins.collect import Plugins

_LEVELS = ("error", "warning", "note", "never")


@click.command("check")
@paths_and_config
@rendering_options
@click.option(
    "--format",
    "form",
    metavar="FORMAT",
    default="text",
    show_default=True,
    help="How to print the findings: text, concise, json, sarif, github, gitlab, markdown, junit, "
    "rdjson, checkstyle, azure, sonar, or a plugin's; --output takes its place.",
)
@click.option(
    "--output",
    "outputs",
    multiple=True,
    metavar="FORMAT:FILE",
    help="Write this format to a file ('-' for standard output); may be given several times.",
)
@click.option(
    "--output-all",
    "outputs_all",
    multiple=True,
    metavar="FORMAT:FILE",
    help="The same for all that is found in what there is, as if --since or --staged were not "
    "given: code scanning takes what it is not told for fixed.",
)
@click.option(
    "--output-changes",
    "outputs_changes",
    multiple=True,
    metavar="FORMAT:FILE",
    help="The same for what only rules about changes find, which --output-all leaves out.",
)
@click.option(
    "--sarif-category",
    metavar="NAME",
    default="",
    help="In SARIF: what tells this run from others over the same commit, so that code scanning "
    "keeps the alerts of both.",
)
@click.option(
    "--fail-on",
    type=click.Choice(_LEVELS),
    default="error",
    show_default=True,
    help="The lowest severity that makes the exit status 1.",
)
@click.option("--require-complete", is_flag=True, help="Exit 1 if anything was not checked.")
@click.option(
    "--fix", "fixing", is_flag=True, help="Change the files where an edit is surely right."
)
@click.option("--dry-run", is_flag=True, help="With --fix: print what would change, as a diff.")
@click.option(
    "--since",
    metavar="REF",
    help="Report only what the change since this revision causes or touches, and what rules about "
    "changes find; the work tree is compared with the commit at which it left REF.",
)
@click.option(
    "--settings-from",
    metavar="REF",
    help="With --since: the settings of this revision count, so that a change is not judged by "
    "settings of its own.",
)
@click.option("--exit-zero", is_flag=True, help="Exit 0 whatever is found.")
@click.option(
    "--stdin-filename",
    metavar="FILE",
    shell_complete=files,
    help="The file that standard input is, as an editor has it; checked in its place.",
)
@click.option(
    "--show-settings",
    is_flag=True,
    help="Instead print the settings of the run as YAML, each with the place that states it.",
)
@click.option(
    "--staged",
    is_flag=True,
    help="Report only what the staged changes cause or touch, as they would be committed; for a "
    "hook before commits. Run by hand with nothing staged: everything.",
)
@click.option(
    "--context",
    multiple=True,
    metavar="PATH",
    shell_complete=files,
    help="Without clusters in the settings: what stands there decides about the PATHs too, and is "
    "not checked itself.",
)
@click.option("--allow-empty", is_flag=True, help="Exit 0 even if there is nothing to check.")
@click.option(
    "--preset",
    type=click.Choice(("default", "pedantic", "strict")),
    help="Which set of rules runs, unless some are selected; each holds the one before it "
    "(see `qoslint rules`).",
)
@click.option(
    "--select",
    multiple=True,
    metavar="CODE",
    shell_complete=codes,
    help="Run only these rules, whatever the preset; here and below, QOS1 means all that start so, "
    "and several stand behind each other or between commas.",
)
@click.option(
    "--extend", multiple=True, metavar="CODE", shell_complete=codes, help="Run these rules too."
)
@click.option(
    "--ignore", multiple=True, metavar="CODE", shell_complete=codes, help="Do not run these rules."
)
@click.option("--baseline", metavar="FILE", help="Accept the findings that this file knows.")
@click.option(
    "--write-baseline",
    metavar="FILE",
    help="Write all findings to a baseline, which accepts them; with --baseline only those of it "
    "that still occur.",
)
@click.option(
    "--require-current-baseline",
    is_flag=True,
    help="Exit 1 if the baseline holds findings that no longer occur.",
)
@color_option
def command(**options: Any) -> int:  # noqa: ANN401 - click gives each parameter its type
    """Report what admission refuses, which class each pod gets, and what to change.

    PATHs are files and folders, by default the current folder. Exit status: 0, or 1 for findings
    at or above --fail-on, or 2 if the job could not be done.

    \b
    The PATH - is standard input; LimitRanges and classes in what stands beside it decide
    about it, and are not checked themselves:
      helm template web charts/web | qoslint check - platform/
    """
    from qoslint.plugins.load import installed
    from qoslint.report import render, reporter
    from qoslint.report.style import PLAIN_STYLE

    asked = CheckOptions(**options)
    for contradiction in contradictions(asked):
        raise UsageError(contradiction)
    plugins = installed()
    reports = asked.reports()
    for output in reports:
        reporter(output.form, plugins.formats)  # a wrong one is told before anything is read
    if asked.show_settings:
        _show(asked, plugins)
        return 0
    found = _found(asked, plugins)
    if found is None:
        return 0
    (report, texts), standing = found
    if not (asked.allow_empty or asked.is_change) and _is_empty(report):
        raise UsageError(f"there is nothing to check {_listed(asked.paths)} (see --allow-empty)")
    for part, form, file in reports:
        told = part_of(report, standing, part)._replace(category=asked.sarif_category)
        look = style(asked.color) if file == "-" else PLAIN_STYLE
        write(render(form, told, texts.get, look, plugins.formats), file)
    return _status(report, asked)


def _show(asked: CheckOptions, plugins: Plugins) -> None:
    """Print the settings of the run."""
    from qoslint.settings.load import find
    from qoslint.settings.shown import shown

    found = find(asked.paths, asked.config, asked.context)
    settings = asked.selected(load_settings(found, plugins, asked.renderer))
    write(shown(settings, asked.given()))


def _found(asked: CheckOptions, plugins: Plugins) -> tuple[Checked, Report] | None:
    """What is found of what is asked for, and of all; None if a hook has nothing to check."""
    from qoslint.settings.load import find

    since, until = asked.since, None
    if asked.staged:
        from qoslint.cli.staged import Extent, hooked

        extent, since, until = hooked(find(asked.paths, asked.config, asked.context).root)
        if extent is Extent.NOTHING:
            say("qoslint: nothing that is staged decides about pods")
            return None
        if extent is Extent.EVERYTHING:
            return _now(asked, plugins)
    elif since is None:
        return _now(asked, plugins)
    from qoslint.cli.since import found_since

    with progress():
        return found_since(since, until, asked, plugins)


def _now(asked: CheckOptions, plugins: Plugins) -> tuple[Checked, Report]:
    """What is found in what there is, which is all."""
    from qoslint import api
    from qoslint.settings.load import find
    from qoslint.settings.piped import standard_input

    unsaved = asked.stdin_filename
    found = find((unsaved,) if unsaved else asked.paths, asked.config, asked.context)
    edited = {found.paths[0]: standard_input()} if unsaved else {}
    settings = asked.selected(load_settings(found, plugins, asked.renderer))
    with progress():
        if asked.fixing:
            from qoslint.cli import fix

            made = fix.shown if asked.dry_run else fix.fixed
            checked = made(found.paths, settings)
        else:
            checked = api.check(found.paths, settings, edited)
    if asked.write_baseline:
        from qoslint.cli.baseline import written

        report = written(asked.write_baseline, checked.report, settings.selection)
        checked = checked._replace(report=report)
    return checked, checked.report


def _is_empty(report: Report) -> bool:
    coverage = report.coverage
    return not coverage.objects and not coverage.not_understood


def _listed(paths: tuple[str, ...]) -> str:
    """Where the paths lead, as a phrase."""
    if "-" in paths:
        return "in standard input"
    return f"under {', '.join(repr(path) for path in paths) or 'the current folder'}"


def _status(report: Report, asked: CheckOptions) -> int:
    for failure in report.failed_checks:
        say(f"qoslint: a check failed, its findings are missing: {failure}")
    if report.failed_checks:
        return 2
    unmet = [*_unmet(report, asked)]
    for line in unmet:
        say(f"qoslint: {line}")
    is_bad = bool(unmet) or _failing(report, asked.fail_on) > 0
    return int(is_bad and not asked.exit_zero)


def _unmet(report: Report, asked: CheckOptions) -> Iterator[str]:
    """What is required and not so, which not every format tells."""
    from qoslint.engine.baseline import gone_notices
    from qoslint.model.wording import counted
    from qoslint.report.summary import gaps_phrase

    if asked.require_complete and report.coverage.gaps:
        yield f"--require-complete: not checked: {gaps_phrase(report.coverage)}."
    # Why it fails for errors is plain.
    if asked.fail_on != "error" and (count := _failing(report, asked.fail_on)):
        yield f"--fail-on {asked.fail_on}: {counted(count, 'finding')} of that severity or above."
    if asked.require_current_baseline:
        for notice in gone_notices(report.gone):
            yield f"--require-current-baseline: {notice.message}"


def _failing(report: Report, fail_on: str) -> int:
    """How many findings make the run fail."""
    if fail_on == "never":
        return 0
    least = Severity[fail_on.upper()]
    return sum(finding.severity >= least for finding in report.findings)

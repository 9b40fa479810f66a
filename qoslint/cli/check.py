"""`qoslint check`: the findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from qoslint.cli.completing import codes, files
from qoslint.cli.options import (
    color_option,
    load_settings,
    paths_and_config,
    rendering_options,
    style,
    write,
)
from qoslint.cli.progress import progress
from qoslint.errors import UsageError
from qoslint.finding import Report, Severity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from qoslint.render.renderspec import Renderer
    from qoslint.settings.find import Found
    from qoslint.settings.settings import Settings

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
def command(
    paths: tuple[str, ...],
    config: str | None,
    renderer: Renderer | None,
    form: str,
    outputs: tuple[str, ...],
    sarif_category: str,
    fail_on: str,
    require_complete: bool,
    fixing: bool,
    dry_run: bool,
    since: str | None,
    settings_from: str | None,
    exit_zero: bool,
    stdin_filename: str | None,
    show_settings: bool,
    staged: bool,
    context: tuple[str, ...],
    allow_empty: bool,
    preset: str | None,
    select: tuple[str, ...],
    extend: tuple[str, ...],
    ignore: tuple[str, ...],
    baseline: str | None,
    write_baseline: str | None,
    require_current_baseline: bool,
    color: str,
) -> int:
    """Report what admission refuses, which class each pod gets, and what to change.

    PATHs are files and folders, by default the current folder. Exit status: 0, or 1 for findings
    at or above --fail-on, or 2 if the job could not be done.

    \b
    The PATH - is standard input; LimitRanges and classes in what stands beside it decide
    about it, and are not checked themselves:
      helm template web charts/web | qoslint check - platform/
    """
    from qoslint import api
    from qoslint.plugins.load import installed
    from qoslint.report import render, reporter
    from qoslint.report.style import PLAIN_STYLE
    from qoslint.settings.baseline import read_baseline
    from qoslint.settings.load import find

    plugins = installed()
    if dry_run and not fixing:
        raise UsageError("--dry-run says what --fix would do; give both")
    if dry_run and write_baseline:
        raise UsageError("--dry-run writes nothing; leave out --write-baseline")
    if require_current_baseline and not baseline:
        raise UsageError("--require-current-baseline is about a --baseline; give both")
    # The diff takes the place of a report that nobody asked for.
    wanted = [*map(_output, outputs)] or ([] if dry_run else [(form, "-")])
    for name, _ in wanted:
        reporter(name, plugins.formats)  # a wrong one is told before anything is read
    edited: Mapping[str, bytes] = {}
    if stdin_filename is None:
        found = find(paths, config, context)
    else:
        found, edited = _unsaved(stdin_filename, paths, config, context)
    if fixing and (found.given is not None or edited):
        raise UsageError("--fix changes files; standard input cannot be changed")

    def selected(settings: Settings) -> Settings:
        selection = settings.selection
        chosen = selection._replace(
            preset=preset or selection.preset,
            select=_codes(select) or selection.select,
            extend=(*selection.extend, *_codes(extend)),
            ignore=(*selection.ignore, *_codes(ignore)),
            baseline=read_baseline(baseline) if baseline else None,
        )
        return settings._replace(selection=chosen)

    is_change = since is not None
    if staged:
        from qoslint.cli.staged import Extent, asked

        if since is not None:
            raise UsageError("--staged and --since name two changes; give one")
        extent, since = asked(found.root)
        if extent is Extent.NOTHING:
            click.echo(f"qoslint: {extent.value}", err=True)
            return 0
        is_change = extent is Extent.CHANGE
    if is_change:
        from qoslint.cli.revisions import Wanted
        from qoslint.cli.since import found_since

        if fixing or write_baseline or found.given is not None or edited:
            raise UsageError("--since compares revisions: no --fix, --write-baseline or '-'")
        revised = Wanted(
            since or "HEAD", None, paths, config, settings_from, renderer=renderer, staged=not since
        )
        with progress():
            report, texts = found_since(revised, plugins, selected)
    elif settings_from is not None:
        raise UsageError("--settings-from says what judges a change; give --since too")
    else:
        settings = selected(load_settings(found, plugins, renderer))
        if show_settings:
            from qoslint.settings.shown import shown

            given = {"preset": preset, "select": select, "extend": extend, "ignore": ignore}
            given["renderer"] = renderer
            write(shown(settings, {name: f"--{name}" for name, value in given.items() if value}))
            return 0
        if fixing:
            from qoslint.cli import fix

            made = fix.shown if dry_run else fix.fixed
            with progress():
                report, texts = made(found.paths, settings)
        else:
            with progress():
                report, texts = api.check(found.paths, settings, edited)
        if write_baseline:
            from qoslint.cli.baseline import written

            report = written(write_baseline, report, settings.selection)
    if not (allow_empty or staged) and _is_empty(report):
        raise UsageError(f"there is nothing to check {_listed(paths)} (see --allow-empty)")
    report = report._replace(category=sarif_category)
    for name, file in wanted:
        look = style(color) if file == "-" else PLAIN_STYLE
        write(render(name, report, texts.get, look, plugins.formats), file)
    status = _status(report, fail_on, require_complete)
    status = status or int(require_current_baseline and bool(report.gone))
    return 0 if exit_zero and status == 1 else status


def _unsaved(
    name: str, paths: tuple[str, ...], config: str | None, context: tuple[str, ...]
) -> tuple[Found, Mapping[str, bytes]]:
    """A file as standard input has it, and where that is looked for."""
    from qoslint.settings.load import find
    from qoslint.settings.piped import standard_input

    if paths != ("-",):
        raise UsageError("--stdin-filename names the file that standard input is: give - alone")
    found = find((name,), config, context)
    return found, {found.paths[0]: standard_input()}


def _output(output: str) -> tuple[str, str]:
    name, _, file = output.partition(":")
    if not file:
        raise UsageError(f"--output {output!r} is not FORMAT:FILE")
    return name, file


def _codes(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(code.upper() for value in values for code in value.replace(",", " ").split())


def _is_empty(report: Report) -> bool:
    coverage = report.coverage
    return not coverage.objects and not coverage.not_understood


def _listed(paths: tuple[str, ...]) -> str:
    """Where the paths lead, as a phrase."""
    if "-" in paths:
        return "in standard input"
    return f"under {', '.join(repr(path) for path in paths) or 'the current folder'}"


def _status(report: Report, fail_on: str, require_complete: bool) -> int:
    from qoslint.report.visible import visible

    for failure in report.failed_checks:
        line = f"qoslint: a check failed, its findings are missing: {failure}"
        click.echo(visible(line), err=True)
    if report.failed_checks:
        return 2
    if require_complete and report.coverage.gaps:
        return 1
    if fail_on == "never":
        return 0
    least = Severity[fail_on.upper()]
    return int(any(finding.severity >= least for finding in report.findings))

"""`qoslint check`: the findings."""

from __future__ import annotations

import click

from qoslint.cli.options import color_option, paths_and_config, style, write
from qoslint.errors import UsageError
from qoslint.finding import Report, Severity

_LEVELS = ("error", "warning", "note", "never")


@click.command("check")
@paths_and_config
@click.option(
    "--format",
    "form",
    metavar="FORMAT",
    default="text",
    show_default=True,
    help="How to print the findings: text, json, sarif, or a plugin's; --output takes its place.",
)
@click.option(
    "--output",
    "outputs",
    multiple=True,
    metavar="FORMAT:FILE",
    help="Write this format to a file ('-' for standard output); may be given several times.",
)
@click.option(
    "--fail-on",
    type=click.Choice(_LEVELS),
    default="error",
    show_default=True,
    help="The lowest severity that makes the exit status 1.",
)
@click.option("--require-complete", is_flag=True, help="Exit 1 if anything was not checked.")
@click.option("--allow-empty", is_flag=True, help="Nothing to check is no error.")
@click.option(
    "--preset",
    type=click.Choice(("default", "pedantic", "strict")),
    help="Which set of rules runs, unless rules are selected; each holds the one before it.",
)
@click.option("--select", multiple=True, metavar="CODE", help="Only these rules; prefixes count.")
@click.option("--ignore", multiple=True, metavar="CODE", help="Without these rules.")
@color_option
def command(
    paths: tuple[str, ...],
    config: str | None,
    form: str,
    outputs: tuple[str, ...],
    fail_on: str,
    require_complete: bool,
    allow_empty: bool,
    preset: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    color: str,
) -> int:
    """Report what admission refuses, which class each pod gets, and what to change.

    PATHs are files and folders, by default the current folder.
    """
    from qoslint import api
    from qoslint.plugins.load import installed
    from qoslint.report import render, reporter
    from qoslint.report.style import PLAIN_STYLE
    from qoslint.settings.load import find, load

    plugins = installed()
    wanted = [*map(_output, outputs)] or [(form, "-")]
    for name, _ in wanted:
        reporter(name, plugins.formats)  # a wrong one is told before anything is read
    found = find(paths, config)
    settings = load(found, plugins)
    selection = settings.selection
    selection = selection._replace(
        preset=preset or selection.preset,
        select=_codes(select) or selection.select,
        ignore=(*selection.ignore, *_codes(ignore)),
    )
    report, texts = api.check(found.paths, settings._replace(selection=selection))
    if not allow_empty and _is_empty(report):
        raise UsageError(f"there is nothing to check under {_listed(paths)} (see --allow-empty)")
    for name, file in wanted:
        look = style(color) if file == "-" else PLAIN_STYLE
        write(render(name, report, texts.get, look, plugins.formats), file)
    return _status(report, fail_on, require_complete)


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
    return ", ".join(repr(path) for path in paths) or "the current folder"


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

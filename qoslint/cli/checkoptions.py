"""What `qoslint check` is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from qoslint.cli.outputs import Output, Part, outputs

if TYPE_CHECKING:
    from qoslint.render.renderspec import Renderer
    from qoslint.settings.settings import Settings

_STDIN = "-"


class CheckOptions(NamedTuple):
    """The command line, by the names of its parameters."""

    paths: tuple[str, ...]
    config: str | None
    renderer: Renderer | None
    form: str
    outputs: tuple[str, ...]
    outputs_all: tuple[str, ...]
    outputs_changes: tuple[str, ...]
    sarif_category: str
    fail_on: str
    require_complete: bool
    fixing: bool
    dry_run: bool
    since: str | None
    settings_from: str | None
    exit_zero: bool
    stdin_filename: str | None
    show_settings: bool
    staged: bool
    context: tuple[str, ...]
    allow_empty: bool
    preset: str | None
    select: tuple[str, ...]
    extend: tuple[str, ...]
    ignore: tuple[str, ...]
    baseline: str | None
    write_baseline: str | None
    require_current_baseline: bool
    color: str

    @property
    def is_change(self) -> bool:
        """Whether a change is checked, and not what there is."""
        return self.staged or self.since is not None

    def reports(self) -> list[Output]:
        """The reports that are wanted. Raises UsageError."""
        wanted = [
            *outputs(Part.ASKED, self.outputs),
            *outputs(Part.ALL, self.outputs_all),
            *outputs(Part.CHANGES, self.outputs_changes),
        ]
        if wanted:
            return wanted
        # The diff takes the place of a report that nobody asked for.
        return [] if self.dry_run else [Output(Part.ASKED, self.form, _STDIN)]

    def given(self) -> dict[str, str]:
        """The options that stand above settings, by the settings."""
        names = ("preset", "select", "extend", "ignore", "renderer")
        return {name: f"--{name}" for name in names if getattr(self, name)}

    def selected(self, settings: Settings) -> Settings:
        """The settings with what the command line says of rules and the baseline."""
        from qoslint.settings.baseline import read_baseline

        selection = settings.selection
        chosen = selection._replace(
            preset=self.preset or selection.preset,
            select=_codes(self.select) or selection.select,
            extend=(*selection.extend, *_codes(self.extend)),
            ignore=(*selection.ignore, *_codes(self.ignore)),
            baseline=read_baseline(self.baseline) if self.baseline else selection.baseline,
        )
        return settings._replace(selection=chosen)


def contradictions(asked: CheckOptions) -> Iterator[str]:
    """What makes no sense together, as messages."""
    is_piped = _STDIN in asked.paths
    if asked.dry_run and not asked.fixing:
        yield "--dry-run says what --fix would do; give both"
    if asked.dry_run and asked.write_baseline:
        yield "--dry-run writes nothing; leave out --write-baseline"
    if asked.require_current_baseline and not asked.baseline:
        yield "--require-current-baseline is about a --baseline; give both"
    if asked.stdin_filename and asked.paths != (_STDIN,):
        yield "--stdin-filename names the file that standard input is: give - alone"
    if asked.fixing and is_piped:
        yield "--fix changes files; standard input cannot be changed"
    if asked.staged and asked.since is not None:
        yield "--staged and --since name two changes; give one"
    if asked.is_change and (asked.fixing or asked.write_baseline or is_piped):
        option = "--staged" if asked.staged else "--since"
        yield f"{option} compares revisions: no --fix, --write-baseline or '-'"
    if asked.is_change and asked.context:
        yield "--context is for what there is now: a change is seen with all that is beside it"
    if asked.settings_from is not None and not asked.is_change:
        yield "--settings-from says what judges a change; give --since too"


def _codes(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(code.upper() for value in values for code in value.replace(",", " ").split())

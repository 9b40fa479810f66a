"""What several commands share: paths, and where results go."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from qoslint.cli.completing import files
from qoslint.errors import UsageError

if TYPE_CHECKING:
    from qoslint.finding import Coverage, Notice
    from qoslint.plugins.collect import Plugins
    from qoslint.render.renderspec import Renderer
    from qoslint.report.style import Style
    from qoslint.schema import Json
    from qoslint.settings.find import Found
    from qoslint.settings.settings import Settings

SCENARIO = "peak"
_SCENARIOS = (SCENARIO, "requests", "usage")

_Command = TypeVar("_Command", bound=Callable[..., object])


def paths_and_config(command: _Command) -> _Command:
    """The PATH arguments, of which `-` is standard input, and --config."""
    path = click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=files)
    command = path(command)
    return click.option(
        "--config",
        metavar="FILE",
        shell_complete=files,
        help="Settings to use instead of .qoslint.yaml or [tool.qoslint].",
    )(command)


def rendering_options(command: _Command) -> _Command:
    """The option --renderer, and those that tell where renders are kept."""
    renderer = click.option(
        "--renderer",
        type=click.Choice(("auto", "embedded", "path", "none")),
        help="What renders charts and kustomizations: what comes with qoslint, else a helm, "
        "kustomize or kubectl on the PATH (auto); only the one or the other; or nothing. By "
        "default what the settings say, else auto; `qoslint doctor` tells what there is.",
    )
    cache = click.option(
        "--cache-dir",
        metavar="DIR",
        envvar="QOSLINT_CACHE_DIR",
        show_envvar=True,
        expose_value=False,
        callback=_remember,
        help="Where renders are kept, so that the next run need not repeat them; by default "
        "qoslint in $XDG_CACHE_HOME or ~/.cache.",
    )
    no_cache = click.option(
        "--no-cache",
        is_flag=True,
        expose_value=False,
        callback=_remember,
        help="Render everything, and keep nothing.",
    )
    return renderer(cache(no_cache(command)))


def _remember(context: click.Context, parameter: click.Parameter, value: object) -> None:
    """Keep the value for `cache_folder`: no command has another use for it."""
    context.meta[f"qoslint.{parameter.name}"] = value


def load_settings(found: Found, plugins: Plugins, renderer: Renderer | None) -> Settings:
    """The settings of a run, with what the options say of rendering."""
    from qoslint.settings.load import load

    settings = load(found, plugins)
    rendering = settings.rendering._replace(cache=cache_folder(found.root))
    if renderer is not None:
        rendering = rendering._replace(renderer=renderer)
    return settings._replace(rendering=rendering)


def cache_folder(root: Path) -> Path | None:
    """Where a run in `root` keeps its renders, if it keeps any.

    It is never in what is checked: whoever may write there could then say what comes of a chart.
    Raises UsageError if it was named nevertheless.
    """
    meta = click.get_current_context().meta
    if meta["qoslint.no_cache"]:
        return None
    named = meta["qoslint.cache_dir"]
    # A user without a home has no cache; Path.expanduser would end the run.
    home = os.path.expanduser("~/.cache")  # noqa: PTH111 - leaves the ~ where there is no home
    homes = [os.environ.get("XDG_CACHE_HOME", ""), home]
    own = (Path(home, "qoslint") for home in homes if home.startswith("/"))
    folder = Path(named) if named is not None else next(own, None)
    if folder is None or not folder.resolve().is_relative_to(root):
        return folder and folder.resolve()
    if named is None:
        return None
    raise UsageError(
        f"the cache folder '{named}' lies in '{root}', which is checked: name one outside"
    )


def color_option(command: _Command) -> _Command:
    """The option --color."""
    return click.option(
        "--color",
        type=click.Choice(("auto", "always", "never")),
        default="auto",
        show_default=True,
        help="Colours in the text format; auto: on a terminal, and as NO_COLOR and FORCE_COLOR "
        "say.",
    )(command)


def usage_option(command: _Command) -> _Command:
    """The option --usage."""
    return click.option(
        "--usage",
        multiple=True,
        metavar="FILE",
        shell_complete=files,
        help="Measured usage: a usage file, a Prometheus result, KRR's JSON, or what "
        "`kubectl top pod --containers` prints.",
    )(command)


def signal_option(command: _Command) -> _Command:
    """The option --signal."""
    from qoslint.kernel.signals import Signal

    return click.option(
        "--signal",
        type=click.Choice([str(each) for each in Signal if each is not Signal.ALLOCATABLE_MEMORY]),
        default=str(Signal.MEMORY),
        show_default=True,
        help="What the node runs out of.",
    )(command)


def scenario_option(command: _Command) -> _Command:
    """The option --scenario of rankings."""
    return click.option(
        "--scenario",
        default=SCENARIO,
        show_default=True,
        callback=scenario_name,
        metavar="peak|requests|usage|leak:WORKLOAD",
        help="What the pods use: all that they may, their requests, what --usage says, or that "
        "(else their requests) but for one that uses all its limits allow.",
    )(command)


def scenario_name(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """The value of --scenario, if it is one."""
    if value in (None, *_SCENARIOS) or (value.startswith("leak:") and value != "leak:"):
        return value
    raise click.BadParameter(f"{value!r} is none of {', '.join(_SCENARIOS)} and leak:WORKLOAD.")


def format_option(command: _Command) -> _Command:
    """The option --format of what people read, paste or process."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(("text", "json", "markdown")),
        default="text",
        show_default=True,
    )(command)


def style(color: str) -> Style:
    """The style that --color asks for: NO_COLOR beats FORCE_COLOR, which beats the terminal."""
    from qoslint.report.style import ANSI, PLAIN_STYLE, Style

    return Style(ANSI) if _colored(color) else PLAIN_STYLE


def _colored(color: str) -> bool:
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (sys.stdout is not None and sys.stdout.isatty())


def tell(notices: Iterable[Notice], coverage: Coverage) -> None:
    """What a result assumes and does not cover, on standard error, nothing of it twice."""
    from qoslint.report.summary import gaps_phrase, missing_phrase

    told = tell_notices(notices)
    if gaps := gaps_phrase(coverage, told):
        unread = sum(coverage.not_understood.values()) - told
        say(f"qoslint: not checked: {gaps}{'.' if unread else ''}{missing_phrase(unread)}")


def tell_notices(notices: Iterable[Notice]) -> int:
    """What a result assumes, on standard error, and how many unread files that tells of."""
    from qoslint.report.summary import missing_phrase, notice_line

    told = 0
    for notice in notices:
        told += notice.unread
        say(f"qoslint: {notice_line(notice)}{missing_phrase(notice.unread)}")
    return told


def json_text(document: object) -> str:
    """A document as JSON, escaped so that no name of a manifest speaks to the terminal."""
    import json

    return json.dumps(document, indent=1).replace("\x7f", "\\u007f") + "\n"


def say(line: str) -> None:
    """Write a line for people to standard error, of which no service takes a part for a command.

    Where that cannot be written, the exit status tells alone.
    """
    from qoslint.report.visible import inert, visible

    with contextlib.suppress(OSError):
        click.echo(inert(visible(line)), err=True)


def show(text: str) -> None:
    """Write a text for people to standard output; no service takes a part of it for a command.

    A document for programs is written by `write` as it is.
    """
    from qoslint.report.visible import inert

    write(inert(text))


def present(document: Json, form: str, color: str, render: Callable[[Json, Style], str]) -> None:
    """Write a document as JSON, or as the text for people that `render` makes of it."""
    if form == "json":
        write(json_text(document))
    else:
        show(render(document, style(color)))


def write(text: str, file: str = "-") -> None:
    """Write a result to standard output (`-`) or, atomically, to a file.

    Raises UsageError for what cannot be written, such as to a full disk.
    """
    content = text.encode("utf-8", "backslashreplace")
    if file == "-":
        if sys.stdout is None:
            return  # closed before the start (`>&-`): nobody reads, and the exit status tells
        try:
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            # The reader has seen enough; let the interpreter's own flush at exit not fail again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise UsageError(f"cannot write to standard output: {error.strerror}") from error
        return
    _replace(file, content)


def _replace(file: str, content: bytes) -> None:
    import tempfile

    from qoslint.settings.paths import leads_out

    target = Path(file)
    if leads_out(target):
        raise UsageError(f"cannot write {file!r}: a symbolic link leads out of the repository")
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(content)  # a device or a pipe, which a file shall not replace
            return
        with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as stream:
            stream.write(content)
        written = Path(stream.name)
        written.chmod(_mode(target))
        written.replace(target)
    except OSError as error:
        raise UsageError(f"cannot write {file!r}: {error.strerror}") from error


def _mode(target: Path) -> int:
    """The mode of the file, or that of a new one: other steps of a job may run as another user."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask

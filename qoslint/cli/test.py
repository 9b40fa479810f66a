"""`qoslint test`: the examples of a rule pack."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from qoslint.cli.options import show
from qoslint.errors import UsageError

if TYPE_CHECKING:
    from qoslint.engine.page import RulePack
    from qoslint.plugins.collect import Plugins


@click.command("test")
@click.argument("folder", metavar="DIR")
@click.option(
    "--package",
    metavar="PACKAGE",
    help="The importable package of the checks; not needed where every page names a `check` of "
    "qoslint itself. No other module is imported for a pack that is not installed.",
)
def command(folder: str, package: str | None) -> int:
    """Run the examples of the rule pages in DIR.

    Beside them only the rules of qoslint itself are run, and what installed plugins know of kinds.
    The exit status is 1 if an example does not show what it says.
    """
    from qoslint.engine.registry import pages
    from qoslint.examples import proof
    from qoslint.model.wording import counted
    from qoslint.plugins.load import installed
    from qoslint.plugins.validate import validate_pack

    if not Path(folder).is_dir():
        raise UsageError(f"{folder!r} is no folder of rule pages")
    everything = installed()
    pack = _pack(Path(folder), package, everything)
    validate_pack(pack)
    plugins = _beside_shipped(pack, everything)
    codes = {page.code for page in pages(plugins.rule_packs)}
    failed = examples = 0
    for page in pack.read():
        _say(page.file)
        for title, complaints in proof(page, codes, plugins):
            _say(f"  {'FAILED' if complaints else 'ok':6}  {title}")
            for complaint in complaints:
                _say(f"    {complaint}")
            examples += 1
            failed += bool(complaints)
    _say(f"{counted(examples, 'example')}, {failed} failed.")
    return int(failed > 0)


def _pack(folder: Path, package: str | None, plugins: Plugins) -> RulePack:
    """The pack in the folder; one that is installed from there is known, and trusted."""
    from qoslint.engine.page import RulePack

    known = [pack.package for pack in plugins.rule_packs if _is(pack, folder)]
    found = package or next(iter(known), "")
    return RulePack(str(folder), folder, found, installed=bool(known))


def _beside_shipped(pack: RulePack, plugins: Plugins) -> Plugins:
    """What the examples are run with: which other packs are installed must not matter to them."""
    from qoslint.plugins.load import shipped

    others = (each for each in shipped().rule_packs if not _is(each, pack.pages))
    return plugins._replace(rule_packs=(*others, pack))


def _is(pack: RulePack, folder: object) -> bool:
    pages = pack.pages
    return isinstance(pages, Path) and isinstance(folder, Path) and pages.samefile(folder)


def _say(line: str) -> None:
    from qoslint.report.visible import visible

    show(f"{visible(line)}\n")

"""`qoslint check --since` and `--staged`: the findings of a change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qoslint.cli.revisions import Wanted, revisions

if TYPE_CHECKING:
    from qoslint.api import Checked
    from qoslint.cli.checkoptions import CheckOptions
    from qoslint.plugins.collect import Plugins


def found_since(since: str | None, asked: CheckOptions, plugins: Plugins) -> Checked:
    """What the change since a revision causes and touches; without one it is what is staged."""
    from qoslint.comparison import check_since

    wanted = Wanted(
        since or "HEAD",
        None,
        asked.paths,
        asked.config,
        asked.settings_from,
        renderer=asked.renderer,
        staged=since is None,
    )
    with revisions(wanted, plugins) as (base, head):
        return check_since(
            base._replace(settings=asked.selected(base.settings)),
            head._replace(settings=asked.selected(head.settings)),
        )

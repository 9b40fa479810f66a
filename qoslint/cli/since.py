"""`qoslint check --since` and `--staged`: the findings of a change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qoslint.cli.revisions import Wanted, revisions

if TYPE_CHECKING:
    from qoslint.cli.checkoptions import CheckOptions
    from qoslint.comparison import CheckedChange
    from qoslint.plugins.collect import Plugins


def found_since(
    since: str | None, until: str | None, asked: CheckOptions, plugins: Plugins
) -> CheckedChange:
    """What the change since a revision causes and touches; without one it is what is staged.

    It goes to the work tree if there is no revision until which it goes.
    """
    from qoslint.comparison import check_since

    wanted = Wanted(
        since or "HEAD",
        until,
        asked.paths,
        asked.config,
        asked.settings_from,
        renderer=asked.renderer,
        staged=since is None,
        baseline=asked.baseline,
    )
    chosen = asked._replace(baseline=None)  # the settings of a revision have read it
    with revisions(wanted, plugins) as (base, head):
        older, newer = (
            each._replace(
                settings=chosen.selected(each.settings), own=each.own and chosen.selected(each.own)
            )
            for each in (base, head)
        )
        return check_since(older, newer)

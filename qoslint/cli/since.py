"""`qoslint check --since`: the findings of a change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from qoslint.cli.revisions import Wanted, revisions

if TYPE_CHECKING:
    from qoslint.api import Checked
    from qoslint.plugins.collect import Plugins
    from qoslint.settings.settings import Settings


def found_since(
    wanted: Wanted, plugins: Plugins, selected: Callable[[Settings], Settings]
) -> Checked:
    """What the change causes and touches; `selected` applies what the command line selects."""
    from qoslint.comparison import check_since

    with revisions(wanted, plugins) as (base, head):
        return check_since(
            base._replace(settings=selected(base.settings)),
            head._replace(settings=selected(head.settings)),
        )

"""QOS153: annotations of injected containers leave the pod short of Guaranteed."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.model.effective import Admitted
from qoslint.model.injected import Breaking, breaking
from qoslint.model.injection import Acting, Asked
from qoslint.model.wording import listing, obstacle_phrase, resource_name


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for each injected container that still breaks the class."""
    found = breaking(admitted)
    if not any(each.acting.given for each in found):
        return
    for each in found:
        by = each.acting.injector.name
        yield Problem(
            admitted.place_of(_annotated(admitted, each.acting)),
            f"{_given(each)}, but container {each.container.name!r} that {by} adds "
            f"has {listing(map(obstacle_phrase, each.obstacles))}, so {OBJECT} is Burstable "
            f"instead of Guaranteed. {_help(each)}",
        )


def _annotated(admitted: Admitted, acting: Acting) -> Asked:
    """The first annotation of sizes on the pod itself, else what asks for the injection."""
    own = (key for key in admitted.workload.pod_annotations if key in acting.given)
    key = next(own, None)
    return acting.asked if key is None else Asked(("annotations", key))


def _given(each: Breaking) -> str:
    given = sorted(each.acting.given)
    if not given:
        return "Annotations set other sizes"
    verb = "sets" if len(given) == 1 else "set"
    noun = "Annotation" if len(given) == 1 else "Annotations"
    return f"{noun} {listing(given)} {verb} sizes"


def _help(each: Breaking) -> str:
    missing = [key for key in each.annotations if key not in each.acting.given]
    unset = listing(map(resource_name, each.unset)) if each.unset else ""
    if unset:
        return f"No annotation sets its {unset}; the injector's own configuration has to."
    if missing:
        return f"Missing: {', '.join(missing)}."
    return "Requests and limits must be equal."

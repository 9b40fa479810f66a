"""The smallest changes that give pods a later rank, against every change that there is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from qoslint.kernel.eviction import rank
from qoslint.kernel.quantity import new_quantity, parse
from qoslint.kernel.signals import Signal
from qoslint.model.contenders import UNLIMITED, Contender, peak
from qoslint.model.later import later_by_priority, later_by_request
from qoslint.model.ranking import ranking
from qoslint.model.usage import Usage

BYTES = [Signal.MEMORY, Signal.NODEFS]
SIGNALS = [*BYTES, Signal.NODEFS_INODES, Signal.PID]
MOST = 14
"""Above all requests and usages of the pods, in bytes, so that no larger one is another case."""
HIGHEST = 1_000_000_000


@st.composite
def pods(draw):
    def pod():
        usage = draw(st.integers(0, 6))
        request = draw(st.sampled_from(["0", "1", "2", "3", "4", "500m", "2999m"]))
        priority = draw(st.sampled_from([0, 0, 0, 1, -1, 3, HIGHEST, 2 * HIGHEST]))
        return Contender(Usage(usage, usage), parse(request), priority, priority > HIGHEST)

    found = [pod() for _ in range(draw(st.integers(1, 5)))]
    own = draw(st.sets(st.integers(0, len(found) - 1), min_size=1, max_size=2))
    of_template = found[min(own)]
    for index in own:
        found[index] = of_template._replace(usage=found[index].usage)
    return tuple(found), own


def place(contenders, own, signal):
    """The place of the first of the pods among the others, and whether it ties with one."""
    groups = rank([each.at(each.usage.lo) for each in contenders], signal)
    before = 0
    for group in groups:
        if own & {*group}:
            return before + 1, not {*group} <= own
        before += len(group)
    raise AssertionError(own)


def tried(contenders, own, signal, values, change):
    """Each value with the place that it gives, if that is a later one."""
    now, _ = place(contenders, own, signal)
    for value in values:
        changed = [change(e, value) if i in own else e for i, e in enumerate(contenders)]
        position, tie = place(changed, own, signal)
        if position > now:
            yield value, position, tie


def expected(found):
    found = list(found)
    if not found:
        return None
    latest = max(position for _, position, _ in found)
    return found[0], next(each for each in found if each[1] == latest)


@given(pods(), st.sampled_from(SIGNALS), st.none() | st.integers(0, MOST))
def test_a_larger_request_is_the_smallest_of_all_that_fit(node, signal, most):
    contenders, own = node
    found = ranking(contenders, signal, UNLIMITED, peak())
    if signal not in BYTES:
        assert later_by_request(found, own, most) is None
        return
    now = max(contenders[index].request.nanos for index in own) // 10**9
    every = tried(
        contenders, own, signal, range(now + 1, MOST if most is None else most + 1),
        lambda each, value: each._replace(request=new_quantity(value, each.request.format)),
    )  # fmt: skip
    assert later_by_request(found, own, most) == expected(every)


@given(pods(), st.sampled_from(SIGNALS))
def test_a_higher_priority_is_the_smallest_of_all_that_are_tried(node, signal):
    contenders, own = node
    found = ranking(contenders, signal, UNLIMITED, peak())
    now = max(contenders[index].priority for index in own)
    values = [each for each in (*range(-2, 6), HIGHEST) if each > now]
    every = tried(
        contenders, own, signal, values, lambda each, value: each._replace(priority=value)
    )
    assert later_by_priority(found, own) == expected(every)

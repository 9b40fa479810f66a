"""Who may swap on a node with LimitedSwap."""

import pytest

from qoslint.kernel.features import features
from qoslint.kernel.pod import Container, Pod, ResourceList, Resources
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.quantity import parse
from qoslint.kernel.swap import NoSwap, no_swap

BURSTABLE = QOSClass.BURSTABLE


def container(request, limit):
    given = {"requests": request, "limits": limit}
    lists = {
        name: ResourceList({"memory": parse(text)} if text else {}) for name, text in given.items()
    }
    return Container(name="app", resources=Resources(**lists))


@pytest.mark.parametrize(
    ("request_", "limit", "why"),
    [
        ("1Gi", "2Gi", None),
        ("1Gi", None, None),
        ("1Gi", "1024Mi", NoSwap.EQUAL),
        (None, None, NoSwap.NO_MEMORY),
        ("0", "1Gi", NoSwap.NO_MEMORY),
    ],
)
def test_a_burstable_container_swaps_by_its_request(request_, limit, why):
    each = container(request_, limit)
    assert no_swap(Pod(containers=(each,)), each, BURSTABLE, features("1.36")) is why


def test_other_classes_and_critical_pods_never_swap():
    each = container("1Gi", "2Gi")
    pod = Pod(containers=(each,))
    assert no_swap(pod, each, QOSClass.GUARANTEED, features("1.36")) is NoSwap.CLASS
    critical = pod._replace(priority=2_000_000_000)
    assert no_swap(critical, each, BURSTABLE, features("1.36")) is NoSwap.CRITICAL


def test_nothing_swaps_with_the_gate_off():
    each = container("1Gi", "2Gi")
    off = features("1.31", {"NodeSwap": False})
    assert no_swap(Pod(containers=(each,)), each, BURSTABLE, off) is NoSwap.GATE

"""Ramps as people write them."""

import pytest

from qoslint.errors import UsageError
from qoslint.kernel.ramps import Ramp
from qoslint.model.growth import Growth, growth, last_second, ramp

MI = 2**20


def test_a_ramp_has_a_start_a_target_and_a_rate():
    assert ramp("900Mi..2Gi@10Mi/s") == Ramp(900 * MI, 2048 * MI, 10 * MI)
    assert ramp("2Gi..900Mi@10Mi/s") == Ramp(2048 * MI, 900 * MI, 10 * MI)


def test_without_a_rate_it_jumps_within_a_second():
    jump = ramp("1Gi..2Gi")
    assert (jump.at(0), jump.at(1), last_second(jump)) == (1024 * MI, 2048 * MI, 1)


def test_one_amount_stays():
    assert ramp("512Mi") == Ramp(512 * MI, 512 * MI)
    assert last_second(ramp("512Mi")) == 0


def test_the_last_second_is_the_one_in_which_the_target_is_reached():
    slow = ramp("0..25Mi@10Mi/s")
    assert [slow.at(second) // MI for second in range(last_second(slow) + 1)] == [0, 10, 20, 25]


def test_a_part_of_a_byte_counts_as_one():
    assert ramp("1500m") == Ramp(2, 2)


@pytest.mark.parametrize(
    ("text", "workload", "container"),
    [
        ("shop/Deployment/api=1Gi", "shop/Deployment/api", None),
        ("api:app=1Gi", "api", "app"),
    ],
)
def test_what_grows_is_a_workload_or_a_container_of_its_pods(text, workload, container):
    assert growth(text) == Growth(workload, container, ramp("1Gi"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("api", "a ramp is written WORKLOAD=FROM..TO@RATE"),
        ("=1Gi", "a ramp is written"),
        ("api:=1Gi", "a ramp is written"),
        ("api=", "'' in '' is no amount"),
        ("api=1Gi..", "'' in '1Gi..' is no amount"),
        ("api=1Gi@1Mi/s", "leads from one amount to another"),
        ("api=1Gi..2Gi@1Mi", "a rate is written as 10Mi/s, not '1Mi'"),
        ("api=1Gi..2Gi@0/s", "at a rate of zero nothing grows"),
        ("api=-1Gi", "'-1Gi' in '-1Gi' is no amount of memory"),
        ("api=9E..10E", "'10E' in '9E..10E' is no amount of memory"),
        ("api=1Gi..lots", "'lots' in '1Gi..lots' is no amount"),
        ("api=" + "9" * 5000, "is no amount"),
    ],
)
def test_what_is_no_ramp_is_refused_in_a_sentence(text, message):
    with pytest.raises(UsageError) as caught:
        growth(text)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 2000

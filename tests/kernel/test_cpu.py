"""CPU shares, weight and quota against every cpu vector."""

from __future__ import annotations

import pytest

from qoslint.kernel.cgroup import cpu_shares_to_weight, milli_cpu_to_quota, milli_cpu_to_shares


@pytest.mark.vectors("cpu")
def test_shares_weight_and_quota_are_as_kubernetes_answers(vectors):
    vectors.check(answer)


def answer(row):
    milli_cpu = row["in"]["milliCPU"]
    shares = milli_cpu_to_shares(milli_cpu)
    return {
        "shares": shares,
        "weight": cpu_shares_to_weight(shares),
        "quota": milli_cpu_to_quota(milli_cpu),
    }


def test_a_limit_without_cfs_quota_sets_none():
    assert milli_cpu_to_quota(500, None) == 0


def test_a_shorter_period_shortens_the_quota_down_to_a_millisecond():
    assert [milli_cpu_to_quota(milli, 20_000) for milli in (500, 10)] == [10_000, 1000]

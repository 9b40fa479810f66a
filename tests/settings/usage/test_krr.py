"""KRR's JSON."""

import pytest


def scan(value=209715200.0, **about):
    resources = {
        "cpu": {"value": 0.25, "severity": "OK"},
        "memory": {"value": value, "severity": "WARNING"},
    }
    return {
        "object": {
            "cluster": "prod", "namespace": "shop", "kind": "Deployment", "name": "api",
            "container": "main", "pods": [{"name": "api-1", "deleted": False}], **about,
        },
        "recommended": {"requests": resources, "limits": resources, "info": {"memory": None}},
        "severity": "WARNING",
    }  # fmt: skip


def result(*scans, strategy="Simple"):
    return {"scans": list(scans), "score": 50, "strategy": {"name": strategy, "settings": {}}}


def test_the_recommended_memory_is_the_most_that_any_pod_used(usage):
    assert usage.rows(result(scan())) == [
        ("shop", "Deployment", "api", "main", "memory", 0, 209715200)
    ]


def test_an_older_krr_writes_the_value_alone(usage):
    older = scan()
    older["recommended"]["requests"]["memory"] = 100e6
    assert usage.rows(result(older))[0][5:] == (0, 100_000_000)


def test_scans_without_data_are_counted(usage):
    data = result(scan("?"), scan(None, name="web"), scan(name="db"))
    assert [row[2] for row in usage.rows(data)] == ["db"]
    (notice,) = usage.notices(data)
    assert notice.startswith("24: KRR recommends no memory for 2 of its scans, for want of data")


def test_jobs_that_share_a_label_are_no_workload(usage):
    data = result(scan(kind="GroupedJob"))
    assert usage.rows(data) == []
    assert "it is of several Jobs together." in usage.notices(data)[0]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (result(strategy="custom"), "strategy.name is 'custom': only the memory that simple and"),
        ({"scans": []}, "the file has `scans`, as those of KRR, and no strategy"),
        ({**result(), "scans": {}}, "u:2: scans must be a list"),
        (result(7), "u:3: scans[0].object must be a mapping"),
        (result(scan(name=None)), "u:8: scans[0].object.name must be a name"),
        (result({**scan(), "recommended": {}}), "scans[0].recommended.requests must be a mapping"),
        (result(scan(True)), "requests.memory.value must be a number of bytes, '?' or null"),
        (result(scan("NaN")), "requests.memory.value must be a number of bytes, '?' or null"),
        (result(scan(-1.0)), "must not be negative"),
        (result(scan(), scan(cluster="test")), "of several clusters, 'prod' and 'test'"),
    ],
)
def test_a_result_that_says_nothing_is_refused(usage, data, says):
    assert says in usage.error(data)

"""Answers of Prometheus' query API."""

import pytest

from qoslint.model.measured.record import Resource

METRIC = "container_memory_working_set_bytes"


def labels(**more):
    named = {"__name__": METRIC, "namespace": "shop", "pod": "api-0", "container": "main", **more}
    return {key: value for key, value in named.items() if value is not None}


def answer(*series, type="vector"):
    return {"status": "success", "data": {"resultType": type, "result": list(series)}}


def vector(value, **more):
    return answer({"metric": labels(**more), "value": [1700000000.123, value]})


def test_a_vector_has_one_value_a_series(usage):
    assert usage.rows(vector("1048576")) == [
        ("shop", "Pod", "api-0", "main", "memory", 1048576, 1048576)
    ]


def test_a_matrix_has_the_least_and_the_most_of_its_samples(usage):
    series = {"metric": labels(), "values": [[1, "30"], [2, "10"], [3, "20"]]}
    (row,) = usage.rows(answer(series, type="matrix"))
    assert row[5:] == (10, 30)


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("1.2345e+08", 123450000),
        ("1.2345678e+06", 1234568),
        ("9007199254740993", 9007199254740993),
        ("9.223372036854775807e18", 2**63 - 1),
        ("0.1", 1),
        ("0", 0),
    ],
)
def test_a_value_is_read_exactly_and_fractions_are_rounded_up(usage, text, exact):
    (row,) = usage.rows(vector(text))
    assert row[5:] == (exact, exact)


@pytest.mark.parametrize(
    "text", ["NaN", "+Inf", "-Inf", "1Ki", "1m", "", "0x10", "1_000", "\u0661"]
)
def test_what_is_no_finite_number_is_refused_at_its_line(usage, text):
    message = usage.error(vector(text))
    assert message == (f"u:15: data.result[0].value[1] must be a finite number, not {text!r}")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1e2147483650", "an exponent beyond 1000"),
        ("1" * 3000, "more than 1000 digits"),
        ("1e19", "more than the kubelet can count"),
        ("-1", "must not be negative"),
    ],
)
def test_hostile_numbers_are_refused(usage, text, says):
    message = usage.error(vector(text))
    assert says in message
    assert len(message) < 300


def test_the_cgroup_of_a_pod_has_no_container_and_its_sandbox_has_an_image(usage):
    found = [
        usage.rows(vector("1", container="", image="", name=""))[0][3],
        usage.rows(vector("1", container=None))[0][3],
        usage.rows(vector("1", container="", image="registry.k8s.io/pause:3.9"))[0][3],
        usage.rows(vector("1", container="POD"))[0][3],
    ]
    assert found == [None, None, "POD", "POD"]


def test_a_namespace_may_be_missing(usage):
    assert usage.rows(vector("1", namespace=None))[0][:3] == (None, "Pod", "api-0")


def test_series_without_a_pod_are_counted(usage):
    data = answer(
        {"metric": {"__name__": METRIC, "id": "/"}, "value": [1, "5"]},
        {"metric": labels(), "value": [1, "5"]},
    )
    assert len(usage.rows(data)) == 1
    assert usage.notices(data) == [
        "6: 1 of 2 series have no label `pod` and are not used: they are of other processes of a "
        "node, or of many pods together."
    ]


def test_an_empty_answer_says_so(usage):
    assert usage.notices(answer()) == ["5: Prometheus found no series, so that no usage is known."]


def test_a_function_leaves_out_the_metric_so_that_it_must_be_named(usage):
    data = vector("1", __name__=None)
    assert usage.error(data).startswith("u:7: data.result[0].metric names no metric")
    assert usage.rows(data, Resource.PROCESSES)[0][4] == "processes"
    assert usage.rows(vector("0.25", __name__=None, resource="cpu"))[0][4:] == ("cpu", 250, 250)


@pytest.mark.parametrize(
    ("metric", "says"),
    [
        ("container_memory_usage_bytes", "counts page cache that is not in use"),
        ("container_cpu_usage_seconds_total", "it is a counter: query its rate"),
        ("container_proceses", "did you mean 'container_processes'?"),
    ],
)
def test_a_metric_that_the_kubelet_does_not_rank_by_is_refused(usage, metric, says):
    assert says in usage.error(vector("1", __name__=metric))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            {"status": "error", "errorType": "bad_data", "error": "parse error"},
            "u:4: Prometheus answered with an error: parse error",
        ),
        ({"status": "success"}, "u:2: data must be a mapping, as Prometheus writes it"),
        (
            {"status": "success", "data": {"resultType": "scalar", "result": [1, "1"]}},
            "u:4: data.resultType must be 'vector' or 'matrix', not 'scalar': select series by pod",
        ),
        (answer(5), "u:6: data.result[0].metric must be a mapping of labels"),
        (
            answer({"metric": labels(), "histograms": []}),
            "u:6: data.result[0] has no samples: native histograms are not read",
        ),
        (
            answer({"metric": labels(), "values": []}),
            "u:13: data.result[0].values must be a list of samples",
        ),
        (
            answer({"metric": labels(), "value": [1, 5]}),
            "u:15: data.result[0].value[1] must be a number in quotes, not 5",
        ),
        (
            answer({"metric": labels(), "value": 5}),
            "u:13: data.result[0].value must be a time and a value",
        ),
    ],
)
def test_an_answer_of_another_shape_is_refused_at_its_line(usage, data, message):
    assert usage.error(data) == message

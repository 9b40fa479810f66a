"""What kubectl top prints."""

import pytest

MI = 2**20

TABLE = """\
POD                    NAME          CPU(cores)   MEMORY(bytes)
api-5f7d8c9b4-x2k4z    main          12m          250Mi
api-5f7d8c9b4-x2k4z    istio-proxy   3m           0Mi
"""

ROWS = [
    (None, "Pod", "api-5f7d8c9b4-x2k4z", "main", "cpu", 12, 12),
    (None, "Pod", "api-5f7d8c9b4-x2k4z", "main", "memory", 250 * MI, 251 * MI - 1),
    (None, "Pod", "api-5f7d8c9b4-x2k4z", "istio-proxy", "cpu", 3, 3),
    (None, "Pod", "api-5f7d8c9b4-x2k4z", "istio-proxy", "memory", 0, MI - 1),
]


def test_mebibytes_are_printed_with_their_fraction_cut_off(usage):
    assert usage.rows(TABLE) == ROWS


def test_a_table_may_have_no_headers(usage):
    assert usage.rows("".join(TABLE.splitlines(keepends=True)[1:])) == ROWS


def test_windows_ends_lines_with_a_return(usage):
    assert usage.rows(TABLE.replace("\n", "\r\n")) == ROWS


@pytest.mark.parametrize("header", ["NAMESPACE POD NAME CPU(cores) MEMORY(bytes)\n", ""])
def test_all_namespaces_are_a_column(usage, header):
    (_, memory) = usage.rows(header + "shop  api-0  main  1m  2Mi\n")
    assert memory == ("shop", "Pod", "api-0", "main", "memory", 2 * MI, 3 * MI - 1)


def test_without_containers_it_is_of_whole_pods(usage):
    text = "NAMESPACE NAME CPU(cores) MEMORY(bytes)\nshop api-0 1m 2Mi\n"
    assert [row[:4] for row in usage.rows(text)] == [("shop", "Pod", "api-0", None)] * 2


def test_the_sum_of_all_is_of_no_pod(usage):
    text = TABLE + " " * 37 + "________     ________\n" + " " * 37 + "15m          250Mi\n"
    assert usage.rows(text) == ROWS


def test_swap_is_not_memory(usage):
    text = "POD NAME CPU(cores) MEMORY(bytes) SWAP(bytes)\na b 1m 2Mi 900Mi\n"
    assert [row[5] for row in usage.rows(text)] == [1, 2 * MI]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TABLE + "a b 1m\n", "u:4: the line has 3 columns, and the first has 4"),
        (
            "NAME CPU(cores) CPU(%) MEMORY(bytes) MEMORY(%)\nn1 5m 1% 3Mi 2%\n",
            "u:1: the columns must be those of `kubectl top pod --containers`, "
            "POD NAME CPU(cores) MEMORY(bytes), not NAME CPU(cores) CPU(%) MEMORY(bytes) MEMORY(%)",
        ),
        (TABLE + "a b 1m -2Mi\n", "u:4: MEMORY(bytes) must not be negative, not '-2Mi'"),
    ],
)
def test_a_line_that_cannot_be_read_is_told(usage, text, message):
    assert usage.error(text) == message


def test_a_missing_value_is_told(usage):
    assert usage.error(TABLE + "a b <unknown> 2Mi\n").startswith("u:4: CPU(cores) is no quantity")


def test_a_measurement_tells_its_line(usage):
    file = usage.file(TABLE)
    assert [file.line(each.place.path) for each in file.usages] == [2, 2, 3, 3]


def test_a_table_of_very_many_lines_is_refused(usage):
    assert usage.error("a b 1m 2Mi\n" * 100_002) == (
        "u: the table has more than 100,000 lines; print it by namespace"
    )

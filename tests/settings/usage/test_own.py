"""qoslint's own file of measured usage."""

import pytest

MI = 2**20


def test_a_single_value_is_the_least_and_the_most(usage):
    assert usage.rows("usage: {shop/Deployment/api: {memory: 300Mi}}") == [
        ("shop", "Deployment", "api", None, "memory", 300 * MI, 300 * MI)
    ]


def test_an_interval_may_lack_an_end(usage):
    text = """
        usage:
          shop/Deployment/api:
            memory: {min: 200Mi, max: 400Mi}
            inodes: {max: 5k}
            processes: {min: 3}
    """
    assert [row[4:] for row in usage.rows(text)] == [
        ("memory", 200 * MI, 400 * MI),
        ("inodes", 0, 5000),
        ("processes", 3, None),
    ]


def test_containers_state_their_own(usage):
    text = """
        usage:
          shop/StatefulSet/db:
            ephemeral-storage: 1Gi
            containers:
              main: {memory: 1.5, cpu: 0.2501}
    """
    assert [row[3:] for row in usage.rows(text)] == [
        (None, "ephemeral-storage", 2**30, 2**30),
        ("main", "memory", 2, 2),
        ("main", "cpu", 251, 251),
    ]


MISTAKES = {
    "memroy: 1Gi": (
        "3: unknown key 'memroy' in usage[shop/Deployment/api], did you mean 'memory'?"
    ),
    "memory: {mim: 1}": (
        "3: unknown key 'mim' in usage[shop/Deployment/api].memory, did you mean 'min'?"
    ),
    "memory: 1 GB": "3: usage[shop/Deployment/api].memory is no quantity: quantities must match"
    " the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    "memory: -1Gi": "3: usage[shop/Deployment/api].memory must not be negative, not '-1Gi'",
    "memory: 1e30": (
        "3: usage[shop/Deployment/api].memory is 1e+30, more than the kubelet can count"
    ),
    "memory: {min: 2Gi, max: 1Gi}": "3: usage[shop/Deployment/api].memory has a min of '2Gi', "
    "which is above its max of '1Gi'",
    "memory: 1e99999": "3: usage[shop/Deployment/api].memory is no quantity: quantities of more "
    "than 1000 digits, or with an exponent beyond 1000, are not evaluated",
}


@pytest.mark.parametrize(("line", "message"), MISTAKES.items())
def test_a_mistake_is_told_with_its_line(usage, line, message):
    assert usage.error(f"usage:\n  shop/Deployment/api:\n    {line}\n") == f"u:{message}"


def test_a_key_names_namespace_kind_and_name(usage):
    assert usage.error("usage:\n  api: {memory: 1Gi}\n") == (
        "u:2: key in usage must look like 'shop/Deployment/api', not 'api'"
    )


def test_a_key_twice_is_an_error(usage):
    text = "usage:\n  a/Pod/b: {memory: 1}\n  a/Pod/b: {memory: 2}\n"
    assert usage.error(text).startswith("u:3: ")


def test_aliases_cannot_make_it_take_long(usage):
    text = "x: &a {memory: 1}\ny: &b [*a" + ", *a" * 300 + "]\nusage:\n"
    text += "".join(f"  a/Pod/p{n}: *b\n" for n in range(900))
    assert usage.error(text).startswith("u:")

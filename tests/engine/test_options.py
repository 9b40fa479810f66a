"""Options of rules: typed by their page, validated at their line, given to the check."""

import pytest

from qoslint.engine.options import Option, option_errors, resolved
from qoslint.kernel.quantity import parse
from qoslint.model.podselector import PodSelector

DECLARED = {
    "floor": Option("4Mi", "quantity"),
    "ratio": Option(2, "integer"),
    "strict": Option(False, "boolean"),
    "names": Option([], "strings"),
    "pods": Option(["kind=StatefulSet"], "selectors"),
    "policy": Option("ignore", "choice", ("ignore", "required", "forbidden")),
}


def test_what_is_not_given_has_its_default():
    assert resolved(DECLARED, {}) == {
        "floor": parse("4Mi"),
        "ratio": 2,
        "strict": False,
        "names": (),
        "pods": (PodSelector(kind="StatefulSet"),),
        "policy": "ignore",
    }


def test_what_is_given_counts_and_is_parsed():
    given = {"floor": "1Gi", "names": ["a"], "policy": "required"}
    assert list(option_errors(DECLARED, given)) == []
    options = resolved(DECLARED, given)
    assert (options["floor"], options["names"], options["policy"]) == (
        parse("1Gi"),
        ("a",),
        "required",
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"flor": "1Mi"}, "is no option of the rule, did you mean 'floor'?"),
        ({"floor": "1 MB"}, "must be a quantity: "),
        ({"ratio": "2"}, "must be a whole number"),
        ({"ratio": True}, "must be a whole number"),
        ({"strict": 1}, "must be true or false"),
        ({"names": "a"}, "must be a list of strings"),
        ({"pods": "kind=Job"}, "must be a list of selectors such as kind=StatefulSet"),
        ({"pods": ["knd=Job"]}, "must be a list of selectors, and one selects by 'knd', and only"),
        (
            {"pods": [1]},
            "must be a list of selectors, and one is '1', which is no selector such as",
        ),
        ({"policy": "require"}, "must be one of ignore, required, forbidden, did you mean"),
        ({"policy": 1}, "must be one of ignore, required, forbidden"),
    ],
)
def test_what_does_not_fit_is_said(given, message):
    (error,) = option_errors(DECLARED, given)
    assert error.message.startswith(message)
    assert error.name in given

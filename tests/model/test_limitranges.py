"""LimitRanges that hold together, and what a bare container gets from them."""

import pytest

from qoslint.model.limitranges import disagreements, refused_defaults, ruled

RANGE = """\
apiVersion: v1
kind: LimitRange
metadata: {{name: {name}{namespace}}}
spec: {{limits: [{{type: Container, {item}}}]}}
"""


def limit_range(name, item, namespace=""):
    return RANGE.format(name=name, item=item, namespace=namespace and f", namespace: {namespace}")


@pytest.fixture
def found(repository):
    def run(files):
        for path, texts in files.items():
            repository.write(path, *texts)
        (cluster,) = repository.assemble()[0].values()
        return list(ruled(cluster))

    return run


def names(each):
    return [obj.name for obj in each.given.limit_ranges]


def test_those_of_a_namespace_hold_together_wherever_they_are(found):
    a, b = limit_range("a", "max: {cpu: 1}", "shop"), limit_range("b", "max: {cpu: 2}", "shop")
    (shop,) = found({"one/a.yaml": [a], "two/b.yaml": [b]})
    assert (shop.namespace, names(shop)) == ("shop", ["a", "b"])


def test_without_a_namespace_only_those_of_one_file_certainly_hold_together(found):
    a, b, c = (limit_range(name, "max: {cpu: 1}") for name in "abc")
    assert list(map(names, found({"x/ab.yaml": [a, b], "x/c.yaml": [c]}))) == [["a", "b"], ["c"]]


def test_equal_amounts_in_other_words_do_not_disagree(found):
    a = limit_range("a", "default: {cpu: 1, memory: 1Gi}")
    b = limit_range("b", "default: {cpu: 1000m, memory: 2Gi}")
    (each,) = found({"ab.yaml": [a, b]})
    assert set(disagreements(each)) == {("requests", "memory"), ("limits", "memory")}


@pytest.mark.parametrize(
    ("item", "refused"),
    [
        ("maxLimitRequestRatio: {cpu: 2}", 0),
        ("min: {cpu: 100m}, maxLimitRequestRatio: {cpu: 2}", 0),
        ("max: {cpu: 1}, defaultRequest: {cpu: 100m}, maxLimitRequestRatio: {cpu: 2}", 1),
        ("default: {cpu: 0}, maxLimitRequestRatio: {cpu: 2}", 1),
        ("default: {hugepages-2Mi: 3Mi, cpu: 1}", 2),
        ("default: {hugepages-2Mi: 4Mi, cpu: 1}", 0),
    ],
)
def test_what_is_missing_may_be_meant_to_be_refused_but_no_default_is(found, item, refused):
    (each,) = found({"a.yaml": [limit_range("a", item)]})
    assert len(list(refused_defaults(each))) == refused

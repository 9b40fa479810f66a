"""What `qoslint diff` says of documents that are long, or whose names come from strangers."""

import pytest

from qoslint.report.changes import render
from qoslint.report.changes_markdown import render_markdown
from qoslint.report.escape import MOST_CHARACTERS
from qoslint.report.style import PLAIN_STYLE


def at(file="a.yaml", line=1):
    return {"revision": "head", "file": file, "line": line, "column": 1}


def difference(field, container=None, kind=None, before="1Gi", after="2Gi"):
    return {
        "field": field,
        "container": container,
        "containerType": kind,
        "node": None,
        "before": before,
        "after": after,
    }


def workload(name, causes=(0,), differences=None, fate="kept", file="a.yaml"):
    return {
        "cluster": "prod",
        "namespace": "shop",
        "kind": "Deployment",
        "name": name,
        "fate": fate,
        "was": f"shop/Deployment/{name}",
        "at": at(file),
        "before": None,
        "after": None,
        "differences": [difference("qosClass")] if differences is None else differences,
        "causes": list(causes),
        "expectations": [],
        "resize": None,
        "ranks": [],
    }


def changes(workloads, causes=1, name="PriorityClass low"):
    edit = {"field": "value", "before": "1", "after": None, "at": at("base.yaml")}
    told = [
        {
            "kind": "PriorityClass",
            "name": name,
            "what": "changed",
            "edits": [edit],
            "workloads": [each for each in workloads if number in each["causes"]],
        }
        for number in range(causes)
    ]
    return {
        "schemaVersion": 1,
        "base": {"name": "main", "commit": "0123456789abcdef"},
        "head": {"name": "", "commit": None},
        "causes": told,
        "workloads": workloads,
        "nodes": [],
        "unchanged": 3,
    }


def rows(page):
    return [line for line in page.splitlines() if line.startswith("| Deployment")]


def test_the_page_has_a_row_for_each_workload_and_an_item_for_each_cause():
    assert render_markdown(changes([workload("api")])) == (
        """\
<!-- qoslint diff -->
### From main (0123456789ab) to the work tree

**1 workload changed, 3 unchanged.**

| workload | what changes | where |
|---|---|---|
| Deployment shop/api | class: 1Gi → 2Gi | a.yaml:1 |

**Causes**

- PriorityClass low changed (base.yaml:1): changes 1 workload; value: 1 → none (base.yaml:1)
"""
    )


def test_a_page_of_no_changes_has_no_table():
    assert render_markdown(changes([], causes=0)).splitlines()[2:] == [
        "",
        "**Class, admission, priority, resources, scores and order of eviction stay as they are in "
        "3 workloads; nothing else is compared.**",
    ]


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("@team", "<span>@</span>team"),
        ("#12", r"<span>\#</span>12"),
        ("https://x", r"https\://x"),
        ("[x](y)", r"\[x\](y)"),
        ("a|b", r"a\|b"),
        ("<b>", r"\<b\>"),
    ],
)
def test_no_name_in_the_page_is_markup_or_calls_anybody(hostile, shown):
    differences = [difference(hostile), difference("requests.memory", hostile, "init")]
    page = render_markdown(
        changes([workload(hostile, differences=differences, file=f"{hostile}.yaml")], name=hostile)
    )
    assert hostile not in page.replace(shown, "")
    assert page.count(shown) == 5


def test_a_page_is_no_longer_than_a_comment_may_be_and_counts_what_it_lacks():
    many = [workload(f"{'x' * 900}-{number}", causes=[number]) for number in range(200)]
    page = render_markdown(changes(many, causes=200))
    shown = len(rows(page))
    assert 10 < shown < 100
    assert len(page) < MOST_CHARACTERS
    assert f"\n{200 - shown} more workloads not shown here.\n" in page
    assert page.endswith("- and 100 more\n")


def test_one_workload_that_changes_without_end_does_not_hide_the_others():
    large = workload("a", differences=[difference(f"field-{n}") for n in range(5000)])
    page = render_markdown(changes([large, workload("b")]))
    assert len(rows(page)) == 2
    assert rows(page)[0].endswith(" more changes | a.yaml:1 |")


def test_a_container_is_named_as_what_it_is():
    differences = [
        difference("requests.memory", "setup", "init"),
        difference("requests.memory", "proxy", "sidecar"),
        difference("requests.memory", "app", "container"),
    ]
    lines = render(changes([workload("api", differences=differences)]), PLAIN_STYLE).splitlines()
    assert lines[5:8] == [
        "    init container 'setup' requests.memory: 1Gi → 2Gi",
        "    sidecar 'proxy' requests.memory: 1Gi → 2Gi",
        "    container 'app' requests.memory: 1Gi → 2Gi",
    ]


def test_what_a_cause_before_only_counted_is_told_with_the_next_and_no_list_is_endless():
    text = render(changes([workload(f"w{n:03}", [0, 1]) for n in range(160)], 2), PLAIN_STYLE)
    first, second = (part.splitlines() for part in text.split("\n\n")[1:3])
    assert [line for line in first if line.startswith("  and")] == ["  and 110 more"]
    told = [line.split()[1] for line in (*first, *second) if line.endswith("a.yaml:1")]
    assert told == [f"shop/w{n:03}" for n in range(100)]
    above = [line.split()[1].rstrip(":") for line in second if line.endswith(": see above")]
    assert above == [f"shop/w{n:03}" for n in range(50)]
    assert "  and 60 more" in second

"""Objects of documents, of lists and of OpenShift Templates; hostile documents too."""

import pytest

from qoslint.finding import ObjectId, Part, Place
from qoslint.model.objects import text_map
from qoslint.span import value_at


@pytest.fixture
def names(objects_of):
    """Gives kind, namespace, name and root path of each object of a text."""
    return lambda text: [
        (thing.kind, thing.namespace, thing.name, thing.id.root) for thing in objects_of(text)
    ]


def test_a_document_is_one_object(names):
    assert names("apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: ns}") == [
        ("Pod", "ns", "a", ())
    ]


def test_each_document_of_a_file_has_its_number(objects_of):
    first, second = objects_of("kind: A\n---\nkind: B\n")
    assert (first.id, second.id) == (ObjectId("a.yaml", 0, ()), ObjectId("a.yaml", 1, ()))


def test_items_of_a_list_are_objects_with_their_path(names):
    text = """
        apiVersion: v1
        kind: List
        items:
          - {apiVersion: v1, kind: Pod, metadata: {name: a}}
          - {apiVersion: apps/v1, kind: Deployment, metadata: {name: b}}
        """
    assert names(text) == [
        ("Pod", None, "a", ("items", 0)),
        ("Deployment", None, "b", ("items", 1)),
    ]


def test_items_of_a_typed_list_get_its_kind(objects_of):
    text = "{apiVersion: apps/v1, kind: DeploymentList, items: [{metadata: {name: a}}]}"
    (thing,) = objects_of(text)
    assert (thing.api_version, thing.kind) == ("apps/v1", "Deployment")


def test_a_list_in_a_list_is_flattened(names):
    text = """
        kind: List
        items:
          - kind: List
            items: [{kind: Pod, metadata: {name: a}}]
        """
    assert names(text) == [("Pod", None, "a", ("items", 0, "items", 0))]


def test_a_kind_that_ends_in_list_without_items_is_an_object(names):
    assert names("{kind: AllowList, metadata: {name: a}}") == [("AllowList", None, "a", ())]


def test_lists_without_end_are_cut_off(objects_of):
    text = "{kind: List, items: [" * 60 + "{kind: Pod}" + "]}" * 60
    assert [thing.kind for thing in objects_of(text)] == ["List"]


def test_objects_of_an_openshift_template_are_marked(objects_of):
    text = """
        apiVersion: template.openshift.io/v1
        kind: Template
        metadata: {name: t}
        objects:
          - {apiVersion: v1, kind: Pod, metadata: {name: "${NAME}"}}
        """
    (thing,) = objects_of(text)
    assert (thing.kind, thing.in_template, thing.id.root) == ("Pod", True, ("objects", 0))


def test_a_template_of_another_group_is_an_object(objects_of):
    text = "{apiVersion: example.com/v1, kind: Template, objects: [{kind: Pod}]}"
    assert [thing.kind for thing in objects_of(text)] == ["Template"]


def test_a_generated_name_stands_for_the_name(names):
    assert names("{kind: Job, metadata: {generateName: a-}}") == [("Job", None, "a-", ())]


@pytest.mark.parametrize(
    "text", ["- a\n- b\n", "just text\n", "1\n", "null\n", "a: 1\n", "kind: 1\n", "kind: [a]\n"]
)
def test_what_is_no_object_gives_none(objects_of, text):
    assert objects_of(text) == []


@pytest.mark.parametrize(
    "metadata",
    ["text", "[1]", "1", "null", "{name: [a], namespace: {b: c}}", "{name: 1, namespace: true}"],
)
def test_metadata_of_a_wrong_type_gives_an_object_without_name(names, metadata):
    text = f"{{apiVersion: v1, kind: Pod, metadata: {metadata}}}"
    assert names(text) == [("Pod", None, "", ())]


@pytest.mark.parametrize("items", ["text", "{a: b}", "[1, text, null, [a], {kind: 3}]"])
def test_items_of_a_wrong_type_give_no_pods(objects_of, items):
    assert all(thing.kind == "List" for thing in objects_of(f"{{kind: List, items: {items}}}"))


def test_group_and_version_are_parts_of_the_api_version(objects_of):
    core, grouped = objects_of("{apiVersion: v1, kind: A}\n---\n{apiVersion: x.y/v2, kind: B}")
    assert (core.group, core.version) == ("", "v1")
    assert (grouped.group, grouped.version) == ("x.y", "v2")


def test_labels_that_are_no_text_are_left_out(objects_of):
    (thing,) = objects_of("{kind: A, metadata: {labels: {a: b, c: 1, d: null}}}")
    assert thing.labels == {"a": "b"}


def test_a_place_names_the_object_and_the_field(objects_of):
    (thing,) = objects_of("{kind: List, items: [{kind: Pod}]}")
    assert thing.at(("spec",), Part.KEY) == Place(
        ObjectId("a.yaml", 0, ("items", 0)), ("spec",), Part.KEY
    )


@pytest.mark.parametrize(
    ("path", "value"),
    [(("a", 0, "b"), 1), (("a", 1), None), (("a", "b"), None), (("x",), None), ((0,), None)],
)
def test_get_follows_a_path_as_far_as_it_goes(path, value):
    assert value_at({"a": [{"b": 1}]}, path) == value


def test_a_text_map_of_something_else_is_empty():
    assert text_map(["a"]) == {}

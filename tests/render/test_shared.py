"""What two revisions have in common is rendered once, and nothing else is taken for it."""

import shutil

import pytest

from qoslint.model.facts import facts_document, facts_places
from qoslint.render.shared import Shared
from qoslint.render.target import Outcome, Target
from qoslint.settings.load import find, load
from qoslint.source.allowance import Allowance
from qoslint.source.places import locate_places
from qoslint.world import NOTHING_EDITED, judge
from tests.render.cached import CANARY, CHART, OVERLAY, SHIPPED, STARTED

# The value of a Secret stands in a pod, so that neither is kept from run to run.
UNKEPT = {
    **{name: text.replace("web:1", "{{ .Values.password }}") for name, text in CHART.items()},
    **{name: text.replace("p:1", CANARY) for name, text in OVERLAY.items()},
}


def facts_of(root, shared):
    """The facts of a revision, and how many programs were started for them."""
    found = find([str(root)])
    STARTED.clear()
    world = judge(found.paths, load(found, SHIPPED), NOTHING_EDITED, shared)
    places = locate_places(facts_places(world.clusters), world.documents)
    return facts_document(world.clusters, places), len(STARTED)


@pytest.fixture
def older(repository, tmp_path_factory):
    """A copy of the repository that may be changed, as an older revision of it."""
    repository.write(UNKEPT)
    copy = tmp_path_factory.mktemp("older") / "repository"
    shutil.copytree(repository.root, copy)
    return copy


def test_what_is_the_same_is_rendered_once(repository, older):
    shared = Shared()
    alone, started = facts_of(repository.root, None)
    assert started > 0
    assert facts_of(older, shared) == (alone, started)
    assert facts_of(repository.root, shared) == (alone, 0)


@pytest.mark.parametrize(
    ("file", "old"),
    [
        ("charts/web/values.yaml", "100m"),
        ("base/pod.yaml", "100m"),
        ("base/kustomization.yaml", "resources: [pod.yaml]"),
    ],
)
def test_what_differs_is_rendered_for_each(repository, older, file, old):
    shared = Shared()
    facts_of(older, shared)
    changed = repository.root / file
    text = changed.read_text()
    assert old in text
    changed.write_text(text.replace(old, "200m" if old == "100m" else f"namePrefix: x-\n{old}"))
    alone, _ = facts_of(repository.root, None)
    with_other, started = facts_of(repository.root, shared)
    assert with_other == alone
    assert started > 0


def test_a_file_that_only_one_revision_has_is_an_input_of_that_one(repository, older):
    """A walk through a kustomization looks for files that are not there, too."""
    repository.write({"more/kustomization.yaml": "resources: [../base, ../extra]\n"})
    shutil.copytree(repository.root / "more", older / "more")
    repository.write(
        {
            "extra/kustomization.yaml": "resources: [pod.yaml]\n",
            "extra/pod.yaml": UNKEPT["base/pod.yaml"].replace("name: p", "name: q"),
        }
    )
    shared = Shared()
    facts_of(older, shared)
    alone, _ = facts_of(repository.root, None)
    assert facts_of(repository.root, shared)[0] == alone


def test_what_is_rendered_anew_each_time_or_failed_is_not_shared(repository):
    target = Target("web", "Chart.yaml", what=None)
    shared = Shared()
    shared.tell("once: 1", Outcome(target))
    shared.tell("key", Outcome(target, errors=("error",)))
    for key in ("once: 1", "key"):
        assert shared.outcome(key, target, Allowance()) is None
    shared.tell("key", Outcome(target))
    assert shared.outcome("key", target, Allowance()) is not None
    assert shared.outcome("key", target._replace(line=2), Allowance()) is None

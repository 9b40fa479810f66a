"""What two revisions have in common is rendered once, and nothing else is taken for it."""

import shutil
import textwrap

import pytest

from qoslint.model.facts import facts_document, facts_places
from qoslint.render.shared import Shared
from qoslint.settings.load import find, load
from qoslint.source.places import locate_places
from qoslint.world import judge
from tests.render.cached import CANARY, CHART, OVERLAY, SHIPPED, STARTED, application

# The value of a Secret stands in a pod, so that neither is kept from run to run.
UNKEPT = {
    **{name: text.replace("web:1", "{{ .Values.password }}") for name, text in CHART.items()},
    **{name: text.replace("p:1", CANARY) for name, text in OVERLAY.items()},
}


def facts_of(root, shared):
    """The facts of a revision, and how many programs were started for them."""
    found = find([str(root)])
    STARTED.clear()
    world = judge(found.paths, load(found, SHIPPED), shared=shared)
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


RELEASE = {
    "apps/release.yaml": """
        apiVersion: source.toolkit.fluxcd.io/v1
        kind: GitRepository
        metadata: {name: fleet, namespace: flux-system}
        spec: {url: https://github.com/acme/fleet}
        ---
        apiVersion: helm.toolkit.fluxcd.io/v2
        kind: HelmRelease
        metadata: {name: web, namespace: flux-system}
        spec:
          chart: {spec: {chart: charts/web, sourceRef: {kind: GitRepository, name: fleet}}}
          valuesFrom: [{kind: ConfigMap, name: web, optional: true}]
        """,
    "values/kustomization.yaml": """
        namespace: flux-system
        generatorOptions: {disableNameSuffixHash: true}
        configMapGenerator: [{name: web, files: [values.yaml=more.yaml]}]
        """,
    "values/more.yaml": "resources: {requests: {cpu: 900m}}\n",
}


def test_what_one_revision_renders_twice_leads_no_place_of_the_other_astray(repository, older):
    """The release is first rendered without the values that a kustomization makes."""
    repository.write(RELEASE)
    shutil.copytree(repository.root, older, dirs_exist_ok=True)
    shutil.rmtree(repository.root / "values")
    shared = Shared()
    facts_of(older, shared)
    alone, _ = facts_of(repository.root, None)
    assert "900m" not in str(alone)
    assert "values/" not in str(alone)
    assert facts_of(repository.root, shared)[0] == alone


def test_all_that_asks_for_one_render_finds_it(repository, older):
    """What deploys it is another one at the newer revision."""
    apps = [application(name, "charts/web") for name in ("a", "b", "c")]
    for root, chosen in ((older, apps), (repository.root, apps[1:2])):
        (root / "apps.yaml").write_text("---\n".join(map(textwrap.dedent, chosen)))
    shared = Shared()
    facts_of(older, shared)
    alone, _ = facts_of(repository.root, None)
    assert facts_of(repository.root, shared) == (alone, 0)


def aliased(letter):
    """Nine pods that hold ten thousand values each by way of aliases."""
    value = ", ".join("1" * 100)
    return "---\n".join(
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {letter}{n}}}\nx: &a [{value}]\n"
        f"y: [{', '.join(['*a'] * 100)}]\nspec: {{containers: [{{name: c, image: c}}]}}\n"
        for n in range(9)
    )


def test_aliases_count_for_each_revision(repository, older):
    """All of a run together may add a number of values, whatever was rendered before."""
    for root in (repository.root, older):
        (root / "charts/web/templates/more.yaml").write_text(aliased("a"))
    (repository.root / "plain.yaml").write_text(aliased("b"))
    shared = Shared()
    facts_of(older, shared)
    alone, _ = facts_of(repository.root, None)
    names = {pod["name"] for cluster in alone["clusters"] for pod in cluster["pods"]}
    assert 9 < len(names - {"web", "p"}) < 18
    assert facts_of(repository.root, shared)[0] == alone

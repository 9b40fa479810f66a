"""The clusters that settings declare."""

import pytest

from qoslint.model.clusterspec import ClusterSpec
from qoslint.model.injector import known_injectors


def test_a_repository_without_settings_is_one_incomplete_cluster(repository):
    settings = repository.load()
    assert settings.clusters == (ClusterSpec(complete=False, declared=False),)
    assert settings.file is None


def test_settings_without_clusters_govern_the_implicit_one(repository):
    (spec,) = repository.settings(
        "kubernetes: '1.34'\n"
        "featureGates: {PodLevelResources: false}\n"
        "nodes: [{name: n1, capacity: {memory: 1Gi}}]\n"
    ).clusters
    assert (spec.declared, spec.complete, spec.kubernetes) == (False, False, "1.34")
    assert spec.feature_gates == {"PodLevelResources": False}
    assert [node.name for node in spec.nodes] == ["n1"]


def test_a_cluster_is_what_its_entry_says(repository):
    repository.folder("clusters/prod", "exported")
    (spec,) = repository.settings(
        """\
        clusters:
        - name: prod
          paths: [clusters/prod]
          context: [exported]
          kubernetes: v1.35.2
          featureGates: {PodLevelResources: false}
          complete: false
          namespace: shop
          injectors: [istio]
        """
    ).clusters
    assert spec == ClusterSpec(
        name="prod",
        paths=("clusters/prod",),
        context=("exported",),
        kubernetes="1.35",
        feature_gates={"PodLevelResources": False},
        complete=False,
        namespace="shop",
        injectors=(known_injectors()["istio"],),
    )


def test_a_declared_cluster_is_complete_and_of_the_default_version(repository):
    (spec,) = repository.settings("clusters: [{name: a, paths: [.]}]").clusters
    assert spec == ClusterSpec(name="a", paths=(".",), kubernetes="1.36", complete=True)


def test_clusters_take_from_the_top_what_they_do_not_say(repository):
    one, two = repository.settings(
        """\
        kubernetes: "1.35"
        featureGates: {PodLevelResources: false}
        nodes: [{name: top, capacity: {memory: 1Gi}}]
        clusters:
        - {name: one, paths: [.]}
        - name: two
          paths: [.]
          kubernetes: "1.36"
          featureGates: {PodLevelResources: true}
          nodes: [{name: own, capacity: {memory: 1Gi}}]
        """
    ).clusters
    assert (one.kubernetes, one.feature_gates) == ("1.35", {"PodLevelResources": False})
    assert (two.kubernetes, two.feature_gates) == ("1.36", {"PodLevelResources": True})
    assert [node.name for node in (*one.nodes, *two.nodes)] == ["top", "own"]


def test_paths_are_relative_to_the_folder_of_the_settings(repository):
    repository.folder("teams/shop/prod", "base")
    repository.file(
        "teams/shop/.qoslint.yaml", "clusters: [{name: a, paths: [prod, ../../base, .]}]"
    )
    (spec,) = repository.load("teams/shop").clusters
    assert spec.paths == ("teams/shop/prod", "base", "teams/shop")


def test_each_match_of_a_pattern_is_a_cluster_of_its_own(repository):
    repository.folder("clusters/west", "clusters/east", "clusters/.hidden")
    repository.file("clusters/README.md")
    specs = repository.settings("clusters: [{each: clusters/*, kubernetes: '1.35'}]").clusters
    assert [(spec.name, spec.paths, spec.kubernetes) for spec in specs] == [
        ("east", ("clusters/east",), "1.35"),
        ("west", ("clusters/west",), "1.35"),
    ]


def test_matches_of_one_name_are_named_by_their_paths(repository):
    repository.folder("east/k8s", "west/k8s")
    specs = repository.settings("clusters: [{each: '*/k8s'}]").clusters
    assert [spec.name for spec in specs] == ["east/k8s", "west/k8s"]


def test_a_pattern_matches_no_link(repository, tmp_path_factory):
    repository.folder("clusters/east")
    (repository.root / "clusters/link").symlink_to(tmp_path_factory.mktemp("outside"))
    specs = repository.settings("clusters: [{each: clusters/*}]").clusters
    assert [spec.name for spec in specs] == ["east"]


def test_a_pattern_starts_at_the_folder_of_the_settings(repository):
    repository.folder("team/clusters/east")
    repository.file("team/.qoslint.yaml", "clusters: [{each: 'clusters/[e]*'}]")
    assert [spec.paths for spec in repository.load("team").clusters] == [("team/clusters/east",)]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("none/*", "is 'none/*', which no folder matches"),
        ("../*", "names '../*', which is outside of the root"),
        ("/etc/*", "must be a relative path, not '/etc/*'"),
        ("**/k8s", "is '**/k8s'; write one * for each level of folders instead of **"),
    ],
)
def test_a_pattern_that_finds_nothing_usable_is_an_error(repository, pattern, message):
    text = f"kubernetes: '1.36'\nclusters:\n- each: '{pattern}'\n"
    assert repository.error(text) == f".qoslint.yaml:3: clusters[0].each {message}"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("missing", "names 'missing', which does not exist"),
        ("file/inner", "names 'file/inner', which does not exist"),
        ("../other", "names '../other', which is outside of the root"),
        ("a/../../other", "names 'a/../../other', which is outside of the root"),
        ("/etc", "must be a relative path, not '/etc'"),
        ("link", "names 'link', but 'link' is a symbolic link"),
        ("link/inner", "names 'link/inner', but 'link' is a symbolic link"),
        ("x" * 300, f"names '{'x' * 300}', which cannot be read"),
    ],
)
def test_a_path_that_cannot_be_used_is_an_error(repository, tmp_path_factory, path, message):
    (repository.root / "link").symlink_to(tmp_path_factory.mktemp("outside"))
    repository.file("file")
    text = f"clusters:\n- name: a\n  paths:\n  - .\n  - {path}\n"
    assert repository.error(text) == f".qoslint.yaml:5: clusters[0].paths[1] {message}"


def test_a_path_with_a_nul_is_an_error(repository):
    message = r"clusters[0].paths[0] names 'a\x00', which cannot be read"
    text = 'clusters:\n- {name: a, paths: ["a\\0"]}\n'
    assert repository.error(text) == f".qoslint.yaml:2: {message}"


def test_a_context_that_does_not_exist_is_an_error(repository):
    text = "clusters:\n- name: a\n  paths: [.]\n  context: [exported]\n"
    assert repository.error(text) == (
        ".qoslint.yaml:4: clusters[0].context[0] names 'exported', which does not exist"
    )


@pytest.mark.parametrize("version", ["1.30", "1.38", "2.36"])
def test_a_version_that_is_not_supported_is_an_error(repository, version):
    text = f"clusters:\n- name: a\n  kubernetes: '{version}'\n  paths: [.]\n"
    assert repository.error(text) == (
        f".qoslint.yaml:3: clusters[0].kubernetes must be Kubernetes 1.31 to 1.37, not '{version}'"
    )


def test_a_version_at_the_top_is_told_at_the_top(repository):
    text = "kubernetes: '1.30'\nclusters: [{name: a, paths: [.]}]\n"
    assert repository.error(text) == (
        ".qoslint.yaml:1: kubernetes must be Kubernetes 1.31 to 1.37, not '1.30'"
    )


def test_an_unknown_gate_is_an_error_with_the_nearest_name(repository):
    text = "clusters:\n- name: a\n  paths: [.]\n  featureGates:\n    PodLevelResource: true\n"
    assert repository.error(text) == (
        ".qoslint.yaml:5: clusters[0].featureGates.PodLevelResource does not work in"
        " Kubernetes 1.36: unrecognized feature gate: PodLevelResource"
        ", did you mean 'PodLevelResources'?"
    )


def test_a_locked_gate_is_an_error(repository):
    text = "featureGates:\n  SidecarContainers: false\nclusters:\n- {name: a, paths: [.]}\n"
    assert repository.error(text) == (
        ".qoslint.yaml:2: featureGates.SidecarContainers does not work in Kubernetes 1.36: "
        "cannot set feature gate SidecarContainers to false, feature is locked to true"
    )


def test_a_gate_that_others_need_is_an_error_at_the_gate(repository):
    text = (
        "featureGates:\n"
        "  InPlacePodLevelResourcesVerticalScaling: true\n"
        "  PodLevelResources: false\n"
    )
    message = repository.error(text)
    assert message.startswith(
        ".qoslint.yaml:2: featureGates.InPlacePodLevelResourcesVerticalScaling does not work"
    )
    assert message.endswith("depends on features that are disabled: [PodLevelResources]")


def test_a_second_cluster_of_one_name_is_an_error(repository):
    repository.folder("clusters/a")
    text = "clusters:\n- name: a\n  paths: [.]\n- each: clusters/*\n"
    assert repository.error(text) == (".qoslint.yaml:4: clusters[1] is a second cluster named 'a'")


def test_patterns_cannot_make_clusters_without_end(repository, monkeypatch):
    monkeypatch.setattr("qoslint.settings.clusters.MAX_CLUSTERS", 2)
    repository.folder("clusters/a", "clusters/b", "clusters/c")
    text = "clusters:\n- each: clusters/*\n"
    assert repository.error(text) == ".qoslint.yaml:2: clusters[0] makes more than 2 clusters"


def test_an_unknown_key_is_told_with_its_line(repository):
    text = "clusters:\n- name: a\n  paths: [.]\n  kubernets: '1.36'\n"
    assert repository.error(text) == (
        ".qoslint.yaml:4: unknown key 'kubernets' in clusters[0], did you mean 'kubernetes'?"
    )

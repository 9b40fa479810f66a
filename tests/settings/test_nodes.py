"""Node profiles: inline, and in files of their own."""

import pytest

from qoslint.errors import SettingsError
from qoslint.finding import ObjectId, Place
from qoslint.kernel.features import Version


def test_a_profile_may_stand_in_a_file_of_its_own(repository):
    repository.file("ci/nodes/n1.yaml", "name: n1\nversion: '1.35'\ncapacity: {memory: 16Gi}\n")
    repository.file("ci/.qoslint.yaml", "nodes: [nodes/n1.yaml]\n")
    (node,) = repository.load("ci").clusters[0].nodes
    assert (node.name, node.version, node.memory_bytes) == ("n1", Version(1, 35), 16 * 2**30)
    assert node.place == Place(ObjectId("ci/nodes/n1.yaml", 0, ()), ())


def test_an_inline_profile_has_its_place_in_the_settings(repository):
    (spec,) = repository.settings(
        "clusters: [{name: a, paths: [.], nodes: [{name: n1, capacity: {memory: 1Gi}}]}]"
    ).clusters
    assert spec.nodes[0].place.path == ("clusters", 0, "nodes", 0)


def test_a_profile_is_of_its_clusters_version(repository):
    settings = repository.settings(
        """\
        nodes: [{name: n1, capacity: {memory: 1Gi}}]
        clusters:
        - {name: a, paths: [.], kubernetes: "1.33"}
        - {name: b, paths: [.]}
        """
    )
    assert [str(spec.nodes[0].version) for spec in settings.clusters] == ["1.33", "1.36"]


KUBELET = """\
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
maxPods: 20
evictionHard: {memory.available: 500Mi}
"""
OF_THE_FILE = "{name: n1, capacity: {memory: 1Gi}, kubeletConfig: kubelet.yaml}"


def values(node):
    return {name: setting.value for name, setting in node.kubelet.items()}


def test_the_kubelet_config_of_a_profile_is_relative_to_its_file(repository):
    repository.file("nodes/kubelet.yaml", KUBELET)
    repository.file("nodes/n1.yaml", OF_THE_FILE)
    (node,) = repository.settings("nodes: [nodes/n1.yaml]").clusters[0].nodes
    assert values(node) == {"maxPods": 20, "evictionHard": {"memory.available": "500Mi"}}
    assert node.kubelet["maxPods"].place == Place(
        ObjectId("nodes/kubelet.yaml", 0, ()), ("maxPods",)
    )


def test_a_profile_may_change_fields_of_its_kubelet_config(repository):
    repository.file("kubelet.yaml", KUBELET)
    text = "{name: n1, capacity: {memory: 1Gi}, kubeletConfig: kubelet.yaml, kubelet: {maxPods: 5}}"
    (node,) = repository.settings(f"nodes: [{text}]").clusters[0].nodes
    assert values(node) == {"maxPods": 5, "evictionHard": {"memory.available": "500Mi"}}
    assert node.kubelet["maxPods"].place.path == ("nodes", 0, "kubelet", "maxPods")


def test_the_kubelet_config_may_stand_among_documents_of_kubeadm(repository):
    join = """\
apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
nodeRegistration:
  kubeletExtraArgs:
  - {name: max-pods, value: "40"}
"""
    cluster = "apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n"
    repository.file("kubelet.yaml", f"{cluster}---\n{KUBELET}---\n{join}")
    (node,) = repository.settings(f"nodes: [{OF_THE_FILE}]").clusters[0].nodes
    assert values(node) == {"maxPods": 40, "evictionHard": {"memory.available": "500Mi"}}
    assert node.kubelet["maxPods"].place.object.document == 2
    assert node.kubelet["evictionHard"].place.object.document == 1


WRONG_KUBELETS = {
    "# nothing\n": "1: the file is empty; it needs a KubeletConfiguration, or ",
    "apiVersion: v1\nkind: ConfigMap\n": "2: the kind 'ConfigMap' configures no kubelet; it needs ",
    "evictionHard: {}\n": "1: no kubelet is configured here; it needs ",
    "kind: [\n": "1: while parsing a flow node",
    f"{KUBELET}---\n{KUBELET}": (
        "6: the file configures kubelets a second time, by KubeletConfiguration after "
    ),
}


@pytest.mark.parametrize(("text", "message"), WRONG_KUBELETS.items())
def test_a_kubelet_config_that_is_none_is_told_with_its_line(repository, text, message):
    repository.file("kubelet.yaml", text)
    assert repository.error(f"nodes: [{OF_THE_FILE}]").startswith(f"kubelet.yaml:{message}")


def test_a_kubelet_config_outside_of_the_root_is_an_error(repository):
    text = "{name: n1, capacity: {memory: 1Gi}, kubeletConfig: ../kubelet.yaml}"
    assert repository.error(f"nodes: [{text}]").endswith(
        "nodes[0].kubeletConfig names '../kubelet.yaml', which is outside of the root"
    )


MISTAKES = {
    "capacity:\n  memory: 0\n": "3: capacity.memory must be more than zero",
    "capacity:\n  memory: -1Gi\n": "3: capacity.memory must not be negative, not '-1Gi'",
    "capacity:\n  memory: 10E\n": "3: capacity.memory must be less than 8Ei, not '10E'",
    "capacity:\n  memory: 1Gi\n  cpu: 4 cores\n": (
        "4: capacity.cpu is no quantity: quantities must match the regular expression"
        " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
    ),
    "capacity:\n  cpu: 4\n": "2: missing key 'memory' in capacity",
    "capacity: {memory: 1Gi}\nlabel: {}\n": "3: unknown key 'label', did you mean 'labels'?",
    "version: '1.30'\ncapacity: {memory: 1Gi}\n": (
        "2: version must be Kubernetes 1.31 to 1.37, not '1.30'"
    ),
    "capacity: {memory: 1Gi}\nkubelet:\n  evictionHrad: {}\n": (
        "4: kubelet.evictionHrad is no field of a KubeletConfiguration,"
        " did you mean 'evictionHard'?"
    ),
    "capacity: {memory: 1Gi}\napproximate: {memory: 2Gi}\n": (
        "3: missing key 'source' in approximate"
    ),
    "kubeletConfig: k.yaml\ncapacity: {memory: 1Gi}\n": (
        "2: kubeletConfig names 'k.yaml', which does not exist"
    ),
}


@pytest.mark.parametrize(("text", "message"), MISTAKES.items())
def test_a_mistake_in_a_profile_is_told_with_its_line(repository, text, message):
    repository.file("n1.yaml", "name: n1\n" + text)
    assert repository.error("nodes: [n1.yaml]") == f"n1.yaml:{message}"


def test_a_mistake_in_an_inline_profile_is_told_in_the_settings(repository):
    text = "nodes:\n- name: n1\n  capacity:\n    memory: 0\n"
    assert repository.error(text) == (
        ".qoslint.yaml:4: nodes[0].capacity.memory must be more than zero"
    )


def test_a_profile_that_does_not_exist_is_an_error(repository):
    assert repository.error("nodes:\n- n1.yaml\n") == (
        ".qoslint.yaml:2: nodes[0] names 'n1.yaml', which does not exist"
    )


def test_a_profile_outside_of_the_root_is_an_error(repository):
    assert repository.error("nodes:\n- ../n1.yaml\n") == (
        ".qoslint.yaml:2: nodes[0] names '../n1.yaml', which is outside of the root"
    )


def test_a_profile_of_an_unknown_name_is_an_error_that_says_what_there_is(repository):
    assert repository.error("nodes:\n- hetzner/cx22\n") == (
        ".qoslint.yaml:2: nodes[0] names the node profile 'hetzner/cx22', which is unknown;"
        " name a YAML file, or write the profile here"
    )


def test_a_preset_is_named_in_the_settings(repository):
    settings = repository.settings("nodes:\n- eks/m5.large\n")
    (node,) = settings.clusters[0].nodes
    assert (node.name, str(node.version)) == ("eks/m5.large", "1.36")
    assert node.most_memory_bytes == 8 * 2**30
    assert node.kubelet["evictionHard"].place.path == ("nodes", 0, "kubelet", "evictionHard")
    (notice,) = settings.notices
    assert notice.file == ".qoslint.yaml"
    assert notice.message.startswith(
        "Nodes of the profile eks/m5.large have 7759462Ki to 8Gi of memory, and scores are those "
    )


def test_a_misspelt_preset_is_an_error_with_the_nearest_name(repository):
    assert repository.error("nodes:\n- eks/m5.larg\n") == (
        ".qoslint.yaml:2: nodes[0] names the node profile 'eks/m5.larg', which is unknown,"
        " did you mean 'eks/m5.large'?"
    )


def test_a_second_node_of_one_name_is_an_error(repository):
    text = "nodes:\n- {name: n1, capacity: {memory: 1Gi}}\n- {name: n1, capacity: {memory: 2Gi}}\n"
    assert repository.error(text) == ".qoslint.yaml:3: nodes[1] is a second node named 'n1'"


def test_a_profile_that_is_a_link_is_an_error(repository, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "n1.yaml"
    outside.write_text("name: n1\n")
    (repository.root / "n1.yaml").symlink_to(outside)
    with pytest.raises(SettingsError, match=r"but 'n1.yaml' is a symbolic link$"):
        repository.settings("nodes: [n1.yaml]")

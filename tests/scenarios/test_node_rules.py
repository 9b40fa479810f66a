"""What configures kubelets is judged once, by what is known of its nodes."""

PROFILE = """
clusters:
  - name: production
    paths: [apps]
    nodes:
      - {name: worker, capacity: {cpu: 4, memory: 16Gi}, kubeletConfig: nodes/kubelet.yaml}
"""
APP = "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n"
HEAD = "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"
SOFT = """systemReserved: {memory: 1Gi}
evictionMaxPodGracePeriod: 60
evictionSoftGracePeriod: {memory.available: 1m}
evictionSoft: {memory.available: 50Mi}
"""


def found(report):
    return [
        (finding.rule, finding.location.file, finding.location.span.start.line, finding.objects)
        for finding in report.findings
    ]


def test_a_file_that_a_profile_names_is_judged_once_and_as_the_profile(repository):
    repository.write(
        {".qoslint.yaml": PROFILE, "apps/app.yaml": APP, "nodes/kubelet.yaml": HEAD + SOFT}
    )
    assert found(repository.check()) == [
        ("QOS603", "nodes/kubelet.yaml", 6, ("node profile worker",))
    ]


def test_the_capacity_of_a_profile_makes_shares_and_bytes_comparable(repository):
    half = SOFT.replace("50Mi", "0.5%")
    files = {"apps/app.yaml": APP, "nodes/kubelet.yaml": HEAD + half}
    assert found(repository.write({**files, ".qoslint.yaml": PROFILE}).check()) == [
        ("QOS603", "nodes/kubelet.yaml", 6, ("node profile worker",))
    ]


def test_without_a_profile_shares_and_bytes_are_not_compared(repository):
    repository.write({"nodes/kubelet.yaml": HEAD + SOFT.replace("50Mi", "0.5%")})
    assert found(repository.check()) == []


def test_a_file_in_no_cluster_is_judged_by_the_version_of_each(repository):
    settings = """
clusters:
  - {name: old, paths: [apps], kubernetes: "1.32"}
  - {name: new, paths: [apps], kubernetes: "1.33"}
"""
    merged = "systemReserved: {memory: 1Gi}\nmergeDefaultEvictionSettings: true\nevictionHard: {}\n"
    repository.write(
        {".qoslint.yaml": settings, "apps/app.yaml": APP, "nodes/kubelet.yaml": HEAD + merged}
    )
    assert [(rule, line) for rule, _, line, _ in found(repository.check())] == [
        ("QOS601", 5),
        ("QOS602", 5),
    ]


def test_the_context_of_a_cluster_is_not_judged(repository):
    settings = "clusters: [{name: production, paths: [apps], context: [nodes]}]\n"
    repository.write({".qoslint.yaml": settings, "apps/app.yaml": APP, "nodes/kubelet.yaml": HEAD})
    assert found(repository.check()) == []


def test_each_tool_is_asked_for_what_it_leaves_to_the_kubelet(repository):
    partial = "{evictionHard: {nodefs.available: 5%}}"
    repository.write(
        {
            "openshift.yaml": "apiVersion: machineconfiguration.openshift.io/v1\n"
            "kind: KubeletConfig\nmetadata: {name: workers}\n"
            f"spec:\n  kubeletConfig: {partial}\n",
            "eksctl.yaml": "apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\n"
            "metadata: {name: prod}\nmanagedNodeGroups:\n"
            f"- {{name: workers, kubeletExtraConfig: {partial}}}\n",
            "kubeadm.yaml": "apiVersion: kubeadm.k8s.io/v1beta3\nkind: InitConfiguration\n"
            "nodeRegistration:\n  kubeletExtraArgs:\n    eviction-hard: nodefs.available<5%\n",
        }
    )
    assert [(rule, file, line) for rule, file, line, _ in found(repository.check())] == [
        ("QOS601", "kubeadm.yaml", 5),
        ("QOS602", "kubeadm.yaml", 5),
        ("QOS601", "openshift.yaml", 5),
        ("QOS602", "openshift.yaml", 5),
    ]


def test_what_is_filled_in_later_is_not_judged(repository):
    repository.write({"kubelet.yaml": HEAD + "evictionHard: {memory.available: '${FREE}'}\n"})
    assert found(repository.check()) == []


def test_a_profile_in_the_settings_is_left_alone_when_only_other_files_are_asked_for(repository):
    inline = PROFILE.replace(
        "kubeletConfig: nodes/kubelet.yaml", "kubelet: {evictionHard: {nodefs.available: 1%}}"
    )
    repository.write({".qoslint.yaml": inline, "apps/app.yaml": APP})
    assert found(repository.check("apps")) == []
    assert {rule for rule, *_ in found(repository.check())} == {"QOS601", "QOS602", "QOS605"}


def test_settings_in_toml_have_no_places_and_their_profiles_are_not_judged(repository):
    repository.write(
        {
            "pyproject.toml": "[[tool.qoslint.clusters]]\n"
            'name = "production"\npaths = ["apps"]\n'
            'nodes = [{name = "worker", capacity = {memory = "16Gi"}, '
            'kubelet = {evictionHard = {"nodefs.available" = "1%"}}}]\n',
            "apps/app.yaml": APP,
        }
    )
    assert found(repository.check()) == []


def test_hostile_configurations_crash_no_check(repository):
    texts = (
        "evictionHard: [1, 2]\n",
        "evictionHard: {memory.available: 99999999999999999999999999999Gi}\n",
        "evictionHard: {memory.available: ''}\nevictionSoft: {'': 1%}\n",
        "evictionHard: null\nevictionMaxPodGracePeriod: 99999999999999999999\n",
        "systemReserved: {memory: 1Gi, cpu: -1}\nimageGCHighThresholdPercent: x\n",
        "kubeReserved: [memory]\nfeatureGates: {Nonsense: true}\n",
    )
    repository.write({f"n{index}.yaml": HEAD + text for index, text in enumerate(texts)})
    report = repository.check()
    assert report.failed_checks == ()
    assert {finding.location.file for finding in report.findings} >= {"n0.yaml", "n3.yaml"}

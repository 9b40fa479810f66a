"""Files of other tools that configure kubelets: which fields they set, and where each stands."""

import textwrap

import pytest

from qoslint.kernel.kubeletdecode import KUBELET_FIELDS
from qoslint.model.kubelet import thawed
from qoslint.model.nodesources.flags import FLAGS, flag_of
from qoslint.model.nodesources.readers import NODE_KINDS, READERS, kubelet_sources
from qoslint.source.document import Source, documents
from qoslint.span import field_path


class EveryKind:
    def __contains__(self, kind):
        return True


def sources(text):
    text = textwrap.dedent(text)
    return [
        source
        for document in documents(Source("f.yaml", "f.yaml", text), EveryKind())
        for source in kubelet_sources(document)
    ]


def fields(source):
    """Each field with its value and the path of its place."""
    return {
        name: (thawed(setting.value), field_path(setting.place.path))
        for name, setting in source.fields.items()
    }


def only(text):
    (source,) = sources(text)
    return source


def test_a_kubelet_configuration_is_its_own_fields():
    source = only("""\
        apiVersion: kubelet.config.k8s.io/v1beta1
        kind: KubeletConfiguration
        metadata: {name: config}
        maxPods: 50
        evictionHard: {memory.available: 5%}
    """)
    assert source.name == "KubeletConfiguration config"
    assert fields(source) == {
        "maxPods": (50, "maxPods"),
        "evictionHard": ({"memory.available": "5%"}, "evictionHard"),
    }
    assert not source.by_flags


def test_a_node_pool_of_karpenter_v1beta1_has_the_fields_and_the_types():
    source = only("""\
        apiVersion: karpenter.sh/v1beta1
        kind: NodePool
        metadata: {name: default}
        spec:
          template:
            spec:
              kubelet: {maxPods: 20, systemReserved: {memory: 100Mi}}
              requirements:
              - {key: karpenter.sh/capacity-type, operator: In, values: [spot]}
              - {key: node.kubernetes.io/instance-type, operator: In, values: [m5.large, m5.xlarge]}
              - {key: node.kubernetes.io/instance-type, operator: NotIn, values: [t3.large]}
    """)
    assert (source.name, source.instance_types) == ("NodePool default", ("m5.large", "m5.xlarge"))
    assert fields(source) == {
        "maxPods": (20, "spec.template.spec.kubelet.maxPods"),
        "systemReserved": ({"memory": "100Mi"}, "spec.template.spec.kubelet.systemReserved"),
    }


def test_a_node_class_of_karpenter_v1_has_the_fields():
    source = only("""\
        apiVersion: karpenter.k8s.aws/v1
        kind: EC2NodeClass
        metadata: {name: default}
        spec: {kubelet: {podsPerCore: 2}}
    """)
    assert source.name == "EC2NodeClass default"
    assert fields(source) == {"podsPerCore": (2, "spec.kubelet.podsPerCore")}


def test_eksctl_has_a_configuration_for_each_node_group():
    first, second = sources("""\
        apiVersion: eksctl.io/v1alpha5
        kind: ClusterConfig
        metadata: {name: prod}
        nodeGroups:
        - name: workers
          instanceType: m5.large
          maxPodsPerNode: 40
          kubeletExtraConfig:
            kubeReserved: {memory: 300Mi}
        managedNodeGroups:
        - name: spot
          instanceTypes: [m5.large, m6i.large]
          maxPodsPerNode: 30
          kubeletExtraConfig: {maxPods: 35}
    """)
    assert first.name == "node group workers of ClusterConfig prod"
    assert first.place.path == ("nodeGroups", 0)
    assert fields(first) == {
        "kubeReserved": ({"memory": "300Mi"}, "nodeGroups[0].kubeletExtraConfig.kubeReserved"),
        "maxPods": (40, "nodeGroups[0].maxPodsPerNode"),
    }
    assert first.instance_types == ("m5.large",)
    assert second.instance_types == ("m5.large", "m6i.large")
    assert fields(second)["maxPods"] == (35, "managedNodeGroups[0].kubeletExtraConfig.maxPods")


def test_kubeadm_has_arguments_as_a_mapping_and_as_a_list():
    as_mapping, as_list = sources("""\
        apiVersion: kubeadm.k8s.io/v1beta3
        kind: InitConfiguration
        nodeRegistration:
          kubeletExtraArgs:
            eviction-hard: memory.available<500Mi,nodefs.available<10%
            node-labels: pool=big
        ---
        apiVersion: kubeadm.k8s.io/v1beta4
        kind: JoinConfiguration
        nodeRegistration:
          kubeletExtraArgs:
          - {name: max-pods, value: "60"}
          - {name: kube-reserved, value: "cpu=100m,memory=1Gi"}
        ---
        apiVersion: kubeadm.k8s.io/v1beta4
        kind: ClusterConfiguration
    """)
    assert as_mapping.by_flags
    assert fields(as_mapping) == {
        "evictionHard": (
            {"memory.available": "500Mi", "nodefs.available": "10%"},
            "nodeRegistration.kubeletExtraArgs.eviction-hard",
        )
    }
    assert fields(as_list) == {
        "maxPods": (60, "nodeRegistration.kubeletExtraArgs[0]"),
        "kubeReserved": (
            {"cpu": "100m", "memory": "1Gi"},
            "nodeRegistration.kubeletExtraArgs[1]",
        ),
    }
    assert as_list.place.object.document == 1


def test_k3s_has_arguments_in_a_file_without_a_kind():
    source = only("""\
        write-kubeconfig-mode: "0644"
        kubelet-arg:
        - eviction-hard=memory.available<300Mi
        - --max-pods=200
        kubelet-arg+: eviction-hard=nodefs.available<5%
    """)
    assert source.name == "k3s configuration"
    assert fields(source) == {
        "evictionHard": (
            {"memory.available": "300Mi", "nodefs.available": "5%"},
            "[kubelet-arg+]",
        ),
        "maxPods": (200, "kubelet-arg[1]"),
    }


def test_openshift_has_the_fields_in_a_kubelet_config():
    source = only("""\
        apiVersion: machineconfiguration.openshift.io/v1
        kind: KubeletConfig
        metadata: {name: set-limits}
        spec:
          machineConfigPoolSelector: {matchLabels: {custom-kubelet: large}}
          kubeletConfig: {evictionSoft: {memory.available: 500Mi}}
    """)
    assert source.name == "KubeletConfig set-limits"
    assert fields(source) == {
        "evictionSoft": ({"memory.available": "500Mi"}, "spec.kubeletConfig.evictionSoft")
    }


def test_talos_has_fields_and_arguments():
    extra, arguments = sources("""\
        version: v1alpha1
        machine:
          type: worker
          kubelet:
            extraConfig: {maxPods: 30}
            extraArgs: {feature-gates: "MemoryQoS=true,NodeSwap=false"}
    """)
    assert fields(extra) == {"maxPods": (30, "machine.kubelet.extraConfig.maxPods")}
    assert (extra.by_flags, arguments.by_flags) == (False, True)
    assert fields(arguments) == {
        "featureGates": (
            {"MemoryQoS": True, "NodeSwap": False},
            "machine.kubelet.extraArgs.feature-gates",
        )
    }


@pytest.mark.parametrize(
    ("head", "path"),
    [
        (
            "apiVersion: bootstrap.cluster.x-k8s.io/v1beta1\nkind: KubeadmConfigTemplate\n",
            ("spec", "template", "spec"),
        ),
        (
            "apiVersion: bootstrap.cluster.x-k8s.io/v1beta2\nkind: KubeadmConfig\n",
            ("spec",),
        ),
        (
            "apiVersion: controlplane.cluster.x-k8s.io/v1beta1\nkind: KubeadmControlPlane\n",
            ("spec", "kubeadmConfigSpec"),
        ),
    ],
)
def test_cluster_api_has_arguments_of_kubeadm(head, path):
    arguments = "{nodeRegistration: {kubeletExtraArgs: {max-pods: '70'}}}"
    flow = f"joinConfiguration: {arguments}"
    for step in reversed(path):
        flow = f"{step}: {{{flow}}}"
    source = only(f"{head}metadata: {{name: md-0}}\n{flow}\n")
    assert source.name.endswith(" md-0, joinConfiguration")
    at = ".".join((*path, "joinConfiguration.nodeRegistration.kubeletExtraArgs.max-pods"))
    assert fields(source) == {"maxPods": (70, at)}


def test_nodeadm_has_fields_and_flags():
    config, flags = sources("""\
        apiVersion: node.eks.aws/v1alpha1
        kind: NodeConfig
        spec:
          kubelet:
            config: {shutdownGracePeriod: 30s}
            flags: ["--max-pods=110", "--node-labels=a=b"]
    """)
    assert fields(config) == {
        "shutdownGracePeriod": ("30s", "spec.kubelet.config.shutdownGracePeriod")
    }
    assert fields(flags) == {"maxPods": (110, "spec.kubelet.flags[0]")}


def test_the_objects_of_a_list_have_their_own_places():
    source = only("""\
        apiVersion: v1
        kind: List
        items:
        - {apiVersion: v1, kind: ConfigMap}
        - apiVersion: karpenter.k8s.aws/v1
          kind: EC2NodeClass
          metadata: {name: a}
          spec: {kubelet: {maxPods: 1}}
    """)
    assert source.place.object.root == ("items", 1)
    assert source.fields["maxPods"].place.path == ("spec", "kubelet", "maxPods")


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: karpenter.sh/v1\nkind: NodePool\nspec: {template: {spec: {requirements: 3}}}",
        "apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nspec: [kubelet]\n",
        "apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nnodeGroups: [3, {instanceType: []}]",
        "kubelet-arg: {eviction-hard: 1}\n",
        "kubelet-arg: [3, [], 'max-pods']\n",
        "machine: {kubelet: {extraConfig: 7, extraArgs: [1]}}\n",
        "apiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\n"
        "nodeRegistration: {kubeletExtraArgs: [1, {name: max-pods}, {value: '3'}]}\n",
    ],
)
def test_what_has_the_wrong_type_sets_nothing(text):
    assert all(
        setting.value == "true" for source in sources(text) for setting in source.fields.values()
    )


@pytest.mark.parametrize(
    "text",
    [
        "machine: {size: large}\n",
        "kind: Deployment\napiVersion: apps/v1\nkubelet-arg: [max-pods=1]\n",
        "apiVersion: example.com/v1\nkind: NodePool\n"
        "spec: {template: {spec: {kubelet: {maxPods: 1}}}}\n",
    ],
)
def test_what_is_no_configuration_of_kubelets_is_none(text):
    assert sources(text) == []


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("eviction-hard=memory.available<100Mi, nodefs.available<10%,", {
            "memory.available": "100Mi", "nodefs.available": "10%",
        }),
        ("eviction-hard=", {}),
        # What the kubelet cannot read stays as it is, for its rules to refuse.
        ("eviction-hard=memory.available=100Mi", "memory.available=100Mi"),
        ("max-pods=many", "many"),
        ("max-pods=1_0", "1_0"),
        ("fail-swap-on=false", False),
        ("fail-swap-on", True),
        ("fail-swap-on=no", "no"),
        ("enforce-node-allocatable=pods,kube-reserved", ["pods", "kube-reserved"]),
        ("enforce-node-allocatable=", []),
        ("feature-gates=MemoryQoS=yes", "MemoryQoS=yes"),
    ],
)  # fmt: skip
def test_the_value_of_a_flag_is_read_as_the_kubelet_reads_it(argument, value):
    (setting,) = only(f"kubelet-arg: ['{argument}']\n").fields.values()
    assert thawed(setting.value) == value


def test_the_arguments_of_a_flag_have_dashes_or_none():
    assert flag_of("--max-pods=3") == flag_of("max-pods=3") == ("max-pods", "3")


def test_every_flag_sets_a_field_of_the_kubelets_configuration():
    assert {flag.field for flag in FLAGS.values()} <= KUBELET_FIELDS


def test_the_kinds_to_parse_are_those_of_the_table():
    assert {kind for _, kind in READERS} == NODE_KINDS

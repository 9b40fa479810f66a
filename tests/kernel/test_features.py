"""Versions and feature gates, refused in Kubernetes' own words."""

from __future__ import annotations

import pytest

from qoslint.kernel.features import (
    CHECKED,
    DEFAULT,
    SUPPORTED,
    FeatureError,
    Version,
    feature_errors,
    features,
    gate_names,
)

COMPLAINTS = ("unrecognized feature gate", "feature is locked", "depends on features")


@pytest.mark.vectors("kubelet_config")
def test_gates_are_refused_where_a_kubelet_refuses_to_start_with_them(vectors):
    version = Version.parse(vectors.minor)
    for row in vectors.rows():
        gates = row["in"].get("kubeletConfig", {}).get("featureGates")
        if not gates or row["out"].get("stage") == "decode":
            continue
        found = [str(error) for error in feature_errors(features(version), gates)]
        words = " ".join(row["out"].get("errors", []))
        if any(complaint in words for complaint in COMPLAINTS):
            assert any(text in words for text in found), row["id"]
        else:
            # The trees that answered some rows only log an unknown gate.
            assert found in ([], ["unrecognized feature gate: NoSuchGate"]), row["id"]


@pytest.mark.parametrize(
    ("text", "version"), [("1.36", (1, 36)), ("v1.33.5-eks-113cf36", (1, 33)), ("1.4", (1, 4))]
)
def test_versions_are_read_as_nodes_report_them(text, version):
    assert Version.parse(text) == version


@pytest.mark.parametrize("text", ["", "1", "1.x", "36", "latest", "1.36 "])
def test_other_texts_are_no_version(text):
    with pytest.raises(ValueError, match="is not a Kubernetes version"):
        Version.parse(text)


def test_a_version_prints_as_people_write_it():
    assert str(DEFAULT) == "1.36"


def test_the_newest_supported_version_is_the_only_one_not_checked():
    assert [str(v) for v in SUPPORTED if v not in CHECKED] == ["1.37"]


@pytest.mark.parametrize("version", ["1.30", "1.38", "2.0"])
def test_an_unsupported_version_is_refused(version):
    with pytest.raises(FeatureError, match=f"Kubernetes {version} is not supported, only 1.31 to"):
        features(version)


@pytest.mark.parametrize(
    ("gate", "first_on"),
    [
        ("SidecarContainers", 31),
        ("InPlacePodVerticalScaling", 33),
        ("PodLevelResources", 34),
        ("ContainerRestartRules", 35),
        ("CustomCPUCFSQuotaPeriod", 36),
        ("MemoryQoS", 37),
    ],
)
def test_a_gate_is_on_by_default_from_its_version_on(gate, first_on):
    on = [version.minor for version in SUPPORTED if features(version).on(gate)]
    assert on == list(range(first_on, 38))


@pytest.mark.parametrize(
    ("version", "gates", "message"),
    [
        ("1.36", {"NoSuch": True}, "unrecognized feature gate: NoSuch"),
        ("1.31", {"PodLevelResources": True}, "unrecognized feature gate: PodLevelResources"),
        (
            "1.36",
            {"NodeSwap": False},
            "cannot set feature gate NodeSwap to false, feature is locked to true",
        ),
        (
            "1.36",
            {"PodLevelResources": False, "InPlacePodLevelResourcesVerticalScaling": True},
            "InPlacePodLevelResourcesVerticalScaling is enabled, but depends on features that are"
            " disabled: [PodLevelResources]",
        ),
    ],
)
def test_gates_that_kubernetes_would_not_start_with_are_refused_in_its_words(
    version, gates, message
):
    with pytest.raises(FeatureError) as caught:
        features(version, gates)
    assert str(caught.value) == message
    assert caught.value.gate in message


def test_turning_a_gate_off_turns_off_what_depends_on_it():
    chosen = features("1.37", {"PodLevelResources": False})
    assert not chosen.on("PodLevelResourcesFixDefaulting")
    assert not chosen.on("InPlacePodLevelResourcesVerticalScaling")


def test_1_37_needs_all_gates_of_pod_level_resources_off_together():
    refused = feature_errors(features("1.37"), {"PodLevelResources": False})
    assert sorted(error.gate for error in refused) == [
        "InPlacePodLevelResourcesVerticalScaling",
        "PodLevelResourcesFixDefaulting",
        "PodLevelResourcesFixKubeletQOSClass",
    ]


def test_before_1_35_no_dependency_is_checked():
    assert not features("1.34", {"PodLevelResources": False}).on("PodLevelResources")


def test_all_alpha_switches_what_is_not_set_itself():
    found = features("1.36", {"AllAlpha": True, "QOSReserved": False})
    assert found.on("MemoryQoS")
    assert not found.on("QOSReserved")


def test_a_known_gate_without_effect_is_accepted():
    assert features("1.36", {"UserNamespacesSupport": False}) == features("1.36")


def test_the_names_of_a_version_leave_out_later_gates():
    names = gate_names(Version(1, 31))
    assert "MemoryQoS" in names
    assert "PodLevelResources" not in names

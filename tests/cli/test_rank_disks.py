"""`qoslint rank` for disks, inodes and images: what profiles must state, and what pods use."""

import json

import pytest

SETTINGS = """\
clusters:
  - name: main
    paths: ["."]
    nodes: [{name: node, capacity: {memory: 4Gi}, daemons: {memory: 512Mi}}]
"""
DISKS = """\
apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  containers: [{name: app, image: i}]
---
apiVersion: v1
kind: Pod
metadata: {name: b}
spec:
  containers: [{name: app, image: i, resources: {requests: {ephemeral-storage: 1Gi}}}]
"""


@pytest.fixture
def ranked(qoslint, tmp_path):
    def run(*arguments, settings=SETTINGS, usage=""):
        (tmp_path / ".qoslint.yaml").write_text(settings, "utf-8")
        (tmp_path / "all.yaml").write_text(DISKS, "utf-8")
        (tmp_path / "usage.txt").write_text(usage, "utf-8")
        return qoslint("rank", ".", *arguments)

    return run


def on(filesystems, capacity, daemons=""):
    return SETTINGS.replace(
        "capacity: {memory: 4Gi}, daemons: {memory: 512Mi}",
        f"filesystems: {filesystems}, capacity: {{memory: 4Gi, {capacity}}}"
        + (f", daemons: {{{daemons}}}" if daemons else ""),
    )


@pytest.mark.parametrize(
    ("filesystems", "signal", "limits"),
    [
        ("nodefs", "nodefs.inodesFree", {"least": "861", "most": "910"}),
        ("nodefs", "imagefs.available", None),
        ("imagefs", "imagefs.inodesFree", {"least": "1701", "most": "1800"}),
        ("imagefs", "containerfs.inodesFree", {"least": "1701", "most": "1800"}),
        ("split", "containerfs.inodesFree", {"least": "861", "most": "910"}),
    ],
)
def test_disks_have_feasible_ranks_where_the_profile_states_their_sizes(
    ranked, filesystems, signal, limits
):
    own = filesystems != "nodefs"
    settings = on(
        filesystems,
        "inodes: 1k" + ", imagefs-inodes: 2k" * own,
        "inodes: 90" + ", imagefs-inodes: 200" * own,
    )
    result = ranked("--signal", signal, "--format", "json", settings=settings)
    (ranking,) = json.loads(result.stdout)["rankings"]
    found = ranking["limits"] and {end: ranking["limits"][end] for end in ("least", "most")}
    assert found == limits
    assert (ranking["size"]["quantity"] is None) == (limits is None)


def test_a_size_that_the_profile_does_not_state_is_named(ranked):
    text = ranked("--signal", "imagefs.inodesFree").stdout
    assert "`?`: the profile does not state `capacity.inodes`" in text
    assert "9223372036854775807" not in text


def test_of_images_apart_no_pod_uses_anything_and_small_requests_go_first(ranked):
    settings = on("split", "imagefs: 10Gi")
    result = ranked("--signal", "imagefs.available", settings=settings)
    first, second = (line for line in result.stdout.splitlines() if "default/Pod/" in line)
    assert first.split()[:4] == ["1", "1", "1", "default/Pod/a"]
    assert second.split()[:4] == ["2", "2", "2", "default/Pod/b"]
    assert "measures nothing of a pod on this filesystem" in result.stdout
    assert "the kubelet deletes unused images; it evicts only if that does not help." in (
        result.stdout
    )


def test_disk_usage_as_a_whole_is_only_the_most_of_a_part(ranked):
    usage = "usage:\n  default/Pod/a: {ephemeral-storage: 5Gi}\n"
    asked = ("--scenario", "usage", "--usage", "usage.txt", "--format", "json")
    for filesystems, least, used in (("nodefs", "5Gi", "5Gi"), ("imagefs", "0", "0")):
        capacity = "ephemeral-storage: 100Gi"
        if filesystems == "imagefs":
            capacity += ", imagefs: 100Gi"
        result = ranked(
            *asked,
            "--signal",
            "imagefs.available",
            usage=usage,
            settings=on(filesystems, capacity),
        )
        row = next(
            row
            for row in json.loads(result.stdout)["rankings"][0]["rows"]
            if row["pod"] == "default/Pod/a"
        )
        assert (row["least"], row["most"], row["usage"]) == (least, "5Gi", used)


def test_images_on_a_disk_that_the_node_does_not_have_are_an_error(ranked):
    result = ranked(settings=on("nodefs", "imagefs: 10Gi"))
    assert result.returncode == 2
    assert "needs `filesystems: imagefs` or `filesystems: split`" in result.stderr

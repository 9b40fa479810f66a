"""Repositories of strangers through the command line: each ends in a finding, and reaches nothing.

The run has an empty PATH and a dead proxy; what it and its children start, open and reach is
recorded.
"""

import gzip
import io
import json
import os
import sys
import sysconfig
import tarfile
from pathlib import Path

import pytest

from . import recorder

# The folder of a case is its name; {case} stands for that, {outside} for a file outside.
CHART = "apiVersion: v2\nname: web\nversion: 0.1.0\n"
ABSENT = f"{CHART}dependencies: [{{name: absent, version: 1.x, condition: absent.enabled}}]\n"
OFF = "absent: {enabled: false}\n"
POD = (
    "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {case}\nspec:\n"
    "  containers:\n  - {name: a, image: a}\n"
)
OBJECT = (
    '[{op: add, path: /metadata/annotations, value: {"config.kubernetes.io/origin": "path: %s"}}]'
)
LINKS = "../../../../../../../../../.."
BOMB = "\n".join(
    ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
)


def header(name, kind, size=b"00000000000\0", real=0):
    """A header of a tar archive, however wrong."""
    found = bytearray(512)
    found[: len(name)] = name
    found[100:108] = b"0000644\0"
    found[124 : 124 + len(size)] = size
    found[148:157] = b"        " + kind
    found[257:265] = b"ustar  \0"
    found[483:495] = b"%011o\0" % real if real else bytes(12)
    found[148:156] = b"%06o\0 " % sum(found)
    return bytes(found)


def archive(*members, more=b""):
    """A packed chart `sub` with more in it than a chart should have."""
    buffer = io.BytesIO()
    own = [("sub/Chart.yaml", CHART.replace("web", "sub")), ("sub/templates/a.yaml", "")]
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name, content in (*own, *members):
            member = tarfile.TarInfo(name)
            if isinstance(content, str):
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content.encode()))
            else:
                member.type, member.linkname = content
                tar.addfile(member)
    text = buffer.getvalue().rstrip(b"\0")
    return gzip.compress(text + bytes(-len(text) % 512) + more + bytes(1024), mtime=0)


def packed(content, values=OFF):
    return {
        "Chart.yaml": ABSENT,
        "values.yaml": values,
        "templates/a.yaml": POD,
        "charts/sub.tgz": content,
    }


def chart(template, **more):
    return {"Chart.yaml": CHART, "templates/a.yaml": template, **more}


def kustomization(text, **more):
    return {"kustomization.yaml": text, "pod.yaml": POD, **more}


def application(path, values="x.yaml"):
    text = json.dumps(
        {
            "apiVersion": "argoproj.io/v1alpha1",
            "kind": "Application",
            "metadata": {"name": "{case}", "namespace": "argocd"},
            "spec": {
                "destination": {"namespace": "shop"},
                "source": {
                    "repoURL": "https://example.com/acme/deploy",
                    "path": path,
                    "helm": {"valueFiles": [values]},
                },
            },
        }
    )
    return {"app.json": text, "web/Chart.yaml": CHART, "web/templates/a.yaml": POD}


def release(path, **spec):
    text = json.dumps(
        {
            "apiVersion": "helm.toolkit.fluxcd.io/v2",
            "kind": "HelmRelease",
            "metadata": {"name": "{case}", "namespace": "apps"},
            "spec": {
                "chart": {
                    "spec": {
                        "chart": path,
                        "sourceRef": {"kind": "GitRepository", "name": "all"},
                        **spec,
                    }
                }
            },
        }
    )
    return {"release.json": text}


UNREADABLE = "the archive cannot be read"
NOT_INSIDE = "in the archive is not inside of a chart's folder"
FINDINGS = {
    # Archives
    "tar-absolute": (packed(archive(("//{outside}", "x"))), NOT_INSIDE),
    "tar-parent": (packed(archive(("sub/../../../x", "x"))), NOT_INSIDE),
    "tar-windows": (packed(archive(("sub\\..\\..\\x", "x"))), NOT_INSIDE),
    "tar-sparse": (packed(archive(more=header(b"sub/x", b"S", real=6 << 30))), "a sparse file"),
    "tar-headers": (packed(archive(more=header(b"././@LongLink", b"L") * 3000)), UNREADABLE),
    "tar-size": (packed(archive(more=header(b"sub/x", b"0", b"\x80" + b"\xff" * 11))), UNREADABLE),
    "tar-in-tar": (packed(gzip.compress(archive())), UNREADABLE),
    "tar-file-in-file": (packed(archive(("sub/a", "x"), ("sub/a/b", "x"))), "cannot be copied"),
    "tar-long-name": (packed(archive((f"sub/{'a' * 300}", "x"))), "cannot be copied"),
    "gzip-bomb": (packed(gzip.compress(bytes(200 << 20))), "a chart of more than 100 MiB"),
    # Templates
    "until": (chart("{{ range until 2000000000 }}a{{ end }}"), "used more memory than it may"),
    "include": (
        chart('{{ define "x" }}{{ include "x" . }}{{ end }}{{ include "x" . }}'),
        "nested reference name",
    ),
    "env": (chart('{{ env "CANARY" }}'), 'function "env" not defined'),
    "expandenv": (chart('{{ expandenv "$CANARY" }}'), 'function "expandenv" not defined'),
    "values-bomb": (chart("{{ .Values.a9 }}", **{"values.yaml": BOMB}), "excessive aliasing"),
    "fail-digits": (
        chart('{{ fail "web/templates/a.yaml:%s:1 x" }}' % ("1" * 4500)),
        "cannot be rendered",
    ),
    "fail-line": (chart('{{ fail "web/templates/a.yaml:99999 x" }}'), "cannot be rendered"),
    "chart-name": (chart(POD, **{"Chart.yaml": CHART.replace("web", "../../x")}), "is invalid"),
    # Kustomizations
    "k-outside": (kustomization("resources: [pod.yaml, ../../outside/canary.yaml]"), "is outside"),
    "k-absolute": (kustomization("resources: [pod.yaml, {outside}]"), "is outside"),
    "k-patch": (kustomization("patches: [{path: ../../outside/canary.yaml}]"), "is outside"),
    "k-data": (kustomization("secretGenerator: [{name: a, envs: [{outside}]}]"), "is outside"),
    "k-openapi": (kustomization("openapi: {path: {outside}}"), "is outside"),
    "k-crds": (kustomization("crds: [{outside}]"), "is outside"),
    "k-values": (kustomization("helmCharts: [{name: a, valuesFile: {outside}}]"), "is outside"),
    "k-home": (kustomization("helmGlobals: {chartHome: ../..}\nhelmCharts: [{name: x}]"), "is out"),
    "k-remote": (kustomization("resources: [https://example.com/a]"), "it is never fetched"),
    "k-zero": (kustomization('resources: ["a\\0b"]'), "as no file can be called"),
    "k-zero-data": (
        kustomization('configMapGenerator: [{name: a, files: ["a\\0"]}]'),
        "as no file",
    ),
    "k-zero-chart": (kustomization('helmCharts: [{name: "a\\0b"}]'), "is not rendered"),
    "k-plugin": (
        kustomization("generators: [g.yaml]", **{"g.yaml": "{apiVersion: x/v1, kind: X}"}),
        "is not rendered",
    ),
    "k-schema": (
        kustomization("crds: [c.json]", **{"c.json": '{"a":' * 100_000}),
        "is not rendered",
    ),
    "k-circle": (kustomization("resources: [../k-circle]"), "include each other"),
    "k-bomb": (
        kustomization("resources: [b.yaml]", **{"b.yaml": f"kind: X\n{BOMB}"}),
        "is not rendered",
    ),
    # What Argo CD and Flux deploy
    "app-parent": (application("../outside"), "is none inside of the repository"),
    "app-values": (application("{case}/web", "../../../outside/canary.yaml"), "is outside"),
    "app-absolute": (application("{case}/web", "{outside}"), "is not there"),
    "app-file": (application("{case}/web", "file://{outside}"), "nothing is fetched"),
    "app-zero": (application("{case}/web", "a\\0b"), "is not there"),
    "release-parent": (release("../outside"), "is not rendered"),
    "release-absolute": (release("{outside}"), "is not rendered"),
}
PODS = {
    # These render, for what they try is harmless.
    "tar-links": packed(
        archive(("sub/a", (tarfile.SYMTYPE, "/etc/hostname")), ("sub/b", (tarfile.LNKTYPE, "/x")))
    ),
    "tar-devices": packed(
        archive(("sub/a", (tarfile.CHRTYPE, "")), ("sub/b", (tarfile.FIFOTYPE, "")))
    ),
    "outside-by-files": chart(
        POD + '# {{ .Files.Get "{outside}" }}{{ .Files.Get "../../outside/canary.yaml" }}\n'
    ),
    "lookup": chart(POD + '# {{ lookup "v1" "Secret" "" "" }}{{ getHostByName "example.com" }}\n'),
    "markers": chart(f"{POD}  # qoslint-line:9999:1\n  # qoslint-line:0:{'1' * 4500}\n"),
    "origin-outside": kustomization(
        "resources: [pod.yaml]\npatches:\n- target: {kind: Pod}\n  patch: '"
        + OBJECT % f"{LINKS}{{outside}}"
        + "'\n"
    ),
    "origin-zero": kustomization(
        "resources: [pod.yaml]\npatches:\n- target: {kind: Pod}\n  patch: '"
        + OBJECT % r"\"a\\0b\""
        + "'\n"
    ),
    "origin-other": kustomization(
        "resources: [pod.yaml]\npatches:\n- target: {kind: Pod}\n  patch: '"
        + OBJECT % f"{LINKS}{{root}}/neighbour.yaml"
        + "'\n"
    ),
    "origin-metadata": kustomization(
        "resources: [odd.yaml]",
        **{
            "odd.yaml": POD.replace(
                "metadata:\n",
                "metadata:\n  a: |\n    config.kubernetes.io/origin: |\n"
                f"      path: {LINKS}{{outside}}\n",
            )
        },
    ),
    "source": chart(f"{POD}---\n# Source: ../../neighbour.yaml\n"),
    "two-documents": chart(POD, **{"Chart.yaml": f"{CHART}---\nname: other\n"}),
    "twice": chart(POD, **{"values.yaml": "a: 1\na: 2\n"}),
}
NAME = "n\x1b[2J\n\u202e"
SHOWN = r"n\x1b[2J\n\u202e"
ALWAYS_OPENED = (
    "/dev/",
    "/proc/",
    "/sys/",
    "/usr/",
    "/lib",
    "/etc/ld.so",
    "/etc/localtime",
    "/etc/nsswitch.conf",
)


def filled(root, case, files, outside):
    for name, content in files.items():
        path = root / case / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            for key, value in (("case", case), ("outside", outside), ("root", root)):
                content = content.replace(f"{{{key}}}", str(value))
            path.write_text(content, "utf-8")
        else:
            path.write_bytes(content)


@pytest.fixture(scope="module", params=["strace", "audit"])
def recorded(request, tmp_path_factory):
    """The one run over all cases, and the folder that they are in."""
    if request.param == "strace" and recorder.strace() is None:
        pytest.skip("strace is not installed, or may not trace here")
    base = tmp_path_factory.mktemp("hostile")
    root, outside = base / "root", base / "outside/canary.yaml"
    outside.parent.mkdir()
    outside.write_text("canary: true\n", "utf-8")
    (outside.parent / "Chart.yaml").write_text(CHART, "utf-8")
    for case, (files, _) in FINDINGS.items():
        filled(root, case, files, outside)
    for case, files in PODS.items():
        filled(root, case, files, outside)
    filled(root, NAME, {"Chart.yaml": CHART, "templates/a.yaml": '{{ fail "\\x1b\u202e" }}'}, "")
    filled(root, "linked", chart(POD), outside)
    filled(root, "linked-k", kustomization("resources: [pod.yaml, link.yaml]"), outside)
    (root / "linked/templates/link.yaml").symlink_to(outside)
    (root / "linked/files").symlink_to(outside.parent)
    (root / "linked/loop").symlink_to(root)
    (root / "linked/device").symlink_to("/dev/zero")
    os.mkfifo(root / "linked/pipe")
    (root / "linked-k/link.yaml").symlink_to(outside)
    (root / "linked-folder").symlink_to(outside.parent)
    (root / "neighbour.yaml").write_text(POD.replace("{case}", "neighbour"), "utf-8")
    (root / ".git").mkdir()
    remote = '[remote "origin"]\n\turl = https://example.com/acme/deploy\n'
    (root / ".git/config").write_text(remote, "utf-8")
    before = sorted(base.rglob("*"))
    scratch = tmp_path_factory.mktemp("scratch")
    done = recorder.run(request.param, root, scratch)
    assert sorted(base.rglob("*")) == before
    return done, root, scratch


def test_the_run_ends_with_findings_alone(recorded):
    done, *_ = recorded
    assert (done.status, done.errors) == (1, "")


def said_of(report, case):
    """What is said of the case; of one address it is said once, with all places that name it."""
    return [
        each["message"]
        for each in report["findings"]
        if each["rule"] in ("QOS901", "QOS902")
        if any(
            place["file"].startswith(f"{case}/")
            for place in (each["at"], *(related["at"] for related in each["related"]))
        )
    ]


@pytest.mark.parametrize("case", FINDINGS)
def test_each_ends_in_a_finding(recorded, case):
    done, *_ = recorded
    said = said_of(done.report, case)
    assert any(FINDINGS[case][1] in message for message in said), said


def pods(report):
    return {name for each in report["findings"] for name in each["objects"]}


def test_the_rest_is_checked_all_the_same(recorded):
    done, *_ = recorded
    wanted = {f"Pod default/{case}" for case in (*PODS, "neighbour", "linked")}
    assert wanted - pods(done.report) == set()


def test_each_finding_is_at_a_line_of_the_repository(recorded):
    done, root, _ = recorded
    for each in done.report["findings"]:
        path = root / each["at"]["file"].replace(SHOWN, NAME)
        assert path.is_file(), each
        if path.suffix != ".tgz":
            lines = path.read_text("utf-8").count("\n") + 1
            assert 1 <= each["at"]["line"] <= lines, each


def test_no_object_is_at_a_file_that_it_does_not_come_from(recorded):
    done, *_ = recorded
    for each in done.report["findings"]:
        if each["at"]["file"] == "neighbour.yaml":
            assert each["objects"] == ["Pod default/neighbour"]


def test_nothing_is_started_but_engines(recorded):
    done, _, scratch = recorded
    kubectl = Path(sysconfig.get_path("scripts"), "kubectl")
    allowed = {sys.executable, os.path.realpath(sys.executable), str(kubectl), "/bin/sh"}
    for program in done.started:
        is_stand_in = program.startswith(f"{scratch}/tmp/qoslint-helm-")
        assert program in allowed or is_stand_in, program


def test_nothing_outside_of_the_root_is_opened(recorded):
    done, root, scratch = recorded
    own = (sys.prefix, sys.base_prefix, str(recorder.ROOT), str(root), str(scratch))
    for path in done.opened | done.made:
        assert "canary" not in path
        assert path.startswith((*own, *ALWAYS_OPENED)) or not Path(path).is_file(), path


def test_nothing_is_written_but_temporary_files(recorded):
    done, _, scratch = recorded
    for path in done.made:
        assert path.startswith((str(scratch), "/dev/", "/proc/")), path


def test_nothing_is_reached(recorded):
    done, *_ = recorded
    assert done.reached == []


def test_nothing_of_the_environment_or_of_a_terminal_is_in_the_report(recorded):
    done, *_ = recorded
    text = json.dumps(done.report, ensure_ascii=False)
    assert "canary-of-the-environment" not in text
    assert not {"\x1b", "\u202e", "\x07"} & set(text)

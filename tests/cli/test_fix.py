"""`qoslint check --fix`: which files change, how, and which never do."""

import json
import os
import subprocess

import pytest

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: app}
spec:
  containers:
    - name: app
      image: x
      resources:
        requests:
          memory: 500m   # measured
        limits: {memory: "2 gib"}
"""
FIXED = POD.replace("500m", "500Mi").replace("2 gib", "2Gi")
DIFF = """\
--- a/app.yaml
+++ b/app.yaml
@@ -7,5 +7,5 @@
       image: x
       resources:
         requests:
-          memory: 500m   # measured
-        limits: {memory: "2 gib"}
+          memory: 500Mi   # measured
+        limits: {memory: "2Gi"}
"""


@pytest.fixture
def app(tmp_path):
    file = tmp_path / "app.yaml"
    file.write_text(POD, "utf-8")
    return file


def snapshot(root):
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_files_are_changed_and_what_was_fixed_is_told(qoslint, app):
    done = qoslint("check", "--fix")
    assert app.read_text("utf-8") == FIXED
    assert done.stderr == (
        "fixed app.yaml:10:19: QOS701 spec.containers[0].resources.requests.memory\n"
        "fixed app.yaml:11:26: QOS702 spec.containers[0].resources.limits.memory\n"
        "2 findings fixed in 1 file.\n"
    )
    assert done.returncode == 0
    assert "No findings: 1 pod checked." in done.stdout


def test_a_dry_run_prints_a_diff_and_writes_nothing(qoslint, app):
    before = snapshot(app.parent)
    done = qoslint("check", "--fix", "--dry-run")
    assert (done.stdout, done.stderr, done.returncode) == (DIFF, "", 1)
    assert snapshot(app.parent) == before


def test_git_applies_the_diff(qoslint, app):
    diff = qoslint("check", "--fix", "--dry-run").stdout
    subprocess.run(["git", "apply", "-"], cwd=app.parent, input=diff, text=True, check=True)
    assert app.read_text("utf-8") == FIXED


def test_a_dry_run_without_a_fix_is_refused(qoslint, app):
    done = qoslint("check", "--dry-run")
    assert done.returncode == 2
    assert done.stderr == "qoslint: --dry-run says what --fix would do; give both\n"


def test_a_second_run_has_nothing_to_fix(qoslint, app):
    qoslint("check", "--fix")
    done = qoslint("check", "--fix")
    assert done.stderr == "0 findings fixed in 0 files.\n"
    assert app.read_text("utf-8") == FIXED


def test_without_fix_no_file_is_written(qoslint, app):
    before = snapshot(app.parent)
    assert qoslint("check").stdout.endswith("2 findings: 2 errors. 2 can be fixed with --fix.\n")
    assert snapshot(app.parent) == before


def test_only_selected_rules_fix(qoslint, app):
    qoslint("check", "--fix", "--select", "QOS702")
    assert app.read_text("utf-8") == POD.replace("2 gib", "2Gi")


def test_what_is_left_decides_about_the_exit_status(qoslint, app):
    app.write_text(POD.replace("500m", "5Gi"), "utf-8")
    done = qoslint("check", "--fix", "--output", "json:-")
    left = {finding["rule"] for finding in json.loads(done.stdout)["findings"]}
    # That the request is above the limit shows when the limit can be read.
    assert (left, done.returncode) == ({"QOS201"}, 1)


def test_other_files_than_the_paths_are_left_alone(qoslint, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "app.yaml").write_text(POD.replace("app}", f"{name}}}"), "utf-8")
    qoslint("check", "--fix", "one")
    assert "500Mi" in (tmp_path / "one" / "app.yaml").read_text("utf-8")
    assert "500m" in (tmp_path / "two" / "app.yaml").read_text("utf-8")


def test_permissions_stay(qoslint, app):
    app.chmod(0o640)
    qoslint("check", "--fix")
    assert app.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in app.parent.iterdir()] == ["app.yaml"]


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.encode("utf-16"),
        lambda text: ("\ufeff" + text).encode("utf-16-be"),
        lambda text: text.rstrip("\n").encode(),
        lambda text: text.replace("# measured", "# é 😀").encode(),
    ],
    ids=["crlf", "utf-8-mark", "utf-16", "utf-16-be", "no-line-end", "not-ascii"],
)
def test_line_ends_and_encoding_stay(qoslint, app, encode):
    app.write_bytes(encode(POD))
    qoslint("check", "--fix")
    assert app.read_bytes() == encode(FIXED)


def test_a_stream_and_a_list_are_fixed_in_place(qoslint, app):
    items = json.dumps(
        {
            "apiVersion": "v1",
            "kind": "List",
            "items": [
                {
                    "apiVersion": "v1",
                    "kind": "Pod",
                    "metadata": {"name": "in-list"},
                    "spec": {
                        "containers": [
                            {"name": "c", "resources": {"limits": {"memory": "64mi", "cpu": 1}}}
                        ]
                    },
                }
            ],
        },
        indent=1,
    )
    text = f"# first\n{POD}\n---\n{POD.replace('app}', 'b}')}...\n"
    app.write_text(text, "utf-8")
    (app.parent / "list.json").write_text(items, "utf-8")
    done = qoslint("check", "--fix")
    assert done.stderr.endswith("5 findings fixed in 2 files.\n")
    assert app.read_text("utf-8") == text.replace("500m", "500Mi").replace("2 gib", "2Gi")
    assert (app.parent / "list.json").read_text("utf-8") == items.replace("64mi", "64Mi")


class TestHostile:
    def test_a_link_is_neither_followed_nor_replaced(self, qoslint, app, tmp_path_factory):
        outside = tmp_path_factory.mktemp("outside") / "app.yaml"
        outside.write_text(POD, "utf-8")
        link = app.parent / "link.yaml"
        link.symlink_to(outside)
        (app.parent / "folder").symlink_to(outside.parent)
        assert qoslint("check", "--fix").returncode == 0
        assert outside.read_text("utf-8") == POD
        assert link.is_symlink()
        assert app.read_text("utf-8") == FIXED

    @pytest.mark.parametrize(
        ("shares", "fixed"), [("requests: {<<: *r, cpu: 1}", 1), ("limits: {<<: *r}", 0)]
    )
    def test_what_is_shared_is_changed_if_one_finding_is_about_all(
        self, qoslint, app, shares, fixed
    ):
        """A request and a limit are two findings, and no fix of one may change the other."""
        text = POD.replace("requests:", "requests: &r").replace("2 gib", "2Gi") + (
            f"    - name: b\n      image: x\n      resources:\n        {shares}\n"
        )
        app.write_text(text, "utf-8")
        done = qoslint("check", "--fix", "--select", "QOS701")
        assert done.stderr.splitlines()[-1].startswith(f"{fixed} finding")
        assert app.read_text("utf-8") == (text.replace("500m", "500Mi") if fixed else text)

    @pytest.mark.parametrize(
        "value", ["|-\n            500m", "!!str 500m", "'500m\n\n            '"]
    )
    def test_an_unusual_value_is_left_alone(self, qoslint, app, value):
        text = POD.replace("500m   # measured", value).replace("2 gib", "2Gi")
        app.write_text(text, "utf-8")
        done = qoslint("check", "--fix")
        assert (done.stderr, done.returncode) == ("0 findings fixed in 0 files.\n", 1)
        assert app.read_text("utf-8") == text

    def test_a_file_that_cannot_be_written_is_said(self, qoslint, app):
        if os.geteuid() == 0:
            pytest.skip("root can write every file")
        app.parent.chmod(0o500)
        done = qoslint("check", "--fix")
        app.parent.chmod(0o700)
        assert done.returncode == 2
        assert done.stderr.startswith("qoslint: cannot write 'app.yaml'")
        assert app.read_text("utf-8") == POD

    def test_escapes_stay_out_of_the_diff(self, qoslint, app):
        app.write_text(POD.replace("# measured", "# \u202e evil"), "utf-8")
        done = qoslint("check", "--fix", "--dry-run")
        assert "\\u202e" in done.stdout
        assert "\u202e" not in done.stdout

    def test_thousands_of_fixes_in_one_document_are_made(self, qoslint, app):
        containers = "".join(
            f"    - {{name: c{n}, image: x, resources: {{requests: {{memory: 500m}}}}}}\n"
            for n in range(1_000)
        )
        app.write_text(POD[: POD.index("    - name")] + containers, "utf-8")
        done = qoslint("check", "--fix")
        assert done.stderr.endswith("1000 findings fixed in 1 file.\n")
        assert app.read_text("utf-8").count("500Mi") == 1_000

    def test_what_stands_in_the_way_of_each_other_is_fixed_in_turn(self, qoslint, app):
        aliased = POD.replace("500m ", "&m 500m ").replace("2 gib", "2Gi") + (
            "    - {name: b, image: x, resources: {limits: {memory: *m}}}\n"
        )
        app.write_text(
            "---\n".join(aliased.replace("app}", f"a{n}}}") for n in range(300)), "utf-8"
        )
        qoslint("check", "--fix")
        assert "500m" not in app.read_text("utf-8")

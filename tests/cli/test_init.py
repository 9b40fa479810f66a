"""`qoslint init` through the command line."""

import pytest

from qoslint.source.document import load

APP = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: api, namespace: shop}
spec:
  selector: {matchLabels: {app: api}}
  template:
    metadata: {labels: {app: api}}
    spec: {containers: [{name: app, image: registry.example/api:1}]}
"""
# As `mypy` and `ruff` have it; the settings of qoslint would be a table of its own.
OTHER_TOML = "[tool.ruff]\nline-length = 100\n"


@pytest.fixture
def root(tmp_path):
    (tmp_path / "api.yaml").write_text(APP, "utf-8")
    return tmp_path


def test_the_proposal_is_printed_and_nothing_is_written(qoslint, root):
    done = qoslint("init")
    assert (done.returncode, done.stderr) == (0, "")
    assert load(done.stdout)["clusters"] == [{"name": "default", "paths": ["."], "complete": False}]
    assert [path.name for path in root.iterdir()] == ["api.yaml"]


def test_the_proposal_is_written_and_governs_the_next_run(qoslint, root):
    (root / "pyproject.toml").write_text(OTHER_TOML, "utf-8")
    printed = qoslint("init").stdout
    done = qoslint("init", "--write")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"qoslint: wrote {root / '.qoslint.yaml'}\n"
    assert (root / ".qoslint.yaml").read_text("utf-8") == printed
    assert qoslint("check", ".").returncode == 0


@pytest.mark.parametrize(
    ("name", "text"),
    [(".qoslint.yaml", "kubernetes: '1.35'\n"), ("pyproject.toml", "[tool.qoslint]\n")],
)
def test_settings_that_are_there_are_kept(qoslint, root, name, text):
    (root / name).write_text(text, "utf-8")
    done = qoslint("init", "--write")
    assert done.returncode == 2
    assert done.stderr == f"qoslint: there are settings already, in {name}; --write keeps them\n"
    assert (root / name).read_text("utf-8") == text
    assert qoslint("init").returncode == 0


def test_nothing_is_written_through_a_symbolic_link(qoslint, root, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "target"
    (root / ".qoslint.yaml").symlink_to(elsewhere)
    done = qoslint("init", "--write")
    assert done.returncode == 2
    assert not elsewhere.exists()


def test_the_root_of_git_gets_the_settings(qoslint, root):
    (root / ".git").mkdir()
    inner = root / "deploy"
    inner.mkdir()
    assert qoslint("init", "--write", cwd=inner).returncode == 0
    assert (root / ".qoslint.yaml").is_file()
    assert not (inner / ".qoslint.yaml").exists()


def test_names_of_strangers_stay_comments(qoslint, root):
    folder = root / "a\nb: &x # \x1b[2J"
    folder.mkdir()
    (folder / "c\nd.yaml").write_text(APP.replace("api", "web"), "utf-8")
    (root / "limits.yaml").write_text(
        'apiVersion: v1\nkind: LimitRange\nmetadata: {name: "x\\ny: z # \\e[2J"}\nspec: {}\n',
        "utf-8",
    )
    done = qoslint("init")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    assert load(done.stdout) is None or {"clusters"} >= load(done.stdout).keys()


def test_a_folder_that_is_not_there_is_told(qoslint):
    done = qoslint("init", "missing")
    assert (done.returncode, done.stderr) == (2, "qoslint: 'missing' does not exist\n")

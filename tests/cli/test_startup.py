"""What a small run leaves alone: the imports that would take longer than the run itself."""

import subprocess
import sys

import pytest

from qoslint.package_data import data
from qoslint.source import plain_block, plain_flow

PLAIN = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
spec:
  selector: {matchLabels: {app: api}}
  template:
    metadata: {labels: {app: api}}
    spec:
      containers:
        - name: api
          image: registry.example/api:1
          args: ["--port", "8080"]
          resources:
            requests: {cpu: 100m, memory: 128Mi}
            limits: {memory: 256Mi}
"""
UNUSED = (
    "ruamel",
    "_ruamel_yaml",
    "jsonschema",
    "sarif_om",
    "attr",
    "pluggy",
    "importlib.metadata",
    "tempfile",
    "qoslint.model.facts",
)
CODE = f"""
import sys
from qoslint.cli.main import main
try:
    main()
except SystemExit as end:
    assert end.code == 0, end.code
sys.exit(" ".join({{*{UNUSED}}} & {{*sys.modules}}) or 0)
"""
SHIPPED = {
    **{page.name: page.read_text("utf-8") for page in data("kinds").iterdir()},
    **{page.name: page.read_text("utf-8").split("---\n")[1] for page in data("rules").iterdir()},
}


def test_a_check_of_plain_files_imports_nothing_that_it_does_not_use(repository):
    root = repository.write({"app.yaml": PLAIN}).root
    command = [sys.executable, "-c", CODE, "check", "."]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 Burstable" in done.stdout


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_shipped_data_is_read_without_a_parser(name):
    assert plain_block.read(SHIPPED[name], flow=_plain_flow)


def _plain_flow(text):
    value = plain_flow.read(text)
    assert value is not None, text
    return value


WINDOWS = """
import os, sys
for name in ("O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "fork", "killpg"):
    delattr(os, name)
sys.modules.update(resource=None, fcntl=None)
from qoslint.cli.main import main
os.name = "nt"
main("check")
"""


def test_where_it_cannot_run_that_is_told():
    done = subprocess.run(
        [sys.executable, "-c", WINDOWS], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == (
        f"qoslint: {sys.platform} is not supported, only Linux and macOS: use WSL\n"
    )

"""No input may crash, hang or fill the memory: each is read in a process with limits."""

import json
import resource
import subprocess
import sys

import pytest

MEMORY_BYTES = 1200 * 1024 * 1024
SECONDS = 30

READ = """
import gc, json, sys
from qoslint.finding import Part
from qoslint.source.document import Document, Source, documents
from qoslint.source.locate import locate
from qoslint.source.text import NotTextError, decode
from qoslint.source.tree import Skipped, WorkTree
from pathlib import Path

gc.disable()
tree = WorkTree(Path(sys.argv[1]))
told = []
for file in tree.walk(["."]):
    if isinstance(file, Skipped):
        told.append(file.reason)
        continue
    try:
        text = decode(tree.read(file.path))
    except NotTextError as error:
        told.append(error.reason)
        continue
    for item in documents(Source(file.path, file.path, text), {"Pod"}):
        if isinstance(item, Document) and item.number < 10:
            locate(item, ("a", 0, "b"), Part.VALUE)
        told.append(getattr(item, "message", type(item).__name__))
print(json.dumps([len(told), told[:3]]))
"""


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    # CPU time: on a busy machine that of the clock says nothing.
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


@pytest.fixture
def told(tmp_path):
    """What is told of a file with this content."""

    def read(content):
        data = content.encode() if isinstance(content, str) else content
        (tmp_path / "a.yaml").write_bytes(data)
        done = subprocess.run(
            [sys.executable, "-c", READ, str(tmp_path)],
            capture_output=True,
            check=False,
            preexec_fn=limit,
            text=True,
            timeout=20 * SECONDS,
        )
        assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
        return json.loads(done.stdout)

    return read


DEEP = "nested deeper than 200 levels"
BOMB = "aliases expand to more than "
TEN = "[" + ", ".join(["*{0}"] * 10) + "]"


def laughs():
    lines = ["a0: &a0 [" + ", ".join("x" * 10) + "]"]
    lines += [f"a{i}: &a{i} {TEN.format(f'a{i - 1}')}" for i in range(1, 30)]
    return "\n".join(lines) + "\n"


def quadratic():
    return "a: &a [" + "x, " * 20_000 + "]\nb: [" + "*a, " * 20_000 + "]\n"


def merges():
    keys = ", ".join(f"k{i}: {i}" for i in range(3000))
    return f"a: &a {{{keys}}}\n" + "".join(f"b{i}: {{<<: *a}}\n" for i in range(3000))


def merge_chain():
    lines = ["m0: &m0 {" + ", ".join(f"k{i}: 1" for i in range(100)) + "}"]
    lines += [f"m{i}: &m{i} {{<<: [{', '.join([f'*m{i - 1}'] * 5)}]}}" for i in range(1, 30)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(lambda: b"x" * 50_000_000, ["larger than 20 MiB"], id="50 MB"),
        pytest.param(lambda: "[" * 100_000, [DEEP], id="100,000 brackets"),
        pytest.param(lambda: "a: " + "[" * 100_000, [DEEP], id="brackets in a field"),
        pytest.param(lambda: "{a: " * 100_000, [DEEP], id="100,000 braces"),
        pytest.param(lambda: '{"a":' * 100_000 + "1" + "}" * 100_000, [DEEP], id="deep JSON"),
        pytest.param(lambda: "- " * 10_000 + "x", [DEEP], id="10,000 dashes"),
        pytest.param(lambda: "? " * 10_000 + "x", [DEEP], id="10,000 complex keys"),
        pytest.param(
            lambda: "".join(f"{' ' * i}a:\n" for i in range(6_000)), [DEEP], id="6,000 mappings"
        ),
        pytest.param(laughs, ["document contains excessive aliasing"], id="billion laughs"),
        pytest.param(quadratic, [BOMB], id="quadratic aliases"),
        pytest.param(merges, [BOMB], id="merged keys"),
        pytest.param(merge_chain, [BOMB], id="merge chain"),
        pytest.param(
            lambda: "kind: Pod\na: [{b: 1}]\n---\n" * 100_000,
            ["Document"] * 100_000,
            id="100,000 documents",
        ),
        pytest.param(
            lambda: "kind: ConfigMap\ndata: {}\n---\n" * 100_000,
            ["Passed"] * 100_000,
            id="100,000 passed documents",
        ),
        pytest.param(
            lambda: "---\n" * 5_000_000,
            ["more than 250,000 document markers in one file"],
            id="5,000,000 markers",
        ),
        pytest.param(lambda: "\n" * 20_000_000, [], id="20,000,000 blank lines"),
        pytest.param(lambda: "a: 1\n" + "#\n" * 9_000_000, ["Document"], id="comment lines"),
        pytest.param(lambda: "a: " + "x " * 9_500_000, ["Document"], id="19 MB plain scalar"),
        pytest.param(lambda: "a: " + "1" * 19_000_000, ["Document"], id="19 MB of digits"),
        pytest.param(lambda: "a: b" + " " * 19_000_000 + "\n", ["Document"], id="19 MB of blanks"),
        pytest.param(lambda: "a: |\n" + " x\n" * 6_000_000, ["Document"], id="19 MB block scalar"),
        pytest.param(lambda: f'a: "{"x" * 19_000_000}"\n', ["Document"], id="19 MB quoted scalar"),
        pytest.param(
            lambda: "".join(f"k{i}: {i}\n" for i in range(300_000)), ["Document"], id="many keys"
        ),
        pytest.param(
            lambda: "[" + "[]," * 2_600_000 + "]",
            ["more than 2,500,000 values, aliases resolved"],
            id="2,600,000 lists",
        ),
        pytest.param(lambda: "a: [" + "x," * 200_000 + "]", ["Document"], id="a long flow line"),
        pytest.param(
            lambda: "a: {" + "b:c, " * 200_000 + "}", ["Document"], id="200,000 flow colons"
        ),
        pytest.param(lambda: "a: 1\na: 1\n" * 50_000, ["Document"], id="duplicate keys"),
        pytest.param(
            lambda: "a: 1\n---\nb: [\n---\nc: 2\n",
            [
                "Document",
                "while parsing a flow node: did not find expected node content",
                "Document",
            ],
            id="broken middle",
        ),
        pytest.param(
            lambda: "".join(f"%TAG !a{i}! x\n" for i in range(40_000)) + "--- a",
            ["more than 100 directives in one document"],
            id="40,000 directives",
        ),
        pytest.param(
            lambda: "a: b\n" + "".join(f"%TAG !a{i}! x\n" for i in range(40_000)),
            ["more than 100 directives in one document"],
            id="40,000 directives behind the document",
        ),
        pytest.param(lambda: "a: [" + "&a," * 300_000 + "]", ["Document"], id="anchors"),
        pytest.param(lambda: "a:\n\tb: 1\n", ["a tab cannot indent YAML"], id="tab"),
        pytest.param(lambda: b"a: \0\n", ["binary"], id="NUL"),
        pytest.param(lambda: b"a: \xc3\x28\n", ["not UTF-8 text"], id="invalid UTF-8"),
    ],
)
def test_hostile_input_is_survived_and_told(told, content, expected):
    count, first = told(content())
    assert len(first) == len(expected[:3])
    assert all(map(str.startswith, first, expected))
    assert count == (100_000 if len(expected) > 3 else len(expected))

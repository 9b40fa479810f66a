"""The embedded engine answers as genuine Helm binaries do, as far as `.ci/run` has brought some."""

import copy
import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from qoslint.render.helm import strvals
from qoslint.render.helm.arrivals import identity
from qoslint.render.helm.origin import Wanted, trace
from qoslint.render.helm.prepare import prepare
from qoslint.render.helm.records import Chart, Layer, Parameter, Rendered
from qoslint.render.helm.render import render_charts
from qoslint.render.helm.semver import satisfies
from qoslint.render.helm.tree import read_tree
from qoslint.source.document import Document, Source, documents, load
from qoslint.source.stream import pieces

from .conftest import BINARIES, genuine, write

CORPUS = next(
    filter(Path.is_dir, (each / "shared/corpus/repos" for each in Path(__file__).parents)), None
)
RANDOM = {"random", "checksum/config"}
BINARY = [pytest.param(each, id=f"helm-{each.version}") for each in genuine()] or [
    pytest.param(None, marks=pytest.mark.skip(reason=f"{BINARIES} names no genuine Helm"))
]


def masked(value):
    if isinstance(value, dict):
        return {key: "?" if key in RANDOM else masked(each) for key, each in value.items()}
    return [masked(each) for each in value] if isinstance(value, list) else value


def objects(rendered):
    """What each template renders to, in any order: the program sorts what it prints."""
    assert isinstance(rendered, Rendered), rendered
    found = {}
    for template in rendered.templates:
        values = [masked(load(piece.text)) for piece in pieces(template.text)]
        texts = sorted(json.dumps(each, sort_keys=True) for each in values if each)
        if texts:
            found[template.name, template.file, template.inside] = texts
    return found


def same(checkout, charts, embedded, binary):
    ours = render_charts(checkout, charts, embedded)
    theirs = render_charts(checkout, charts, binary)
    for chart, our, their in zip(charts, ours, theirs, strict=True):
        assert objects(our) == objects(their), chart


OWN_NULLS = {"app-config-ephemeral", "argo-bootstrap"}
"""Charts whose own values hold nulls: Helm before 4.2 leaves them to templates."""

EVERYTHING = Chart("everything", "r", "n", "1.36", api_versions=("example.com/v1",))
PROD = Layer(
    "prod.yaml",
    "replicas: 5\nsidecars: [{name: one, memory: 1Mi}]\nweb: {resources: {requests: null}}\n"
    "queue: {exports: {limits: {memory: 99Mi}}}\ndisabled: {enabled: true}\nbytes: 2147483648\n",
)


@pytest.mark.parametrize("binary", BINARY)
@pytest.mark.parametrize(
    "chart",
    [
        EVERYTHING,
        EVERYTHING._replace(layers=(PROD,)),
        EVERYTHING._replace(skip_crds=True, skip_tests=True, kubernetes="1.31"),
        EVERYTHING._replace(
            layers=(PROD,),
            parameters=(
                Parameter("bytes", "3221225472"),
                Parameter("sidecars[0].memory", "7Mi"),
                Parameter("cache.enabled", "false"),
                Parameter("queue.resources", "null"),
                Parameter("worker.cpu", "2"),
                Parameter("image", "010", force_string=True),
                Parameter("config.key", "a,{b}\\c", literal=True),
            ),
        ),
        EVERYTHING._replace(
            layers=(Layer("bad.yaml", "replicas: 0\n"),), skip_schema=True, release="other"
        ),
    ],
    ids=["default", "layers", "skips", "parameters", "schema"],
)
def test_the_same_objects_are_rendered(chart, checkout, embedded, binary):
    same(checkout, [chart], embedded, binary)


@pytest.mark.parametrize("binary", BINARY[-1:])
def test_fields_are_led_to_the_same_lines(checkout, embedded, binary):
    places = []
    for engine in (embedded, binary):
        [answer] = render_charts(checkout, [EVERYTHING], engine)
        found = {}
        for template in answer.templates:
            source = Source(template.name, template.file, template.text)
            for document in documents(source, Every()):
                assert isinstance(document, Document)
                for path in memory_limits(document.data, ()):
                    wanted = Wanted(template.name, document, path)
                    found[template.name, *identity(document.data), path] = wanted
        traced = trace(checkout, EVERYTHING, answer, list(found.values()), engine)
        places.append((dict(zip(found, traced.origins, strict=True)), traced.ineffective))
    assert len(places[0][0]) >= 10
    assert places[0] == places[1]


class Every:
    def __contains__(self, kind):
        return True


def memory_limits(data, path):
    if isinstance(data, dict):
        if "memory" in (data.get("limits") or ()):
            yield (*path, "limits", "memory")
        for key, value in data.items():
            yield from memory_limits(value, (*path, key))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from memory_limits(value, (*path, number))


@pytest.fixture(scope="module")
def corpus(embedded):
    if CORPUS is None:
        pytest.skip("no corpus of charts beside the repository")
    folders = sorted(path.parent.relative_to(CORPUS) for path in CORPUS.rglob("Chart.yaml"))
    charts = [Chart(str(folder), "r", "n", "1.36") for folder in folders]
    return charts, list(render_charts(CORPUS, charts, embedded))


@pytest.mark.parametrize("binary", BINARY)
def test_every_chart_of_the_corpus_renders_the_same_objects(corpus, binary):
    charts, ours = corpus
    theirs = render_charts(CORPUS, charts, binary)
    for chart, our, their in zip(charts, ours, theirs, strict=True):
        if Path(chart.folder).name in OWN_NULLS and binary.version < "4.2":
            continue
        if isinstance(their, Rendered):
            assert objects(our) == objects(their), chart
        else:
            assert (our.file, our.line) == (their.file, their.line), chart


def template(binary, folder, *arguments):
    command = [*binary.command, "template", "r", "c", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


SHOW = {
    "c/Chart.yaml": "apiVersion: v2\nname: c\nversion: 0.1.0\n",
    "c/templates/a.yaml": "v: {{ toJson .Values.v | quote }}\n"
    "kinds: {{ range $k, $v := .Values.v }}{{ $k }}={{ typeOf $v }},{{ $v }};{{ end }}\n",
}
NOTATIONS = (("--set", strvals.typed), ("--set-string", str))
GIVEN = {"v": {"a": 1, "m": {"x": 1, "l": [1, 2, {"k": "v"}]}, "l": [{"q": 1}], "nul": None}}
SETS = re.split(
    r"\s+",
    """
a=5 m.x=true m.l[0]=9 m.l[5]=x m.l[2].k=y l[3].q=4 l[0].z=null a.b=1 a[0]=1 nul.x=1 nul[0]=1
n={1,2,x} n={} n={a} n= n=a,b n=a\\,b n=010 n=0 n=-5 n=+5 n=1.5 n=99999999999999999999 n=TRUE
n=Null a\\.b=x m.z\\.z=1 x[0][1]=2 x[0].h[1].z=2 x[-1]=2 x[a]=2 m.l[0].q=1 m=null m.l=null k.=x
.k=x p[0]={a,b} q={a,b}c r={a t=a=b u.v={} w=a\\b x[70000]=1 yy=1e6 z=0x10 bb={a\\,b,c}
m.l[1]x=1 dd=9223372036854775807 ee=9223372036854775808 big=1048576 deep.l={1048576,2}""".strip(),
)


@pytest.mark.parametrize("binary", BINARY[-1:])
def test_values_are_set_by_name_as_the_program_sets_them(binary, tmp_path):
    write(tmp_path, SHOW | {"base.yaml": json.dumps(GIVEN)})
    cases = [(*how, *each.split("=", 1)) for how in NOTATIONS for each in SETS]

    def said(case):
        option, _, name, value = case
        argument = f"v.{name}={strvals.one_value(value)}"
        return template(binary, tmp_path, "-f", "base.yaml", option, argument).stdout

    with ThreadPoolExecutor() as pool:
        outputs = list(pool.map(said, cases))
    for (option, typed, name, value), output in zip(cases, outputs, strict=True):
        given = copy.deepcopy(GIVEN)
        try:
            strvals.apply(given, f"v.{name}", strvals.one_value(value), typed)
        except strvals.NotationError:
            given = {"v": None}
        text = re.search(r"^v: (.*)$", output, re.MULTILINE)
        assert given["v"] == (text and json.loads(json.loads(text[1]))), (option, name, value)


@pytest.mark.parametrize("binary", BINARY)
def test_numbers_that_are_set_by_name_have_the_type_that_the_program_gives_them(
    binary, embedded, tmp_path
):
    write(tmp_path, SHOW | {"base.yaml": "v: {f: 1048576, l: [1, {k: 2}]}\n"})
    sets = ["v.n=1048576", "v.l[1].k=5000000", "v.m={1048576,a}", "v.l[0]=7000000"]
    arguments = [argument for each in sets for argument in ("--set", each)]
    done = template(binary, tmp_path, "-f", "base.yaml", *arguments)
    chart = Chart(
        "c",
        "r",
        "n",
        "1.36",
        (Layer("base.yaml", (tmp_path / "base.yaml").read_text()),),
        tuple(Parameter(*each.split("=")) for each in sets),
    )
    for engine in (embedded, binary):
        [rendered] = render_charts(tmp_path, [chart], engine)
        assert rendered.templates[0].text.strip() in done.stdout


RANGES = """
>=1.25|<1.30|>1.30|<=1.30|=1.30|1.30|1.30.1|1.30.x|1.x|*|x|^1.30|^1.30.1|^0.2|^0.0.3|^0|~1.30|~1
~1.30.1|~>1.30|!=1.30|!=1.30.1|>=1.25 <1.31|>=1.25, <1.31|>=1.25,<1.31|1.25 - 1.30|1.25.0 - 1.30.0
>=1.25.0-0|>=1.30.1-0|< 1.31.0-0 $ >= 1.32|1.2 $ 1.30||junk|>=1.25 junk|v1.30|>=v1.30.0|=>1.30
=<1.30|^1.30.0-0|~1.30.0-alpha|>1.30.0-alpha|~0|~*|^*|>1|>1.x|<1.x|<=1.x|>=1.x|!=1.x|>01.2|1.30.1+b
>= 1.25.0 < 1.40.0|=1.30.1 !=1.30.2|1|0.0|>1.30.1 $ <1.20|1.30.1-beta|<1.30.1-beta|1.29-1.31|>=1.25,
== 1.30.1
""".strip()
VERSIONS = re.split(
    " ", "1.30.0 1.30.1 1.31.0 1.25.0 0.2.5 0.0.3 2.0.0 1.30.1-beta.1 1.36.0 1.30.0-alpha.2"
)


@pytest.mark.parametrize("binary", BINARY[-1:])
def test_ranges_of_versions_hold_what_helm_says_they_hold(binary, tmp_path):
    ranges = [each.replace("$", "||") for each in re.split(r"[|\n]", RANGES)]
    write(tmp_path, SHOW)
    for each in ranges:
        answers = "\n".join(
            f"{{{{ semverCompare {json.dumps(each)} {json.dumps(version)} }}}}"
            for version in VERSIONS
        )
        (tmp_path / "c/templates/a.yaml").write_text(f"a: |\n{answers}\n".replace("\n{{", "\n  {{"))
        done = template(binary, tmp_path)
        said = re.findall(r"^  (true|false)$", done.stdout, re.MULTILINE)
        expected = [word == "true" for word in said] or [None] * len(VERSIONS)
        assert [satisfies(version, each) for version in VERSIONS] == expected, each


@pytest.mark.parametrize("binary", BINARY[-1:])
def test_layers_are_merged_as_the_program_merges_its_values_files(binary, tmp_path):
    texts = [
        "v: {a: 1, m: {x: 1, y: 2}, l: [1, 2], gone: 1}\n",
        "v: {m: {y: null, z: 3}, l: [3], gone: null, s: {a: 1}}\n",
        "",
        "v: {s: text, m: {x: {deep: 1}}}\n",
    ]
    write(tmp_path, SHOW | {f"{number}.yaml": text for number, text in enumerate(texts)})
    files = [argument for number in range(4) for argument in ("-f", f"{number}.yaml")]
    done = template(binary, tmp_path, *files)
    layers = tuple(Layer(f"{number}.yaml", text) for number, text in enumerate(texts))
    prepared = prepare(read_tree(tmp_path, "c"), Chart("c", "r", "n", "1.36", layers))
    text = re.search(r"^v: (.*)$", done.stdout, re.MULTILINE)
    assert prepared.values["v"] == json.loads(json.loads(text[1]))

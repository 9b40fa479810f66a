"""Comments and annotations that accept findings: each place and each wrong form."""

import re
from textwrap import dedent

import pytest

from qoslint.errors import SettingsError, UsageError

TINY = "requests: {memory: 400}"
OK = "# qoslint: ignore[QOS701] the load test wants it"
SETTINGS = {".qoslint.yaml": "rules: {select: [QOS701, QOS903]}\n"}


def deployment(container="", first="", pod="", metadata=""):
    """A manifest of two containers that ask for 400 bytes each, with texts in it."""
    return f"""\
apiVersion: apps/v1{first}
kind: Deployment
metadata:
  name: web
  namespace: shop{metadata}
spec:
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata:
      labels: {{app: web}}{pod}
    spec:
      containers:
        - name: app{container}
          image: x
          resources:
            requests:
              memory: 400
        - image: x
          name: agent
          resources:
            requests:
              memory: 400
"""


@pytest.fixture
def told(repository):
    """Gives what is told of files: `CODE file:line`, and by what how many findings are accepted."""

    def check(files, *paths):
        report = repository.write({**SETTINGS, **files}).check(*paths)
        assert not report.failed_checks
        found = [
            f"{each.rule} {each.location.file}:{each.location.span.start.line}"
            for each in report.findings
        ]
        return found, [each.by for each in report.accepted]

    return check


def placed(text, marks):
    """The text with a comment behind, or above, each line of the given number."""
    lines = text.splitlines()
    for number, where in sorted(marks.items(), reverse=True):
        indent = " " * (len(lines[number - 1]) - len(lines[number - 1].lstrip()))
        if where == "behind":
            lines[number - 1] += f" {OK}"
        else:
            lines.insert(number - 1, f"{indent}{OK}")
    return "\n".join(lines) + "\n"


BOTH = ["QOS701 a.yaml:17", "QOS701 a.yaml:22"]


@pytest.mark.parametrize("where", ["behind", "above"])
@pytest.mark.parametrize(
    ("line", "left"),
    [
        (17, ["agent"]),  # the line itself
        (16, ["agent"]),  # the block around it
        (13, ["agent"]),  # the item of the container
        (18, ["app"]),
        (19, ["app"]),  # its name, which is not its first line
        (12, []),  # the list of containers
        (1, []),  # the object
    ],
)
def test_a_comment_is_about_its_line_and_what_that_opens(told, line, left, where):
    found, accepted = told({"a.yaml": placed(deployment(), {line: where})})
    shift = [where == "above" and number >= line for number in (17, 22)]
    lines = {"app": 17 + shift[0], "agent": 22 + shift[1]}
    assert found == [f"QOS701 a.yaml:{lines[name]}" for name in left]
    assert accepted == ["comment"] * (2 - len(left))


@pytest.mark.parametrize("line", [3, 4, 7, 14, 20])
def test_a_comment_elsewhere_accepts_nothing_and_that_is_told(told, line):
    found, _ = told({"a.yaml": placed(deployment(), {line: "behind"})})
    expected = {"QOS701 a.yaml:17", "QOS701 a.yaml:22", f"QOS903 a.yaml:{line}"}
    if line == 20:  # the resources of the second container
        expected -= {"QOS701 a.yaml:22", "QOS903 a.yaml:20"}
    assert {*found} == expected


def test_comments_may_stand_above_the_marker_and_above_one_another(told):
    text = f"{OK}\n# qoslint: ignore[QOS903] not needed\n---\n{deployment()}"
    assert told({"a.yaml": text}) == (["QOS903 a.yaml:2"], ["comment", "comment"])


def test_a_comment_of_one_object_is_not_about_the_next(told):
    first = deployment(first=f"  {OK}")
    found, _ = told({"a.yaml": f"{first}---\n{deployment().replace('name: web', 'name: other')}"})
    assert found == ["QOS701 a.yaml:40", "QOS701 a.yaml:45"]


def test_items_of_lists_are_objects(told):
    item = "\n".join(f"    {line}" for line in deployment(first=f" {OK}").splitlines())[4:]
    text = f"apiVersion: v1\nkind: List\nitems:\n  - {item}\n"
    assert told({"a.yaml": text}) == ([], ["comment", "comment"])


@pytest.mark.parametrize(
    "text", ['"x # qoslint: ignore[QOS701] r"', f"|\n      a {OK}\n      {OK}"]
)
def test_what_is_no_comment_says_nothing(told, text):
    files = {"a.yaml": deployment(metadata=f"\n  annotations:\n    note: {text}")}
    assert [each.partition(" ")[0] for each in told(files)[0]] == ["QOS701", "QOS701"]


def test_a_comment_behind_the_indicator_of_a_block_of_text_is_one(told):
    files = {"a.yaml": deployment(metadata=f"\n  annotations:\n    note: | {OK}\n      x")}
    assert "QOS903 a.yaml:7" in told(files)[0]


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("ignore[QOS7O1] why", "there is no rule QOS7O1, did you mean 'QOS701'?"),
        ("ignore[QOS999] why", "there is no rule QOS999"),
        ("ignore[] why", "it names no rule: write `# qoslint: ignore[QOS103] the reason`."),
        ("ignore why", "it names no rule"),
        ("disable=QOS701", "it names no rule"),
        ("ignore[QOS701] until 2020-01-31 why", "counted until 2020-01-31"),
        ("ignore[QOS701] until tomorrow", "'tomorrow' is no date such as 2027-06-30"),
    ],
)
def test_a_wrong_comment_accepts_nothing_and_says_why(repository, comment, message):
    text = deployment(container=f" # qoslint: {comment}")
    report = repository.write({**SETTINGS, "a.yaml": text}).check()
    assert [each.rule for each in report.findings] == ["QOS903", "QOS701", "QOS701"]
    assert message in report.findings[0].message


@pytest.mark.parametrize(
    "comment",
    [
        "ignore[QOS701]",
        "ignore[QOS701] ",
        "ignore [QOS701]",
        "ignore[QOS701] # yamllint disable-line",
        "ignore[QOS701] until 9999-12-31",
    ],
)
def test_a_comment_without_a_reason_counts_and_is_told(told, comment):
    found, accepted = told({"a.yaml": deployment(container=f" # qoslint: {comment}")})
    assert (found, accepted) == (["QOS903 a.yaml:13", "QOS701 a.yaml:22"], ["comment"])


@pytest.mark.parametrize(
    "comment",
    [
        "ignore[QOS701, QOS702] why",
        "ignore[QOS702,QOS701] why",
        "ignore[qos7] why",
        "ignore[QOS701]: why",
        "ignore[QOS701] until 9999-12-31: why",
    ],
)
def test_codes_may_be_several_or_the_start_of_several(told, comment):
    found, accepted = told({"a.yaml": deployment(container=f" # qoslint:{comment}")})
    assert accepted == ["comment"]
    assert "QOS701 a.yaml:17" not in found


def test_each_code_of_a_comment_is_used_or_not(repository):
    text = deployment(container=" # qoslint: ignore[QOS701, QOS903] why")
    report = repository.write({**SETTINGS, "a.yaml": text}).check()
    (found,) = [each for each in report.findings if each.rule == "QOS903"]
    assert found.message == "This comment accepts nothing: QOS903 finds nothing here."


def test_other_words_of_ours_in_a_comment_are_nobody_s_suppression(told):
    found, _ = told({"a.yaml": deployment(container=" # qoslint: see the page of QOS701")})
    assert found == BOTH


def test_two_comments_that_say_the_same_are_one_too_many(told):
    text = f"    {OK}\n".lstrip() + placed(deployment(), {1: "behind"})
    found, accepted = told({"a.yaml": text})
    assert found == ["QOS903 a.yaml:2"]
    assert accepted == ["comment", "comment"]


def test_unused_is_told_only_where_the_rule_ran(told):
    text = deployment(container=" # qoslint: ignore[QOS103] why")
    found, _ = told({"a.yaml": text})
    assert found == BOTH
    select = {".qoslint.yaml": "rules: {select: [QOS103, QOS903]}\n"}
    assert told({"a.yaml": text, **select})[0] == ["QOS903 a.yaml:13"]


def test_unused_is_told_only_where_a_folder_was_checked(told):
    files = {".git/config": "", "x/a.yaml": deployment().replace(": 400", f": 400Mi {OK}", 1)}
    assert told(files, "x/a.yaml")[0] == ["QOS701 x/a.yaml:22"]
    assert told(files, "x")[0] == ["QOS903 x/a.yaml:17", "QOS701 x/a.yaml:22"]


def test_unused_is_not_told_of_a_pod_that_is_not_known(told):
    text = deployment(container=" # qoslint: ignore[QOS701] why").replace(": 400", ": 400Mi")
    assert told({"a.yaml": text})[0] == ["QOS903 a.yaml:13"]
    assert told({"a.yaml": text.replace("400Mi", "${MEMORY}")})[0] == []


@pytest.mark.parametrize(
    ("where", "key", "left"),
    [
        ("metadata", "qoslint.dev/ignore", []),
        ("pod", "qoslint.dev/ignore", []),
        ("metadata", "qoslint.dev/ignore.app", BOTH[1:]),
        ("pod", "qoslint.dev/ignore.agent", BOTH[:1]),
    ],
)
def test_an_annotation_is_about_the_object_or_one_container(repository, where, key, left):
    indent = {"metadata": "  ", "pod": "      "}[where]
    added = f"\n{indent}annotations: {{{key}: QOS701 the load test wants it}}"
    report = repository.write({**SETTINGS, "a.yaml": deployment(**{where: added})}).check()
    lines = {17: BOTH[0], 22: BOTH[1]}
    assert [lines[each.location.span.start.line - 1] for each in report.findings] == left
    assert [(each.by, each.reason) for each in report.accepted] == [
        ("annotation", "the load test wants it")
    ] * (2 - len(left))


@pytest.mark.parametrize(
    ("value", "accepted", "message"),
    [
        ("QOS701, QOS702 why", 2, "accepts nothing: QOS702 finds nothing here"),
        ("QOS701 QOS702: why", 2, "accepts nothing: QOS702 finds nothing here"),
        ("QOS701", 2, "gives no reason"),
        ("QOS711 why", 0, "there is no rule QOS711"),
        ("QOS701 until 2020-01-31 why", 0, "counted until 2020-01-31"),
        ("because", 0, "there is no rule BECAUSE"),
        ("'!'", 0, "names no rule: write `QOS103 the reason`"),
    ],
)
def test_a_wrong_annotation_is_told(repository, value, accepted, message):
    quoted = f'"{value}"'
    text = deployment(metadata=f"\n  annotations: {{qoslint.dev/ignore: {quoted}}}")
    settings = {".qoslint.yaml": "rules: {select: [QOS701, QOS702, QOS903]}\n"}
    report = repository.write({**settings, "a.yaml": text}).check()
    assert len(report.accepted) == accepted
    (found,) = [each for each in report.findings if each.rule == "QOS903"]
    assert (found.location.file, found.location.span.start.line) == ("a.yaml", 6)
    assert message in found.message


def test_lines_of_an_annotation_are_statements(told):
    lines = "\n  annotations:\n    qoslint.dev/ignore: |\n      QOS701 one\n      QOS702 other"
    settings = {".qoslint.yaml": "rules: {select: [QOS701, QOS702, QOS903]}\n"}
    found, accepted = told({**settings, "a.yaml": deployment(metadata=lines)})
    assert (found, accepted) == (["QOS903 a.yaml:7"], ["annotation", "annotation"])


def test_an_annotation_is_no_expectation(repository):
    text = deployment(metadata="\n  annotations: {qoslint.dev/ignor: QOS701 why}")
    found = repository.write({"a.yaml": text}).check().findings
    (said,) = [each.message for each in found if each.rule == "QOS905"]
    assert "Did you mean qoslint.dev/ignore?" in said


CHART = {
    "Chart.yaml": "{apiVersion: v2, name: web, version: 1.0.0}\n",
    "values.yaml": "resources:\n  requests:\n    memory: 400\nagent: true\n",
}


def template(resources="", item="", first="", toyaml=""):
    return dedent(f"""\
        apiVersion: v1{first}
        kind: Pod
        metadata:
          name: {{{{ .Release.Name }}}}
        spec:
          containers:
            - name: app{item}
              image: x
              resources:{resources}
                {{{{- toYaml .Values.resources | nindent 8 }}}}{toyaml}
            {{{{- if .Values.agent }}}}
            - name: agent
              image: x
            {{{{- end }}}}
        """)


@pytest.mark.parametrize(
    "texts",
    [
        {"item": f" {OK}"},
        {"first": f" {OK}"},
        {"resources": f" {OK}"},
        {"toyaml": f" {OK}"},
        {"item": " {{/* qoslint: ignore[QOS701] r */}}"},
        {"first": " {{- /* qoslint: ignore[QOS701] r */}}"},
    ],
    ids=lambda texts: next(iter(texts)),
)
def test_a_comment_in_a_template_is_about_what_it_renders(told, texts):
    assert told({**CHART, "templates/pod.yaml": template(**texts)}) == ([], ["comment"])


@pytest.mark.parametrize("values", ["    memory: 400 {}\n", "    {}\n    memory: 400\n"])
def test_a_comment_in_values_is_about_its_key(told, values):
    values = f"resources:\n  requests:\n{values.format(OK)}agent: true\n"
    files = {**CHART, "values.yaml": values, "templates/pod.yaml": template()}
    assert told(files) == ([], ["comment"])


def test_the_first_line_of_values_is_no_object(told):
    values = f"agent: true {OK}\n" + CHART["values.yaml"].replace("agent: true\n", "")
    files = {**CHART, "values.yaml": values, "templates/pod.yaml": template()}
    assert told(files)[0] == ["QOS903 values.yaml:1", "QOS701 values.yaml:4"]


def test_a_comment_of_a_template_can_hold_its_own_language(told):
    text = (
        template()
        .replace("memory", "memory")
        .replace(
            "{{- toYaml .Values.resources | nindent 8 }}",
            "requests:\n          {{/* qoslint: ignore[QOS701] r */}}\n          memory: 400",
        )
    )
    assert told({**CHART, "templates/pod.yaml": text}) == ([], ["comment"])


def test_an_unused_comment_of_a_template_is_told_where_it_is_written(told):
    text = template(item=f" {OK}").replace(
        "- name: agent", f"- name: agent {OK.replace('it', 'us')}"
    )
    files = {**CHART, "templates/pod.yaml": text}
    assert told(files) == (["QOS903 templates/pod.yaml:12"], ["comment"])
    # What is not rendered is not called unused.
    off = {"values.yaml": CHART["values.yaml"].replace("agent: true", "agent: false")}
    assert told({**files, **off}) == ([], ["comment"])


def test_an_annotation_in_a_template_counts_for_each_environment(told):
    text = template().replace(
        "  name: {{ .Release.Name }}\n",
        "  name: {{ .Release.Name }}\n  annotations: {qoslint.dev/ignore: '{{ .Values.ok }}'}\n",
    )
    charts = "charts: [{path: ., environments: {a: {values: [a.yaml]}, b: {values: [b.yaml]}}}]\n"
    files = {
        **CHART,
        ".qoslint.yaml": SETTINGS[".qoslint.yaml"] + charts,
        "templates/pod.yaml": text,
        "a.yaml": "ok: QOS701 the load test\n",
        "b.yaml": "ok: ''\n",
    }
    found, accepted = told(files)
    assert found == ["QOS701 values.yaml:3"]
    assert accepted == ["annotation"]


BASE = {"base/kustomization.yaml": "resources: [a.yaml]\n", "base/a.yaml": deployment()}
PATCH = """\
apiVersion: apps/v1{first}
kind: Deployment
metadata: {{name: web, namespace: shop}}
spec:
  template:
    spec:
      containers:
        - name: app{item}
          resources:
            requests:
              memory: 300{line}
"""
OVERLAY = {"prod/kustomization.yaml": "resources: [../base]\npatches: [{path: patch.yaml}]\n"}


def overlay(base=None, **texts):
    patch = PATCH.format(**{"first": "", "item": "", "line": "", **texts})
    base = base or deployment().replace("memory: 400", "memory: 400Mi")
    return {**BASE, **OVERLAY, "base/a.yaml": base, "prod/patch.yaml": patch}


def test_a_patch_is_where_the_finding_stands(told):
    assert told(overlay()) == (["QOS701 prod/patch.yaml:11"], [])


@pytest.mark.parametrize("where", ["first", "item", "line"])
def test_a_comment_in_a_patch_counts(told, where):
    assert told(overlay(**{where: f" {OK}"})) == ([], ["comment"])


@pytest.mark.parametrize("line", [1, 12, 13])
def test_a_comment_on_an_object_or_container_of_a_base_counts_for_what_a_patch_changes(told, line):
    base = placed(deployment().replace("memory: 400", "memory: 400Mi"), {line: "behind"})
    assert told(overlay(base)) == ([], ["comment"])


def test_a_comment_on_a_line_of_a_base_is_not_about_what_a_patch_puts_there(told):
    base = placed(deployment().replace("memory: 400", "memory: 400Mi"), {17: "behind"})
    assert told(overlay(base))[0] == ["QOS903 base/a.yaml:17", "QOS701 prod/patch.yaml:11"]


@pytest.mark.parametrize(("line", "left"), [(1, []), (13, [22]), (17, [22]), (18, [17])])
def test_a_comment_in_a_base_counts_for_each_overlay(told, line, left):
    files = {
        **BASE,
        "base/a.yaml": placed(deployment(), {line: "behind"}),
        "prod/kustomization.yaml": "resources: [../base]\nnamespace: prod\n",
        "stage/kustomization.yaml": "resources: [../base]\nnamespace: stage\n",
    }
    assert told(files)[0] == [f"QOS701 base/a.yaml:{number}" for number in left]


def test_an_unused_comment_in_a_base_or_patch_is_told(told):
    base = placed(deployment().replace("memory: 400", "memory: 400Mi"), {22: "behind"})
    files = overlay(base, line=f" {OK}")
    assert told(files) == (["QOS903 base/a.yaml:22"], ["comment"])
    files = overlay(line="Mi # qoslint: ignore[QOS701] r")
    assert told(files)[0] == ["QOS903 prod/patch.yaml:11"]


def test_an_annotation_that_a_patch_adds_counts(told):
    files = overlay()
    files["prod/patch.yaml"] = files["prod/patch.yaml"].replace(
        "namespace: shop}", "namespace: shop, annotations: {qoslint.dev/ignore: QOS701 r}}"
    )
    assert told(files) == ([], ["annotation"])


def test_nothing_accepts_what_a_strict_rule_finds(repository):
    settings = """\
        rules:
          select: [QOS701, QOS903]
          strict: [QOS701]
          exceptions: [{rule: QOS701, object: shop/Deployment/web, reason: r}]
        """
    text = deployment(container=f" {OK}", pod="\n      annotations: {qoslint.dev/ignore: QOS701 r}")
    report = repository.write({".qoslint.yaml": settings, "a.yaml": text}).check()
    rules = [(each.rule, each.location.file) for each in report.findings]
    assert rules.count(("QOS701", "a.yaml")) == 2
    said = [each.message for each in report.findings if each.rule == "QOS903"]
    assert said == [
        "This exception accepts nothing, for QOS701 is strict by the settings.",
        "This annotation accepts nothing, for QOS701 is strict by the settings.",
        "This comment accepts nothing, for QOS701 is strict by the settings.",
    ]
    assert report.accepted == ()


def test_a_finding_on_two_objects_stays_with_the_one_that_nothing_accepts(repository):
    files = {
        **BASE,
        ".qoslint.yaml": "rules:\n  select: [QOS701]\n  exceptions:\n"
        "  - {rule: QOS701, object: prod/Deployment/web, reason: r}\n",
        "prod/kustomization.yaml": "resources: [../base]\nnamespace: prod\n",
        "stage/kustomization.yaml": "resources: [../base]\nnamespace: stage\n",
    }
    report = repository.write(files).check()
    assert {each.objects for each in report.findings} == {("Deployment stage/web",)}
    assert {each.finding.objects for each in report.accepted} == {("Deployment prod/web",)}


@pytest.mark.parametrize("ignored", ["QOS701", "QOS7"])
def test_a_strict_rule_cannot_be_left_out(repository, ignored):
    settings = f"rules: {{strict: [QOS7], ignore: [{ignored}]}}\n"
    with pytest.raises(UsageError, match="make QOS701 strict, so that it cannot be ignored"):
        repository.write({".qoslint.yaml": settings, "a.yaml": deployment()}).check()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("exceptions: [{rule: QOS7011, object: a, reason: r}]", "did you mean 'QOS701'?"),
        ("exceptions: [{rule: QOS701, object: a, reason: ' '}]", "exceptions[0].reason"),
        ("exceptions: [{rule: QOS701, object: a}]", "reason"),
        ("strict: [QOS999]", "strict[0] names no rule"),
    ],
)
def test_settings_that_accept_without_sense_end_the_run(repository, settings, message):
    files = {".qoslint.yaml": f"rules:\n  {settings}\n", "a.yaml": deployment()}
    with pytest.raises(SettingsError, match=re.escape(message)) as error:
        repository.write(files).check()
    assert str(error.value).startswith(".qoslint.yaml:2: ")


def exception(**changes):
    fields = {"rule": "QOS701", "object": "shop/Deployment/web", "reason": "r", **changes}
    listed = ", ".join(f"{key}: {value!r}" for key, value in fields.items())
    return f"rules:\n  select: [QOS701, QOS903]\n  exceptions:\n  - {{{listed}}}\n"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, ""),
        ({"container": "app"}, ""),
        ({"container": "gone"}, "This exception accepts nothing: QOS701 finds nothing here."),
        ({"object": "shop/Deployment/gone"}, "accepts nothing: QOS701 finds nothing here."),
        ({"rule": "QOS903"}, "accepts nothing: QOS903 finds nothing here."),
        ({"expires": "2020-01-31"}, "counted until 2020-01-31: what it accepted is told again."),
        ({"expires": "9999-01-31"}, ""),
    ],
)
def test_an_exception_out_of_use_is_told_at_its_line(repository, changes, message):
    files = {".qoslint.yaml": exception(**changes), "a.yaml": deployment()}
    report = repository.write(files).check()
    told = [each for each in report.findings if each.rule == "QOS903"]
    assert [message in each.message for each in told] == [True] * bool(message)
    assert all(each.location.span.start.line == 4 for each in told)
    assert {each.location.file for each in told} <= {".qoslint.yaml"}


def test_an_exception_in_toml_is_told_at_its_line(repository):
    text = (
        '[tool.qoslint.rules]\nselect = ["QOS701", "QOS903"]\n\n'
        '[[tool.qoslint.rules.exceptions]]\nrule = "QOS701"\nobject = "a/Pod/b"\nreason = "r"\n'
    )
    report = repository.write({"pyproject.toml": text, "a.yaml": deployment()}).check()
    (told,) = [each for each in report.findings if each.rule == "QOS903"]
    assert (told.location.file, told.location.span.start.line) == ("pyproject.toml", 4)


def test_an_exception_is_called_unused_only_if_everything_was_seen(repository):
    files = {
        ".git/config": "",
        ".qoslint.yaml": exception(object="shop/Deployment/gone"),
        "x/a.yaml": deployment(),
        "y/b.yaml": "kind: Pod\nspec: [\n",
    }
    rules = [each.rule for each in repository.write(files).check().findings]
    assert "QOS903" not in rules
    rules = [each.rule for each in repository.check("x").findings]
    assert "QOS903" not in rules
    (repository.root / "y/b.yaml").unlink()
    rules = [each.rule for each in repository.check().findings]
    assert rules.count("QOS903") == 1

"""Comments and annotations that accept findings: each place and each wrong form."""

import pytest

from .two_findings import OK, SETTINGS, deployment, placed

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
    assert (
        found.message == "This comment accepts nothing, for no comment accepts what QOS903 finds."
    )


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
    assert [(each.by, each.reason) for each in report.suppressed] == [
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
    assert len(report.suppressed) == accepted
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

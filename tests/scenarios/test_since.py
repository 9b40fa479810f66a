"""`qoslint check --since`: the findings of a change, and no others."""

import json

from qoslint.errors import UsageError

API = """
    apiVersion: v1
    kind: Pod
    metadata:
      name: api
      namespace: shop
    spec:
      containers:
        - name: app
          image: registry.example/app:1
          resources:
            requests: {cpu: "1", memory: 1Gi}
            limits: {cpu: "1", memory: 1Gi}
"""
BARE = """
    apiVersion: v1
    kind: Pod
    metadata:
      name: NAME
      namespace: shop
    spec:
      containers:
        - name: app
          image: registry.example/app:1
"""
OLD = BARE.replace("NAME", "old")
CAPS = """
    apiVersion: v1
    kind: LimitRange
    metadata: {name: caps, namespace: shop}
    spec:
      limits:
        - type: Container
          max: {memory: 512Mi}
"""


def since(history, *arguments):
    done = history.run("check", "--since", *arguments, "--format", "json")
    assert done.exit_code in (0, 1), done.output
    report = json.loads(done.stdout)
    found = [
        (each["rule"], each["at"]["file"], each["at"]["line"], each["objects"])
        for each in report["findings"]
    ]
    return found, report


def test_what_was_there_before_is_left_out_and_counted(history):
    history.commit({"old.yaml": OLD})
    history.commit({"new.yaml": BARE.replace("NAME", "new")})
    found, report = since(history, "HEAD~1")
    assert found == [("QOS103", "new.yaml", 8, ["Pod shop/new"])]
    assert "1 finding is not told, which the change since HEAD~1 neither causes nor touches." in {
        each["message"] for each in report["notices"]
    }


def test_what_a_change_elsewhere_causes_is_told_where_it_is(history):
    history.commit({"api.yaml": API, "old.yaml": OLD})
    history.commit({"caps.yaml": CAPS})
    found, _ = since(history, "HEAD~1")
    assert ("QOS203", "api.yaml", 12, ["Pod shop/api"]) in found
    assert ("QOS003", "caps.yaml", 3, ["LimitRange shop/caps"]) in found


def test_findings_move_with_their_lines_and_their_files(history):
    history.commit({"old.yaml": OLD})
    history.commit({"apps/older.yaml": f"\n    # Moved, and longer.{OLD}"}, "old.yaml")
    found, _ = since(history, "HEAD~1")
    assert found == []


def test_a_finding_on_a_line_that_was_edited_is_told_again(history):
    history.commit({"old.yaml": OLD})
    history.commit({"old.yaml": OLD.replace("name: app", "name: app # one")})
    found, _ = since(history, "HEAD~1")
    assert found == [("QOS103", "old.yaml", 8, ["Pod shop/old"])]


def test_another_container_in_front_makes_no_finding_of_the_next_a_new_one(history):
    two = OLD.replace(
        "        - name: app\n",
        "        - name: first\n          image: registry.example/first:1\n        - name: app\n",
    )
    history.commit({"old.yaml": OLD.replace("- name: app", "- name: last")})
    history.commit({"old.yaml": two.replace("- name: app", "- name: last")})
    found, _ = since(history, "HEAD~1")
    assert {rule for rule, *_ in found} <= {"QOS103"}


def test_a_demotion_that_nobody_expects_is_an_error_if_the_class_is_stated(history):
    wanted = API.replace(
        "      namespace: shop\n",
        "      namespace: shop\n      annotations: {qoslint.dev/expect-qos: Guaranteed}\n",
    )
    history.commit({"api.yaml": wanted})
    history.commit({"api.yaml": wanted.replace('limits: {cpu: "1", ', "limits: {")})
    done = history.run("check", "--since", "HEAD~1", "--format", "json", "--select", "QOS001")
    (finding,) = json.loads(done.stdout)["findings"]
    assert finding["severity"] == "error"
    assert finding["message"] == (
        "Pod shop/api becomes Burstable from Guaranteed, although it is expected not to: container "
        "'app' limits.cpu 1 was removed (api.yaml:13 of HEAD~1)."
    )


def test_a_change_cannot_take_a_rule_out_of_its_own_check(history):
    history.commit({".qoslint.yaml": "rules: {preset: default}\n", "api.yaml": API})
    history.commit(
        {".qoslint.yaml": "rules: {ignore: [QOS103]}\n", "new.yaml": BARE.replace("NAME", "new")}
    )
    own, _ = since(history, "HEAD~1")
    judged, _ = since(history, "HEAD~1", "--settings-from", "HEAD~1")
    assert own == [("QOS007", ".qoslint.yaml", 1, [".qoslint.yaml"])]
    assert [each[:2] for each in judged] == [("QOS007", ".qoslint.yaml"), ("QOS103", "new.yaml")]


def test_rules_about_changes_do_not_run_without_a_change(history):
    history.commit({"api.yaml": API})
    done = history.run("check", "--format", "json")
    ran = {each["code"] for each in json.loads(done.stdout)["rules"]}
    assert not {code for code in ran if code.startswith("QOS0")}
    _, report = since(history, "HEAD")
    assert {"QOS001", "QOS006"} <= {each["code"] for each in report["rules"]}


def test_what_a_change_leaves_out_can_be_written_beside_what_it_tells(history):
    """For code scanning, which takes what it is not told for fixed, and for what is told there."""
    ignoring = {".qoslint.yaml": "rules: {ignore: [QOS103]}\n"}
    history.commit({"old.yaml": OLD, "api.yaml": API})
    bare = API[: API.index("          resources:")]
    history.commit({"api.yaml": bare, **ignoring})
    parts = {"all.json": "--output-all", "changes.json": "--output-changes", "r.json": "--output"}
    options = [each for file, option in parts.items() for each in (option, f"json:{file}")]
    done = history.run("check", "--since", "HEAD~1", "--settings-from", "HEAD~1", *options)
    assert done.exit_code == 0, done.output
    read = {file: json.loads((history.root / file).read_text("utf-8")) for file in parts}
    found = {
        file: [(each["rule"], each["at"]["file"]) for each in report["findings"]]
        for file, report in read.items()
    }
    state = [("QOS103", "api.yaml"), ("QOS103", "old.yaml")]
    changes = [("QOS001", "api.yaml"), ("QOS006", "api.yaml"), ("QOS007", ".qoslint.yaml")]
    assert sorted(found["changes.json"]) == changes
    assert found["all.json"] == state
    assert sorted(found["r.json"]) == [*changes, state[0]]
    assert not [each for each in read["all.json"]["notices"] if "not told" in each["message"]]
    # Without a change it is what there is.
    (history.root / ".qoslint.yaml").unlink()
    alone = history.run("check", *options)
    assert alone.exit_code == 0, alone.output
    read = {file: json.loads((history.root / file).read_text("utf-8")) for file in parts}
    assert read["all.json"]["findings"] == read["r.json"]["findings"]
    assert [each["rule"] for each in read["r.json"]["findings"]] == ["QOS103", "QOS103"]
    assert read["changes.json"]["findings"] == []


def test_a_revision_that_is_named_by_its_id_is_the_base(history):
    history.commit({"api.yaml": API})
    base = history.git("rev-parse", "HEAD").strip()
    history.commit({"api.yaml": API.replace('limits: {cpu: "1", ', "limits: {")})
    done = history.run("check", "--since", base, "--format", "json", "--select", "QOS001")
    (finding,) = json.loads(done.stdout)["findings"]
    assert finding["message"].endswith(f"(api.yaml:12 of the base {base[:12]}).")
    assert history.diff(base).startswith(f"From the base {base[:12]} to the work tree\n")


def test_options_that_contradict_each_other_are_refused(history):
    history.commit({"api.yaml": API})
    for arguments, said in (
        (("--since", "HEAD", "--fix"), "--since compares revisions"),
        (("--settings-from", "HEAD"), "give --since too"),
    ):
        done = history.run("check", *arguments)
        assert said in str(done.exception)


def test_a_change_may_take_away_all_that_is_asked_about(history):
    history.commit({"apps/old.yaml": OLD})
    history.commit({"other.yaml": "a: 1\n"}, "apps/old.yaml")
    found, report = since(history, "HEAD~1", "apps")
    assert found == []
    assert report["pods"] == []


def test_a_path_that_is_at_neither_revision_is_misspelt(history):
    history.commit({"apps/old.yaml": OLD})
    for command in (("check", "--since", "HEAD", "aps"), ("diff", "HEAD", "--path", "aps")):
        done = history.run(*command)
        assert isinstance(done.exception, UsageError)
        assert "'aps' exists at neither of the revisions" in str(done.exception)


def test_a_suppression_that_accepted_nothing_before_is_not_told_of_a_change_elsewhere(history):
    unused = OLD.replace("name: app\n", "name: app # qoslint: ignore[QOS103] gone since\n", 1)
    unused = unused.replace("app:1\n", "app:1\n          resources: {requests: {memory: 1Gi}}\n")
    accepted = OLD.replace(
        "- name: app\n", "- name: app # qoslint: ignore[QOS103] a toy\n"
    ).replace("name: old", "name: toy")
    assert "ignore" in unused
    history.commit({"unused.yaml": unused, "accepted.yaml": accepted})
    history.commit({"other.yaml": "a: 1\n"})
    assert "QOS903" in {each["rule"] for each in json.loads(checked(history))["findings"]}
    found, _ = since(history, "HEAD~1")
    assert found == []


def test_a_suppression_that_a_change_elsewhere_makes_useless_is_told(history):
    accepted = OLD.replace("- name: app\n", "- name: app # qoslint: ignore[QOS103] a toy\n")
    history.commit({"accepted.yaml": accepted})
    defaults = CAPS.replace("max:", "default:")
    history.commit({"caps.yaml": defaults})
    found, _ = since(history, "HEAD~1")
    assert ("QOS903", "accepted.yaml") in {(rule, file) for rule, file, *_ in found}


def checked(history):
    return history.run("check", "--format", "json").stdout


def test_a_finding_that_a_change_spreads_to_another_cluster_is_told(history):
    one = "clusters: [{name: one, paths: [apps]}, {name: two, paths: [other]}]\n"
    history.commit({".qoslint.yaml": one, "apps/old.yaml": OLD, "other/api.yaml": API})
    both = one.replace("[other]", "[other, apps]")
    history.commit({".qoslint.yaml": both})
    found, report = since(history, "HEAD~1", "--select", "QOS103")
    assert found == [("QOS103", "apps/old.yaml", 8, ["Pod shop/old"])]
    assert report["findings"][0]["clusters"] == ["one", "two"]


def test_a_cluster_that_is_renamed_makes_no_finding_a_new_one(history):
    settings = "clusters: [{name: one, paths: [apps]}]\n"
    history.commit({".qoslint.yaml": settings, "apps/old.yaml": OLD})
    history.commit({".qoslint.yaml": settings.replace("one", "two")})
    found, _ = since(history, "HEAD~1", "--select", "QOS103")
    assert found == []


def test_a_change_cannot_extend_the_baseline_that_accepts_its_findings(history):
    history.commit({"api.yaml": API, "known.json": '{"schemaVersion": 1, "accepted": []}\n'})
    history.commit({"new.yaml": BARE.replace("NAME", "new")})
    history.run("check", "--write-baseline", "known.json")
    history.commit({})
    own, _ = since(history, "HEAD~2", "--baseline", "known.json")
    judged, _ = since(history, "HEAD~2", "--baseline", "known.json", "--settings-from", "HEAD~2")
    assert own == [("QOS007", "known.json", 1, ["known.json"])]
    assert [each[:2] for each in judged] == [("QOS007", "known.json"), ("QOS103", "new.yaml")]


def test_a_baseline_that_the_judging_revision_lacks_accepts_nothing(history):
    history.commit({"api.yaml": API})
    history.commit({"new.yaml": BARE.replace("NAME", "new")})
    history.run("check", "--write-baseline", "known.json")
    arguments = ("HEAD~1", "--settings-from", "HEAD~1", "--baseline")
    judged, report = since(history, *arguments, "known.json")
    assert [each[:2] for each in judged] == [("QOS007", "known.json"), ("QOS103", "new.yaml")]
    assert "'known.json' is not at HEAD~1: no baseline accepts anything." in messages(report)
    done = history.run("check", "--since", *arguments, "nkown.json")
    assert str(done.exception).startswith("the baseline 'nkown.json' does not exist")


def messages(report):
    return [each["message"] for each in report["notices"]]


def test_that_the_judging_revision_lacks_the_settings_is_told(history):
    history.commit({"api.yaml": API})
    files = {"ci.yaml": "rules: {ignore: [QOS103]}\n", "new.yaml": BARE.replace("NAME", "new")}
    history.commit(files)
    arguments = ("--settings-from", "HEAD~1", "--config")
    judged, report = since(history, "HEAD~1", *arguments, "ci.yaml")
    said = "'ci.yaml' is not at HEAD~1: the default settings judge."
    assert [each[:2] for each in judged] == [("QOS007", "ci.yaml"), ("QOS103", "new.yaml")]
    assert messages(report).count(said) == 1
    assert said in history.run("diff", "HEAD~1", *arguments, "ci.yaml").stderr
    _, report = since(history, "HEAD~1", "--settings-from", "HEAD", "--config", "ci.yaml")
    assert said not in messages(report)


def test_settings_that_are_at_no_revision_are_misspelt(history):
    history.commit({"api.yaml": API, "ci.yaml": "rules: {}\n"})
    for judge in ((), ("--settings-from", "HEAD")):
        for command in (("check", "--since", "HEAD"), ("diff", "HEAD")):
            done = history.run(*command, *judge, "--config", "cy.yaml")
            assert isinstance(done.exception, UsageError)
            assert "cy.yaml' does not exist" in str(done.exception)


def test_settings_and_a_baseline_that_were_broken_before_can_be_mended(history):
    history.commit({"api.yaml": API, "ci.yaml": "rules: 1\n", "known.json": "[]\n"})
    history.commit({"ci.yaml": "rules: {}\n", "known.json": '{"schemaVersion": 1, "accepted": []}'})
    found, _ = since(history, "HEAD~1", "--config", "ci.yaml", "--baseline", "known.json")
    assert found == []


def test_a_broken_baseline_of_a_revision_is_told_by_its_name(history):
    history.commit({"api.yaml": API, "known.json": "[]\n"})
    done = history.run(
        *("check", "--since", "HEAD", "--settings-from", "HEAD", "--baseline", "known.json")
    )
    assert str(done.exception).startswith("at HEAD: known.json")


def test_histories_without_a_common_commit_have_no_change_between_them(history):
    history.commit({"api.yaml": API})
    history.git("switch", "--quiet", "--orphan", "other")
    history.commit({"other.yaml": OLD})
    done = history.run("check", "--since", "main")
    assert str(done.exception) == (
        "main and HEAD have no commit in common: name one from which the other comes"
    )

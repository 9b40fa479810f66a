import json

from qoslint.report import render
from qoslint.report.document import document
from qoslint.schema import check


def test_the_document_fits_its_schema(report):
    assert list(check(document(report), "report")) == []


def test_the_json_format_is_the_document(report, texts):
    assert json.loads(render("json", report, texts)) == document(report)


def test_every_schema_key_of_a_finding_is_always_written(report):
    findings = document(report)["findings"]
    assert len({tuple(finding) for finding in findings}) == 1


def test_a_file_name_that_is_not_utf8_reaches_strict_json_readers(report, texts):
    json.loads(render("json", report, texts)).__repr__().encode("utf-8")


def test_coverage_counts_every_file_once(report):
    coverage = document(report)["coverage"]
    accounted = [coverage["skipped"], coverage["notUnderstood"]]
    assert coverage["files"] == coverage["read"] + sum(sum(it.values()) for it in accounted)


def test_the_text_of_a_fix_stays_as_it_is(report):
    [refused] = [it for it in document(report)["findings"] if it["rule"] == "QOS203"]
    assert refused["fixes"][1]["text"] == "\r\n            limits:\r\n\t      x: 1"

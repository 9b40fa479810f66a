"""Pages are read as they are, however often."""

from qoslint.engine.page import read_page
from qoslint.package_data import data

NAME = "QOS103-best-effort-pod.md"


def test_a_page_that_was_edited_is_read_anew(tmp_path):
    text = (data("rules") / NAME).read_text("utf-8")
    file = tmp_path / NAME
    file.write_text(text, "utf-8")
    first = read_page(file, "checks")
    assert read_page(file, "checks") == first
    file.write_text(text.replace(first.summary, "Another summary."), "utf-8")
    assert read_page(file, "checks").summary == "Another summary."
    assert read_page(file, "others").check == "others.best_effort_pod"

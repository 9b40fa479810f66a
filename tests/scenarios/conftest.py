"""Small repositories that mark what must be told of them."""

import re

import pytest

_MARK = re.compile(r"#\s*~\s*(QOS\d{3}(?:,\s*QOS\d{3})*)$")


@pytest.fixture
def marked_and_found(repository):
    """Gives what the texts mark with `# ~ CODE`, and what is found in them: file, line, code."""

    def check(files):
        marked = {
            (file, number, code.strip())
            for file, text in files.items()
            for number, line in enumerate(text.lstrip("\n").splitlines(), start=1)
            if (mark := _MARK.search(line))
            for code in mark[1].split(",")
        }
        report = repository.write(files).check()
        found = {
            (finding.location.file, finding.location.span.start.line, finding.rule)
            for finding in report.findings
        }
        assert marked, "nothing is marked"
        return marked, found

    return check

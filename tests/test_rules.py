"""The rule pages prove themselves: every example shows what it says, and nothing else."""

import importlib
import importlib.resources
import inspect
import re

import pytest

from qoslint.engine.page import Page
from qoslint.engine.protocols import PROTOCOLS
from qoslint.engine.registry import first_sentence, pages
from qoslint.examples import run_example, run_fix
from qoslint.package_data import data
from qoslint.plugins.load import shipped
from qoslint.schema import check
from qoslint.source.document import load

SHIPPED = shipped()
PAGES = list(pages(SHIPPED.rule_packs))
EXAMPLES = [
    pytest.param(example, id=f"{page.code} {example.title}")
    for page in PAGES
    for example in page.examples()
]
SECTIONS = ("What it finds", "Why it matters", "What to do", "Examples", "When to allow it")
EASILY_WRONG = re.compile(r"^### .+\n\nEasily got wrong: [^\n]+\n", re.MULTILINE)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_shows_what_it_marks_and_nothing_else(example):
    outcome = run_example(example, SHIPPED)
    assert outcome.found == outcome.expected


@pytest.mark.parametrize("example", EXAMPLES)
def test_a_fix_makes_its_finding_vanish_and_adds_none(example):
    repair = run_fix(example, SHIPPED)
    assert repair.left == repair.found - repair.fixed
    assert repair.files == example.fixed()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.code)
class TestPage:
    def test_front_matter_follows_its_schema(self, page: Page):
        (file,) = (f for f in data("rules").iterdir() if f.name.startswith(page.code))
        front = re.match(r"---\n(.*?\n)---\n", file.read_text("utf-8"), re.DOTALL)
        assert front
        assert list(check(load(front[1]), "rule")) == []

    def test_every_section_is_there_and_holds_text(self, page: Page):
        assert [title for title in SECTIONS if not page.sections().get(title)] == []

    def test_one_example_fires_and_another_is_silent_for_the_rule(self, page: Page):
        fires = [page.code in {code for *_, code in e.expected()} for e in page.examples()]
        assert any(fires)
        assert not all(fires)

    def test_an_example_says_below_its_heading_what_a_naive_check_gets_wrong(self, page: Page):
        assert EASILY_WRONG.search(page.sections()["Examples"])

    def test_the_advice_is_one_sentence_on_one_line(self, page: Page):
        advice = first_sentence(page.sections()["What to do"])
        assert advice.endswith(".")
        assert "\n" not in advice

    def test_its_check_satisfies_exactly_one_protocol(self, page: Page):
        module = importlib.import_module(page.check)
        (name,) = [name for name, protocol in PROTOCOLS.items() if isinstance(module, protocol)]
        check = getattr(module, name)
        assert inspect.isgeneratorfunction(check)
        wanted = inspect.get_annotations(getattr(PROTOCOLS[name], name), eval_str=True)
        (_, subject), *more = inspect.get_annotations(check, eval_str=True).items()
        assert subject == next(iter(wanted.values()))
        assert [name for name, _ in more] == [*["options"][: len(page.options)], "return"]
        assert dict(more)["return"] == wanted["return"]


def test_pages_and_check_modules_match_one_to_one():
    import qoslint.checks

    folder = importlib.resources.files(qoslint.checks)
    modules = {f.name.removesuffix(".py") for f in folder.iterdir() if f.name.endswith(".py")}
    assert modules - {"__init__"} == {page.check.removeprefix("qoslint.checks.") for page in PAGES}


def test_codes_are_unique():
    codes = [page.code for page in PAGES]
    assert len(codes) == len(set(codes))

"""Which rules run: presets, codes and the starts of codes."""

import pytest

from qoslint.engine.registry import pages, select
from qoslint.engine.selection import Selection
from qoslint.errors import UsageError
from qoslint.plugins.load import shipped

PACKS = shipped().rule_packs
PRESETS = {page.code: page.preset for page in pages(PACKS)}


def chosen(**selection):
    return [rule.page.code for rule in select(Selection(**selection), PACKS)]


def of_presets(*names):
    return [code for code, preset in PRESETS.items() if preset in names]


def test_a_preset_holds_the_one_before_it_and_never_opt_in_rules():
    assert chosen() == of_presets("default")
    assert chosen(preset="pedantic") == of_presets("default", "pedantic")
    assert chosen(preset="strict") == of_presets("default", "pedantic", "strict")
    assert set(of_presets("opt-in")).isdisjoint(chosen(preset="strict"))
    assert of_presets("opt-in")


def test_selected_rules_run_instead_of_the_preset_and_extending_ones_besides():
    assert chosen(select=("QOS108",)) == ["QOS108"]
    assert chosen(extend=("QOS108",)) == sorted([*of_presets("default"), "QOS108"])
    assert chosen(select=("QOS103",), extend=("QOS108",)) == ["QOS103", "QOS108"]
    assert chosen(extend=("QOS108",), ignore=("QOS108",)) == of_presets("default")


def test_the_start_of_codes_means_all_of_them():
    assert chosen(select=("QOS1",)) == [code for code in PRESETS if code.startswith("QOS1")]
    assert "QOS103" not in chosen(ignore=("QOS10",))


@pytest.mark.parametrize("field", ["select", "extend", "ignore"])
def test_a_code_that_no_rule_has_is_an_error(field):
    with pytest.raises(UsageError, match="there is no rule 'QOS1033', did you mean 'QOS103'"):
        chosen(**{field: ("QOS1033",)})
